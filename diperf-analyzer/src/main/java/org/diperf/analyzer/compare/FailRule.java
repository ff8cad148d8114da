package org.diperf.analyzer.compare;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.NearestName;

/**
 * How much worse a metric may get, such as {@code response.p99 +5%}.
 *
 * @param metric which
 * @param change from which on it is too much: a fraction of the first side's value, of failed calls a share of all; above
 *     zero where more is worse
 * @param text as it was written
 */
public record FailRule(Metric metric, double change, String text) {

    private static final Pattern SHAPE =
            Pattern.compile("([A-Za-z][A-Za-z0-9.]*)\\s*([-+]?)\\s*([0-9]+(?:\\.[0-9]+)?)\\s*%");

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException saying what was wanted and what was found
     */
    public static FailRule parse(String text) {
        Matcher shape = SHAPE.matcher(text.strip());
        if (!shape.matches()) {
            throw new IllegalArgumentException(
                    "expected a metric and how much worse it may get, e.g. \"response.p99 +5%\", got '" + text + "'");
        }
        String path = shape.group(1);
        Metric metric = Metric.named(path)
                .orElseThrow(() -> new IllegalArgumentException("expected one of " + Metric.paths() + ", got '" + path
                        + "'" + NearestName.suggestion(path, Metric.paths())));
        double percent = Double.parseDouble(shape.group(3));
        String worse = metric.moreIsBetter() ? "-" : "+";
        if (!shape.group(2).isEmpty() && !shape.group(2).equals(worse)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s gets worse when it %s: expected '%s %s%s%%', got '%s'",
                    path,
                    metric.moreIsBetter() ? "falls" : "rises",
                    path,
                    worse,
                    shape.group(3),
                    text));
        }
        if (metric.moreIsBetter() && percent >= 100) {
            throw new IllegalArgumentException(path + ": expected a decrease of less than 100 %, got '" + text + "'");
        }
        return new FailRule(metric, (metric.moreIsBetter() ? -percent : percent) / 100, text.strip());
    }
}
