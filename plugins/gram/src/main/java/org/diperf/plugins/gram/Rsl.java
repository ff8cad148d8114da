package org.diperf.plugins.gram;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

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
    private final Set<String> attributes = new LinkedHashSet<>();
    private int at;
    private int depth;

    /** The text is no RSL; the message says what was wanted, what was found, and where. */
    static final class MalformedRslException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedRslException(String message) {
            super(message);
        }
    }

    private Rsl(String text) {
        this.text = text;
    }

    /** Reads a text. */
    static Rsl of(String text) throws MalformedRslException {
        Rsl read = new Rsl(text);
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
        return of(sample.toString());
    }

    /** Returns whether the job has this attribute; case and underscores do not matter. */
    boolean has(String attribute) {
        return attributes.contains(normalized(attribute));
    }

    private static String normalized(String attribute) {
        return attribute.toLowerCase(Locale.ROOT).replace("_", "");
    }

    private void conjunction() throws MalformedRslException {
        skip();
        if (peek() == '+') {
            throw wanted("one job, &(...)", "; a gatekeeper takes no requests for several (+)");
        }
        if (peek() != '&') {
            throw wanted("& and relations in parentheses, such as &(executable=/bin/true)", "");
        }
        at++;
        list(true);
        skip();
        if (peek() != END) {
            throw wanted("the end, or another relation in parentheses", "");
        }
    }

    private void list(boolean top) throws MalformedRslException {
        skip();
        if (peek() != '(') {
            throw wanted("( and a relation", "");
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
            throw wanted("the name of an attribute", "");
        }
        int from = at;
        literal();
        if (top) {
            attributes.add(normalized(
                    text.charAt(from) == '"' || text.charAt(from) == '\''
                            ? text.substring(from + 1, at - 1)
                            : text.substring(from, at)));
        }
        skip();
        operator();
        values("a value");
    }

    private void operator() throws MalformedRslException {
        for (String operator : new String[] {"!=", ">=", "<=", "=", ">", "<"}) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return;
            }
        }
        throw wanted("=", "");
    }

    private void values(String what) throws MalformedRslException {
        skip();
        if (!startsValue(peek())) {
            throw wanted(what, "; quote values with special characters");
        }
        while (startsValue(peek())) {
            value();
            skip();
            if (peek() == '#') {
                at++;
                skip();
                if (!startsValue(peek()) || peek() == '(') {
                    throw wanted("a value behind #", "");
                }
            }
        }
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
                throw wanted("( behind $, as in $(HOME)", "; quote a plain $");
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
        if (first == '"' || first == '\'') {
            quoted(at, at + 1, (char) first);
        } else if (first == '^') {
            if (at + 1 >= text.length()) {
                at++;
                throw wanted("a delimiter behind ^", "");
            }
            quoted(at, at + 2, text.charAt(at + 1));
        } else {
            at++;
            while (at < text.length() && NOT_WITHIN.indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }
    }

    /** Takes a quoted text; its delimiter stands for itself when written twice. */
    private void quoted(int opened, int from, char delimiter) throws MalformedRslException {
        at = from;
        while (true) {
            int end = text.indexOf(delimiter, at);
            if (end < 0) {
                at = text.length();
                throw wanted("a closing " + delimiter + " for the one at " + place(opened), "");
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
            throw wanted("at most " + DEEPEST + " parentheses within one another", "");
        }
    }

    private void close() throws MalformedRslException {
        skip();
        if (peek() != ')') {
            throw wanted(")", "; quote values with special characters");
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
                    throw wanted("*) for the comment at " + place(opened), "");
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

    private MalformedRslException wanted(String what, String advice) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new MalformedRslException(
                "wanted " + what + ", found " + found + " at " + place(at) + " of the RSL" + advice);
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
