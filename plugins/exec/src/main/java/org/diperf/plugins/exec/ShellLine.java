package org.diperf.plugins.exec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Text;

/**
 * A line for the shell of which only what stands in the experiment's file is code. The values of a call, which may come from the
 * service under test, reach the shell as variables of the environment that the line refers to: the shell does not look for
 * commands in what a variable holds. Made for one call.
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
    private final Map<String, String> values = new LinkedHashMap<>();
    private Quotes quotes = Quotes.NONE;
    private boolean escaped;

    /** Joins words by blanks, as the shell takes them apart again. */
    ShellLine(List<Text> words, Call call) {
        for (Text word : words) {
            if (line.length() > 0) {
                written(" ");
            }
            word.of(call, this::written, this::filled);
        }
    }

    private void written(String code) {
        line.append(code);
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (escaped) {
                escaped = false;
            } else if (c == '\\' && quotes != Quotes.SINGLE) {
                escaped = true;
            } else if (c == '\'' && quotes != Quotes.DOUBLE) {
                quotes = quotes == Quotes.SINGLE ? Quotes.NONE : Quotes.SINGLE;
            } else if (c == '"' && quotes != Quotes.SINGLE) {
                quotes = quotes == Quotes.DOUBLE ? Quotes.NONE : Quotes.DOUBLE;
            }
        }
    }

    private void filled(String value) {
        String name = PREFIX + (values.size() + 1);
        values.put(name, value);
        String reference = "${" + name + "}";
        line.append(
                switch (quotes) {
                    case NONE -> '"' + reference + '"';
                    case SINGLE -> "'\"" + reference + "\"'";
                    case DOUBLE -> reference;
                });
    }

    /** Returns the program and its arguments. */
    List<String> command() {
        return List.of("sh", "-c", line.toString());
    }

    /** Returns the variables that the line refers to. */
    Map<String, String> values() {
        return values;
    }
}
