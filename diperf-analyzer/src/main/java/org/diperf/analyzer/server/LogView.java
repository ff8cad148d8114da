package org.diperf.analyzer.server;

import java.util.Map;

/**
 * What the service's own log says of the run.
 *
 * @param monitor that read it
 * @param throughput ok requests that ended, per second, a value a quantum
 * @param responseMs their mean time by the service's clock, a value a quantum; {@code NaN} where none ended
 * @param load requests inside the service, time-weighted means of the quanta; empty where it does not say how long they took
 * @param requests that ended within the run
 * @param outcomes of these
 * @param bytes that it says it sent
 * @param measuredPerSecond ok requests a second over the measured part
 * @param measuredMs mean time of the ok requests that ended in the measured part; {@code NaN}: not told
 */
public record LogView(
        String monitor,
        double[] throughput,
        double[] responseMs,
        double[] load,
        long requests,
        Map<String, Long> outcomes,
        long bytes,
        double measuredPerSecond,
        double measuredMs) {

    /** Counts the requests that were ok. */
    public long ok() {
        return outcomes.getOrDefault("ok", 0L);
    }
}
