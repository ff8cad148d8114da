package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.analyzer.grid.GridAnalysis;
import org.diperf.analyzer.grid.GridAnalyzer;
import org.diperf.analyzer.grid.GridText;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.controller.grid.GridFolder;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.AxisRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.run.GridRecord.TrialsRecord;
import org.jspecify.annotations.Nullable;

/** Puts runs that were made before into one table, whatever they are of; sweeps bring all their points and trials. */
final class SideBySideTable {

    private static final String RUN = "run";

    private final List<RunEntry> entries = new ArrayList<>();
    private final Map<String, AxisRecord> axes = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> variants = new LinkedHashMap<>();
    private final List<Object> names = new ArrayList<>();
    private final Set<Path> seen = new HashSet<>();
    private final Path base;
    private int trials = 1;

    private SideBySideTable(Path base) {
        this.base = base;
    }

    /**
     * Prints the table.
     *
     * @param out where to write the report as well; {@code null}: nowhere
     */
    static GridAnalysis report(List<Path> dirs, @Nullable Path out, PrintWriter print)
            throws IOException, UsageException {
        if (out != null && Files.exists(out.resolve(RunFiles.RUN))) {
            throw new UsageException("report: expected a separate folder for --out, got the folder of the run " + out);
        }
        Path base = out == null ? Path.of("") : Files.createDirectories(out);
        SideBySideTable together = new SideBySideTable(base.toRealPath());
        for (Path dir : dirs) {
            together.add(dir);
        }
        GridRecord record = together.record();
        GridAnalysis analysis = GridAnalyzer.analyze(record, together.base);
        if (out == null) {
            print.println(GridText.plan(analysis.summary()));
            print.println();
            print.print(GridText.render(analysis, Terminal.screen(), "use --out DIR to write one with figures", ""));
            print.flush();
        } else {
            new GridFolder(out).write(record);
            GridReports.write(analysis, out, "", print);
        }
        return analysis;
    }

    private void add(Path dir) throws IOException, UsageException {
        RunFolders.check(dir);
        Path real = dir.toRealPath();
        if (!seen.add(real)) {
            throw new UsageException("report: " + dir + " is specified twice");
        }
        String name = free(real);
        names.add(name);
        if (GridAnalyzer.isGrid(real)) {
            GridRecord grid = GridAnalyzer.read(real);
            grid.axes().forEach(this::axis);
            grid.variants().forEach(variants::putIfAbsent);
            trials = Math.max(trials, grid.trials().count());
            for (RunEntry run : grid.runs()) {
                Map<String, Object> set = new LinkedHashMap<>(Map.of(RUN, name));
                set.putAll(run.set());
                add(real.resolve(run.dir()).normalize(), set, run.trial(), run.state(), run.problem());
            }
        } else if (Files.isRegularFile(real.resolve(RunFiles.RUN))) {
            add(real, Map.of(RUN, name), 1, State.DONE, null);
        } else {
            throw new UsageException("report: expected the folder of a run or sweep, got neither " + RunFiles.RUN
                    + " nor " + GridRecord.FILE + " in " + dir);
        }
    }

    private void add(Path run, Map<String, Object> set, int trial, State state, @Nullable String problem) {
        String path = base.relativize(run).toString();
        entries.add(new RunEntry(entries.size() + 1, path, set, trial, state, problem));
    }

    /** Returns the last part of a path, with as many before it as it takes to be told from the others. */
    private String free(Path real) {
        int parts = 1;
        String name = real.getFileName() == null
                ? real.toString()
                : real.getFileName().toString();
        while (names.contains(name) && parts < real.getNameCount()) {
            parts++;
            name = real.subpath(real.getNameCount() - parts, real.getNameCount())
                    .toString();
        }
        return name;
    }

    private void axis(AxisRecord axis) {
        axes.merge(axis.path(), axis, (before, more) -> {
            List<Object> values = new ArrayList<>(before.values());
            more.values().stream().filter(value -> !values.contains(value)).forEach(values::add);
            return new AxisRecord(before.path(), before.name(), values);
        });
    }

    /** Takes settings into the names of the runs where not all have the same: they would have no place on common axes. */
    private void flatten() {
        if (entries.stream().map(entry -> entry.set().keySet()).distinct().count() < 2) {
            return;
        }
        names.clear();
        entries.replaceAll(entry -> {
            List<String> words = new ArrayList<>();
            entry.set().forEach((key, value) -> words.add(word(key, value)));
            String name = String.join(" ", words);
            if (!names.contains(name)) {
                names.add(name);
            }
            return new RunEntry(
                    entry.number(), entry.dir(), Map.of(RUN, name), entry.trial(), entry.state(), entry.problem());
        });
        axes.clear();
        variants.clear();
    }

    private String word(String key, Object value) {
        AxisRecord axis = axes.get(key);
        return axis == null ? String.valueOf(value) : axis.name() + "=" + value;
    }

    private GridRecord record() {
        flatten();
        List<AxisRecord> all = new ArrayList<>();
        all.add(new AxisRecord(RUN, RUN, names));
        all.addAll(axes.values());
        return new GridRecord(
                GridRecord.FORMAT,
                "side by side",
                Map.of(),
                0,
                Version.diperf(),
                null,
                all,
                variants,
                new TrialsRecord(trials, GridRecord.AS_FOUND, 0),
                GridRecord.AS_FOUND,
                0,
                entries);
    }
}
