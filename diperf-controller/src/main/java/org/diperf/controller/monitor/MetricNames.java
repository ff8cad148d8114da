package org.diperf.controller.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The metrics of a monitor that are kept: all, or those whose names fit one of some patterns. Immutable. */
final class MetricNames {

    private final List<Pattern> patterns;

    /** @param wanted names in which {@code *} stands for any letters; empty: all */
    MetricNames(List<String> wanted) {
        List<Pattern> made = new ArrayList<>();
        for (String name : wanted) {
            StringBuilder regex = new StringBuilder();
            for (String part : name.split("\\*", -1)) {
                regex.append(regex.length() == 0 ? "" : ".*").append(part.isEmpty() ? "" : Pattern.quote(part));
            }
            if (name.startsWith("*")) {
                regex.insert(0, ".*");
            }
            made.add(Pattern.compile(regex.toString()));
        }
        this.patterns = List.copyOf(made);
    }

    boolean wants(String metric) {
        return patterns.isEmpty()
                || patterns.stream().anyMatch(pattern -> pattern.matcher(metric).matches());
    }
}
