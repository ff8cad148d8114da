package org.diperf.core.spi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A machine that a testbed may use, as probed.
 *
 * @param name in the file and the testbed, such as {@code alice@127.0.0.2:2022}; unique in a testbed
 * @param labels given in the file, name to text, such as {@code site} to {@code lan}
 * @param measures by the names below, in their units; values that were not measured are absent
 * @param facts in words, name to text in display order: Java, operating system
 * @param trouble why it cannot be used, and what to do; empty: it can
 */
public record Node(
        String name,
        Map<String, String> labels,
        Map<String, Double> measures,
        Map<String, String> facts,
        String trouble) {

    /** Processors available to the user. */
    public static final String CORES = "cores";

    /** Memory, in bytes. */
    public static final String MEMORY = "memory";

    /** Memory that programs could still get, in bytes. */
    public static final String FREE = "free";

    /** Share of a processor that one more process would get, from 0 to 1. */
    public static final String AVAILABLE = "available";

    /** Load average over the last minute. */
    public static final String LOAD = "load";

    /** Free space for the run's folder, in bytes. */
    public static final String DISK = "disk";

    /** Round trip to the service, in milliseconds. */
    public static final String RTT = "rtt";

    /** How fast bytes go between it and the service, in bytes per second. */
    public static final String BANDWIDTH = "bandwidth";

    /** Its wall clock minus the controller's, in milliseconds. */
    public static final String OFFSET = "offset";

    /** Major version of its Java; 0 if it has none. */
    public static final String JAVA = "java";

    public Node {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** Returns whether testers can be started there. */
    public boolean usable() {
        return trouble.isEmpty();
    }
}
