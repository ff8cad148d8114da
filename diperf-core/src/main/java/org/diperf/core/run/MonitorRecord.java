package org.diperf.core.run;

import java.util.List;
import org.diperf.core.spi.Testbed.Network;

/**
 * A monitor of the service.
 *
 * @param number of its blocks, from 1
 * @param name unique in the run
 * @param kind of monitor
 * @param periodNanos time between samples
 * @param samples that it delivered
 * @param failed samples that it could not deliver
 * @param notes what readers of its samples need to know
 */
public record MonitorRecord(
        int number, String name, String kind, long periodNanos, long samples, long failed, List<String> notes) {

    /** The links of the testbed's own network have up to six metrics each way, and nobody can choose some. */
    private static final int MAX_OF_NETWORK = 1_500;

    private static final int MAX_OF_OTHERS = 500;

    /** Returns how many metrics of a monitor are kept: the first that it tells. */
    public static int mostMetrics(String kind) {
        return kind.equals(Network.MONITOR) ? MAX_OF_NETWORK : MAX_OF_OTHERS;
    }
}
