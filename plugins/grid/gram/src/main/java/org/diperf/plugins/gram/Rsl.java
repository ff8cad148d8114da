package org.diperf.plugins.gram;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job's description in GRAM's resource specification language, checked as its job manager would read it: the grammar of the
 * Grid Community Toolkit's RSL library, and what its job managers take of it, one conjunction. Immutable.
 */
final class Rsl {

    private static final int DEEPEST = 100;
    private static final String NOT_WITHIN = "\t \n=!<>()\"'^*$#?~";
    private static final String NOT_FIRST = NOT_WITHIN + "+&|";
    private static final int END = -1;

    private final String text;
    /** As long as the text, with what is filled in later. */
    private final String source;
    /** Of attributes that stand several times a job manager takes the last. */
    private final Map<String, Given> attributes = new HashMap<>();

    private String word = "";
    private int at;
    private int depth;

    /** The text is no RSL; the message says what was wanted, what was found, and where. */
    static final class MalformedRslException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedRslException(String message) {
            super(message);
        }
    }

    /**
     * What an attribute was given.
     *
     * @param values how many
     * @param word the value without quotes where it is one word, {@code null} where it is something else, or filled in later
     */
    record Given(int values, @Nullable String word) {}

    private Rsl(String text, String source) {
        this.text = text;
        this.source = source;
    }

    /** Reads a text. */
    static Rsl of(String text) throws MalformedRslException {
        return of(text, text);
    }

    private static Rsl of(String text, String source) throws MalformedRslException {
        Rsl read = new Rsl(text, source);
        read.conjunction();
        return read;
    }

    /**
     * Reads a text in which <code>${...}</code> will be filled in for every call: whatever that is, the rest must be RSL around a
     * word.
     */
    static Rsl ofTemplate(String source) throws MalformedRslException {
        StringBuilder sample = new StringBuilder(source);
        int from = sample.indexOf("${");
        while (from >= 0) {
            int end = sample.indexOf("}", from);
            // Of the same length, so that places in the text stay what they are.
            for (int i = from; i <= (end < 0 ? sample.length() - 1 : end); i++) {
                sample.setCharAt(i, 'x');
            }
            from = sample.indexOf("${", from);
        }
        return of(sample.toString(), source);
    }

    /** Returns whether the job has this attribute; case and underscores do not matter. */
    boolean has(String attribute) {
        return given(attribute) != null;
    }

    /** Returns what the job has for this attribute; {@code null} where it has none. */
    @Nullable
    Given given(String attribute) {
        return attributes.get(normalized(attribute));
    }

    private static String normalized(String attribute) {
        return attribute.toLowerCase(Locale.ROOT).replace("_", "");
    }

    private void conjunction() throws MalformedRslException {
        skip();
        if (peek() == '+') {
            throw expected("one job, &(...)", "; a gatekeeper does not accept multi-requests (+)");
        }
        if (peek() != '&') {
            throw expected("& and relations in parentheses, such as &(executable=/bin/true)", "");
        }
        at++;
        list(true);
        skip();
        if (peek() != END) {
            throw expected("the end, or another relation in parentheses", "");
        }
    }

    private void list(boolean top) throws MalformedRslException {
        skip();
        if (peek() != '(') {
            throw expected("( and a relation", "");
        }
        while (peek() == '(') {
            at++;
            deeper();
            specification(top);
            close();
            skip();
        }
    }

    private void specification(boolean top) throws MalformedRslException {
        skip();
        int first = peek();
        if (first == '&' || first == '|' || first == '+') {
            at++;
            list(false);
            return;
        }
        if (!startsLiteral(first)) {
            throw expected("the name of an attribute", "");
        }
        literal();
        String name = normalized(word);
        skip();
        operator();
        Given given = values("a value");
        if (top) {
            attributes.put(name, given);
        }
    }

    private void operator() throws MalformedRslException {
        for (String operator : new String[] {"!=", ">=", "<=", "=", ">", "<"}) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return;
            }
        }
        throw expected("=", "");
    }

    private Given values(String what) throws MalformedRslException {
        int count = 0;
        boolean plain = true;
        skip();
        if (!startsValue(peek())) {
            throw expected(what, "; quote values with special characters");
        }
        while (startsValue(peek())) {
            plain &= startsLiteral(peek());
            value();
            count++;
            skip();
            if (peek() == '#') {
                plain = false;
                count--;
                at++;
                skip();
                if (!startsValue(peek()) || peek() == '(') {
                    throw expected("a value after #", "");
                }
            }
        }
        return new Given(count, plain && count == 1 && !word.contains("${") ? word : null);
    }

    private void value() throws MalformedRslException {
        if (peek() == '(') {
            at++;
            deeper();
            values("a value in the parentheses");
            close();
        } else if (peek() == '$') {
            at++;
            if (peek() != '(') {
                throw expected("( after $, as in $(HOME)", "; quote a plain $");
            }
            at++;
            deeper();
            values("the name of a variable");
            close();
        } else {
            literal();
        }
    }

    private void literal() throws MalformedRslException {
        int first = peek();
        int from = at;
        if (first == '"' || first == '\'') {
            quoted(at, at + 1, (char) first);
            word = source.substring(from + 1, at - 1);
        } else if (first == '^') {
            if (at + 1 >= text.length()) {
                at++;
                throw expected("a delimiter after ^", "");
            }
            quoted(at, at + 2, text.charAt(at + 1));
            word = source.substring(from + 2, at - 1);
        } else {
            at++;
            while (at < text.length() && NOT_WITHIN.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            word = source.substring(from, at);
        }
    }

    /** Takes a quoted text; its delimiter stands for itself when written twice. */
    private void quoted(int opened, int from, char delimiter) throws MalformedRslException {
        at = from;
        while (true) {
            int end = text.indexOf(delimiter, at);
            if (end < 0) {
                at = text.length();
                throw expected("a closing " + delimiter + " to match the one at " + place(opened), "");
            }
            at = end + 1;
            if (peek() != delimiter) {
                return;
            }
            at++;
        }
    }

    private void deeper() throws MalformedRslException {
        depth++;
        if (depth > DEEPEST) {
            throw expected("at most " + DEEPEST + " levels of nested parentheses", "");
        }
    }

    private void close() throws MalformedRslException {
        skip();
        if (peek() != ')') {
            throw expected(")", "; quote values with special characters");
        }
        at++;
        depth--;
    }

    private void skip() throws MalformedRslException {
        while (true) {
            int next = peek();
            if (next == ' ' || next == '\t' || next == '\n') {
                at++;
            } else if (text.startsWith("(*", at)) {
                int end = text.indexOf("*)", at + 2);
                if (end < 0) {
                    int opened = at;
                    at = text.length();
                    throw expected("*) to close the comment at " + place(opened), "");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private int peek() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private static boolean startsLiteral(int next) {
        return next != END && (next == '"' || next == '\'' || next == '^' || NOT_FIRST.indexOf(next) < 0);
    }

    private static boolean startsValue(int next) {
        return next == '(' || next == '$' || startsLiteral(next);
    }

    private MalformedRslException expected(String what, String advice) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new MalformedRslException(
                "expected " + what + ", got " + found + " at " + place(at) + " of the RSL" + advice);
    }

    private String place(int offset) {
        int line = 1;
        int start = 0;
        for (int i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
            line++;
            start = i + 1;
        }
        return "line " + line + ", column " + (offset - start + 1);
    }
}
