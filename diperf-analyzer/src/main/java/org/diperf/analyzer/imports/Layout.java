package org.diperf.analyzer.imports;

import java.util.Map;

/**
 * How a file is laid out.
 *
 * @param columns which column says what, by the words of {@code --columns}; those that are not here are found by their names
 * @param header whether the first row names the columns; else they are called 1, 2, 3 ...
 * @param separator between fields
 */
public record Layout(Map<String, String> columns, boolean header, char separator) {

    /** A file with a header and commas whose columns' names tell everything. */
    public static final Layout PLAIN = new Layout(Map.of(), true, ',');

    /** Copies the map. */
    public Layout {
        columns = Map.copyOf(columns);
    }
}
