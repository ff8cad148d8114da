package org.diperf.controller.grid;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One point of a grid.
 *
 * @param index from 0, in the order of the file
 * @param set path of each axis, and {@code variant}, to the value here
 */
public record Point(int index, Map<String, Object> set) {

    public Point {
        set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    }
}
