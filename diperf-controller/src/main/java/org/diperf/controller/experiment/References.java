package org.diperf.controller.experiment;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in what a file says of itself, such as <code>${client.with.size}</code> or <code>${labels.workers}</code>: with the
 * value that stands in the file, or that an axis, a variant or a {@code --set} has put there. Confined to one thread.
 */
final class References {

    /** A reference that refers to itself would expand for ever. */
    private static final int DEEPEST = 10;
    /** What all of a file's references may fill in, in characters: a few that name each other could grow without bound. */
    static final int MAX_FILLED = 1 << 20;

    /** So much is counted for a reference next to its value: even what fills in nothing takes time. */
    private static final int EACH = 16;

    private final Pattern pattern;
    private final Node root;
    private final Problems problems;
    private int filled;

    /**
     * @param names top-level keys of an experiment: what begins with one of them is a reference, all else is filled in later
     */
    References(Node root, Collection<String> names, Problems problems) {
        this.pattern = Pattern.compile("\\$\\$\\{|\\$\\{((?:" + String.join("|", names) + ")(?:\\.[^.{}:\\s]+)+)}");
        this.root = root;
        this.problems = problems;
    }

    /** Returns the document with all references filled in. */
    Node.Mapping filled() {
        return (Node.Mapping) filled(root);
    }

    private Node filled(Node node) {
        if (node instanceof Node.Scalar scalar) {
            return scalar.text().contains("${")
                    ? new Node.Scalar(scalar.position(), scalar.kind(), text(scalar.text(), scalar.position(), 0))
                    : scalar;
        }
        if (node instanceof Node.Sequence list) {
            return new Node.Sequence(
                    list.position(), list.items().stream().map(this::filled).toList());
        }
        Node.Mapping mapping = (Node.Mapping) node;
        Map<String, Node> entries = new LinkedHashMap<>();
        mapping.entries().forEach((key, value) -> entries.put(key, filled(value)));
        return new Node.Mapping(mapping.position(), entries, mapping.keys());
    }

    private String text(String text, SourcePosition position, int depth) {
        if (!text.contains("${")) {
            return text;
        }
        Matcher matcher = pattern.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String path = matcher.group(1);
            String value = matcher.group();
            if (path != null && filled > MAX_FILLED) {
                value = "";
            } else if (path != null) {
                Node found = Node.find(root, path);
                if (found instanceof Node.Scalar scalar && scalar.kind() != Node.Kind.NULL && depth < DEEPEST) {
                    value = text(scalar.text(), scalar.position(), depth + 1);
                    count(value, path, position);
                } else {
                    problems.add(
                            position,
                            "expected the file to have a value for '" + path + "', got "
                                    + (found == null
                                            ? "none; add it"
                                            : depth < DEEPEST ? found.found() : "one that refers to itself"));
                    value = "";
                }
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }

    private void count(String value, String path, SourcePosition position) {
        boolean before = filled > MAX_FILLED;
        filled = (int) Math.min(Integer.MAX_VALUE, (long) filled + EACH + value.length());
        if (!before && filled > MAX_FILLED) {
            problems.add(
                    position,
                    "expected references that expand to at most " + MAX_FILLED
                            + " characters in the whole file, got more at '" + path
                            + "'; use fewer nested references");
        }
    }
}
