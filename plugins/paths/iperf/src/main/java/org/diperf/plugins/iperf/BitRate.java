package org.diperf.plugins.iperf;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates as texts: {@code 10Mbit/s}, {@code 1Gbit/s}; 0 means as fast as possible. */
final class BitRate {

    private static final Pattern TEXT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kMG]?bit/s)");
    private static final Map<String, Double> UNITS = Map.of("bit/s", 1.0, "kbit/s", 1e3, "Mbit/s", 1e6, "Gbit/s", 1e9);
    private static final double MOST = 1e13;

    private BitRate() {}

    /**
     * @return bits a second, 0 for no limit
     * @throws IllegalArgumentException when it is no rate
     */
    static long parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (text.strip().equals("0")) {
            return 0;
        }
        if (matcher.matches()) {
            double rate = Double.parseDouble(matcher.group(1)) * UNITS.getOrDefault(matcher.group(2), 1.0);
            if (rate >= 1 && rate <= MOST) {
                return Math.round(rate);
            }
        }
        throw new IllegalArgumentException(
                "rate: expected bits per second such as 10Mbit/s or 1Gbit/s, or 0 for no limit, got '" + text + "'");
    }
}
