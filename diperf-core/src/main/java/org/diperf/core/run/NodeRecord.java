package org.diperf.core.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A node that the testbed might have used.
 *
 * @param name in the file and the testbed
 * @param labels given in the file
 * @param measures by name, in the units of {@link org.diperf.core.spi.Node}; values that were not measured are absent
 * @param facts in words, in display order
 * @param chosen whether testers were placed there
 * @param reason why not; empty if it was
 */
public record NodeRecord(
        String name,
        Map<String, String> labels,
        Map<String, Double> measures,
        Map<String, String> facts,
        boolean chosen,
        String reason) {

    /** Returns the same record with the texts that the node and its testbed gave changed. */
    NodeRecord masked(UnaryOperator<String> mask) {
        Map<String, String> maskedFacts = new LinkedHashMap<>();
        facts.forEach((fact, value) -> maskedFacts.put(fact, mask.apply(value)));
        return new NodeRecord(name, labels, measures, maskedFacts, chosen, mask.apply(reason));
    }
}
