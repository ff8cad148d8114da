package org.diperf.plugins.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Metrics to take: a name in which {@code *} stands for any letters, and labels with the values that they must or must not have.
 *
 * @param name pattern of names
 * @param labels all of which must fit
 */
record PrometheusSelector(Pattern name, List<LabelIs> labels) {

    private static final Pattern FORM = Pattern.compile("([a-zA-Z_:*][a-zA-Z0-9_:*]*)\\s*(?:\\{(.*)\\})?");
    private static final Pattern LABEL =
            Pattern.compile("\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*(!?=)\\s*\"([^\"]*)\"\\s*(?:,|$)");

    /** A label that has a value, or has it not. */
    record LabelIs(String label, String value, boolean isNot) {
        boolean fits(Map<String, String> labels) {
            return labels.getOrDefault(label, "").equals(value) != isNot;
        }
    }

    static PrometheusSelector parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("expected NAME or NAME{label=\"value\"}, got '" + text + "'");
        }
        List<LabelIs> labels = new ArrayList<>();
        String inner = form.group(2) == null ? "" : form.group(2);
        Matcher label = LABEL.matcher(inner);
        int at = 0;
        while (at < inner.length()) {
            if (!label.find(at) || label.start() != at) {
                throw new IllegalArgumentException(
                        "expected labels such as mode=\"idle\" or mode!=\"idle\", got '" + inner.substring(at) + "'");
            }
            labels.add(
                    new LabelIs(label.group(1), label.group(3), label.group(2).equals("!=")));
            at = label.end();
        }
        String name = form.group(1).replace("*", "[a-zA-Z0-9_:]*");
        return new PrometheusSelector(Pattern.compile(name), List.copyOf(labels));
    }

    /** Returns whether it takes a metric of this name, with some labels at least. */
    boolean isOf(String metric) {
        return name.matcher(metric).matches();
    }

    boolean fits(Map<String, String> with) {
        return labels.stream().allMatch(label -> label.fits(with));
    }

    /** Says which labels were asked for, to tell sums apart: {@code {mode!=idle}}, or nothing. */
    String suffix() {
        return labels.isEmpty()
                ? ""
                : "{"
                        + String.join(
                                ",",
                                labels.stream()
                                        .map(label -> label.label() + (label.isNot() ? "!=" : "=") + label.value())
                                        .toList())
                        + "}";
    }
}
