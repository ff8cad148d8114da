package org.diperf.plugins.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits lines into commands and their words as the shell does: quotes of three kinds, backslashes, continued lines, comments. Left out is
 * what output is piped or written to. Used once.
 */
final class ShellWords {

    /** Stands between commands; a line break only before a further command of curl, since pasted lines are often broken. */
    private static final Pattern END =
            Pattern.compile("&&|\\|\\|?|[;&](?=\\s|$)|\\n(?=\\s*(?:[$%]\\s)?curl(?:\\.exe)?\\s)");

    private static final Pattern IGNORED = Pattern.compile("#[^\\n]*|<<[^<](?s:.*)");
    private static final Pattern REDIRECTION =
            Pattern.compile("(?:[0-9&]?>>?|<)(?:&[0-9-]|\\s*(?:'[^']*'|\"[^\"]*\"|[^\\s'\"]+))");
    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?|[({0-9@#?!*-])|`");
    private static final Pattern ESCAPE = Pattern.compile(
            "x(?<x>[0-9a-fA-F]{1,2})|(?<o>[0-7]{1,3})|u(?<u>[0-9a-fA-F]{1,4})|U(?<l>[0-9a-fA-F]{1,8})|c(?<c>.)|(?<s>.)",
            Pattern.DOTALL);

    private final String line;
    private final List<List<String>> commands = new ArrayList<>();
    private List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean any;
    private boolean piped;
    private int at;

    private ShellWords(String line) {
        this.line = line.replace("\r\n", "\n");
    }

    /**
     * Splits lines.
     *
     * @return the words of each command
     * @throws IllegalArgumentException for a quote that is not closed, or for what only the shell itself can fill in
     */
    static List<List<String>> split(String line) {
        ShellWords shell = new ShellWords(line);
        shell.read();
        return shell.commands;
    }

    private void read() {
        while (at < line.length()) {
            char c = line.charAt(at);
            boolean between = !any || c == ';' || c == '\n';
            if (!any && (skips(IGNORED) || skips(REDIRECTION))) {
                continue;
            }
            if (between && skips(END)) {
                endCommand();
                piped = c == '|' && line.charAt(at - 2) != '|';
            } else if (c == '\'' || c == '"' || line.startsWith("$'", at)) {
                any = true;
                quoted();
            } else if (c == '\\' && at + 1 < line.length()) {
                if (line.charAt(at + 1) != '\n') {
                    any = true;
                    word.append(line.charAt(at + 1));
                }
                at += 2;
            } else if (Character.isWhitespace(c)) {
                endWord();
                at++;
            } else {
                plain();
            }
        }
        endCommand();
    }

    private boolean skips(Pattern pattern) {
        Matcher matcher = pattern.matcher(line).region(at, line.length()).useTransparentBounds(true);
        if (!matcher.lookingAt()) {
            return false;
        }
        at = matcher.end();
        return true;
    }

    private void endWord() {
        if (any) {
            words.add(word.toString());
            word.setLength(0);
            any = false;
        }
    }

    private void endCommand() {
        endWord();
        // What reads the answer of another command sends nothing, unless it is of the same kind.
        if (!words.isEmpty() && (!piped || words.get(0).equals("curl"))) {
            commands.add(words);
        }
        words = new ArrayList<>();
        piped = false;
    }

    /** Takes a character that means itself where the shell would put in nothing for it. */
    private void plain() {
        Matcher variable = VARIABLE.matcher(line).region(at, line.length());
        if (variable.lookingAt()) {
            String name = variable.group(1);
            throw new IllegalArgumentException("expected a line in which the shell has nothing to fill in, got "
                    + variable.group() + "; write its value"
                    + (name == null
                            ? ", or single quotes around what means itself"
                            : ", which ${secret:env:" + name + "} can replace in the file"));
        }
        any = true;
        word.append(line.charAt(at++));
    }

    private void quoted() {
        boolean escapes = line.charAt(at) == '$';
        at += escapes ? 2 : 1;
        char quote = line.charAt(at - 1);
        // Escaped bytes are those of UTF-8, of which a character has several.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (at < line.length() && line.charAt(at) != quote) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 < line.length() && escapes) {
                at++;
                escaped(bytes);
                continue;
            }
            flush(bytes);
            if (c == '\\' && at + 1 < line.length() && quote == '"') {
                char next = line.charAt(at + 1);
                // Within double quotes a backslash is one before anything else.
                word.append("$`\"\\\n".indexOf(next) < 0 ? "\\" + next : next == '\n' ? "" : String.valueOf(next));
                at += 2;
            } else if (quote == '"') {
                plain();
            } else {
                word.append(c);
                at++;
            }
        }
        if (at >= line.length()) {
            throw new IllegalArgumentException("expected a closing " + quote + ", got the end of the line");
        }
        flush(bytes);
        at++;
    }

    private void escaped(ByteArrayOutputStream bytes) {
        Matcher escape = ESCAPE.matcher(line).region(at, line.length());
        if (!escape.lookingAt()) {
            return;
        }
        at = escape.end();
        String octet = escape.group("x");
        String octal = escape.group("o");
        if (octet != null || octal != null) {
            bytes.write(octet != null ? Integer.parseInt(octet, 16) : Integer.parseInt(String.valueOf(octal), 8));
            return;
        }
        flush(bytes);
        String unit = escape.group("u");
        String codePoint = escape.group("l");
        String control = escape.group("c");
        String plain = escape.group("s");
        if (unit != null) {
            word.append((char) Integer.parseInt(unit, 16));
        } else if (codePoint != null) {
            word.appendCodePoint(Integer.parseInt(codePoint, 16));
        } else if (control != null) {
            word.append((char) (control.charAt(0) & 0x1f));
        } else if (plain != null) {
            int place = "abefnrtvE".indexOf(plain);
            word.append(place < 0 ? plain : "\007\b\033\f\n\r\t\013\033".charAt(place));
        }
    }

    private void flush(ByteArrayOutputStream bytes) {
        try {
            word.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())));
            bytes.reset();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "expected text in UTF-8, got other bytes in $'...'; write them to a file, and --data-binary @FILE",
                    e);
        }
    }
}
