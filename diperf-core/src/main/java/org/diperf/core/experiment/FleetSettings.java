package org.diperf.core.experiment;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.diperf.core.spi.Node;

/**
 * Which nodes of a testbed are used, and what happens when testers are lost.
 *
 * @param whenLost what follows the loss of a tester
 * @param minimum testers that must take part all the time, at least 1
 * @param linger how long a tester that has lost its controller keeps its samples
 * @param require condition that a node must meet, a {@link org.diperf.core.expression.Expression}; empty: none
 * @param nodes number of nodes to use, the best that qualify; 0: as many as the testers need, or all
 * @param testersPerNode most testers per node, at least 1
 */
public record FleetSettings(
        WhenLost whenLost, int minimum, Duration linger, String require, int nodes, int testersPerNode) {

    /** What follows the loss of a tester. */
    public enum WhenLost {
        /** The others continue; its share of the load stays away. */
        CONTINUE,
        /** Another tester takes its share from when it is ready. */
        REPLACE,
        /** The run ends. */
        ABORT
    }

    /** What {@code require} may ask of a node besides its labels. */
    public static final List<String> MEASURES = List.of(
            Node.CORES,
            Node.MEMORY,
            Node.FREE,
            Node.AVAILABLE,
            Node.LOAD,
            Node.DISK,
            Node.RTT,
            Node.BANDWIDTH,
            Node.OFFSET,
            Node.JAVA);

    /** What holds where nothing is said. */
    public static final FleetSettings DEFAULT =
            new FleetSettings(WhenLost.CONTINUE, 1, Duration.ofMinutes(10), "", 0, 1);

    public FleetSettings {
        requireNonNull(whenLost, "whenLost");
        requireNonNull(linger, "linger");
        requireNonNull(require, "require");
        if (minimum < 1 || nodes < 0 || testersPerNode < 1) {
            throw new IllegalArgumentException("Fleet: expected minimum >= 1, nodes >= 0 and testers-per-node >= 1, "
                    + "got minimum="
                    + minimum + ", nodes=" + nodes + ", testers-per-node=" + testersPerNode);
        }
    }
}
