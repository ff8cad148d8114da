package org.diperf.controller.experiment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders that testers are to have: a list of paths, or names there with the paths here. Read as a map of names
 * to paths, and written as one, because a resolved file is read from another folder.
 */
record DeployShape() implements Shape<Map<String, String>> {

    @Override
    public String expected() {
        return "a list of files and folders such as [query.sh, data/], or {remote path: local path}";
    }

    @Override
    public @Nullable Map<String, String> read(Node node, String path, Problems problems) {
        Map<String, String> files = new LinkedHashMap<>();
        if (node instanceof Node.Sequence list) {
            for (int i = 0; i < list.items().size(); i++) {
                add(files, list.items().get(i), null, path + "." + i, problems);
            }
        } else if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((name, item) -> add(files, item, name, Fields.join(path, name), problems));
        } else {
            problems.add(node.position(), path, "expected " + expected() + ", got " + node.found());
        }
        return files;
    }

    private static void add(
            Map<String, String> files, Node item, @Nullable String name, String path, Problems problems) {
        if (!(item instanceof Node.Scalar scalar)) {
            problems.add(item.position(), path, "expected a path, got " + item.found());
            return;
        }
        Path there;
        try {
            there = Path.of(name == null ? scalar.text() : name).normalize();
            var unused = Path.of(scalar.text());
        } catch (InvalidPathException e) {
            problems.add(item.position(), path, "expected a path, got '" + e.getInput() + "': " + e.getReason());
            return;
        }
        if (there.isAbsolute() || there.startsWith("..") || there.toString().isEmpty()) {
            problems.add(
                    item.position(),
                    path,
                    "expected a path below the folder of the experiment file, got '" + there
                            + "'; list files from elsewhere as {remote path: local path}");
            return;
        }
        files.put(there.toString(), scalar.text());
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of(
                "anyOf",
                List.of(
                        Map.of("type", "array", "items", Map.of("type", "string")),
                        Map.of("type", "object", "additionalProperties", Map.of("type", "string"))));
    }

    @Override
    public Object write(Map<String, String> value) {
        return value;
    }
}
