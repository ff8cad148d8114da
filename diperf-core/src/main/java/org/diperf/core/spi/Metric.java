package org.diperf.core.spi;

import static java.util.Objects.requireNonNull;

/**
 * A value that clients or testers measure besides the response time.
 *
 * @param name lower case with dots, such as {@code first-byte} or {@code network.rtt}; unique within a plugin
 * @param unit as written for people: {@code ms}, {@code bytes}, {@code 1} for a count
 * @param help description in one line, for {@code diperf plugins ID}
 */
public record Metric(String name, String unit, String help) {

    public Metric {
        requireNonNull(unit, "unit");
        requireNonNull(help, "help");
        if (!name.matches("[A-Za-z][A-Za-z0-9._/-]{0,99}")) {
            throw new IllegalArgumentException("Metric name '" + name
                    + "': expected a letter followed by at most 99 letters, digits, dots, slashes, hyphens or "
                    + "underscores");
        }
    }

    /** Makes a metric without a description. */
    public static Metric of(String name, String unit) {
        return new Metric(name, unit, "");
    }
}
