package org.diperf.core.spi;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats numbers with units, as in experiment files and on the command line. */
public final class Quantity {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-zµ/]*)\\s*");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "min", 60_000_000_000L,
            "h", 3_600_000_000_000L);
    private static final Map<String, Long> BYTES = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("kb", 1_000L),
            Map.entry("mb", 1_000_000L),
            Map.entry("gb", 1_000_000_000L),
            Map.entry("tb", 1_000_000_000_000L),
            Map.entry("kib", 1L << 10),
            Map.entry("mib", 1L << 20),
            Map.entry("gib", 1L << 30),
            Map.entry("tib", 1L << 40));
    private static final Map<String, Double> PER_SECOND =
            Map.of("", 1.0, "/s", 1.0, "/sec", 1.0, "/min", 1 / 60.0, "/m", 1 / 60.0, "/h", 1 / 3600.0);

    private Quantity() {}

    /**
     * Parses a duration such as {@code 250ms}, {@code 10s}, {@code 5m} or {@code 2h}; {@code 0} needs no unit.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Duration duration(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (matcher.matches()) {
            BigDecimal number = new BigDecimal(matcher.group(1));
            Long unit = NANOS.get(matcher.group(2));
            if (unit != null && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / unit)) < 0) {
                return Duration.ofNanos(
                        number.multiply(BigDecimal.valueOf(unit)).longValue());
            }
            if (unit == null && matcher.group(2).isEmpty() && number.signum() == 0) {
                return Duration.ZERO;
            }
        }
        throw new IllegalArgumentException(
                "expected a " + Parameter.Type.DURATION.description() + ", got '" + text + "'");
    }

    /**
     * Parses a size such as {@code 512}, {@code 8KiB} or {@code 4MB}.
     *
     * @return bytes
     * @throws IllegalArgumentException if it is none
     */
    public static long size(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (matcher.matches()) {
            Long unit = BYTES.get(matcher.group(2).toLowerCase(Locale.ROOT));
            BigDecimal number = new BigDecimal(matcher.group(1));
            if (unit != null && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE / unit)) < 0) {
                return number.multiply(BigDecimal.valueOf(unit)).longValue();
            }
        }
        throw new IllegalArgumentException("expected a " + Parameter.Type.SIZE.description() + ", got '" + text + "'");
    }

    /**
     * Parses a rate such as {@code 100/s} or {@code 60/min}; without a unit it is per second.
     *
     * @return per second
     * @throws IllegalArgumentException if it is none
     */
    public static double rate(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (matcher.matches()) {
            Double unit = PER_SECOND.get(matcher.group(2));
            if (unit != null) {
                return Double.parseDouble(matcher.group(1)) * unit;
            }
        }
        throw new IllegalArgumentException("expected a rate such as 100, 100/s or 60/min, got '" + text + "'");
    }

    /** Formats a duration so that {@link #duration} parses it back exactly, in the largest whole unit. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0s";
        }
        for (String unit : new String[] {"h", "m", "s", "ms", "us"}) {
            long size = NANOS.getOrDefault(unit, 1L);
            if (nanos % size == 0) {
                return nanos / size + unit;
            }
        }
        return nanos + "ns";
    }

    /** Formats a rate so that {@link #rate} parses it back. */
    public static String formatRate(double perSecond) {
        if (perSecond >= 1 || perSecond == 0) {
            return BigDecimal.valueOf(perSecond).stripTrailingZeros().toPlainString() + "/s";
        }
        double perMinute = perSecond * 60;
        return BigDecimal.valueOf(perMinute).stripTrailingZeros().toPlainString() + "/min";
    }
}
