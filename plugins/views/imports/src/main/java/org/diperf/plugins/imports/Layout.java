package org.diperf.plugins.imports;

import java.util.Map;

/**
 * How a file is laid out.
 *
 * @param columns which column says what, by the words of {@code --columns}; those that are not here are found by their names
 * @param header whether the first row names the columns; else they are called 1, 2, 3 ...
 * @param separator between fields
 */
record Layout(Map<String, String> columns, boolean header, char separator) {

    /** Copies the map. */
    Layout {
        columns = Map.copyOf(columns);
    }
}
