package org.diperf.analyzer.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Value;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of one stage while it is under way: a series of quanta since its start, and the numbers of the window that
 * counts. Calls belong to the instant at which they ended. All instants are ns after the start of the run. Holds at most
 * 16,384 quanta and four histograms. Confined to one thread.
 */
public final class StageSeries {

    private static final int MAX_QUANTA = 16_384;
    private static final double SECOND = 1e9;
    private final int stage;
    private final long startNanos;
    private final long quantumNanos;
    private final List<long[]> counts = new ArrayList<>();
    private final List<double[]> sums = new ArrayList<>();
    private Window window;

    /**
     * @param stage its number
     * @param startNanos its start
     * @param quantumNanos width of a quantum, more than 0
     */
    public StageSeries(int stage, long startNanos, long quantumNanos) {
        this.stage = stage;
        this.startNanos = startNanos;
        this.quantumNanos = quantumNanos;
        this.window = new Window(startNanos, Long.MAX_VALUE);
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
     * @param quanta whole ones since the start of the stage
     * @param window that counts
     */
    public record Look(long quantumNanos, List<Quantum> quanta, Window window) {}

    /** The numbers of a part of the stage. A window that a {@link Look} gave does not change. */
    public static final class Window implements PartCounts {

        private final long fromNanos;
        private final long toNanos;
        private final Durations responses = new Durations(Kind.TESTER);
        private final Durations services = new Durations(Kind.TESTER);
        private final Durations lags = new Durations(Kind.TESTER);
        /** What the ok calls took at least. */
        private final Durations leasts = new Durations(Kind.TESTER);

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
            copy.leasts.addAll(leasts);
            copy.failed = failed;
            copy.dropped = dropped;
            return copy;
        }

        private boolean holds(long nanos) {
            return nanos >= fromNanos && nanos < toNanos;
        }

        /** Returns its start. */
        public long fromNanos() {
            return fromNanos;
        }

        /** Returns its length in seconds. */
        public double seconds() {
            return Math.max(0, toNanos - fromNanos) / SECOND;
        }

        /** Counts the calls that ended, well or not. */
        public long ended() {
            return responses.count() + failed;
        }

        /**
         * Returns what a path such as {@code response.p99} stands for: ms, a count, a share, or calls a second.
         *
         * @return {@code null} when it was not measured
         */
        public @Nullable Double value(String path) {
            return find(path) instanceof Value.Amount amount ? (Double) amount.number() : null;
        }

        /**
         * Returns the same as an expression compares it, with its range where one is known.
         *
         * @return {@code null} when it was not measured
         */
        public @Nullable Object raw(String path) {
            Value value = find(path);
            return value == null ? null : value.raw();
        }

        private @Nullable Value find(String path) {
            return Measures.find(path, MeasureSource.STAGE_UNDER_WAY)
                    .map(measure -> measure.of(this))
                    .orElse(null);
        }

        @Override
        public CallStatistics numbers() {
            return new CallStatistics(calls(), null, throughput(), responseTime(), null, serviceTime(), sendLag());
        }

        @Override
        public CallCounts calls() {
            return new CallCounts(
                    ended() + dropped, ended(), ended(), responses.count(), failed, 0, dropped, 0, Map.of(), 0);
        }

        @Override
        public @Nullable Throughput throughput() {
            return seconds() > 0 ? new Throughput(responses.count() / seconds(), null, null, null) : null;
        }

        @Override
        public @Nullable Statistics responseTime() {
            return responses.statistics(leasts);
        }

        @Override
        public @Nullable Statistics serviceTime() {
            return services.statistics(leasts);
        }

        @Override
        public @Nullable Statistics sendLag() {
            return lags.statistics();
        }
    }

    int stage() {
        return stage;
    }

    /** Starts a new window; what ended before it is left out. */
    public void measure(long fromNanos, long toNanos) {
        window = new Window(fromNanos, toNanos);
    }

    /**
     * Adds a call that went well.
     *
     * @param atNanos when it ended
     * @param leastNanos what it took at least; negative: not known
     */
    public void ok(long atNanos, long responseNanos, long lagNanos, long leastNanos) {
        int at = place(atNanos);
        if (at >= 0) {
            counts.get(at)[0]++;
            sums.get(at)[0] += responseNanos;
        }
        if (window.holds(atNanos)) {
            window.responses.add(responseNanos);
            window.services.add(responseNanos - lagNanos);
            window.lags.add(lagNanos);
            if (leastNanos >= 0) {
                window.leasts.add(leastNanos);
            }
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
        if (place >= MAX_QUANTA) {
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
        for (int i = 0; i < Math.min(whole, MAX_QUANTA); i++) {
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
