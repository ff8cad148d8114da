package org.diperf.plugins.imports;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** In what a column counts time. */
enum Unit {
    NANOS("ns", 0),
    MICROS("us", 3),
    MILLIS("ms", 6),
    SECONDS("s", 9);

    private static final long SECOND = 1_000_000_000;
    /** No number is longer, in characters: reading one takes the square of its length. */
    private static final int LONGEST = 100;
    /** Of the largest number of nanoseconds. */
    private static final int MAX_DIGITS = 19;

    private final String word;
    private final int digits;
    private final long nanos;

    Unit(String word, int digits) {
        this.word = word;
        this.digits = digits;
        this.nanos = BigDecimal.ONE.movePointRight(digits).longValueExact();
    }

    static Optional<Unit> of(String word) {
        for (Unit unit : values()) {
            if (unit.word.equals(word.toLowerCase(Locale.ROOT))) {
                return Optional.of(unit);
            }
        }
        return Optional.empty();
    }

    /** Finds the unit that a column's name ends with, as {@code elapsed_ms} and {@code elapsed (ms)} do. */
    static Optional<Unit> ofName(String column) {
        for (Unit unit : values()) {
            if (column.endsWith("_" + unit.word) || column.endsWith("(" + unit.word + ")")) {
                return Optional.of(unit);
            }
        }
        return Optional.empty();
    }

    /** Guesses what counts a time since 1970 from how large it is, which is plain for times after 1973. */
    private static Unit ofEpoch(double value) {
        double size = Math.abs(value);
        return size < 1e11 ? SECONDS : size < 1e14 ? MILLIS : size < 1e17 ? MICROS : NANOS;
    }

    /**
     * Reads a number of this unit as nanoseconds.
     *
     * @throws NumberFormatException when it is none
     */
    long nanos(String text) {
        if (isWhole(text)) {
            return nanos(Long.parseLong(text));
        }
        return nanos(decimal(text));
    }

    private static BigDecimal decimal(String text) {
        if (text.length() > LONGEST) {
            throw new NumberFormatException("more than " + LONGEST + " characters");
        }
        return new BigDecimal(text);
    }

    /** Returns whether a text is a whole number that surely fits. */
    private static boolean isWhole(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return length > 0 && length < 19 || length == 19 && text.charAt(0) < '9';
    }

    private long nanos(long value) {
        try {
            return Math.multiplyExact(value, nanos);
        } catch (ArithmeticException e) {
            throw new NumberFormatException(value + " is too large");
        }
    }

    private long nanos(BigDecimal value) {
        // A number of a few characters may have more digits than there is memory: they are written out only where they
        // fit.
        long wholeDigits = (long) value.precision() - value.scale() + digits;
        if (value.signum() == 0 || wholeDigits < 0) {
            return 0;
        }
        if (wholeDigits > MAX_DIGITS) {
            throw new NumberFormatException(value + " is too large");
        }
        try {
            return value.movePointRight(digits)
                    .setScale(0, RoundingMode.HALF_UP)
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new NumberFormatException(value + " is too large");
        }
    }

    /**
     * Reads an instant: a number of some unit since 1970, or a date and a time, with hyphens or slashes; without a zone in that of this
     * machine, as JMeter writes them.
     *
     * @param unit {@code null}: as large as it is
     * @return nanoseconds since 1970
     * @throws NumberFormatException when it is none
     */
    static long epochNanos(String text, @Nullable Unit unit) {
        if (isWhole(text)) {
            long value = Long.parseLong(text);
            return (unit == null ? ofEpoch(value) : unit).nanos(value);
        }
        if (text.indexOf('T') > 0 || text.indexOf(':') > 0) {
            try {
                TemporalAccessor read = DateTimeFormatter.ISO_DATE_TIME.parseBest(
                        text.replace('/', '-').replaceFirst(" +", "T"), OffsetDateTime::from, LocalDateTime::from);
                Instant at = read instanceof LocalDateTime local
                        ? local.atZone(ZoneId.systemDefault()).toInstant()
                        : Instant.from(read);
                return Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
            } catch (DateTimeException | ArithmeticException e) {
                throw new NumberFormatException("'" + text + "' is not a time");
            }
        }
        BigDecimal value = decimal(text);
        return (unit == null ? ofEpoch(value.doubleValue()) : unit).nanos(value);
    }
}
