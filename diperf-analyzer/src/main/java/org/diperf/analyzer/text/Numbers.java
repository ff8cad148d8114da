package org.diperf.analyzer.text;

import java.util.Locale;

/** Writes numbers for people, with three to four significant digits, the same in every language of the machine. */
public final class Numbers {

    /** Stands for what was not measured. */
    public static final String NONE = "–";

    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB"};

    private Numbers() {}

    /** Writes a count, with thousands separated. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Writes a count with its word: {@code 1 client}, {@code 2,000 clients}. */
    public static String count(long count, String one) {
        return count(count, one, one + "s");
    }

    /** Writes a count with its word, whose plural is another: {@code 2 stretches}. */
    public static String count(long count, String one, String many) {
        return count(count) + " " + (count == 1 ? one : many);
    }

    /** Writes a value for a column: at least one decimal below 1,000, none above. */
    public static String plain(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size < 0.0005) {
            return String.format(Locale.ROOT, "%.1e", value);
        }
        String format = size >= 999.95 ? "%,.0f" : size >= 9.995 ? "%.1f" : size >= 0.9995 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    /** Writes a value for a sentence: three significant digits, and no decimals from 100 on. */
    public static String brief(double value) {
        if (Math.abs(value) >= 99.95 && Math.abs(value) < 999.95) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return plain(value);
    }

    /** Writes a value of the load: exactly where it is whole. */
    public static String level(double value) {
        return value == Math.rint(value) ? count((long) value) : brief(value);
    }

    /** Writes a time given in ms with the unit that suits it: µs, ms, s or min. */
    public static String time(double millis) {
        if (!Double.isFinite(millis)) {
            return NONE;
        }
        double size = Math.abs(millis);
        if (size == 0) {
            return "0 ms";
        }
        if (size < 0.9995) {
            return brief(millis * 1e3) + " µs";
        }
        if (size < 999.5) {
            return brief(millis) + " ms";
        }
        if (size < 119_950) {
            return brief(millis / 1e3) + " s";
        }
        return brief(millis / 60e3) + " min";
    }

    /** Writes a length given in s as {@link #time}, without zeros that say nothing: {@code 1 s}, {@code 3.5 s}. */
    public static String length(double seconds) {
        return time(seconds * 1e3).replaceFirst("(\\.[0-9]*?)0+ ", "$1 ").replace(". ", " ");
    }

    /** Writes a planned length of time exactly: {@code 250 ms}, {@code 5 s}, {@code 10 min}, {@code 90 s}. */
    public static String span(long nanos) {
        if (nanos == 0) {
            return "0 s";
        }
        String[] units = {"h", "min", "s", "ms", "µs"};
        long[] sizes = {3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L};
        for (int i = 0; i < units.length; i++) {
            if (nanos % sizes[i] == 0) {
                return count(nanos / sizes[i]) + " " + units[i];
            }
        }
        return nanos > 1_000_000_000L ? time(nanos / 1e6) : count(nanos) + " ns";
    }

    /** Writes an instant or length of a run as minutes and seconds ({@code 1:05}) or hours too ({@code 2:01:05}). */
    public static String clock(double seconds) {
        if (!Double.isFinite(seconds)) {
            return NONE;
        }
        long whole = Math.round(Math.abs(seconds));
        String sign = seconds < 0 && whole > 0 ? "-" : "";
        if (whole >= 3600) {
            return sign + String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
        }
        return sign + String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
    }

    /** Writes a share as per cent, never rounded to 0 % or 100 % when it is neither. */
    public static String share(double fraction) {
        if (!Double.isFinite(fraction)) {
            return NONE;
        }
        double percent = fraction * 100;
        if (percent == 0 || percent == 100) {
            return percent == 0 ? "0 %" : "100 %";
        }
        if (percent < 0.0001) {
            return "< 0.0001 %";
        }
        if (percent > 99.99 && percent < 100) {
            return "> 99.99 %";
        }
        int decimals = percent >= 99.9 ? 2 : percent >= 10 ? 1 : percent >= 1 ? 2 : percent >= 0.01 ? 3 : 4;
        return String.format(Locale.ROOT, "%." + decimals + "f %%", percent);
    }

    /** Writes a size in decimal units. */
    public static String bytes(double bytes) {
        if (!Double.isFinite(bytes)) {
            return NONE;
        }
        int unit = 0;
        double value = bytes;
        while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return (unit == 0 ? count(Math.round(value)) : brief(value)) + " " + BYTE_UNITS[unit];
    }

    /** Writes a rate of bits given in Mbit/s with the unit that suits it: {@code 15.7 Gbit/s}. */
    public static String bits(double megabitsPerSecond) {
        return Math.abs(megabitsPerSecond) >= 999.5
                ? brief(megabitsPerSecond / 1e3) + " Gbit/s"
                : brief(megabitsPerSecond) + " Mbit/s";
    }
}
