package org.diperf.core.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code run.json}. Written when the run starts and again when it ends, so that a run whose controller
 * was killed can still be analysed.
 *
 * @param format {@link #FORMAT}
 * @param experiment name of the experiment
 * @param labels of the experiment
 * @param seed of the experiment
 * @param diperfVersion that carried out the run
 * @param startedAt wall clock at the global start instant, ISO 8601 in UTC; {@code null} when it never started
 * @param startNanos the global start instant, on the controller's monotonic clock
 * @param endNanos the instant at which the last call could end and all testers had reported, same clock; {@code null}
 *     while the run is under way
 * @param end how it ended
 * @param plugin id of the client plugin
 * @param metrics that the plugin declared for its calls, in the order of their columns
 * @param requests names of the kinds of request, in the order of their numbers
 * @param targets URIs, in the order of their numbers
 * @param stages the plan, one after another
 * @param testers all that were wanted
 * @param measure what {@code measured} is taken over
 * @param thresholds expressions that must hold
 * @param report how it is shown
 * @param machine what the controller ran on: name to value, in the order to show
 * @param events what happened, on the global clock, in order; at most 1,000
 * @param warnings why the numbers may not be trusted, from the controller's point of view
 */
public record RunRecord(
        String format,
        String experiment,
        Map<String, String> labels,
        long seed,
        String diperfVersion,
        @Nullable String startedAt,
        long startNanos,
        @Nullable Long endNanos,
        End end,
        String plugin,
        List<MetricRecord> metrics,
        List<String> requests,
        List<String> targets,
        List<StageRecord> stages,
        List<TesterRecord> testers,
        MeasureRecord measure,
        List<String> thresholds,
        ReportRecord report,
        Map<String, String> machine,
        List<Event> events,
        List<String> warnings) {

    /** Name and version of this format. */
    public static final String FORMAT = "diperf-run/1";

    /** How a run ended. */
    public enum End {
        /** Not yet. */
        UNDER_WAY,
        /** As planned. */
        COMPLETE,
        /** Cut short by the user. */
        INTERRUPTED,
        /** Cut short by a threshold with {@code abort}. */
        ABORTED,
        /** Cut short by a failure. */
        FAILED
    }

    /**
     * @param name as declared
     * @param unit as people write it
     */
    public record MetricRecord(String name, String unit) {}

    /**
     * One stage. Absent values belong to the other model.
     *
     * @param number from 0
     * @param model {@code closed} or {@code open}
     * @param startNanos after the start of the run
     * @param endNanos from which no more calls begin, after the start of the run
     * @param clients of closed load
     * @param startEveryNanos of closed load
     * @param runForNanos of closed load
     * @param think of closed load, in words
     * @param perSecond of open load
     * @param arrivals of open load
     * @param rampNanos of open load
     * @param maxInFlight of open load
     * @param timeoutNanos of both
     */
    public record StageRecord(
            int number,
            String model,
            long startNanos,
            long endNanos,
            @Nullable Integer clients,
            @Nullable Long startEveryNanos,
            @Nullable Long runForNanos,
            @Nullable String think,
            @Nullable Double perSecond,
            @Nullable String arrivals,
            @Nullable Long rampNanos,
            @Nullable Integer maxInFlight,
            long timeoutNanos) {}

    /**
     * One tester.
     *
     * @param number from 1
     * @param host its name for the machine
     * @param started whether it took part from the start instant
     * @param lostNanos instant from which nothing was heard of it, after the start of the run; {@code null}: not lost
     * @param lostReason in words; {@code null}: not lost
     * @param startNanos the start instant it was told, on its own clock; {@code null} when it was never told
     * @param sent calls it says it sent
     * @param dropped arrivals it says it dropped
     * @param lateEnds ends of calls that came after they were recorded or twice, ignored
     * @param stuckClients clients that did not let go of a call and were replaced
     * @param rejected what its clients could not use, kind to count
     * @param facts what it ran on: name to value, in the order to show (JVM, flags, cores, memory, operating system)
     */
    public record TesterRecord(
            int number,
            String host,
            boolean started,
            @Nullable Long lostNanos,
            @Nullable String lostReason,
            @Nullable Long startNanos,
            long sent,
            long dropped,
            long lateEnds,
            int stuckClients,
            Map<String, Long> rejected,
            Map<String, String> facts) {}

    /**
     * @param window {@code whole}, {@code peak} or {@code range}
     * @param fromNanos of a range, after the start of the run
     * @param toNanos of a range
     * @param skipNanos left out at the begin
     */
    public record MeasureRecord(String window, long fromNanos, long toNanos, long skipNanos) {}

    /**
     * @param quantumNanos width of one point of a series
     * @param smoothNanos width of the moving average; 0 where {@code smoothPoints} counts
     * @param smoothPoints points of the moving average; 0 where {@code smoothNanos} counts
     * @param perMinute whether rates are shown per minute
     */
    public record ReportRecord(long quantumNanos, long smoothNanos, int smoothPoints, boolean perMinute) {}

    /**
     * @param atNanos after the start of the run; negative before it
     * @param text one line
     */
    public record Event(long atNanos, String text) {}
}
