package org.diperf.plugins.monitor;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Regex;
import org.jspecify.annotations.Nullable;

/**
 * Understands the lines of an access log: by the text of nginx's {@code log_format}, or by a regular expression with the groups
 * {@code time}, {@code status}, {@code bytes} and {@code duration} or {@code start}. Confined to one thread.
 */
final class LogFormat {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z0-9_]+)\\}?");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,12}(?:\\.[0-9]{1,9})?");
    private static final DateTimeFormatter COMMON_LOG =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);
    /** As globus-gridftp-server writes times: in UTC, to the microsecond. */
    private static final Pattern COMPACT = Pattern.compile("([0-9]{14})(\\.[0-9]{1,9})?");

    private static final DateTimeFormatter COMPACT_SECONDS = DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT);
    private static final String GRIDFTP =
            ".*\\bDATE=(?<time>\\S+) .*\\bSTART=(?<start>\\S+) .*\\bNBYTES=(?<bytes>[0-9]+) .*\\bCODE=(?<status>[0-9]+)\\b.*";
    private static final long SECOND = 1_000_000_000L;

    private final Regex regex;
    private final boolean hasStatus;
    private final boolean hasBytes;
    private final boolean hasDuration;
    private final boolean hasStart;
    private final double nanosPerUnit;

    private LogFormat(Regex regex, double nanosPerUnit) {
        this.regex = regex;
        this.nanosPerUnit = nanosPerUnit;
        String text = regex.toString();
        this.hasStatus = text.contains("(?<status>");
        this.hasBytes = text.contains("(?<bytes>");
        this.hasDuration = text.contains("(?<duration>");
        this.hasStart = text.contains("(?<start>");
    }

    /**
     * One request.
     *
     * @param endUnixNanos when it ended: the middle of the time that the log's digits leave open
     * @param durationNanos how long it took; -1 where the line does not say
     * @param status of the answer; 0 where the line does not say
     * @param bytes sent; 0 where the line does not say
     */
    record Line(long endUnixNanos, long durationNanos, int status, long bytes) {}

    /**
     * Makes it of nginx's format.
     *
     * @throws IllegalArgumentException when it has no time
     */
    static LogFormat ofNginx(String format) {
        StringBuilder regex = new StringBuilder();
        List<String> known = new ArrayList<>();
        Matcher variables = VARIABLE.matcher(format);
        int at = 0;
        while (variables.find()) {
            regex.append(Pattern.quote(format.substring(at, variables.start())));
            at = variables.end();
            String group = switch (variables.group(1)) {
                case "msec", "time_iso8601", "time_local" -> "time";
                case "status" -> "status";
                case "bytes_sent", "body_bytes_sent" -> "bytes";
                case "request_time" -> "duration";
                default -> "";
            };
            boolean named = !group.isEmpty() && !known.contains(group);
            if (named) {
                known.add(group);
            }
            // What follows a variable ends it; within quotes a request may hold blanks.
            String next = at < format.length() ? format.substring(at, at + 1) : "";
            String any = next.isEmpty() ? ".*" : next.equals("$") ? ".*?" : "[^" + escaped(next) + "]*";
            regex.append(named ? "(?<" + group + ">" + any + ")" : any);
        }
        regex.append(Pattern.quote(format.substring(at)));
        if (!known.contains("time")) {
            throw new IllegalArgumentException(
                    "expected nginx's log_format with $msec (or $time_iso8601, $time_local), got '" + format + "'");
        }
        return new LogFormat(Regex.compile(regex.toString()), SECOND);
    }

    /** Makes it of what globus-gridftp-server writes with {@code -log-transfer}. */
    static LogFormat ofGridFtp() {
        return ofRegex(GRIDFTP, "s");
    }

    private static String escaped(String character) {
        return "[]^\\&-".contains(character) ? "\\" + character : character;
    }

    /**
     * Makes it of a regular expression that a line fits as a whole.
     *
     * @param durationUnit {@code s}, {@code ms} or {@code us}
     * @throws IllegalArgumentException when it is none or has no group {@code time}
     */
    static LogFormat ofRegex(String regex, String durationUnit) {
        if (!regex.contains("(?<time>")) {
            throw new IllegalArgumentException("expected a group (?<time>...), got none in '" + regex + "'");
        }
        double unit = durationUnit.equals("s") ? 1e9 : durationUnit.equals("ms") ? 1e6 : 1e3;
        return new LogFormat(Regex.compile(regex), unit);
    }

    /**
     * Reads a line; {@code null} when it does not fit.
     *
     * @throws java.io.UncheckedIOException as {@link Regex#matches} does
     */
    @Nullable
    Line read(String text) {
        Matcher line = regex.matches(text);
        if (line == null) {
            return null;
        }
        long end = time(line.group("time"));
        if (end < 0) {
            return null;
        }
        String duration = hasDuration ? line.group("duration") : "";
        String status = hasStatus ? line.group("status") : "";
        String bytes = hasBytes ? line.group("bytes") : "";
        long start = hasStart ? time(line.group("start")) : -1;
        long taken = start < 0 ? -1 : Math.max(0, end - start);
        return new Line(
                end,
                DECIMAL.matcher(duration).matches() ? Math.round(Double.parseDouble(duration) * nanosPerUnit) : taken,
                status.matches("[0-9]{3}") ? Integer.parseInt(status) : 0,
                bytes.matches("[0-9]{1,18}") ? Long.parseLong(bytes) : 0);
    }

    /**
     * Reads a time in Unix seconds, ISO 8601, as in the common log format or as globus-gridftp-server writes it; its digits cut off
     * what is smaller.
     */
    private static long time(String text) {
        int dot = text.indexOf('.');
        String fraction = dot < 0 ? "" : text.substring(dot + 1);
        if (DECIMAL.matcher(text).matches()) {
            return Long.parseLong(dot < 0 ? text : text.substring(0, dot)) * SECOND + middle(fraction);
        }
        try {
            Matcher compact = COMPACT.matcher(text);
            if (compact.matches()) {
                return LocalDateTime.parse(compact.group(1), COMPACT_SECONDS).toEpochSecond(ZoneOffset.UTC) * SECOND
                        + middle(fraction);
            }
            OffsetDateTime time =
                    text.contains("T") ? OffsetDateTime.parse(text) : OffsetDateTime.parse(text, COMMON_LOG);
            return time.toEpochSecond() * SECOND + middle(fraction);
        } catch (DateTimeException e) {
            return -1;
        }
    }

    /** Returns the nanoseconds in the middle of what the digits of a second, with which this begins, leave open. */
    private static long middle(String fraction) {
        long unit = SECOND;
        long nanos = 0;
        for (int i = 0; i < fraction.length() && fraction.charAt(i) >= '0' && fraction.charAt(i) <= '9'; i++) {
            unit /= 10;
            nanos += (fraction.charAt(i) - '0') * unit;
        }
        return nanos + unit / 2;
    }
}
