package org.diperf.plugins.exec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Text;

/**
 * A line for the shell of which only what stands in the experiment's file is code. The values of a call, which may come from the
 * service under test, reach the shell as variables of the environment that the line refers to, within double quotes: the shell does
 * not look for commands in what a variable holds, nor takes it for several words. Immutable once it is made.
 *
 * <p>Which quotes a value is in can be told where quotes do not nest. Lines with values in which they may, or in which
 * the shell evaluates variables, are refused.
 */
final class ShellLine {

    private static final String PREFIX = "DIPERF_VALUE_";

    /** Within what quotes the file's text is. */
    private enum Quotes {
        NONE,
        SINGLE,
        DOUBLE
    }

    private final StringBuilder line = new StringBuilder();
    private final Map<String, Text> values = new LinkedHashMap<>();
    private Quotes quotes = Quotes.NONE;
    private boolean escaped;
    private boolean inBraces;
    /** The character before, where it is none that is escaped. */
    private char before = ' ';
    /** What values cannot be next to; empty: nothing. */
    private String obstacle = "";

    /**
     * Joins words by blanks, as the shell takes them apart again.
     *
     * @throws IllegalArgumentException when values in it would not be data alone
     */
    ShellLine(List<Text> words) {
        for (Text word : words) {
            if (line.length() > 0) {
                written(" ");
            }
            word.pieces(this::written, this::filled);
        }
        if (!values.isEmpty() && !obstacle.isEmpty()) {
            throw new IllegalArgumentException(
                    "command: expected a line whose values the shell does not interpret, got " + obstacle
                            + ". Pass the value in a variable: \"$NAME\" in the command, and env: { NAME: ... }");
        }
    }

    private void written(String code) {
        line.append(code);
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            boolean plain = !escaped;
            escaped = false;
            if (quotes == Quotes.SINGLE) {
                quotes = c == '\'' ? Quotes.NONE : quotes;
            } else if (plain) {
                look(c);
            }
            before = plain ? c : 'x';
        }
    }

    private void look(char c) {
        boolean quoted = quotes == Quotes.DOUBLE;
        switch (c) {
            case '\\' -> escaped = true;
            case '"' -> {
                checkQuote(c);
                quotes = quoted ? Quotes.NONE : Quotes.DOUBLE;
            }
            case '\'' -> {
                checkQuote(c);
                quotes = quoted ? quotes : Quotes.SINGLE;
            }
            case '`' -> refused("a backquote");
            case '(' -> {
                if (quoted && before == '$') {
                    refused("$( within double quotes");
                } else if (!quoted && before == '(') {
                    refused("((");
                }
            }
            case '[' -> {
                if (before == '$') {
                    refused("$[");
                }
            }
            case '<' -> {
                if (!quoted && before == '<') {
                    refused("<<");
                }
            }
            case '#' -> {
                if (!quoted && " \t\n;&|()".indexOf(before) >= 0) {
                    refused("a comment");
                }
            }
            case '{' -> inBraces |= before == '$';
            case '}' -> inBraces = false;
            default -> {}
        }
    }

    private void checkQuote(char quote) {
        if (inBraces) {
            refused("a quote within the shell's own ${...}");
        } else if (before == '$' && quotes == Quotes.NONE) {
            refused("$" + quote);
        }
    }

    private void refused(String found) {
        obstacle = obstacle.isEmpty() ? found : obstacle;
    }

    private void filled(Text value) {
        if (escaped) {
            refused("a backslash before a value");
        } else if (inBraces) {
            refused("a value within the shell's own ${...}");
        }
        String name = PREFIX + (values.size() + 1);
        values.put(name, value);
        String reference = "${" + name + "}";
        line.append(
                switch (quotes) {
                    case NONE -> '"' + reference + '"';
                    case SINGLE -> "'\"" + reference + "\"'";
                    case DOUBLE -> reference;
                });
        before = 'x';
    }

    /** Returns the program and its arguments. */
    List<String> command() {
        return List.of("sh", "-c", line.toString());
    }

    /** Adds the variables that the line refers to. */
    void fill(Call call, Map<String, String> variables) {
        values.forEach((name, value) -> variables.put(name, value.of(call)));
    }
}
