package org.diperf.controller.grid;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** Ranges of values: {@code 1..64 x2}, {@code 8KiB..4MiB x2}, {@code 10..100 +10}, {@code 1s..5s +500ms}. */
public final class Ranges {

    /** What a range looks like, for messages. */
    public static final String WANTED = "a range such as 1..64 x2, 8KiB..4MiB x2 or 10..100 +10";

    /** More values than anybody runs. */
    private static final int MOST = 1_000;

    private static final String AMOUNT = "[0-9]+(?:\\.[0-9]+)? ?[A-Za-zµ/]*";
    private static final Pattern RANGE = Pattern.compile(
            "(" + AMOUNT + ") *\\.\\. *(" + AMOUNT + ") +(?:[x*] ?([0-9]+(?:\\.[0-9]+)?)|\\+ ?(" + AMOUNT + "))");
    /** For JSON Schema. */
    public static final String PATTERN = RANGE.pattern();

    private static final MathContext DIGITS = new MathContext(16, RoundingMode.HALF_EVEN);
    private static final List<String> BINARY = List.of("", "KiB", "MiB", "GiB", "TiB");
    private static final Map<String, Long> DECIMAL =
            Map.of("kb", 1_000L, "mb", 1_000_000L, "gb", 1_000_000_000L, "tb", 1_000_000_000_000L);

    private Ranges() {}

    /** What amounts can be: read from a text into a number, and written back from it. */
    private record Kind(Function<String, BigDecimal> read, Function<BigDecimal, Object> write) {

        @Nullable
        BigDecimal of(String text) {
            try {
                return read.apply(text);
            } catch (IllegalArgumentException | ArithmeticException another) {
                return null;
            }
        }
    }

    private static List<Kind> kinds(String from) {
        String unit = from.replaceFirst("^[0-9. ]+", "").toLowerCase(Locale.ROOT);
        return List.of(
                new Kind(BigDecimal::new, Ranges::number),
                new Kind(
                        text -> BigDecimal.valueOf(Quantity.rate(text)),
                        value -> Quantity.formatRate(value.doubleValue())),
                new Kind(
                        text -> BigDecimal.valueOf(Quantity.duration(text).toNanos()),
                        value -> Quantity.format(Duration.ofNanos(whole(value)))),
                new Kind(
                        text -> BigDecimal.valueOf(Quantity.size(text)),
                        value -> size(whole(value), DECIMAL.getOrDefault(unit, 0L), unit)));
    }

    /**
     * Lists the values: the first, and those after it that are not beyond the last.
     *
     * @return {@code null} where the text is no range
     * @throws IllegalArgumentException where it is one that makes no sense, or has more than 1,000 values
     */
    public static @Nullable List<Object> values(String text) {
        Matcher matcher = RANGE.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        String first = matcher.group(1).strip();
        String step = matcher.group(4);
        for (Kind kind : kinds(first)) {
            BigDecimal from = kind.of(first);
            BigDecimal to = kind.of(matcher.group(2).strip());
            BigDecimal by = step == null ? new BigDecimal(matcher.group(3)) : kind.of(step.strip());
            if (from != null && to != null && by != null) {
                return values(text, from, to, by, step != null, kind.write);
            }
        }
        throw new IllegalArgumentException(
                "expected " + WANTED + ", with the same kind of unit at both ends, got '" + text + "'");
    }

    private static List<Object> values(
            String text,
            BigDecimal from,
            BigDecimal to,
            BigDecimal by,
            boolean adds,
            Function<BigDecimal, Object> write) {
        boolean grows = adds ? by.signum() > 0 : by.compareTo(BigDecimal.ONE) > 0 && from.signum() > 0;
        if (!grows || from.compareTo(to) > 0) {
            throw new IllegalArgumentException(
                    "expected " + WANTED + ", increasing from the first value to the last, got '" + text + "'");
        }
        List<Object> values = new ArrayList<>();
        BigDecimal at = from;
        while (at.compareTo(to) <= 0) {
            if (values.size() == MOST) {
                throw new IllegalArgumentException(
                        "expected a range of at most " + MOST + " values, got more in '" + text + "'");
            }
            values.add(write.apply(at));
            at = adds ? at.add(by) : at.multiply(by, DIGITS);
        }
        return values;
    }

    private static Object number(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() <= 0 ? (Object) stripped.longValueExact() : (Object) stripped.doubleValue();
    }

    private static long whole(BigDecimal value) {
        return value.setScale(0, RoundingMode.HALF_EVEN).longValueExact();
    }

    /** Writes a size in the unit of the first value where that is decimal, otherwise in the largest whole binary one. */
    private static String size(long bytes, long decimal, String unit) {
        if (decimal > 0 && bytes % decimal == 0) {
            return bytes / decimal + unit.toUpperCase(Locale.ROOT).replace("KB", "kB");
        }
        int power = 0;
        long rest = bytes;
        while (power < BINARY.size() - 1 && rest > 0 && rest % 1024 == 0) {
            rest /= 1024;
            power++;
        }
        return decimal > 0 || power == 0 ? bytes + "B" : rest + BINARY.get(power);
    }
}
