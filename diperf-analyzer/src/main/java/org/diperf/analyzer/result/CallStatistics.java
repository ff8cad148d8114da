package org.diperf.analyzer.result;

import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the calls of one part of a run. In {@code summary.json} its fields stand among those of the part.
 *
 * @param share of the run's ok calls, where the part is one of several beside one another
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
        @Nullable Statistics sendLag) {}
