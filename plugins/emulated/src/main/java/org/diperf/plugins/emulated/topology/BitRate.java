package org.diperf.plugins.emulated.topology;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates of links as texts: {@code 56kbit/s}, {@code 1Gbit/s}. */
public final class BitRate {

    private static final Pattern TEXT = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([kMG]?bit/s)\\s*");
    private static final Map<String, Double> UNITS = Map.of("bit/s", 1.0, "kbit/s", 1e3, "Mbit/s", 1e6, "Gbit/s", 1e9);

    private BitRate() {}

    /**
     * Parses a rate.
     *
     * @return bits per second, above 0
     * @throws IllegalArgumentException if it is none
     */
    public static double parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        double rate = matcher.matches()
                ? Double.parseDouble(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 0.0)
                : 0;
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(
                    "expected a rate above zero such as 56kbit/s, 100Mbit/s or 1Gbit/s, got '" + text + "'");
        }
        return rate;
    }

    /** Formats a rate so that {@link #parse} parses it back. */
    public static String format(double bitsPerSecond) {
        String unit = bitsPerSecond >= 1e9
                ? "Gbit/s"
                : bitsPerSecond >= 1e6 ? "Mbit/s" : bitsPerSecond >= 1e3 ? "kbit/s" : "bit/s";
        return BigDecimal.valueOf(bitsPerSecond / UNITS.getOrDefault(unit, 1.0))
                        .stripTrailingZeros()
                        .toPlainString()
                + unit;
    }
}
