package org.diperf.analyzer.live;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of one stage while it is under way: a series of quanta since its begin, and the numbers of the window that
 * counts. Calls belong to the instant at which they ended. All instants are ns after the start of the run. Holds at most
 * 16,384 quanta and three histograms. Confined to one thread.
 */
public final class StageSeries {

    private static final int MOST_QUANTA = 16_384;
    private static final double SECOND = 1e9;
    private static final Pattern TIMES =
            Pattern.compile("(response|responseTime|serviceTime|sendLag)\\.(mean|max|p[0-9]{1,2}(?:\\.[0-9]+)?)");
    private static final List<String> COUNTS =
            List.of("failed", "failed.share", "dropped", "dropped.share", "throughput", "throughput.mean");

    private final int stage;
    private final long startNanos;
    private final long quantumNanos;
    private final List<long[]> counts = new ArrayList<>();
    private final List<double[]> sums = new ArrayList<>();
    private Window window;

    /**
     * @param stage its number
     * @param startNanos its begin
     * @param quantumNanos width of a quantum, more than 0
     */
    public StageSeries(int stage, long startNanos, long quantumNanos) {
        this.stage = stage;
        this.startNanos = startNanos;
        this.quantumNanos = quantumNanos;
        this.window = new Window(startNanos, Long.MAX_VALUE);
    }

    /** Says whether a path names something that can be seen of a stage. */
    public static boolean known(String path) {
        return COUNTS.contains(path) || TIMES.matcher(path).matches();
    }

    /** Lists such paths, for messages. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(List.of("failed", "dropped", "throughput.mean"));
        for (String times : List.of("response", "serviceTime", "sendLag")) {
            for (String statistic : List.of("mean", "max", "p50", "p90", "p95", "p99", "p99.9")) {
                names.add(times + "." + statistic);
            }
        }
        return names;
    }

    /**
     * One quantum.
     *
     * @param ok calls that ended well in it
     * @param failed calls that ended otherwise
     * @param meanResponseMs of the ok calls; {@code NaN} without any
     */
    public record Quantum(long ok, long failed, double meanResponseMs) {}

    /**
     * One look; immutable.
     *
     * @param quantumNanos width of a quantum
     * @param quanta whole ones since the begin of the stage
     * @param window that counts
     */
    public record Look(long quantumNanos, List<Quantum> quanta, Window window) {}

    /** The numbers of a part of the stage. A window that a {@link Look} gave does not change. */
    public static final class Window {

        private final long fromNanos;
        private final long toNanos;
        private final Durations responses = new Durations(Kind.TESTER);
        private final Durations services = new Durations(Kind.TESTER);
        private final Durations lags = new Durations(Kind.TESTER);
        private long failed;
        private long dropped;

        private Window(long fromNanos, long toNanos) {
            this.fromNanos = fromNanos;
            this.toNanos = toNanos;
        }

        private Window copy(long untilNanos) {
            Window copy = new Window(fromNanos, Math.min(toNanos, untilNanos));
            copy.responses.addAll(responses);
            copy.services.addAll(services);
            copy.lags.addAll(lags);
            copy.failed = failed;
            copy.dropped = dropped;
            return copy;
        }

        private boolean holds(long nanos) {
            return nanos >= fromNanos && nanos < toNanos;
        }

        /** Gives its begin. */
        public long fromNanos() {
            return fromNanos;
        }

        /** Gives its length in seconds. */
        public double seconds() {
            return Math.max(0, toNanos - fromNanos) / SECOND;
        }

        /** Counts the calls that ended, well or not. */
        public long ended() {
            return responses.count() + failed;
        }

        /**
         * Gives what a path such as {@code response.p99} stands for: ms, a count, a share, or calls a second.
         *
         * @return {@code null} when it was not measured
         */
        public @Nullable Double value(String path) {
            double value = switch (path) {
                case "failed" -> failed;
                case "failed.share" -> (double) failed / ended();
                case "dropped" -> dropped;
                case "dropped.share" -> (double) dropped / (ended() + dropped);
                case "throughput", "throughput.mean" -> responses.count() / seconds();
                default -> time(path);
            };
            return Double.isNaN(value) ? null : value;
        }

        private double time(String path) {
            Matcher matcher = TIMES.matcher(path);
            if (!matcher.matches()) {
                return Double.NaN;
            }
            Durations of = switch (matcher.group(1)) {
                case "serviceTime" -> services;
                case "sendLag" -> lags;
                default -> responses;
            };
            String statistic = matcher.group(2);
            return switch (statistic) {
                case "mean" -> of.meanMillis();
                case "max" -> of.maxMillis();
                default -> of.quantileMillis(Double.parseDouble(statistic.substring(1)) / 100);
            };
        }
    }

    int stage() {
        return stage;
    }

    /** Begins a new window; what ended before it is left out. */
    public void measure(long fromNanos, long toNanos) {
        window = new Window(fromNanos, toNanos);
    }

    /**
     * Adds a call that went well.
     *
     * @param atNanos when it ended
     */
    public void ok(long atNanos, long responseNanos, long lagNanos) {
        int at = place(atNanos);
        if (at >= 0) {
            counts.get(at)[0]++;
            sums.get(at)[0] += responseNanos;
        }
        if (window.holds(atNanos)) {
            window.responses.add(responseNanos);
            window.services.add(responseNanos - lagNanos);
            window.lags.add(lagNanos);
        }
    }

    /** Adds a call that failed. */
    public void failed(long atNanos) {
        int at = place(atNanos);
        if (at >= 0) {
            counts.get(at)[1]++;
        }
        window.failed += window.holds(atNanos) ? 1 : 0;
    }

    /** Adds an arrival that was dropped. */
    public void dropped(long atNanos) {
        window.dropped += window.holds(atNanos) ? 1 : 0;
    }

    private int place(long atNanos) {
        long place = Math.max(0, atNanos - startNanos) / quantumNanos;
        if (place >= MOST_QUANTA) {
            return -1;
        }
        while (counts.size() <= place) {
            counts.add(new long[2]);
            sums.add(new double[1]);
        }
        return (int) place;
    }

    /** Looks at what ended before an instant, which should lie a little in the past. */
    public Look look(long untilNanos) {
        long whole = Math.max(0, untilNanos - startNanos) / quantumNanos;
        List<Quantum> quanta = new ArrayList<>();
        for (int i = 0; i < Math.min(whole, MOST_QUANTA); i++) {
            if (i < counts.size()) {
                long ok = counts.get(i)[0];
                quanta.add(new Quantum(ok, counts.get(i)[1], sums.get(i)[0] / ok / 1e6));
            } else {
                quanta.add(new Quantum(0, 0, Double.NaN));
            }
        }
        return new Look(quantumNanos, quanta, window.copy(untilNanos));
    }
}
