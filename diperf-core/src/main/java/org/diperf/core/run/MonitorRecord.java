package org.diperf.core.run;

import java.util.List;

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
 * @param isOfTestbed whether the testbed brought it, to watch what it has made rather than the service
 */
public record MonitorRecord(
        int number,
        String name,
        String kind,
        long periodNanos,
        long samples,
        long failed,
        List<String> notes,
        boolean isOfTestbed) {

    /** Nobody can choose some of a testbed's own metrics. */
    private static final int MAX_OF_TESTBED = 1_500;

    private static final int MAX_OF_OTHERS = 500;

    /** Returns how many metrics of a monitor are kept: the first that it reports. */
    public static int maxMetrics(boolean isOfTestbed) {
        return isOfTestbed ? MAX_OF_TESTBED : MAX_OF_OTHERS;
    }

    /** Returns how many of its metrics are kept. */
    public int maxMetrics() {
        return maxMetrics(isOfTestbed);
    }
}
