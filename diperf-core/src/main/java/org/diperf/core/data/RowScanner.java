package org.diperf.core.data;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the bytes of a data file one after another and finds its rows (RFC 4180: commas, quotes doubled within quotes, line
 * breaks within quotes, CR LF or LF). Empty lines are skipped. Confined to one thread.
 */
final class RowScanner {

    /** A row longer than this is a quote that was never closed. */
    private static final int MAX_ROW_BYTES = 1 << 20;

    /** A fault of the file, with the line it is in. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(long line, String message) {
            super("line " + line + ": " + message);
        }
    }

    private final boolean keeps;
    private final List<String> values = new ArrayList<>();
    private final ByteArrayOutputStream value = new ByteArrayOutputStream(64);
    private long line;
    private long rowLine;
    private int count;
    private int length;
    private boolean quoted;
    private boolean wasQuoted;
    private boolean closed;
    private boolean empty = true;
    private boolean returned;

    /**
     * @param keeps whether the values are wanted, not only their number
     * @param line in which it begins, from 1
     */
    RowScanner(boolean keeps, long line) {
        this.keeps = keeps;
        this.line = line;
    }

    /**
     * Takes the next byte.
     *
     * @return whether it ends a row; {@link #values} and {@link #count} are then those of that row
     */
    boolean take(int octet) throws Malformed {
        if (empty) {
            rowLine = line;
            count = 0;
            values.clear();
        }
        if (++length > MAX_ROW_BYTES) {
            throw new Malformed(
                    rowLine, "expected a row of at most 1 MiB, got a longer one; a closing quote may be missing");
        }
        if (octet == '\n') {
            line++;
        }
        if (quoted) {
            within(octet);
            return false;
        }
        if (closed) {
            closed = false;
            if (octet == '"') {
                // The quote that seemed to close the value was the first of two, which stand for one.
                add('"');
                quoted = true;
                wasQuoted = false;
                return false;
            }
        }
        if (returned && octet != '\n') {
            add('\r');
        }
        returned = false;
        switch (octet) {
            case '\n' -> {
                return endRow();
            }
            case '\r' -> returned = true;
            case ',' -> {
                empty = false;
                endValue();
            }
            case '"' -> quote();
            default -> {
                if (wasQuoted) {
                    throw new Malformed(
                            rowLine,
                            "expected a comma or the end of the row after a closing quote, got more text; double any quote "
                                    + "within the text");
                }
                add(octet);
            }
        }
        return false;
    }

    private void quote() throws Malformed {
        if (wasQuoted || value.size() > 0) {
            throw new Malformed(
                    rowLine,
                    "expected quotes around the whole value, got one inside it; quote the value and double the "
                            + "inner quote");
        }
        quoted = true;
        empty = false;
    }

    private void within(int octet) {
        if (octet == '"') {
            quoted = false;
            wasQuoted = true;
            closed = true;
        } else {
            add(octet);
        }
    }

    private void add(int octet) {
        empty = false;
        if (keeps || value.size() == 0) {
            value.write(octet);
        }
    }

    private void endValue() {
        count++;
        if (keeps) {
            values.add(value.toString(StandardCharsets.UTF_8));
        }
        value.reset();
        wasQuoted = false;
    }

    private boolean endRow() {
        length = 0;
        if (empty) {
            return false;
        }
        endValue();
        empty = true;
        return true;
    }

    /** Takes the end of the file; says whether it ends a row. */
    boolean end() throws Malformed {
        if (quoted) {
            throw new Malformed(rowLine, "expected a closing quote, got the end of the file");
        }
        returned = false;
        closed = false;
        return endRow();
    }

    /** Returns the values of the row that has ended. */
    List<String> values() {
        return List.copyOf(values);
    }

    /** Counts the values of the row that has ended. */
    int count() {
        return count;
    }

    /** Names the line that the next byte is in. */
    long line() {
        return line;
    }

    /** Names the line in which the row that has ended began, from 1. */
    long rowLine() {
        return rowLine;
    }
}
