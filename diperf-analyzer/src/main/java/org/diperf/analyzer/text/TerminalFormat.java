package org.diperf.analyzer.text;

import java.util.List;
import java.util.regex.Pattern;
import org.diperf.core.experiment.SecretMask;

/**
 * How text is laid out: for a terminal, or for a place that takes lines of any length.
 *
 * @param colour whether it understands ANSI colours
 * @param width of its lines, in characters
 */
public record TerminalFormat(boolean colour, int width) {

    /** A file, or another place without colours and without an end of its lines. */
    public static final TerminalFormat PLAIN = new TerminalFormat(false, Integer.MAX_VALUE);

    private static final int MIN_WIDTH = 40;
    private static final int MIN_COLUMN = 12;
    private static final Pattern COLOUR = Pattern.compile(Pattern.quote(SecretMask.ESCAPE) + "\\[[0-9;]*m");

    public TerminalFormat {
        width = Math.max(MIN_WIDTH, width);
    }

    /** Paints what is well. */
    public String green(String text) {
        return paint("[32m", text);
    }

    /** Paints what is in doubt. */
    public String yellow(String text) {
        return paint("[33m", text);
    }

    /** Paints what has failed. */
    public String red(String text) {
        return paint("[31m", text);
    }

    /** Paints what is only there to be found, such as headings. */
    public String dim(String text) {
        return paint("[2m", text);
    }

    private String paint(String how, String text) {
        return colour ? SecretMask.ESCAPE + how + text + SecretMask.ESCAPE + "[0m" : text;
    }

    /**
     * Writes a sentence as one or more lines, broken between words; what follows stands below its first word.
     *
     * @param head before the first word
     */
    public void sentence(String head, String text, StringBuilder out) {
        int at = length(head);
        out.append(head);
        boolean isFirst = true;
        for (String word : text.split(" ")) {
            if (!isFirst && at + 1 + length(word) > width) {
                out.append('\n').append(" ".repeat(length(head)));
                at = length(head);
            } else if (!isFirst) {
                out.append(' ');
                at++;
            }
            out.append(word);
            at += length(word);
            isFirst = false;
        }
        out.append('\n');
    }

    /**
     * Writes a table: words left, numbers right. Where it is too wide, its last column is cut, then its first.
     *
     * @param rows the headings, then the rows; as many cells each
     * @param words how many columns at the left are words; the last one always is
     */
    public void table(List<List<String>> rows, int words, StringBuilder out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        int all = 1 + 2 * (columns - 1);
        for (int i = 0; i < columns; i++) {
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
            all += widths[i];
        }
        for (int i : new int[] {columns - 1, 0}) {
            int cut = Math.min(Math.max(0, all - width), Math.max(0, widths[i] - MIN_COLUMN));
            widths[i] -= cut;
            all -= cut;
        }
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String cell = cut(rows.get(r).get(i), widths[i]);
                String room = " ".repeat(widths[i] - length(cell));
                boolean left = i < words || i == columns - 1;
                line.append(i == 0 ? " " : "  ").append(left ? cell + room : room + cell);
            }
            String text = line.toString().stripTrailing();
            out.append(r == 0 ? dim(text) : text).append('\n');
        }
    }

    /** Cuts a text off where it is longer, with an ellipsis at the cut. */
    public static String cut(String text, int most) {
        return length(text) <= most ? text : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }

    /** Counts the characters that a text takes; colours take none. */
    public static int length(String text) {
        String plain = text.indexOf('\u001b') < 0 ? text : COLOUR.matcher(text).replaceAll("");
        return plain.codePointCount(0, plain.length());
    }
}
