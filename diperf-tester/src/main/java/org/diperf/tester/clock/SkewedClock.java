package org.diperf.tester.clock;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Quantity;

/**
 * A clock that is wrong in a known way: what it shows is a function of the true one. Immutable and thread-safe.
 *
 * @param truth the clock that is right
 * @param baseNanos when drift begins and from when steps and slews count, on the true clock
 * @param offsetNanos what it shows more than the true clock at the base
 * @param rate by which it is too fast: 100 ppm is 1e-4
 * @param steps by which it is set, once each
 * @param slews while which its rate is another
 */
public record SkewedClock(
        NanoClock truth, long baseNanos, long offsetNanos, double rate, List<Step> steps, List<Slew> slews)
        implements NanoClock {

    /** The system property that holds a specification. */
    public static final String PROPERTY = "diperf.clock";

    private static final String WANTED =
            "a clock such as offset=3h,ppm=-100,step=5ms@10s,slew=20ppm@5s..15s; prefix it with tester=N: to "
                    + "apply it to one tester, and separate several with ;";

    /**
     * The clock is set.
     *
     * @param byNanos forward, or back where below 0
     * @param atNanos after the base
     */
    public record Step(long byNanos, long atNanos) {}

    /**
     * The clock runs at another rate for a while.
     *
     * @param rate added to the clock's own
     * @param fromNanos after the base
     * @param toNanos after the base
     */
    public record Slew(double rate, long fromNanos, long toNanos) {}

    public SkewedClock {
        steps = List.copyOf(steps);
        slews = List.copyOf(slews);
    }

    /**
     * Reads a specification: {@code NAME=VALUE,...} with the names {@code offset} (a duration, may be negative), {@code
     * ppm}, {@code step=BY@AT}, {@code slew=RATEppm@FROM..TO}, and {@code base} (the true clock's nanoseconds from which
     * the instants count; else now). A part that begins with {@code tester=N:} is for that tester alone, parts are
     * separated by {@code ;}. For example {@code tester=1:offset=2h;tester=2:ppm=-100,step=5ms@10s}.
     *
     * @param text empty: the true clock
     * @return the true clock where nothing is said of this tester
     * @throws IllegalArgumentException when it is no specification
     */
    public static NanoClock parse(String text, int tester, NanoClock truth) {
        NanoClock clock = truth;
        for (String part : text.split(";", -1)) {
            String rest = part.strip();
            if (rest.startsWith("tester=")) {
                int colon = rest.indexOf(':');
                if (colon < 0) {
                    throw wrong(part, "expected tester=NUMBER: before the clock's settings");
                }
                long number = whole(part, rest.substring("tester=".length(), colon));
                rest = number == tester ? rest.substring(colon + 1) : "";
            }
            if (!rest.isEmpty()) {
                clock = one(rest, truth);
            }
        }
        return clock;
    }

    private static SkewedClock one(String part, NanoClock truth) {
        long base = truth.nanoTime();
        long offset = 0;
        double rate = 0;
        List<Step> steps = new ArrayList<>();
        List<Slew> slews = new ArrayList<>();
        for (String word : part.split(",", -1)) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? word.strip() : word.substring(0, equals).strip();
            String value = equals < 0 ? "" : word.substring(equals + 1).strip();
            switch (name) {
                case "base" -> base = whole(word, value);
                case "offset" -> offset = nanos(word, value);
                case "ppm" -> rate = number(word, value) * 1e-6;
                case "step" -> {
                    String[] ends = halves(word, value, "@");
                    steps.add(new Step(nanos(word, ends[0]), nanos(word, ends[1])));
                }
                case "slew" -> {
                    String[] ends = halves(word, value, "@");
                    String[] span = halves(word, ends[1], "..");
                    slews.add(new Slew(
                            number(word, ends[0].replaceFirst(" *ppm$", "")) * 1e-6,
                            nanos(word, span[0]),
                            nanos(word, span[1])));
                }
                default -> throw wrong(word, "expected base, offset, ppm, step or slew");
            }
        }
        return new SkewedClock(truth, base, offset, rate, steps, slews);
    }

    private static String[] halves(String word, String value, String between) {
        int at = value.indexOf(between);
        if (at < 0) {
            throw wrong(word, "expected a '" + between + "' in it");
        }
        return new String[] {value.substring(0, at), value.substring(at + between.length())};
    }

    private static long nanos(String word, String value) {
        boolean negative = value.startsWith("-");
        try {
            long nanos =
                    Quantity.duration(negative ? value.substring(1) : value).toNanos();
            return negative ? -nanos : nanos;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong(word, "expected a duration such as 5ms, got '" + value + "'");
        }
    }

    private static double number(String word, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw wrong(word, "expected a number, got '" + value + "'");
        }
    }

    private static long whole(String word, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw wrong(word, "expected a whole number, got '" + value + "'");
        }
    }

    private static IllegalArgumentException wrong(String word, String why) {
        return new IllegalArgumentException(
                "-D" + PROPERTY + ": " + why + " in '" + word.strip() + "'; expected " + WANTED);
    }

    @Override
    public long nanoTime() {
        return localNanos(truth.nanoTime());
    }

    /** Returns what this clock shows when the true one shows that. */
    public long localNanos(long trueNanos) {
        long since = trueNanos - baseNanos;
        double wrong = since * rate;
        for (Slew slew : slews) {
            wrong += slew.rate * (Math.max(slew.fromNanos, Math.min(since, slew.toNanos)) - slew.fromNanos);
        }
        long stepped = 0;
        for (Step step : steps) {
            stepped += since >= step.atNanos ? step.byNanos : 0;
        }
        return trueNanos + offsetNanos + stepped + Math.round(wrong);
    }

    /**
     * Returns when this clock showed that, on the true clock; where it never did because it was set forward, the instant of
     * that, and where it did twice, one of both.
     */
    public long trueNanos(long localNanos) {
        long from = localNanos - offsetNanos - (1L << 50);
        long to = localNanos - offsetNanos + (1L << 50);
        while (to - from > 1) {
            long middle = from + (to - from) / 2;
            if (localNanos(middle) - localNanos <= 0) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
