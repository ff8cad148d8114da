package org.diperf.plugins.imports;

import java.util.Collection;
import org.diperf.core.spi.OneLine;

/** What a message shows of a file: a field may be as long as the longest row. */
final class Excerpt {

    static final int MAX_OF_FIELD = 100;
    private static final int MAX_OF_ROW = 500;

    private Excerpt() {}

    /** Returns a field, in quotes. */
    static String field(String text) {
        return "'" + OneLine.of(text, MAX_OF_FIELD) + "'";
    }

    /** Returns the fields of a row, or the names of its columns. */
    static String row(Collection<String> fields) {
        return OneLine.of(fields.toString(), MAX_OF_ROW);
    }
}
