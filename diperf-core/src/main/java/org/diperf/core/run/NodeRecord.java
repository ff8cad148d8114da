package org.diperf.core.run;

import java.util.Map;

/**
 * A node that the testbed might have used.
 *
 * @param name as the file and the testbed call it
 * @param labels given in the file
 * @param measures by name, in the units of {@link org.diperf.core.spi.Node}; what was not measured is absent
 * @param facts in words, in the order to show
 * @param chosen whether testers were placed there
 * @param reason why not; empty where it was
 */
public record NodeRecord(
        String name,
        Map<String, String> labels,
        Map<String, Double> measures,
        Map<String, String> facts,
        boolean chosen,
        String reason) {}
