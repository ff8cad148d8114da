package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.core.folder.PlainFile;
import org.diperf.core.run.GridRecord;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The runs of a folder, by what was set for them: of a run it alone, of a sweep, of variants or of trials those of each point.
 *
 * @param dir the folder
 * @param sets in the order of the axes and variants, where the summary has it; at least one
 * @param hasVariants whether they are told apart by variants, among others
 */
record RunGroups(Path dir, List<RunSet> sets, boolean hasVariants) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JsonNode NOTHING_SET = JsonNodeFactory.instance.objectNode();

    /**
     * Runs with the same settings.
     *
     * @param name for people
     * @param set key of an axis, or {@code variant}, to value; or a word
     * @param dirs folders of the runs
     */
    record RunSet(String name, JsonNode set, List<Path> dirs) {

        RunSet {
            dirs = List.copyOf(dirs);
        }

        /** Returns what is set besides the variant. */
        Map<String, JsonNode> point() {
            Map<String, JsonNode> point = new TreeMap<>();
            set.properties().forEach(entry -> {
                if (!entry.getKey().equals(GridRecord.VARIANT)) {
                    point.put(entry.getKey(), entry.getValue());
                }
            });
            return point;
        }
    }

    RunGroups {
        sets = List.copyOf(sets);
    }

    /**
     * Reads which runs a folder has.
     *
     * @throws UsageException where there are none
     */
    static RunGroups of(Path dir) throws UsageException, IOException {
        RunFolders.check(dir);
        if (Files.isRegularFile(dir.resolve(RunFiles.RUN))) {
            return new RunGroups(dir, List.of(new RunSet(name(dir), NOTHING_SET, List.of(dir))), false);
        }
        Path file = dir.resolve("summary.json");
        JsonNode summary = Files.isRegularFile(file) ? read(file) : NOTHING_SET;
        Map<JsonNode, List<Path>> together = new LinkedHashMap<>();
        // The order of the runs is mixed on purpose; that of the points is the one that people gave.
        summary.path("points").forEach(point -> together.put(point.path("set"), new ArrayList<>()));
        for (JsonNode run : summary.path("runs")) {
            together.computeIfAbsent(run.path("set"), set -> new ArrayList<>())
                    .add(dir.resolve(run.path("dir").asString("")));
        }
        together.values().removeIf(List::isEmpty);
        if (together.isEmpty()) {
            throw new UsageException(
                    "compare: expected the folder of a run, or of trials with a summary.json that lists them, got "
                            + "neither in " + dir
                            + (Files.isRegularFile(dir.resolve(GridRecord.FILE))
                                    ? "; 'diperf report " + dir + "' writes it"
                                    : ""));
        }
        Map<String, String> names = new LinkedHashMap<>();
        summary.path("axes")
                .forEach(axis -> names.put(
                        axis.path("path").asString(""), axis.path("name").asString("")));
        List<RunSet> sets = new ArrayList<>();
        together.forEach(
                (set, dirs) -> sets.add(new RunSet(together.size() == 1 ? name(dir) : words(set, names), set, dirs)));
        return new RunGroups(
                dir,
                sets,
                sets.stream()
                                .map(set -> set.set().path(GridRecord.VARIANT).asString(""))
                                .distinct()
                                .count()
                        > 1);
    }

    private static JsonNode read(Path file) throws IOException {
        try {
            return JSON.readTree(PlainFile.read(file, PlainFile.MAX_JSON));
        } catch (JacksonException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        }
    }

    /** Writes a set as people call it: a variant by its name, a point of a sweep by its values. */
    private static String words(JsonNode set, Map<String, String> names) {
        if (!set.isObject()) {
            return set.asString("");
        }
        List<String> values = new ArrayList<>();
        set.properties().forEach(entry -> {
            String value = entry.getValue().isValueNode()
                    ? entry.getValue().asString()
                    : entry.getValue().toString();
            String key = entry.getKey();
            values.add(key.equals(GridRecord.VARIANT) ? value : names.getOrDefault(key, key) + "=" + value);
        });
        return String.join(", ", values);
    }

    /** Returns the last part of a path. */
    static String name(Path dir) {
        Path last = dir.toAbsolutePath().normalize().getFileName();
        return last == null ? dir.toString() : last.toString();
    }
}
