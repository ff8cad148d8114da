package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.analyzer.files.SummaryExcerpt;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.OneLine;
import org.jspecify.annotations.Nullable;

/**
 * A run on the disk, or a grid of runs as one.
 *
 * @param folder of it
 * @param name of its experiment; empty: its files cannot be read
 * @param startedAt wall clock, ISO 8601 in UTC; {@code null}: nobody knows
 * @param seconds from start to end, of a grid of all its runs; {@code NaN}: not known
 * @param calls made; -1: not known
 * @param runs of a grid; 0: it is one run
 * @param verdict in words
 * @param head of its summary; {@code null}: it has none, or is a grid
 */
record StoredRun(
        Path folder,
        String name,
        @Nullable String startedAt,
        double seconds,
        long calls,
        int runs,
        String verdict,
        @Nullable SummaryExcerpt head) {

    private static final String UNDER_WAY = "under way";

    /** How the record of a run or of a grid begins. */
    private static final Pattern RECORD = Pattern.compile("\\s*\\{\\s*\"format\"\\s*:\\s*\"diperf-(run|grid)/");

    private static final int HEAD_BYTES = 256;
    private static final int MAX_REASON = 120;

    /** Returns whether a folder is listed as that of a run or of a grid, by the names in it; a link to one is not. */
    static boolean isOne(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && (Files.isRegularFile(folder.resolve(RunFiles.RUN))
                        || GridAnalyzer.isGrid(folder)
                        || control(folder));
    }

    /** A run that has just begun has no record yet. */
    private static boolean control(Path folder) {
        return Files.isRegularFile(folder.resolve("experiment.yml"))
                && Files.isRegularFile(folder.resolve("control").resolve(FolderLock.FILE));
    }

    /** Returns whether DiPerF made the folder of a run or of a grid, by what its files say: others have files of these names too. */
    static boolean isOurs(Path folder) throws IOException {
        for (String name : List.of(RunFiles.RUN, GridRecord.FILE)) {
            Path file = folder.resolve(name);
            if (PlainFile.is(file)
                    && RECORD.matcher(new String(PlainFile.head(file, HEAD_BYTES), StandardCharsets.UTF_8))
                            .lookingAt()) {
                return true;
            }
        }
        return control(folder) && FolderLock.isMarked(folder.resolve("control"));
    }

    /** Returns whether somebody carried it out, or went on with it, when it was read. */
    boolean isUnderWay() {
        return verdict.equals(UNDER_WAY);
    }

    /** Returns whether both are runs, or both are grids, of one experiment. */
    boolean isLike(StoredRun other) {
        return name.equals(other.name) && (runs == 0) == (other.runs == 0);
    }

    /** Lists the runs in a folder, the newest first. */
    static List<StoredRun> in(Path runs) throws IOException {
        List<StoredRun> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(runs)) {
            for (Path folder : folders.filter(StoredRun::isOne).toList()) {
                found.add(of(folder));
            }
        }
        found.sort(Comparator.comparing((StoredRun run) -> run.startedAt == null ? "" : run.startedAt)
                .thenComparing(run -> run.folder.toString())
                .reversed());
        return found;
    }

    /** Reads what is known of a run; of one with damaged files that they are damaged. */
    static StoredRun of(Path folder) {
        try {
            if (GridAnalyzer.isGrid(folder)) {
                return grid(folder, GridAnalyzer.read(folder));
            }
            if (!Files.isRegularFile(folder.resolve(RunFiles.RUN))) {
                return without(folder, "", null, isUnderWay(folder) ? UNDER_WAY : "cut short");
            }
            Path file = folder.resolve(SummaryFile.NAME);
            boolean isUnderWay = isUnderWay(folder);
            if (isUnderWay || !Files.isRegularFile(file)) {
                RunRecord record = RunJson.read(folder.resolve(RunFiles.RUN));
                String ended = record.end() == RunRecord.End.UNDER_WAY ? "cut short" : "no report";
                return without(folder, record.experiment(), record.startedAt(), isUnderWay ? UNDER_WAY : ended);
            }
            SummaryExcerpt head = SummaryExcerpt.read(file);
            return new StoredRun(
                    folder,
                    head.experiment(),
                    head.startedAt(),
                    head.durationSeconds(),
                    head.calls().total(),
                    0,
                    head.verdictAndThresholds(),
                    head);
        } catch (IOException | RuntimeException e) {
            // What is in a file may break any rule; the other runs of the list are sound.
            String reason = DiskFailure.message(e).replace(folder + "/", "");
            return without(folder, "", null, "damaged: " + OneLine.of(reason, MAX_REASON));
        }
    }

    private static StoredRun without(Path folder, String name, @Nullable String startedAt, String verdict) {
        return new StoredRun(folder, name, startedAt, Double.NaN, -1, 0, verdict, null);
    }

    private static StoredRun grid(Path folder, GridRecord grid) throws IOException {
        double seconds = 0;
        long calls = 0;
        int valid = 0;
        for (RunEntry entry : grid.runs()) {
            Path file = folder.resolve(entry.dir()).resolve(SummaryFile.NAME);
            if (Files.isRegularFile(file)) {
                SummaryExcerpt summary = SummaryExcerpt.read(file);
                seconds += summary.durationSeconds();
                calls += summary.calls().total();
                valid += summary.verdict().equals("valid") ? 1 : 0;
            }
        }
        int runs = grid.runs().size();
        return new StoredRun(
                folder,
                grid.experiment(),
                grid.startedAt(),
                seconds,
                calls,
                runs,
                isUnderWay(folder) ? UNDER_WAY : valid == runs ? "valid" : valid + " of " + runs + " valid",
                null);
    }

    /** Returns whether a process carries out the run, or a run of the grid, at the moment. */
    static boolean isUnderWay(Path folder) throws IOException {
        if (FolderLock.isTaken(folder) || FolderLock.isTaken(folder.resolve("control"))) {
            return true;
        }
        for (RunEntry entry : runsOf(folder)) {
            if (FolderLock.isTaken(folder.resolve(entry.dir()).resolve("control"))) {
                return true;
            }
        }
        return false;
    }

    /** Lists the runs of a grid; of a single run, and of a grid whose record is damaged, none. */
    static List<RunEntry> runsOf(Path folder) {
        try {
            return GridAnalyzer.isGrid(folder) ? GridAnalyzer.read(folder).runs() : List.of();
        } catch (IOException damaged) {
            return List.of();
        }
    }

    /** Adds up the sizes of its files. */
    long bytes() throws IOException {
        long[] bytes = new long[1];
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                // A run under way removes files of its own.
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes[0];
    }
}
