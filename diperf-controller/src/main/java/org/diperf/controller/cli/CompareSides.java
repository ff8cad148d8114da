package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.compare.MeasuredRun;
import org.diperf.analyzer.compare.Side;
import org.diperf.controller.experiment.ExperimentKeys;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which runs make up the sides of a comparison: a folder is a run, or holds runs as trials of one set or of several. */
final class CompareSides {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * Runs that belong together.
     *
     * @param name for people
     * @param dirs folders of runs
     * @param parent the folder that holds them as one of several sets; {@code null}: they were named, or are its only set
     */
    private record Folders(
            String name, List<Path> dirs, @Nullable Path parent) {}

    private final List<Folders> sides = new ArrayList<>();

    /** @param to the second side, run by run; empty: each of {@code runs} is a side of its own */
    CompareSides(List<Path> runs, List<Path> to) throws UsageException, IOException {
        if (!to.isEmpty()) {
            sides.add(together(runs));
            sides.add(together(to));
        } else {
            for (Path run : runs) {
                sides.addAll(of(run));
            }
        }
        if (sides.size() < 2) {
            throw new UsageException("compare: wanted at least two runs, or two sets of runs, found one: " + runs.get(0)
                    + ". Name what to compare it with, such as 'diperf compare runs/before runs/after'");
        }
        Set<Path> seen = new LinkedHashSet<>();
        for (Folders side : sides) {
            for (Path dir : side.dirs()) {
                if (!seen.add(dir.toRealPath())) {
                    throw new UsageException("compare: wanted different runs, found " + dir + " twice");
                }
            }
        }
    }

    /** Reads all runs. */
    List<Side> read(boolean allowSuspect) throws IOException {
        List<Side> read = new ArrayList<>();
        for (Folders side : sides) {
            List<MeasuredRun> runs = new ArrayList<>();
            for (Path dir : side.dirs()) {
                String name = side.dirs().size() == 1 ? side.name() : name(dir);
                runs.add(
                        Files.isRegularFile(dir.resolve(Analyzer.RUN_FILE))
                                ? MeasuredRun.read(name, dir)
                                : new MeasuredRun(name, null, null, "failed", List.of(), null));
            }
            read.add(Side.of(side.name(), runs, allowSuspect));
        }
        return read;
    }

    /** Says in which keys of their experiments the sides differ from the first so that they measure something else. */
    List<String> differences(List<String> ignored) throws IOException {
        List<String> found = new ArrayList<>();
        Path baseline = sides.get(0).dirs().get(0);
        Optional<ExperimentKeys> first = ExperimentKeys.of(baseline);
        if (first.isEmpty()) {
            return found;
        }
        for (Folders side : sides) {
            boolean planned =
                    side.parent() != null && side.parent().equals(sides.get(0).parent());
            Set<String> keys = new LinkedHashSet<>();
            for (Path dir : side.dirs()) {
                Optional<ExperimentKeys> other = planned ? Optional.empty() : ExperimentKeys.of(dir);
                other.ifPresent(keysOf -> keys.addAll(first.get().differences(keysOf, ignored)));
            }
            if (!keys.isEmpty()) {
                List<String> shown = keys.stream().limit(6).toList();
                found.add("different experiments: " + side.name() + " differs from " + baseline + " in "
                        + String.join(", ", shown) + (keys.size() > shown.size() ? " and more" : "")
                        + "; where that is meant, say so with --ignore KEY");
            }
        }
        return found;
    }

    /** Says of which runs nobody can tell whether they are of the same experiment. */
    List<String> unknown() {
        List<String> names = sides.stream()
                .filter(side ->
                        side.dirs().stream().anyMatch(dir -> !Files.isRegularFile(dir.resolve("experiment.yml"))))
                .map(Folders::name)
                .toList();
        return names.isEmpty()
                ? List.of()
                : List.of("without an experiment.yml nobody can tell whether the load was the same: "
                        + String.join(", ", names));
    }

    private static Folders together(List<Path> runs) throws UsageException, IOException {
        List<Path> dirs = new ArrayList<>();
        for (Path run : runs) {
            List<Folders> sets = of(run);
            if (sets.size() > 1) {
                throw new UsageException("compare: wanted runs of one experiment on each side of --to, found " + run
                        + " with the sets " + sets.stream().map(Folders::name).toList()
                        + "; name the folders of the runs instead");
            }
            dirs.addAll(sets.get(0).dirs());
        }
        return new Folders(
                runs.size() == 1
                        ? name(runs.get(0))
                        : common(runs.stream().map(CompareSides::name).toList()),
                dirs,
                null);
    }

    /** Gives the begin that all names share, or the first with how many follow. */
    static String common(List<String> names) {
        String begin = names.get(0);
        for (String name : names) {
            while (!name.startsWith(begin)) {
                begin = begin.substring(0, begin.length() - 1);
            }
        }
        begin = begin.replaceFirst("[-_. ]+[0-9]*$", "");
        return begin.length() >= 2 ? begin : names.get(0) + " and " + (names.size() - 1) + " more";
    }

    private static List<Folders> of(Path dir) throws UsageException, IOException {
        if (!Files.isDirectory(dir)) {
            throw new UsageException("compare: wanted the folder of a run, found "
                    + (Files.exists(dir) ? "a file" : "nothing") + " at " + dir + ". Runs are in runs/");
        }
        if (Files.isRegularFile(dir.resolve(Analyzer.RUN_FILE))) {
            return List.of(new Folders(name(dir), List.of(dir), null));
        }
        Map<String, List<Path>> sets = sets(dir);
        if (sets.isEmpty()) {
            throw new UsageException("compare: wanted the folder of a run, or of trials with a summary.json that lists"
                    + " them, found neither at " + dir);
        }
        List<Folders> found = new ArrayList<>();
        sets.forEach((set, dirs) ->
                found.add(sets.size() == 1 ? new Folders(name(dir), dirs, null) : new Folders(set, dirs, dir)));
        return found;
    }

    private static Map<String, List<Path>> sets(Path parent) throws IOException {
        Map<String, List<Path>> sets = new LinkedHashMap<>();
        Path file = parent.resolve("summary.json");
        if (!Files.isRegularFile(file)) {
            return sets;
        }
        try {
            for (JsonNode run : JSON.readTree(Files.readAllBytes(file)).path("runs")) {
                Path dir = parent.resolve(run.path("dir").asString(""));
                sets.computeIfAbsent(words(run.path("set")), set -> new ArrayList<>())
                        .add(dir);
            }
        } catch (JacksonException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        }
        return sets;
    }

    /** Writes a set as people call it: a variant by its name, a point of a sweep by its values. */
    private static String words(JsonNode set) {
        if (!set.isObject()) {
            return set.asString("");
        }
        List<String> values = new ArrayList<>();
        set.properties()
                .forEach(entry -> values.add(entry.getKey() + "="
                        + (entry.getValue().isValueNode() ? entry.getValue().asString() : entry.getValue())));
        return String.join(" ", values);
    }

    private static String name(Path dir) {
        Path last = dir.toAbsolutePath().normalize().getFileName();
        return last == null ? dir.toString() : last.toString();
    }
}
