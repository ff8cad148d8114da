package org.diperf.analyzer.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.grid.GridSummary.LevelNumbers;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridSummary.TrialsSummary;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.spi.OneLine;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Analyses the runs of a grid together, from their summaries; memory grows with the number of runs alone. */
public final class GridAnalyzer {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Points whose calls differ by more in size are compared by bits a second. */
    private static final double SAME_SIZE = 1.2;

    private GridAnalyzer() {}

    /** Returns whether a folder is that of a grid. */
    public static boolean isGrid(Path folder) {
        return Files.isRegularFile(folder.resolve(GridRecord.FILE));
    }

    /**
     * Reads {@code grid.json}.
     *
     * @throws IOException when it is not there, damaged, or of another version
     */
    public static GridRecord read(Path parent) throws IOException {
        Path file = parent.resolve(GridRecord.FILE);
        if (!Files.isRegularFile(file)) {
            throw new IOException("Expected the folder of a run with a sweep, variants or trials, containing "
                    + GridRecord.FILE + ", got none at " + file);
        }
        try {
            JsonNode tree = JSON.readTree(PlainFile.read(file, PlainFile.MAX_JSON));
            String format = tree.path("format").asString("none");
            if (!GridRecord.FORMAT.equals(format)) {
                throw new IOException(file + ": expected format " + GridRecord.FORMAT + ", got " + format
                        + "; use the DiPerF version that wrote it");
            }
            GridRecord grid = JSON.treeToValue(tree, GridRecord.class);
            check(grid, parent);
            return grid;
        } catch (JacksonException | InvalidPathException e) {
            throw new IOException(
                    file + " is not a grid record, or is damaged: "
                            + (e instanceof JacksonException json ? json.getOriginalMessage() : e.getMessage()),
                    e);
        }
    }

    /** Refuses a record that names more runs than one can have, or others than those in its folder, unless they were put side by side. */
    private static void check(GridRecord grid, Path parent) throws IOException {
        if (grid.runs().size() > GridRecord.MAX_RUNS) {
            throw new IOException(parent.resolve(GridRecord.FILE) + ": expected at most " + GridRecord.MAX_RUNS
                    + " runs, got " + grid.runs().size());
        }
        Path folder = parent.toRealPath();
        for (RunEntry entry : grid.runs()) {
            Path run = folder.resolve(entry.dir()).normalize();
            boolean isWithin = run.startsWith(folder)
                    && (!Files.exists(run) || run.toRealPath().startsWith(folder));
            if (!isWithin && !GridRecord.AS_FOUND.equals(grid.order())) {
                throw new IOException(parent.resolve(GridRecord.FILE) + ": expected runs in its own folder, got "
                        + OneLine.of(entry.dir(), 200));
            }
        }
    }

    /**
     * Analyses a grid, complete or cut short.
     *
     * @param folder in which the runs' folders are
     * @throws IOException when a run that was carried out cannot be read
     */
    public static GridAnalysis analyze(GridRecord grid, Path folder) throws IOException {
        List<RunSummary> runs = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Set<String> offered = new HashSet<>();
        double seconds = 0;
        for (RunEntry entry : grid.runs()) {
            Summary summary = summary(entry, folder.resolve(entry.dir()));
            runs.add(run(entry, summary, summary == null ? null : load(folder.resolve(entry.dir()))));
            if (summary != null) {
                seconds += summary.durationSeconds();
                offered.add(offered(summary));
            }
            if (entry.problem() != null) {
                warnings.add("run " + entry.number() + " (" + entry.dir() + "): " + entry.problem());
            }
        }
        List<PointSummary> points = GridPoints.of(grid, runs);
        Metric main = main(points, runs, offered);
        GridNames names = new GridNames(grid.axes(), !grid.variants().isEmpty());
        int done = (int) runs.stream().filter(GridPoints::counts).count();
        if (done < runs.size()) {
            warnings.add(0, "only " + done + " of " + runs.size() + " runs produced usable numbers");
        }
        runs.stream()
                .filter(run -> "suspect".equals(run.verdict()))
                .forEach(
                        run -> warnings.add("run " + run.number() + " (" + run.dir() + ") is suspect: see its report"));
        GridSummary result = new GridSummary(
                GridSummary.FORMAT,
                GridSummary.GRID,
                grid.experiment(),
                grid.startedAt(),
                seconds,
                grid.axes(),
                grid.variants(),
                new TrialsSummary(
                        grid.trials().count(),
                        grid.trials().order(),
                        grid.trials().pauseNanos() / 1e9),
                grid.order(),
                grid.seed(),
                grid.excluded(),
                runs.size(),
                done,
                runs,
                points,
                grid.order().equals(GridRecord.AS_FOUND) ? null : new GridFinding(runs, main, names).of(points),
                verdict(runs, done),
                warnings,
                grid.labels());
        return new GridAnalysis(result, main);
    }

    /** Writes {@code summary.json}, {@code runs.csv} and {@code points.csv}. */
    public static void write(GridAnalysis analysis, Path folder) throws IOException {
        Files.createDirectories(folder);
        SummaryFile.write(analysis.summary(), folder.resolve(SummaryFile.NAME));
        GridFiles.write(analysis.summary(), folder);
    }

    /** Says a state in words. */
    public static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String verdict(List<RunSummary> runs, int done) {
        if (done == 0) {
            return "failed";
        }
        boolean allValid = runs.stream().allMatch(run -> GridPoints.counts(run) && "valid".equals(run.verdict()));
        return allValid ? "valid" : "suspect";
    }

    private static @Nullable Summary summary(RunEntry entry, Path run) throws IOException {
        if (entry.state() == State.PLANNED) {
            return null;
        }
        Path file = run.resolve(SummaryFile.NAME);
        if (Files.isRegularFile(file)) {
            return SummaryFile.read(file);
        }
        return Files.isRegularFile(run.resolve(RunFiles.RUN))
                ? Analyzer.analyze(run, Analyzer.Options.AS_RECORDED).summary()
                : null;
    }

    private static RunSummary run(RunEntry entry, @Nullable Summary summary, @Nullable String load) {
        if (summary == null) {
            return new RunSummary(
                    entry.number(),
                    entry.dir(),
                    entry.set(),
                    entry.trial(),
                    word(entry.state()),
                    null,
                    entry.problem(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
        Window measured = summary.measured();
        Throughput throughput = measured == null ? summary.throughput() : measured.throughput();
        double seconds = measured == null ? summary.durationSeconds() : measured.toSeconds() - measured.fromSeconds();
        long bytes =
                measured == null ? summary.calls().bytes() : measured.calls().bytes();
        Summary.SearchSummary search = summary.search();
        return new RunSummary(
                entry.number(),
                entry.dir(),
                entry.set(),
                entry.trial(),
                word(entry.state()),
                summary.verdict(),
                entry.problem(),
                summary.startedAt(),
                summary.durationSeconds(),
                measured == null ? summary.calls() : measured.calls(),
                throughput,
                bytes == 0 || seconds <= 0 ? null : (Double) (bytes / seconds),
                measured == null ? summary.responseTime() : measured.responseTime(),
                measured == null ? summary.serviceTime() : measured.serviceTime(),
                summary.fairness() == null ? null : (Double) summary.fairness().jain(),
                search == null ? null : search.found(),
                summary.thresholds().isEmpty()
                        ? null
                        : (Boolean) summary.thresholds().stream().allMatch(ThresholdResult::holds),
                summary.thresholds().stream().noneMatch(ThresholdResult::fails)
                                && summary.thresholds().stream().anyMatch(ThresholdResult::open)
                        ? (Boolean) true
                        : null,
                levels(summary),
                load,
                summary.saturation());
    }

    private static @Nullable String load(Path run) throws IOException {
        Path file = run.resolve(RunFiles.RUN);
        return Files.isRegularFile(file) ? RunText.load(RunJson.read(file)) : null;
    }

    private static @Nullable List<LevelNumbers> levels(Summary summary) {
        List<StageSummary> stages = summary.stages();
        if (stages == null || summary.search() != null) {
            return null;
        }
        List<LevelNumbers> levels = new ArrayList<>();
        for (StageSummary stage : stages) {
            Double level = stage.level();
            if (level != null) {
                Throughput throughput = stage.throughput();
                Statistics times = stage.responseTime();
                levels.add(new LevelNumbers(
                        level,
                        throughput == null ? null : (Double) throughput.mean(),
                        times == null ? null : (Double) times.mean(),
                        times == null ? null : (Double) times.p50(),
                        times == null ? null : (Double) times.p99(),
                        stage.verdict()));
            }
        }
        return levels.isEmpty() ? null : levels;
    }

    /** Names what was offered where that does not depend on the service: an open load at one rate. */
    private static String offered(Summary summary) {
        Double rate = summary.load().rate();
        return summary.load().model().equals("open") && rate != null && summary.stages() == null
                ? String.valueOf(rate)
                : "";
    }

    /**
     * Chooses by what the points are compared: what was searched for; the median time of calls where all were offered the same
     * rate, because a few late calls of a noisy machine move the 99th percentile of short runs further than the service does; bits a
     * second where calls are of different sizes; otherwise calls a second.
     */
    private static Metric main(List<PointSummary> points, List<RunSummary> runs, Set<String> offered) {
        if (points.stream().anyMatch(point -> point.found() != null)) {
            return Metric.FOUND;
        }
        if (offered.size() == 1 && !offered.contains("")) {
            return Metric.MEDIAN;
        }
        double[] sizes = runs.stream()
                .filter(GridPoints::counts)
                .map(RunSummary::calls)
                .filter(Objects::nonNull)
                .mapToDouble(calls -> calls.ok() == 0 ? 0 : (double) calls.bytes() / calls.ok())
                .sorted()
                .toArray();
        boolean differ = sizes.length > 1 && sizes[0] > 0 && sizes[sizes.length - 1] / sizes[0] > SAME_SIZE;
        return differ ? Metric.BANDWIDTH : Metric.THROUGHPUT;
    }
}
