package org.diperf.controller.experiment;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one place of an experiment file may hold. A shape reads a value, describes it as JSON Schema and writes it back;
 * so the three cannot disagree. Immutable.
 *
 * @param <V> type of the value
 */
interface Shape<V> {

    /**
     * Reads a value.
     *
     * @param path of the key, for messages
     * @return {@code null} where there were problems
     */
    @Nullable
    V read(Node node, String path, Problems problems);

    /** Describes the values as JSON Schema. */
    Map<String, Object> schema();

    /** Writes a value that {@link #read} gave: text, number, boolean, list or map of these. */
    Object write(V value);

    /** Says what is expected, as in "expected a duration". */
    String expected();

    /** Lists the keys that a value may have; none where it is no mapping, or where its keys are names of one's own. */
    default Collection<String> keyNames() {
        return List.of();
    }
}
