package org.diperf.core.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A machine that a testbed may use, as it was found.
 *
 * @param name by which the file and the testbed call it, such as {@code alice@127.0.0.2:2022}; unique in a testbed
 * @param labels given in the file, name to text, such as {@code site} to {@code lan}
 * @param measures by the names below, in their units; what was not measured is absent
 * @param facts about it in words, name to text in the order to show: Java, operating system
 * @param trouble why it cannot be used, with what to do; empty: it can
 */
public record Node(
        String name,
        Map<String, String> labels,
        Map<String, Double> measures,
        Map<String, String> facts,
        String trouble) {

    /** Processors that its users may use. */
    public static final String CORES = "cores";

    /** Memory that is there, in bytes. */
    public static final String MEMORY = "memory";

    /** Load average of the last minute. */
    public static final String LOAD = "load";

    /** Room for the run's folder, in bytes. */
    public static final String DISK = "disk";

    /** Round trip to the target, or where that cannot be had to the controller, in milliseconds. */
    public static final String RTT = "rtt";

    /** Throughput between it and the controller, in bytes a second. */
    public static final String BANDWIDTH = "bandwidth";

    /** Its wall clock less the controller's, in milliseconds. */
    public static final String OFFSET = "offset";

    /** Major version of its Java, 0: it has none. */
    public static final String JAVA = "java";

    public Node {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** Says whether testers can be started there. */
    public boolean usable() {
        return trouble.isEmpty();
    }
}
