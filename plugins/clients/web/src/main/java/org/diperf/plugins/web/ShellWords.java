package org.diperf.plugins.web;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words as the shell does: quotes of three kinds, backslashes, continued lines. */
final class ShellWords {

    private ShellWords() {}

    /** @throws IllegalArgumentException for a quote that is not closed */
    static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean any = false;
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '\'' || c == '"' || (c == '$' && line.startsWith("$'", at))) {
                any = true;
                at = quoted(line, at, word);
            } else if (c == '\\' && at + 1 < line.length()) {
                char next = line.charAt(at + 1);
                if (next != '\n' && next != '\r') {
                    any = true;
                    word.append(next);
                }
                at += next == '\r' && line.startsWith("\n", at + 2) ? 3 : 2;
            } else if (Character.isWhitespace(c)) {
                if (any) {
                    words.add(word.toString());
                    word.setLength(0);
                    any = false;
                }
                at++;
            } else {
                any = true;
                word.append(c);
                at++;
            }
        }
        if (any) {
            words.add(word.toString());
        }
        return words;
    }

    private static int quoted(String line, int from, StringBuilder word) {
        boolean escapes = line.charAt(from) == '$';
        int at = from + (escapes ? 2 : 1);
        char quote = escapes ? '\'' : line.charAt(from);
        while (at < line.length() && line.charAt(at) != quote) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 < line.length() && (escapes || quote == '"')) {
                at = escaped(line, at + 1, escapes, word);
            } else {
                word.append(c);
                at++;
            }
        }
        if (at >= line.length()) {
            throw new IllegalArgumentException("expected a closing " + quote + ", got the end of the line");
        }
        return at + 1;
    }

    private static int escaped(String line, int at, boolean ansi, StringBuilder word) {
        char c = line.charAt(at);
        if (!ansi) {
            // Within double quotes a backslash is one before anything else.
            word.append("$`\"\\\n".indexOf(c) < 0 ? "\\" + c : c == '\n' ? "" : String.valueOf(c));
            return at + 1;
        }
        int digits = c == 'u' ? 4 : c == 'x' ? 2 : 0;
        if (digits > 0 && line.substring(at + 1).matches("(?s)[0-9a-fA-F]{" + digits + "}.*")) {
            word.append((char) Integer.parseInt(line.substring(at + 1, at + 1 + digits), 16));
            return at + 1 + digits;
        }
        int place = "ntr0".indexOf(c);
        word.append(place < 0 ? c : "\n\t\r\0".charAt(place));
        return at + 1;
    }
}
