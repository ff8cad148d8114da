package org.diperf.controller.cli;

import java.util.List;
import java.util.stream.Collectors;
import org.diperf.core.spi.OneLine;

/** Writes GitHub's Markdown in which texts from outside stay texts. */
final class Markdown {

    private static final int MAX_LENGTH = 500;
    private static final int MAX_ROWS = 60;
    private static final String PLAIN = " .,;:/()%+-=?'±–·×≤≥…";

    private final StringBuilder out = new StringBuilder();

    /** Writes a text as it is to be read: whatever means something in Markdown or HTML becomes a character reference. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        OneLine.of(text, MAX_LENGTH).codePoints().forEach(point -> {
            if (Character.isLetterOrDigit(point) || PLAIN.indexOf(point) >= 0) {
                escaped.appendCodePoint(point);
            } else {
                escaped.append("&#").append(point).append(';');
            }
        });
        return escaped.toString();
    }

    /** Writes a text as code. */
    static String code(String text) {
        return "<code>" + escaped(text) + "</code>";
    }

    /** Begins with a heading. */
    Markdown heading(String text) {
        out.append("### ").append(text).append("\n\n");
        return this;
    }

    Markdown paragraph(String text) {
        out.append(text).append("\n\n");
        return this;
    }

    /** Adds a list; only its first lines where it is long. */
    Markdown list(List<String> lines) {
        lines.stream()
                .limit(MAX_ROWS)
                .forEach(line -> out.append("- ").append(line).append('\n'));
        return more(lines.size()).end();
    }

    /**
     * Adds a table; only its first rows where it is long.
     *
     * @param rows as many cells each as the head; Markdown
     */
    /** Writes a table of texts from outside. */
    Markdown texts(List<String> head, List<List<String>> rows) {
        return table(escaped(head), rows.stream().map(Markdown::escaped).toList());
    }

    private static List<String> escaped(List<String> texts) {
        return texts.stream().map(Markdown::escaped).toList();
    }

    Markdown table(List<String> head, List<List<String>> rows) {
        row(head);
        row(head.stream().map(cell -> "---").toList());
        rows.stream().limit(MAX_ROWS).forEach(this::row);
        return more(rows.size()).end();
    }

    private void row(List<String> cells) {
        out.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private Markdown more(int all) {
        if (all > MAX_ROWS) {
            out.append("\nand ").append(all - MAX_ROWS).append(" more\n");
        }
        return this;
    }

    private Markdown end() {
        out.append('\n');
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
