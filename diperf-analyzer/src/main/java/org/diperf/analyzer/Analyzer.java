package org.diperf.analyzer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.diperf.analyzer.count.CountingPass;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.load.ColdStart;
import org.diperf.analyzer.load.FirstPass;
import org.diperf.analyzer.load.Partition;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.Windows;
import org.diperf.analyzer.monitors.AddedDelay;
import org.diperf.analyzer.profile.Profile;
import org.diperf.analyzer.profile.ProfileFile;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.LevelRule;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.run.AnnexJson;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.CountingThreads;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.table.RunTables;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Analyses a run directory, in memory that grows neither with its samples nor with its length. All calls are counted in one pass. An
 * earlier pass comes first where the plan alone does not tell what was offered (levels, quotas, clients that retire, a controller that
 * was killed), and the count is repeated where the best level turns out to be in doubt.
 */
public final class Analyzer {

    private Analyzer() {}

    /**
     * What to do otherwise than the run directory says.
     *
     * @param quantum width of a quantum; {@code null}: as in the run
     * @param smooth width of the moving average; {@code null}: as in the run
     * @param smoothPoints points of the moving average where {@code smooth} is {@code null}; 0: as in the run
     * @param window what {@code measured} is taken over; {@code null}: as in the run
     * @param groupBy what the run is told apart by: {@code host}, {@code tester}, {@code request} or a label of the testers'
     *     nodes; {@code null}: its groups, if it has any
     */
    public record Options(
            @Nullable Duration quantum,
            @Nullable Duration smooth,
            int smoothPoints,
            @Nullable MeasureRecord window,
            @Nullable String groupBy) {

        /** As the run directory says. */
        public static final Options AS_RECORDED = new Options(null, null, 0, null, null);

        /** Makes options that tell the run's own groups apart. */
        public Options(
                @Nullable Duration quantum,
                @Nullable Duration smooth,
                int smoothPoints,
                @Nullable MeasureRecord window) {
            this(quantum, smooth, smoothPoints, window, null);
        }
    }

    /**
     * Analyses a run, complete or cut short. Damaged samples, gaps and unknown clocks become warnings.
     *
     * @param runDir is read, never written
     * @throws IOException when it is no run directory, or cannot be read
     */
    public static Analysis analyze(Path runDir, Options options) throws IOException {
        return analyze(runDir, options, CountingThreads.number(RunFiles.sampleBytes(runDir)));
    }

    /** @param threads that count, from 0: the caller's alone; the analysis does not depend on it */
    static Analysis analyze(Path runDir, Options options, int threads) throws IOException {
        RunRecord run = with(RunJson.read(runDir.resolve(RunFiles.RUN)), options);
        ClockFile clocks = ClockFile.read(runDir.resolve(RunFiles.CLOCK));
        RunReader reader = RunReader.ofTesters(runDir, run, clocks);
        long cutAt = Long.MAX_VALUE;
        Long endNanos = run.endNanos();
        if (endNanos != null && run.end() != End.COMPLETE) {
            cutAt = Math.max(1, endNanos - run.startNanos());
        } else if (endNanos == null) {
            cutAt = Math.max(1, reader.lastEnd());
        }
        FirstPass first = FirstPass.isNeeded(run) ? FirstPass.of(run, reader, threads) : FirstPass.NONE;
        PlannedLoad load = new PlannedLoad(run, cutAt, first, Set.of());
        List<Warning> told = new ArrayList<>();
        if (run.measure().skipNanos() == MeasureRecord.WHILE_COLD) {
            run = withoutColdStart(run, load, reader, told);
        }
        Analysis analysis = analyze(runDir, run, clocks, load, options, threads, told);
        // What puts a level in doubt is known when all calls are counted: the peak may then have to lie at another one.
        PlannedLoad sound = new PlannedLoad(run, cutAt, first, doubtful(analysis));
        return Objects.equals(load.peak(), sound.peak())
                ? analysis
                : analyze(runDir, run, clocks, sound, options, threads, told);
    }

    private static RunRecord withoutColdStart(RunRecord run, PlannedLoad load, RunReader reader, List<Warning> told)
            throws IOException {
        long expected = expectedEnd(load);
        Windows all = Windows.of(run.measure().skipping(0), load.peak(), expected);
        long cold = ColdStart.nanos(reader, all.from(), Math.min(all.to(), expected));
        if (cold > 0) {
            told.add(Warning.note(
                    Subject.LOAD,
                    String.format(
                            Locale.ROOT,
                            "the first %.1f s are not measured: the load generator was still warming up",
                            cold / 1e9)));
        }
        return run.shown(run.measure().skipping(cold), run.report());
    }

    private static long expectedEnd(PlannedLoad load) {
        return Math.min(load.runEnd(), Math.max(1, load.plannedEnd()));
    }

    private static Set<Integer> doubtful(Analysis analysis) {
        List<StageSummary> stages = analysis.summary().stages();
        return stages == null
                ? Set.of()
                : stages.stream()
                        .filter(stage -> stage.level() != null && LevelRule.isDoubtful(stage))
                        .map(StageSummary::number)
                        .collect(Collectors.toSet());
    }

    private static Analysis analyze(
            Path runDir,
            RunRecord run,
            ClockFile clocks,
            PlannedLoad load,
            Options options,
            int threads,
            List<Warning> before)
            throws IOException {
        long expected = expectedEnd(load);
        Windows windows = Windows.of(run.measure(), load.peak(), expected);
        Partition partition;
        try {
            partition = Partition.of(run, load.shares(), options.groupBy());
        } catch (IllegalArgumentException e) {
            throw new IOException(runDir + ": " + e.getMessage(), e);
        }
        AnnexJson.Found left = AnnexJson.read(runDir);
        Tally tally = new Tally(run, load, windows, partition, expected, AddedDelay.read(runDir, run, left.records()));
        CountingPass.count(RunReader.ofTesters(runDir, run, clocks), tally, threads);
        long longest = Math.max(tally.lastEnd(), load.plannedEnd());
        Long endNanos = run.endNanos();
        long duration = endNanos == null ? tally.lastEnd() : Math.min(endNanos - run.startNanos(), longest);
        long length = Math.max(1, duration);
        List<Warning> told = new ArrayList<>(before);
        told.addAll(left.problems());
        told.addAll(Annexes.warnings(left.records()));
        Analysis analysis =
                new AnalysisBuilder(run, clocks, load, windows, tally, tally.measured, length, told).analysis();
        return Thresholds.judge(Annexes.addTo(
                ServerAnalyzer.addTo(analysis, runDir, tally.measured, length),
                left.records(),
                RunReader.ofTesters(runDir, run, clocks),
                length));
    }

    /** Returns the text of {@code summary.json}. */
    public static String summaryJson(Analysis analysis) throws IOException {
        return SummaryFile.json(analysis.summary());
    }

    /**
     * Writes {@code summary.json}, the CSV files, and {@code profile.json} where levels carry one.
     *
     * @param outDir is created where needed; files of these names are replaced
     */
    public static void write(Analysis analysis, Path outDir) throws IOException {
        Files.createDirectories(outDir);
        SummaryFile.write(analysis.summary(), outDir.resolve(SummaryFile.NAME));
        RunTables.write(analysis, outDir);
        Optional<Profile> profile = Profile.of(analysis);
        if (profile.isPresent()) {
            ProfileFile.write(profile.get(), outDir.resolve(ProfileFile.NAME));
        }
    }

    private static RunRecord with(RunRecord run, Options options) {
        ReportRecord report = run.report();
        Duration quantum = options.quantum();
        Duration smooth = options.smooth();
        ReportRecord shown = new ReportRecord(
                quantum == null ? report.quantumNanos() : quantum.toNanos(),
                smooth != null ? smooth.toNanos() : options.smoothPoints() > 0 ? 0 : report.smoothNanos(),
                smooth != null ? 0 : options.smoothPoints() > 0 ? options.smoothPoints() : report.smoothPoints(),
                report.perMinute(),
                report.figures(),
                report.maxAddedNanos());
        MeasureRecord window = options.window();
        return run.shown(window == null ? run.measure() : window, shown);
    }
}
