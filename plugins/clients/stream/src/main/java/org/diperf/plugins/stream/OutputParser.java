package org.diperf.plugins.stream;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.process.Program;
import org.diperf.plugins.lib.process.RunQueueWait;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a program writes: lines of fields separated by blanks.
 *
 * <pre>
 * response MILLISECONDS LOCAL_TIME HOST CLIENT_ID    a call that succeeded, and ended at LOCAL_TIME
 * error    REASON ...   LOCAL_TIME HOST CLIENT_ID    a call that failed; the reason may have several words
 * METRIC   VALUE        LOCAL_TIME HOST CLIENT_ID    a value of any other metric
 * </pre>
 *
 * LOCAL_TIME is Unix time of the tester's machine in seconds, with a fraction. HOST and CLIENT_ID must be there and are
 * not used: the framework knows both. Empty lines and such that begin with # are skipped; other lines are rejected, with
 * an example. Confined to one thread at a time.
 */
final class OutputParser implements Program.Output {

    private static final int MAX_LINE_BYTES = 64 << 10;
    private static final int MAX_METRICS = 1_000;
    private static final int FIELDS = 5;
    private static final int LAST_FIELDS = 3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    // Unix time up to the year 2262, which is what nanoseconds in 64 bits can hold.
    private static final double MAX_SECONDS = Long.MAX_VALUE / 1e9;

    private final Recorder recorder;
    private final NanoClock clock;
    private final RunQueueWaitHistory history = new RunQueueWaitHistory();
    private LongSupplier waits = () -> RunQueueWait.UNKNOWN;
    private long waitedNanos = RunQueueWait.UNKNOWN;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Map<String, Metric> metrics = new HashMap<>();
    private boolean tooLong;

    OutputParser(Recorder recorder, NanoClock clock) {
        this.recorder = recorder;
        this.clock = clock;
    }

    /** @param nanos for how long the program has waited for a processor since it began, see {@link RunQueueWait#nanos} */
    void waits(LongSupplier nanos) {
        waits = nanos;
    }

    @Override
    public void take(byte[] bytes, int length) {
        waitedNanos = waits.getAsLong();
        long readNanos = clock.nanoTime();
        takeLines(bytes, length);
        if (waitedNanos != RunQueueWait.UNKNOWN) {
            history.add(readNanos, waitedNanos);
        }
    }

    private void takeLines(byte[] bytes, int length) {
        int from = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                append(bytes, from, i - from);
                endLine();
                from = i + 1;
            }
        }
        append(bytes, from, length - from);
    }

    private void append(byte[] bytes, int from, int count) {
        int room = MAX_LINE_BYTES - line.size();
        tooLong |= count > room;
        line.write(bytes, from, Math.min(count, room));
    }

    /** Takes the end of the output: a last line need not end in a line feed. */
    void end() {
        endLine();
    }

    private void endLine() {
        String text = line.toString(StandardCharsets.UTF_8).strip();
        line.reset();
        if (tooLong) {
            recorder.reject("line over 64 KiB", text);
        } else if (!text.isEmpty() && text.charAt(0) != '#') {
            String fault = read(text.split("\\s+"));
            if (fault != null) {
                recorder.reject(fault, text);
            }
        }
        tooLong = false;
    }

    /** Records one line, or says why it cannot be. */
    private @Nullable String read(String[] fields) {
        boolean error = fields[0].equals("error");
        if (fields.length < FIELDS || (!error && fields.length > FIELDS)) {
            return "line without five fields";
        }
        double seconds = number(fields[fields.length - LAST_FIELDS]);
        if (!(seconds >= 0 && seconds < MAX_SECONDS)) {
            return "line with a LOCAL_TIME that is not a Unix time";
        }
        long at = recorder.monotonicNanos(seconds);
        if (error) {
            List<String> reason = List.of(fields).subList(1, fields.length - LAST_FIELDS);
            recorder.call(at, at, 0, String.join(" ", reason));
            return null;
        }
        double value = number(fields[1]);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "line with a VALUE that is not a number";
        }
        return fields[0].equals("response")
                ? response(at, value, unit(fields[1], NANOS_PER_MILLI) + unit(fields[2], NANOS_PER_SECOND))
                : observe(fields[0], at, value);
    }

    /**
     * Returns what a number can be off by having been rounded.
     *
     * @param ofOne what 1 stands for
     */
    private static long unit(String number, double ofOne) {
        int point = number.indexOf('.');
        boolean plain = point >= 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
        return (long) Math.ceil(plain ? ofOne / Math.pow(10, number.length() - point - 1) : ofOne);
    }

    /** @param coarseNanos by how much the program's instants can be off, as it writes them */
    private @Nullable String response(long endNanos, double millis, long coarseNanos) {
        if (millis < 0 || millis * NANOS_PER_MILLI >= Long.MAX_VALUE / 2.0) {
            return "response with a VALUE that is negative or too large";
        }
        long start = endNanos - Math.round(millis * NANOS_PER_MILLI);
        long waited = waitedNanos == RunQueueWait.UNKNOWN
                ? RunQueueWait.UNKNOWN
                : waitedNanos - history.leastAt(start - coarseNanos);
        recorder.call(start, endNanos, 0, null, waited);
        return null;
    }

    private @Nullable String observe(String name, long at, double value) {
        Metric metric = metrics.get(name);
        if (metric == null) {
            if (metrics.size() >= MAX_METRICS) {
                return "line with a new metric above the limit of 1,000";
            }
            try {
                metric = Metric.of(name, "");
            } catch (IllegalArgumentException e) {
                return "line with a METRIC that is not a valid name";
            }
            metrics.put(name, metric);
        }
        recorder.observe(metric, at, value);
        return null;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
