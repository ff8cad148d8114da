package org.diperf.analyzer.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.RequestCounts;
import org.diperf.analyzer.result.Summary.RequestRate;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * One journey, or a group of calls within journeys, over the whole run.
 *
 * @param kind {@code journey} or {@code group}
 * @param counts of those that ended
 * @param unfinished that were under way when the load was cut off
 * @param rate ok ones a second of the run
 * @param responseTime of the ok ones: from the intended start of the first call to the end of the last
 * @param outcomes how many ended how
 * @param bytes of all its calls
 * @param steps its requests, in their order
 */
public record JourneySummary(
        String kind,
        @JsonProperty("calls") RequestCounts counts,
        long unfinished,
        @JsonProperty("throughput") RequestRate rate,
        @Nullable Statistics responseTime,
        Map<String, Long> outcomes,
        long bytes,
        List<Step> steps)
        implements PartCounts {

    /** Kind of a whole journey. */
    public static final String JOURNEY = "journey";

    /**
     * A request of a journey.
     *
     * @param calls of all journeys that make it
     * @param ended journeys of this one that failed here
     * @param left journeys of this one that went past it
     */
    public record Step(String request, RequestCounts calls, long ended, long left) {}

    /** Returns what is known of them as of calls. */
    @Override
    public CallStatistics numbers() {
        return new CallStatistics(
                new CallCounts(
                        counts.total(),
                        counts.total(),
                        counts.total(),
                        counts.ok(),
                        counts.failed(),
                        0,
                        0,
                        unfinished,
                        outcomes,
                        bytes),
                null,
                new Throughput(rate.mean(), null, null, null),
                responseTime,
                null,
                null,
                null);
    }
}
