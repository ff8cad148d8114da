package org.diperf.controller.grid;

import java.util.List;

/**
 * One thing that is swept.
 *
 * @param path of the key
 * @param name the end of the path by which it can be told from the other axes
 * @param values as written: number, text, boolean, list or map; at least one, each once
 */
public record Axis(String path, String name, List<Object> values) {

    public Axis {
        values = List.copyOf(values);
    }

    /** Returns each path the shortest end that no other one has. */
    public static String shortName(String path, List<String> paths) {
        String[] steps = path.split("\\.");
        String name = "";
        for (int i = steps.length - 1; i >= 0; i--) {
            name = name.isEmpty() ? steps[i] : steps[i] + "." + name;
            String end = name;
            boolean alone = paths.stream()
                    .allMatch(other -> other.equals(path) || !other.equals(end) && !other.endsWith("." + end));
            if (alone) {
                return name;
            }
        }
        return path;
    }
}
