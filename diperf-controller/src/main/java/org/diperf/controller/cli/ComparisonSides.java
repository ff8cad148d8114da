package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.analyzer.compare.Comparison;
import org.diperf.analyzer.compare.MeasuredRun;
import org.diperf.analyzer.compare.Side;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.cli.RunGroups.RunSet;
import org.diperf.controller.experiment.ExperimentKeys;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Which runs make up the sides of a comparison, and which side is compared with which. */
final class ComparisonSides {

    /**
     * Runs that belong together.
     *
     * @param name for people
     * @param dirs folders of runs
     * @param parent the folder that holds them as one of several sets; {@code null}: they were named, or are its only set
     * @param against index of the side that they are compared with; their own where others are compared with them
     */
    private record Folders(
            String name, List<Path> dirs, @Nullable Path parent, int against) {}

    private final List<Folders> sides = new ArrayList<>();
    private final List<String> unmatched = new ArrayList<>();

    /** @param to the second side, run by run; empty: each of {@code runs} is a side of its own */
    ComparisonSides(List<Path> runs, List<Path> to) throws UsageException, IOException {
        List<RunGroups> before = new ArrayList<>();
        List<RunGroups> after = new ArrayList<>();
        for (Path run : runs) {
            before.add(RunGroups.of(run));
        }
        for (Path run : to) {
            after.add(RunGroups.of(run));
        }
        if (before.size() == 1 && after.size() == 1) {
            // Whoever puts --to between two folders means the same as without it.
            before.addAll(after);
            after.clear();
        }
        boolean grids = before.size() > 1
                && before.stream().allMatch(folder -> folder.sets().size() > 1);
        if (!after.isEmpty()) {
            sides.add(together(runs, before, 0));
            sides.add(together(to, after, 0));
        } else if (grids) {
            pointByPoint(before);
        } else if (before.size() == 1 && before.get(0).hasVariants()) {
            variantByVariant(before.get(0));
        } else {
            for (RunGroups folder : before) {
                Path parent = folder.sets().size() == 1 ? null : folder.dir();
                folder.sets().forEach(set -> sides.add(new Folders(set.name(), set.dirs(), parent, 0)));
            }
        }
        if (sides.size() < 2) {
            throw new UsageException("compare: expected at least two runs, or two sets of runs, got only " + runs.get(0)
                    + "; specify what to compare it with, e.g. 'diperf compare runs/before runs/after'");
        }
        Set<Path> seen = new LinkedHashSet<>();
        for (Folders side : sides) {
            for (Path dir : side.dirs()) {
                if (!seen.add(Files.exists(dir) ? dir.toRealPath() : dir)) {
                    throw new UsageException("compare: " + dir + " is specified twice");
                }
            }
        }
    }

    /** Compares each point of the later grids with the same point of the first. */
    private void pointByPoint(List<RunGroups> grids) throws UsageException {
        RunGroups first = grids.get(0);
        for (RunSet point : first.sets()) {
            int baseline = sides.size();
            sides.add(new Folders(called(first, point), point.dirs(), first.dir(), baseline));
            for (RunGroups grid : grids.subList(1, grids.size())) {
                Optional<RunSet> same = grid.sets().stream()
                        .filter(set -> set.set().equals(point.set()))
                        .findFirst();
                same.ifPresent(set -> sides.add(new Folders(called(grid, set), set.dirs(), grid.dir(), baseline)));
                if (same.isEmpty()) {
                    unmatched.add(point.name() + " is not in " + grid.dir());
                }
            }
            if (sides.size() == baseline + 1) {
                sides.remove(baseline);
            }
        }
        for (RunGroups grid : grids.subList(1, grids.size())) {
            long more = grid.sets().stream()
                    .filter(set ->
                            first.sets().stream().noneMatch(point -> point.set().equals(set.set())))
                    .count();
            if (more > 0) {
                unmatched.add(Numbers.count((int) more, "point") + " of " + grid.dir() + " not in " + first.dir());
            }
        }
        if (sides.isEmpty()) {
            throw new UsageException("compare: expected sweeps with common points, got " + first.dir() + " and "
                    + grids.get(1).dir() + ", which have none");
        }
    }

    private static String called(RunGroups grid, RunSet set) {
        return RunGroups.name(grid.dir()) + ": " + set.name();
    }

    /** Compares the variants of each point with the first variant there. */
    private void variantByVariant(RunGroups grid) {
        Map<Map<String, JsonNode>, Integer> baselines = new HashMap<>();
        for (RunSet set : grid.sets()) {
            int index = sides.size();
            Integer baseline = baselines.putIfAbsent(set.point(), index);
            sides.add(new Folders(set.name(), set.dirs(), grid.dir(), baseline == null ? index : baseline));
        }
    }

    /** Returns for each side the index of the one that it is compared with. */
    List<Integer> against() {
        return sides.stream().map(Folders::against).toList();
    }

    /** Reads all runs. */
    List<Side> read(boolean allowSuspect) throws IOException {
        List<Side> read = new ArrayList<>();
        for (Folders side : sides) {
            List<MeasuredRun> runs = new ArrayList<>();
            for (Path dir : side.dirs()) {
                String name = side.dirs().size() == 1 ? side.name() : RunGroups.name(dir);
                boolean drawn = read.size() < Comparison.MAX_DRAWN && runs.size() < Comparison.MAX_DRAWN;
                MeasuredRun run = Files.isRegularFile(dir.resolve(RunFiles.RUN))
                        ? MeasuredRun.read(name, dir)
                        : new MeasuredRun(name, null, null, "failed", List.of(), null);
                runs.add(drawn ? run : run.withoutPictures());
            }
            read.add(Side.of(side.name(), runs, allowSuspect));
        }
        return read;
    }

    /** Says in which keys of their experiments sides differ from what they are compared with, so that they measure something else. */
    List<String> differences(List<String> ignored) throws IOException {
        List<String> found = new ArrayList<>();
        for (Folders side : sides) {
            Folders baseline = sides.get(side.against());
            Path dir = baseline.dirs().get(0);
            Optional<ExperimentKeys> first = ExperimentKeys.of(dir);
            boolean planned = side.parent() != null && side.parent().equals(baseline.parent());
            if (planned || first.isEmpty()) {
                continue;
            }
            Set<String> keys = new LinkedHashSet<>();
            for (Path other : side.dirs()) {
                ExperimentKeys.of(other)
                        .ifPresent(keysOf -> keys.addAll(first.get().differences(keysOf, ignored)));
            }
            if (!keys.isEmpty()) {
                List<String> shown = keys.stream().limit(6).toList();
                found.add("different experiments: " + side.name() + " differs from " + dir + " in "
                        + String.join(", ", shown) + (keys.size() > shown.size() ? " and more" : "")
                        + "; if that is intended, add --ignore KEY");
            }
        }
        return found;
    }

    /** Says of which runs nobody can tell whether they are of the same experiment, and which points have nothing next to them. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(unmatched);
        List<String> names = sides.stream()
                .filter(side ->
                        side.dirs().stream().anyMatch(dir -> !Files.isRegularFile(dir.resolve("experiment.yml"))))
                .map(Folders::name)
                .toList();
        if (!names.isEmpty()) {
            notes.add("without an experiment.yml, there is no way to check that the load was the same: "
                    + String.join(", ", names));
        }
        return notes;
    }

    private static Folders together(List<Path> runs, List<RunGroups> folders, int against) throws UsageException {
        List<Path> dirs = new ArrayList<>();
        for (RunGroups folder : folders) {
            if (folder.sets().size() > 1) {
                throw new UsageException(
                        "compare: expected runs of one experiment on each side of --to, got " + folder.dir()
                                + ", which contains the sets "
                                + folder.sets().stream().map(RunSet::name).toList()
                                + "; specify the folders of the runs instead, or one such folder on each side");
            }
            dirs.addAll(folder.sets().get(0).dirs());
        }
        String name = runs.size() == 1
                ? RunGroups.name(runs.get(0))
                : common(runs.stream().map(RunGroups::name).toList());
        return new Folders(name, dirs, null, against);
    }

    /** Returns what all names share, or the first with how many follow. */
    static String common(List<String> names) {
        // Runs of a grid are called by their number, their settings and their trial.
        Set<String> settings = new LinkedHashSet<>();
        names.forEach(name -> settings.add(name.replaceFirst("^[0-9]{3,}-", "").replaceFirst(",?trial=[0-9]+$", "")));
        if (settings.size() == 1 && settings.iterator().next().length() >= 2) {
            return settings.iterator().next();
        }
        String begin = names.get(0);
        for (String name : names) {
            while (!name.startsWith(begin)) {
                begin = begin.substring(0, begin.length() - 1);
            }
        }
        begin = begin.replaceFirst("[-_. ]+[0-9]*$", "");
        return begin.length() >= 2 ? begin : names.get(0) + " and " + (names.size() - 1) + " more";
    }
}
