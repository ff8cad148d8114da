package org.diperf.controller.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.OneLine;
import org.jspecify.annotations.Nullable;

/** A result of named lines: printed as they come, and kept for programs. Confined to one thread. */
final class Rows {

    private static final int MAX_VALUE = 2_000;
    private static final int MAX_LINE = 4_000;

    private final PrintWriter out;
    private final List<Row> rows = new ArrayList<>();

    /** A line: its name and value, or what was said. */
    record Row(
            @Nullable String name,
            @Nullable String value,
            @Nullable String said) {}

    Rows(PrintWriter out) {
        this.out = out;
    }

    /** Adds a line; with an empty name it continues the one before. */
    void row(String name, String value) {
        StringBuilder lines = new StringBuilder();
        String line = OneLine.of(value, MAX_VALUE);
        Terminal.screen().sentence(String.format(Locale.ROOT, "  %-12s ", name), line, lines);
        out.print(lines);
        rows.add(new Row(name, line, null));
    }

    /** Adds a line of what was sent or received. */
    void said(String line) {
        String shown = OneLine.of(line.replace("\t", "    "), MAX_LINE);
        out.println("    " + shown);
        rows.add(new Row(null, null, shown));
    }

    /** Prints what only people need. */
    void print(String line) {
        out.println(line);
    }

    /** Returns all lines. */
    List<Row> all() {
        return rows;
    }
}
