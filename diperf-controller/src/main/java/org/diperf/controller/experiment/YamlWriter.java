package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes texts, numbers, booleans, lists and maps as YAML in block style that {@link YamlReader} reads back equal. */
final class YamlWriter {

    /** Texts that no YAML reader could take for anything else. */
    private static final Pattern PLAIN = Pattern.compile(
            "[A-Za-z/][A-Za-z0-9_./+@%=<>&-]*( [A-Za-z0-9_./+@%=<>&-]+)*|[a-z][a-z0-9+.-]*://[A-Za-z0-9_./:+@%=?&~-]*"
                    + "[A-Za-z0-9_/]|[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|/s|/min|B|[KMGT]i?B)");

    private static final Pattern WORDS_OF_YAML =
            Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n|nan|inf|infinity");

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    static String write(Map<?, ?> root) {
        YamlWriter writer = new YamlWriter();
        writer.mapping(root, 0);
        return writer.out.toString();
    }

    private void mapping(Map<?, ?> map, int indent) {
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first || indent == 0) {
                out.append("  ".repeat(indent));
            }
            first = false;
            out.append(scalar(String.valueOf(entry.getKey()))).append(':');
            value(entry.getValue(), indent + 1, false);
        }
    }

    /** Writes a value after a key or a hyphen, with the end of its line. */
    private void value(Object value, int indent, boolean inList) {
        if (value instanceof Map<?, ?> map) {
            if (map.isEmpty()) {
                out.append(" {}\n");
            } else if (inList) {
                out.append(' ');
                mapping(map, indent);
            } else {
                out.append('\n').append("  ".repeat(indent));
                mapping(map, indent);
            }
        } else if (value instanceof List<?> list) {
            if (list.isEmpty()) {
                out.append(" []\n");
                return;
            }
            out.append('\n');
            for (Object item : list) {
                out.append("  ".repeat(indent)).append('-');
                value(item, indent + 1, true);
            }
        } else {
            out.append(' ')
                    .append(value instanceof String text ? scalar(text) : String.valueOf(value))
                    .append('\n');
        }
    }

    /** Writes a text, in quotes where it could be taken for something else. */
    static String scalar(String text) {
        return PLAIN.matcher(text).matches() && !WORDS_OF_YAML.matcher(text).matches() ? text : quoted(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> {
                    if (c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
                        quoted.append(String.format(java.util.Locale.ROOT, "\\u%04x", c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
