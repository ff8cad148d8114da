package org.diperf.plugins.grpc;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON (RFC 8259) into maps, lists, texts, numbers, booleans and nothing. Confined to one thread. */
final class Json {

    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /**
     * @throws IllegalArgumentException where it is none; names the place
     */
    static @Nullable Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.unexpected("its end");
        }
        return value;
    }

    private @Nullable Object value() {
        space();
        if (++depth > DEEPEST) {
            throw unexpected("at most " + DEEPEST + " levels");
        }
        char next = at < text.length() ? text.charAt(at) : 0;
        Object value = switch (next) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
        depth--;
        return value;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected("a value");
        }
        at += word.length();
        return value;
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        at++;
        space();
        if (take('}')) {
            return object;
        }
        do {
            space();
            String name = string();
            space();
            want(':');
            object.put(name, value());
            space();
        } while (take(','));
        want('}');
        return object;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        space();
        if (take(']')) {
            return list;
        }
        do {
            list.add(value());
            space();
        } while (take(','));
        want(']');
        return list;
    }

    private String string() {
        want('"');
        StringBuilder value = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                throw unexpected("a closing \"");
            }
            char next = text.charAt(at++);
            if (next == '"') {
                return value.toString();
            }
            value.append(next == '\\' ? escaped() : next);
        }
    }

    private char escaped() {
        char next = at < text.length() ? text.charAt(at++) : 0;
        return switch (next) {
            case '"', '\\', '/' -> next;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (!text.substring(at).matches("(?s)[0-9a-fA-F]{4}.*")) {
                    throw unexpected("four hexadecimal digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> throw unexpected("an escape");
        };
    }

    private BigDecimal number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(from, at);
        if (!digits.matches("-?(0|[1-9][0-9]{0,999})(\\.[0-9]{1,999})?([eE][+-]?[0-9]{1,3})?")) {
            at = from;
            throw unexpected("a value");
        }
        return new BigDecimal(digits);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char wanted) {
        boolean found = at < text.length() && text.charAt(at) == wanted;
        at += found ? 1 : 0;
        return found;
    }

    private void want(char wanted) {
        if (!take(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    private IllegalArgumentException unexpected(String wanted) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new IllegalArgumentException(
                "expected JSON with " + wanted + " at character " + (at + 1) + ", got " + found);
    }

    /** Writes a text as JSON. */
    static void quote(String value, StringBuilder into) {
        into.append('"');
        for (int i = 0; i < value.length(); i++) {
            char next = value.charAt(i);
            if (next == '"' || next == '\\') {
                into.append('\\').append(next);
            } else if (next < ' ') {
                into.append(String.format(Locale.ROOT, "\\u%04x", (int) next));
            } else {
                into.append(next);
            }
        }
        into.append('"');
    }
}
