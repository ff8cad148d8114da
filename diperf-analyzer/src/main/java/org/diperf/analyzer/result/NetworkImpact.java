package org.diperf.analyzer.result;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.stats.Correlation;

/**
 * What the way between a tester and the target does to the tester's calls.
 *
 * @param testers those whose latency or bandwidth is known, by number
 * @param correlations of response time, throughput and success with latency and bandwidth, over testers
 */
public record NetworkImpact(List<Row> testers, List<Correlation> correlations) {

    /** Of a run whose testers measured nothing of their network. */
    public static final NetworkImpact NONE = new NetworkImpact(List.of(), List.of());

    private static final double LATENCY_FACTOR = 1.5;
    private static final double LATENCY_MILLIS = 0.05;
    private static final double BANDWIDTH_FACTOR = 1.2;

    public NetworkImpact {
        testers = List.copyOf(testers);
        correlations = List.copyOf(correlations);
    }

    /** Where a latency or a bandwidth comes from. */
    public enum Source {
        /** Nothing was measured. */
        NONE(""),
        /** Round trips to the target, observed by the clients during the run. */
        CLIENTS("clients"),
        /** The look at the node before the run. */
        NODE("node"),
        /** Probes of bandwidth in the run, by testers of the same node. */
        PROBES("probes");

        private final String word;

        Source(String word) {
            this.word = word;
        }

        /** Returns it for a file. */
        public String word() {
            return word;
        }
    }

    /**
     * One tester; {@code NaN} where something was not measured.
     *
     * @param tester from 1
     * @param host its name for the machine
     * @param node of the testbed; empty where it does not tell
     * @param clients that it ran
     * @param latencyMillis median round trip
     * @param latencySource of which kind
     * @param bandwidthBytes per second
     * @param bandwidthSource of which kind
     * @param responseMillis mean response time of its ok calls
     * @param perClientPerSecond its ok calls, per client and second
     * @param successPercent its ok calls, of those that ended
     * @param ok its ok calls
     * @param bytes payload moved by these
     * @param peakOk of the ok calls those that ended in the peak; 0 without one
     * @param peakBytes payload moved by these
     * @param trailSeconds middles of spans of time, after the start of the run
     * @param trailMillis mean round trip to the target in each
     */
    public record Row(
            int tester,
            String host,
            String node,
            int clients,
            double latencyMillis,
            Source latencySource,
            double bandwidthBytes,
            Source bandwidthSource,
            double responseMillis,
            double perClientPerSecond,
            double successPercent,
            long ok,
            long bytes,
            long peakOk,
            long peakBytes,
            double[] trailSeconds,
            double[] trailMillis) {}

    /** Returns whether testers have latencies that differ by more than round trips on one machine do. */
    public boolean latenciesDiffer() {
        return differ(Row::latencyMillis, LATENCY_FACTOR, LATENCY_MILLIS);
    }

    /** Returns whether testers have different bandwidths. */
    public boolean bandwidthsDiffer() {
        return differ(Row::bandwidthBytes, BANDWIDTH_FACTOR, 0);
    }

    private boolean differ(ToDoubleFunction<Row> of, double factor, double beyond) {
        double[] known = testers.stream()
                .mapToDouble(of)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return known.length > 1 && known[known.length - 1] > factor * known[0] + beyond;
    }
}
