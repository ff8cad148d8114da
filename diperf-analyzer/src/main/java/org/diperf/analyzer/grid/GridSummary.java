package org.diperf.analyzer.grid;

import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.run.GridRecord.AxisRecord;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code summary.json} in the folder of a grid: times in milliseconds, rates per second, sizes in bytes. What
 * was not measured is {@code null} and absent from the file.
 *
 * @param format as of a run
 * @param kind {@link #GRID}, by which it is told from the summary of a run
 * @param startedAt wall clock before the first run, ISO 8601 in UTC
 * @param durationSeconds of all runs together, from their starts to their ends
 * @param axes what was swept
 * @param variants by name what each sets
 * @param excluded points that {@code except} leaves out
 * @param planned runs of the whole grid
 * @param done runs that gave numbers
 * @param runs in the order in which they were carried out
 * @param points in the order of the axes' values
 * @param finding which point is best, and whether that is more than noise; {@code null}: there are not two points
 * @param verdict the worst of the runs: {@code valid}, {@code suspect} or {@code failed}
 */
public record GridSummary(
        String format,
        String kind,
        String experiment,
        @Nullable String startedAt,
        double durationSeconds,
        List<AxisRecord> axes,
        Map<String, Map<String, Object>> variants,
        TrialsSummary trials,
        String order,
        long seed,
        int excluded,
        int planned,
        int done,
        List<RunSummary> runs,
        List<PointSummary> points,
        @Nullable FindingSummary finding,
        String verdict,
        List<String> warnings,
        Map<String, String> labels) {

    /** Name and version of the format, that of a run's. */
    public static final String FORMAT = Summary.FORMAT;

    /** What {@code kind} is. */
    public static final String GRID = "grid";

    public GridSummary {
        axes = List.copyOf(axes);
        runs = List.copyOf(runs);
        points = List.copyOf(points);
        warnings = List.copyOf(warnings);
    }

    /** Trials of each point, {@code interleaved} or {@code grouped}, and the pause between runs. */
    public record TrialsSummary(int count, String order, double pauseSeconds) {}

    /**
     * One run: its numbers over what its experiment measures.
     *
     * @param dir its folder, below the one of the grid
     * @param set key path of an axis, or {@code variant}, to value
     * @param trial from 1
     * @param state {@code done}, {@code failed}, {@code interrupted}, {@code under way} or {@code planned}
     * @param verdict of the run; {@code null}: it gave no numbers
     * @param problem why it failed
     * @param bytesPerSecond of ok calls, where the client counts bytes
     * @param fairness Jain's index
     * @param found what a search found
     * @param thresholdsHold whether all thresholds hold; {@code null}: there are none
     * @param undecided {@code true}: they do not all hold for sure, but none fails for sure; else {@code null}
     * @param levels the numbers of each level, where the load has levels
     * @param load what was offered, in words
     * @param saturation where throughput stops to grow, where the load has levels or a ramp of clients
     */
    public record RunSummary(
            int number,
            String dir,
            Map<String, Object> set,
            int trial,
            String state,
            @Nullable String verdict,
            @Nullable String problem,
            @Nullable String startedAt,
            @Nullable Double durationSeconds,
            @Nullable CallCounts calls,
            @Nullable Throughput throughput,
            @Nullable Double bytesPerSecond,
            @Nullable Statistics responseTime,
            @Nullable Statistics serviceTime,
            @Nullable Double fairness,
            @Nullable Double found,
            @Nullable Boolean thresholdsHold,
            @Nullable Boolean undecided,
            @Nullable List<LevelNumbers> levels,
            @Nullable String load,
            @Nullable SaturationSummary saturation) {

        /** Returns whether a threshold fails for sure. */
        public boolean broken() {
            return Boolean.FALSE.equals(thresholdsHold) && !open();
        }

        /** Returns whether it is undecided whether all thresholds hold. */
        public boolean open() {
            return Boolean.TRUE.equals(undecided);
        }

        /** Returns whether there are numbers to be compared with others'. */
        public boolean isMeasured() {
            return verdict != null && !verdict.equals("failed");
        }
    }

    /**
     * One level of a run.
     *
     * @param level clients, or calls offered a second
     * @param throughput ok calls a second; {@code null} as the others: none succeeded
     */
    public record LevelNumbers(
            double level,
            @Nullable Double throughput,
            @Nullable Double responseMean,
            @Nullable Double p50,
            @Nullable Double p99,
            String verdict) {}

    /**
     * One point of the grid: the same settings, over its trials.
     *
     * @param set as of its runs
     * @param runs their numbers
     * @param n of them that gave numbers
     * @param verdict the worst of those; {@code failed}: none gave numbers
     * @param throughput ok calls a second
     * @param bytesPerSecond of ok calls
     * @param responseTime by name of the statistic: {@code mean}, {@code p50}, {@code p90}, {@code p95}, {@code p99}, {@code
     *     p999}; ms
     * @param failed share of calls, from 0 to 1
     * @param fairness Jain's index
     * @param found what a search found
     * @param levels over trials, where the load has levels
     * @param saturation over trials, where the load has levels or a ramp of clients
     */
    public record PointSummary(
            Map<String, Object> set,
            List<Integer> runs,
            int n,
            String verdict,
            @Nullable Spread throughput,
            @Nullable Spread bytesPerSecond,
            @Nullable Map<String, Spread> responseTime,
            @Nullable Spread failed,
            @Nullable Spread fairness,
            @Nullable Spread found,
            @Nullable List<LevelSpread> levels,
            @Nullable SaturationSpread saturation) {}

    /**
     * The knee of a point, over its trials.
     *
     * @param judged trials in which it could be asked
     * @param clients at the knee, over the trials that reached it; {@code null}: none did
     */
    public record SaturationSpread(int judged, @Nullable Spread clients) {}

    /** One level of a point, over its trials. */
    public record LevelSpread(
            double level,
            @Nullable Spread throughput,
            @Nullable Spread responseMean,
            @Nullable Spread p50,
            @Nullable Spread p99) {}

    /**
     * Which point is best.
     *
     * @param metric by what: {@code throughput}, {@code bytesPerSecond}, {@code responseTime.p99} or {@code found}
     * @param better {@code higher} or {@code lower}
     * @param best settings of the best point
     * @param value its median
     * @param next settings of the one after it
     * @param nextValue its median
     * @param differencePercent change from the earlier to the later of the two, as the grid has them, of the earlier, by their geometric
     *     means over trials
     * @param lowPercent lower end of its 95 % interval (Welch), corrected for all pairs of points; {@code null}: too few trials
     * @param highPercent upper end of it
     * @param isLargerThanNoise whether that interval leaves out 0; {@code null}: nobody can say
     * @param conclusion in a sentence
     */
    public record FindingSummary(
            String metric,
            String better,
            Map<String, Object> best,
            double value,
            Map<String, Object> next,
            double nextValue,
            double differencePercent,
            @Nullable Double lowPercent,
            @Nullable Double highPercent,
            @Nullable Boolean isLargerThanNoise,
            String conclusion) {}
}
