package org.diperf.controller.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.diperf.core.folder.PlainFile;
import org.jspecify.annotations.Nullable;

/** The keys of a resolved experiment file with their values, to be held next to those of another run. Immutable. */
public final class ExperimentKeys {

    /** What runs that measure the same may differ in: their names, where the service is and how it was started, and extras. */
    private static final List<String> FREE = List.of(
            "name",
            "labels",
            "seed",
            "target",
            "service",
            "controller",
            "clock",
            "report",
            "thresholds",
            "monitors",
            "outputs",
            "capture",
            "deploy",
            "sweep",
            "variants",
            "trials");

    private final Map<String, String> values;

    private ExperimentKeys(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads the file of a run directory.
     *
     * @return empty where it has none, as runs from elsewhere, or one that cannot be read
     */
    public static Optional<ExperimentKeys> of(Path runDir) throws IOException {
        Path file = runDir.resolve("experiment.yml");
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Problems problems = new Problems();
        Node root = new YamlReader(file.toString(), true, name -> "", problems)
                .read(new String(PlainFile.read(file, PlainFile.MAX_JSON), StandardCharsets.UTF_8));
        if (!(root instanceof Node.Mapping)) {
            return Optional.empty();
        }
        Map<String, String> values = new TreeMap<>();
        flatten("", root, values);
        return Optional.of(new ExperimentKeys(values));
    }

    private static void flatten(String path, Node node, Map<String, String> values) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((key, value) -> flatten(path.isEmpty() ? key : path + "." + key, value, values));
        } else if (node instanceof Node.Sequence sequence) {
            for (int i = 0; i < sequence.items().size(); i++) {
                flatten(path + "." + i, sequence.items().get(i), values);
            }
        } else {
            values.put(path, String.valueOf(node.plain()));
        }
    }

    /**
     * Lists the keys in which another experiment differs so that it measures something else.
     *
     * @param ignored keys, or the begins of keys, that may differ
     * @return each with both values, in the order of the alphabet
     */
    public List<String> differences(ExperimentKeys other, List<String> ignored) {
        TreeSet<String> keys = new TreeSet<>(values.keySet());
        keys.addAll(other.values.keySet());
        List<String> different = new ArrayList<>();
        for (String key : keys) {
            String here = values.get(key);
            String there = other.values.get(key);
            if (!Objects.equals(here, there) && !isWithin(key, FREE) && !isWithin(key, ignored)) {
                different.add(key + " (" + shown(here) + " and " + shown(there) + ")");
            }
        }
        return different;
    }

    private static String shown(@Nullable String value) {
        return value == null ? "absent" : value.length() > 60 ? value.substring(0, 59) + "…" : value;
    }

    private static boolean isWithin(String key, List<String> roots) {
        return roots.stream().anyMatch(root -> key.equals(root) || key.startsWith(root + "."));
    }
}
