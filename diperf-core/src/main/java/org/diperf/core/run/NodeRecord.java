package org.diperf.core.run;

import java.util.Map;

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
        String reason) {}
