package org.diperf.plugins.weather;

import java.util.ArrayList;
import java.util.List;

/**
 * Which objects are asked for, in the language of NWS's name server, which it has from LDAP: {@code attribute=pattern} with {@code *} for any
 * characters, {@code <=} and {@code >=} by the characters' numbers, and {@code &}, {@code |} and {@code !} in front of filters in
 * parentheses. Unlike NWS's server this one compares whole names of attributes, and refuses what it cannot read. Immutable; to match takes
 * time in proportion to filter and object.
 */
final class Filter {

    static final int MAX_CHARS = 512;
    static final int MAX_DEPTH = 16;

    private final Term term;

    private interface Term {
        boolean matches(Attributes object);
    }

    private Filter(Term term) {
        this.term = term;
    }

    boolean matches(Attributes object) {
        return term.matches(object);
    }

    /**
     * Reads a filter.
     *
     * @throws IllegalArgumentException when it is none
     */
    static Filter read(String text) {
        if (text.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "expected a filter of at most " + MAX_CHARS + " characters, got " + text.length());
        }
        Reader reader = new Reader(text);
        Term term = reader.term(0);
        if (!reader.isAtEnd()) {
            throw reader.unexpected("the end");
        }
        return new Filter(term);
    }

    private static final class Reader {

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        private IllegalArgumentException unexpected(String expected) {
            return new IllegalArgumentException(
                    "expected " + expected + " at character " + (at + 1) + " of the filter, got '" + text + "'");
        }

        private void skipSpaces() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }

        boolean isAtEnd() {
            skipSpaces();
            return at == text.length();
        }

        private char next() {
            return isAtEnd() ? 0 : text.charAt(at);
        }

        Term term(int depth) {
            if (depth > MAX_DEPTH) {
                throw unexpected("at most " + MAX_DEPTH + " nested filters");
            }
            char first = next();
            if (first == '(') {
                at++;
                Term inner = term(depth + 1);
                if (next() != ')') {
                    throw unexpected("')'");
                }
                at++;
                return inner;
            }
            if (first == '!') {
                at++;
                Term inner = term(depth + 1);
                return object -> !inner.matches(object);
            }
            if (first == '&' || first == '|') {
                at++;
                List<Term> terms = new ArrayList<>();
                while (next() == '(') {
                    terms.add(term(depth + 1));
                }
                return first == '&'
                        ? object -> terms.stream().allMatch(each -> each.matches(object))
                        : object -> terms.stream().anyMatch(each -> each.matches(object));
            }
            return comparison();
        }

        private Term comparison() {
            int began = at;
            while (at < text.length() && "<>=~()".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String name = text.substring(began, at).strip();
            if (name.isEmpty() || at == text.length()) {
                throw unexpected("attribute=value");
            }
            char operator = text.charAt(at++);
            if (operator != '=') {
                if (at == text.length() || text.charAt(at++) != '=' || operator == '(' || operator == ')') {
                    throw unexpected("=, <=, >= or ~=");
                }
            }
            began = at;
            while (at < text.length() && text.charAt(at) != ')') {
                at++;
            }
            String value = text.substring(began, at).stripTrailing();
            return switch (operator) {
                case '<' ->
                    object -> object.values().containsKey(name)
                            && object.get(name).compareTo(value) <= 0;
                case '>' ->
                    object -> object.values().containsKey(name)
                            && object.get(name).compareTo(value) >= 0;
                default -> object -> object.values().containsKey(name) && fits(object.get(name), value);
            };
        }
    }

    /** Tells whether a value fits a pattern; after a mismatch only the last star is tried further on. */
    static boolean fits(String value, String pattern) {
        int v = 0;
        int p = 0;
        int star = -1;
        int from = 0;
        while (v < value.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                from = v;
            } else if (p < pattern.length() && pattern.charAt(p) == value.charAt(v)) {
                p++;
                v++;
            } else if (star >= 0) {
                p = star + 1;
                v = ++from;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
