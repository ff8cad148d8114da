package org.diperf.analyzer.result;

import java.util.function.Function;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the calls of one part of a run. In {@code summary.json} its fields stand among those of the part.
 *
 * @param share of the run's ok calls, where the part is one of several next to one another
 * @param responseTime of ok calls, ms
 * @param responseTimeFailed of failed ones
 * @param serviceTime of ok calls
 * @param sendLag of all calls that were sent
 */
public record CallStatistics(
        CallCounts calls,
        @Nullable Double share,
        @Nullable Throughput throughput,
        @Nullable Statistics responseTime,
        @Nullable Statistics responseTimeFailed,
        @Nullable Statistics serviceTime,
        @Nullable Statistics sendLag) {

    /**
     * Returns the same, with what a part's intervals say of its numbers.
     *
     * @param others gives those of statistics of response times that are not listed
     */
    public CallStatistics with(Confidence confidence, Function<Statistic, Confidence.@Nullable Bounds> others) {
        return new CallStatistics(
                calls,
                share,
                throughput == null ? null : throughput.with(Uncertainty.SAMPLING, range(confidence.ofThroughput())),
                responseTime == null
                        ? null
                        : responseTime.with(
                                Uncertainty.SAMPLING,
                                statistic -> range(
                                        Statistic.listed().contains(statistic)
                                                ? confidence.ofResponseTime(statistic)
                                                : others.apply(statistic))),
                responseTimeFailed,
                serviceTime,
                sendLag);
    }

    /** Returns the same, with another part of how far off its throughput can be; {@code null}: there is none. */
    public CallStatistics with(String part, @Nullable Range ofThroughput) {
        return throughput == null ? this : with(throughput.with(part, ofThroughput));
    }

    /** Returns the same with another throughput. */
    public CallStatistics with(@Nullable Throughput other) {
        return new CallStatistics(calls, share, other, responseTime, responseTimeFailed, serviceTime, sendLag);
    }

    private static @Nullable Range range(Confidence.@Nullable Bounds bounds) {
        return bounds == null ? null : new Range(bounds.low(), bounds.high());
    }
}
