package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.analyzer.compare.ComparisonBuilder;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.files.SummaryExcerpt;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.report.ComparisonPage;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.controller.page.LivePage;
import org.diperf.controller.page.RunCatalog;
import org.diperf.core.expression.Expression.Ranged;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a folder for a page that may be left running: what was read of a run is kept, about a KB, until its files change; of
 * comparisons the last eight. Thread-safe; while two are compared, others are answered.
 */
final class StoredRuns implements RunCatalog, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoredRuns.class);
    private static final int MAX_COMPARISONS = 8;
    private static final int MAX_ADDRESS = 256;
    private static final Pattern LINK = Pattern.compile("https?://[!-~]+");

    private final Path folder;
    private final ScratchFolder scratch;
    private final Map<Path, Known> known = new LinkedHashMap<>();
    private final Map<Pair, Path> comparisons = new LinkedHashMap<>();

    /**
     * What was read of a run.
     *
     * @param stamp of what it was read from
     */
    private record Known(String stamp, boolean isUnderWay, Entry entry) {}

    /** Two runs as they were when they were compared. */
    private record Pair(Known before, Known after) {}

    /** @param folder that holds the folders of runs */
    StoredRuns(Path folder) throws IOException {
        this.folder = folder;
        this.scratch = ScratchFolder.temporary();
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public synchronized List<Entry> runs() throws IOException {
        List<Path> folders;
        try (Stream<Path> all = Files.list(folder)) {
            folders = all.filter(StoredRun::isOne).toList();
        }
        known.keySet().retainAll(folders);
        List<Entry> entries = new ArrayList<>();
        for (Path run : folders) {
            try {
                entries.add(known(run).entry());
            } catch (NoSuchFileException gone) {
                // Somebody removes it.
                known.remove(run);
            }
        }
        entries.sort(Comparator.comparing((Entry entry) -> entry.startedAt() == null ? "" : entry.startedAt())
                .thenComparing(Entry::folder)
                .reversed());
        return entries;
    }

    private Known known(Path run) throws IOException {
        // Nothing that is written tells that a controller was killed.
        boolean isUnderWay = StoredRun.isUnderWay(run);
        String live = live(run);
        String stamp = stamp(run) + isUnderWay + live;
        Known before = known.get(run);
        if (before == null || !before.stamp().equals(stamp)) {
            before = new Known(stamp, isUnderWay, entry(run, live));
            known.put(run, before);
        }
        return before;
    }

    private static String stamp(Path run) throws IOException {
        StringBuilder stamp = new StringBuilder();
        for (String name : List.of(RunFiles.RUN, SummaryFile.NAME, GridRecord.FILE)) {
            Path file = run.resolve(name);
            stamp.append(Files.exists(file) ? Files.getLastModifiedTime(file) + " " + Files.size(file) : "")
                    .append(';');
        }
        return stamp.toString();
    }

    /** Returns the address of the page that shows a run under way, of a grid that of its run; {@code null}: there is none. */
    private static @Nullable String live(Path run) throws IOException {
        if (!StoredRun.isUnderWay(run)) {
            return null;
        }
        if (GridAnalyzer.isGrid(run)) {
            for (RunEntry each : StoredRun.runsOf(run)) {
                String shown = live(run.resolve(each.dir()));
                if (shown != null) {
                    return shown;
                }
            }
            return null;
        }
        try {
            byte[] address = PlainFile.read(run.resolve(LivePage.ADDRESS), MAX_ADDRESS);
            String text = new String(address, StandardCharsets.ISO_8859_1).strip();
            return LINK.matcher(text).matches() ? text : null;
        } catch (IOException none) {
            return null;
        }
    }

    private static Entry entry(Path run, @Nullable String live) {
        StoredRun stored = StoredRun.of(run);
        SummaryExcerpt head = stored.head();
        return new Entry(
                String.valueOf(run.getFileName()),
                stored.name(),
                stored.startedAt(),
                stored.seconds(),
                stored.calls(),
                stored.runs(),
                stored.verdict(),
                head == null ? Double.NaN : head.rate(),
                head == null ? Double.NaN : head.failedShare(),
                head == null ? Double.NaN : head.p50Ms(),
                head == null ? Double.NaN : head.p99Ms(),
                live);
    }

    @Override
    public List<String> numbers() {
        return Measures.names(MeasureSource.SUMMARY);
    }

    @Override
    public Trend trend(String name, String number) throws IOException {
        Measure measure = Measures.find(number)
                .orElseThrow(() -> new IllegalArgumentException("Expected a metric such as response.p99, got '" + number
                        + "'." + Measures.suggestion(number, MeasureSource.SUMMARY)));
        List<Point> points = new ArrayList<>();
        for (Entry entry : runs()) {
            String startedAt = entry.startedAt();
            if (entry.name().equals(name) && entry.runs() == 0 && entry.calls() >= 0 && startedAt != null) {
                try {
                    Path summary = folder.resolve(entry.folder()).resolve(SummaryFile.NAME);
                    add(measure.of(SummaryFile.read(summary)), entry, startedAt, points);
                } catch (IOException | NullPointerException damaged) {
                    LOG.debug("{} has no point of a trend", entry.folder(), damaged);
                }
            }
        }
        points.sort(Comparator.comparing(Point::startedAt));
        return new Trend(measure.unit(), points);
    }

    private static void add(@Nullable Value value, Entry entry, String startedAt, List<Point> points) {
        Object raw = value == null ? null : value.raw();
        if (raw instanceof Ranged ranged) {
            points.add(new Point(entry.folder(), startedAt, ranged.value(), ranged.low(), ranged.high()));
        } else if (raw instanceof Number alone) {
            points.add(new Point(
                    entry.folder(), startedAt, alone.doubleValue(), alone.doubleValue(), alone.doubleValue()));
        }
    }

    @Override
    public void compare(String before, String after) throws IOException {
        Pair pair = pair(before, after);
        try {
            ComparisonSides sides =
                    new ComparisonSides(List.of(folder.resolve(before), folder.resolve(after)), List.of());
            Path out = Files.createTempDirectory(scratch.path(), "");
            // Doubts are told on the page, and decide nothing here.
            ComparisonPage.write(
                    ComparisonBuilder.compare(
                            sides.read(true),
                            sides.against(),
                            Settings.DEFAULT,
                            sides.differences(List.of()),
                            sides.notes()),
                    out);
            keep(pair, out);
        } catch (UsageException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private synchronized Pair pair(String before, String after) throws IOException {
        runs();
        Known first = known.get(folder.resolve(before));
        Known second = known.get(folder.resolve(after));
        if (first == null || second == null) {
            throw new IllegalArgumentException("Expected two runs in this folder, got " + before + " and " + after);
        }
        if (first.isUnderWay() || second.isUnderWay()) {
            throw new IllegalArgumentException(
                    "Expected two finished runs, got " + (first.isUnderWay() ? before : after)
                            + ", which is still running; compare it when it has finished");
        }
        return new Pair(first, second);
    }

    private synchronized void keep(Pair pair, Path out) throws IOException {
        if (comparisons.size() == MAX_COMPARISONS) {
            Map.Entry<Pair, Path> oldest = comparisons.entrySet().iterator().next();
            FolderTree.delete(oldest.getValue());
            comparisons.remove(oldest.getKey());
        }
        comparisons.put(pair, out);
    }

    @Override
    public synchronized @Nullable Path compared(String before, String after) throws IOException {
        return comparisons.get(pair(before, after));
    }

    @Override
    public void close() throws IOException {
        scratch.close();
    }
}
