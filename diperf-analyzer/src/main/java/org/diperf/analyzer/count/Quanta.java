package org.diperf.analyzer.count;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.diperf.analyzer.result.HeatMap;
import org.diperf.analyzer.result.ScatterSample;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Series.Count;
import org.diperf.analyzer.result.Series.Span;
import org.diperf.analyzer.result.Series.Times;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.TimeWeightedCount;
import org.diperf.analyzer.stats.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * What is counted for each quantum. Never more than 4,096 of them: when a later one is needed, neighbours are added up and
 * quanta become twice as wide. Times are ns after the start of the run. Confined to one thread.
 */
public final class Quanta {

    private static final int FIRST_LENGTH = 64;

    private final TimeWeightedCount inFlight = new TimeWeightedCount(Series.MAX_QUANTA);
    private final ScatterSampler dots;
    private final TesterHealthSeries watch = new TesterHealthSeries(FIRST_LENGTH);
    private Runnable beforeFold = () -> {};
    private long quantum;
    /** The quantum that was found last, and its begin and end; likewise that in which a call was sent. */
    private int place;

    private long placeFrom;
    private long placeTo = Long.MIN_VALUE;
    private int sentPlace;
    private long sentFrom;
    private long sentTo = Long.MIN_VALUE;
    private int length = FIRST_LENGTH;
    private final long[][] counts = new long[Count.values().length][length];
    private final @Nullable Durations[][] times = new Durations[Times.values().length][length];

    /**
     * @param quantumNanos width wanted
     * @param expectedNanos length of the run as far as it is known
     */
    public Quanta(long quantumNanos, long expectedNanos, long seed) {
        this.quantum = quantumNanos;
        while (expectedNanos / quantum >= Series.MAX_QUANTA) {
            quantum *= 2;
        }
        this.dots = new ScatterSampler(seed, expectedNanos / quantum + 1);
    }

    public long quantumNanos() {
        return quantum;
    }

    /** Returns the first instant of the quantum that holds one. */
    long beginOf(long at) {
        return place(at) * quantum;
    }

    /** Returns the first instant behind the quantum that holds one. */
    long endOf(long at) {
        return (place(at) + 1L) * quantum;
    }

    /**
     * Counts ok calls, from one row to before another, that ended in the same quantum.
     *
     * @return the quantum's response times, to which theirs are still to be added
     */
    Durations ok(OkCallColumns rows, int from, int to) {
        int i = place(rows.end[from]);
        count(Count.OK, i, to - from);
        dots.addAll(i, rows, from, to);
        count(Count.BYTES, i, rows.moved);
        return set(Times.RESPONSE, i);
    }

    /**
     * Notes that ok calls were under way, from one row to before another, that ended in the same quantum.
     *
     * @return the quantum's send lags, to which theirs are still to be added; {@code null}: they were, or are not known
     */
    @Nullable
    Durations sent(OkCallColumns rows, int from, int to) {
        int last = place(rows.end[from]);
        if (rows.services.fits && rows.firstSent(from, to) >= last * quantum) {
            inFlight.add(last, rows.services.sum);
            return rows.knowsLag ? set(Times.LAG, last) : null;
        }
        for (int row = from; row < to; row++) {
            sent(rows.end[row] - rows.service[row], rows.end[row], rows.lag(row));
        }
        return null;
    }

    /** Returns a quantum's set of what its ok calls took at least. */
    Durations leasts(long at) {
        return set(Times.LEAST, place(at));
    }

    /** @param leastNanos what the call took at least; negative: not known */
    void ok(long at, long responseNanos, long leastNanos, long moved) {
        int i = place(at);
        count(Count.OK, i, 1);
        count(Count.BYTES, i, moved);
        set(Times.RESPONSE, i).add(responseNanos);
        if (leastNanos >= 0) {
            set(Times.LEAST, i).add(leastNanos);
        }
        dots.add(i, at, responseNanos);
    }

    void failed(long at) {
        count(Count.FAILED, place(at), 1);
    }

    void dropped(long at) {
        count(Count.DROPPED, place(at), 1);
    }

    /**
     * Notes that a call was under way.
     *
     * @param lagNanos negative: not known
     */
    void sent(long sentAt, long endAt, long lagNanos) {
        int last = place(endAt);
        int first = placeOfSent(sentAt, last);
        if (lagNanos >= 0) {
            set(Times.LAG, first).add(lagNanos);
        }
        inFlight.add(Math.max(0, sentAt), Math.max(0, endAt), first, last, quantum);
    }

    void network(long at, long nanos) {
        set(Times.NETWORK, place(at)).add(nanos);
    }

    /** Notes what a tester saw of itself in the time that ended at an instant; the worst of all testers counts. */
    void watched(TesterHealthSeries.Sign sign, long from, long at, double value) {
        int last = place(at);
        for (int i = Math.min(last, place(from)); i <= last; i++) {
            watch.note(sign, i, value);
        }
    }

    /** Notes a call that failed by the tester's own limits. */
    void refused(long at) {
        watch.refused(place(at));
    }

    public TesterHealthSeries watch() {
        return watch;
    }

    /** Returns the quantile of a quantum's send lags, ms; {@code NaN} when nothing was sent. */
    public double lagMillis(int i, double quantile) {
        Durations lags = i < length ? times[Times.LAG.ordinal()][i] : null;
        return lags == null ? Double.NaN : lags.supportedQuantileMillis(quantile);
    }

    private void count(Count what, int i, long more) {
        counts[what.ordinal()][i] += more;
    }

    private Durations set(Times of, int i) {
        Durations[] sets = times[of.ordinal()];
        Durations found = sets[i];
        if (found == null) {
            found = new Durations(Durations.Kind.QUANTUM);
            sets[i] = found;
        }
        return found;
    }

    /** Finds the quantum of an instant. A division takes as long as all else of a call; most are where the last one was. */
    private int place(long at) {
        return at >= placeFrom && at < placeTo ? place : find(at);
    }

    /** Finds the quantum, at most the last one given, in which a call was sent. */
    private int placeOfSent(long at, int last) {
        if (at < sentFrom || at >= sentTo) {
            // A liar may say that it sent a call long after the call ended.
            sentPlace = (int) Math.min(last, Math.max(0, at) / quantum);
            sentFrom = sentPlace == 0 ? Long.MIN_VALUE : sentPlace * quantum;
            sentTo = (sentPlace + 1L) * quantum;
        }
        return Math.min(last, sentPlace);
    }

    private int find(long at) {
        place = placed(at);
        placeFrom = place == 0 ? Long.MIN_VALUE : place * quantum;
        placeTo = (place + 1L) * quantum;
        return place;
    }

    private int placed(long at) {
        if (at < 0) {
            return 0;
        }
        while (at / quantum >= Series.MAX_QUANTA) {
            fold();
        }
        int i = (int) (at / quantum);
        if (i >= length) {
            resize(Math.min(Series.MAX_QUANTA, Math.max(i + 1, 2 * length)));
        }
        return i;
    }

    private void resize(int to) {
        length = to;
        Arrays.setAll(counts, what -> Arrays.copyOf(counts[what], to));
        Arrays.setAll(times, of -> Arrays.copyOf(times[of], to));
        watch.resize(to);
    }

    /** Makes quanta as wide as those of a series next to it. */
    public void widenTo(long quantumNanos) {
        while (quantum < quantumNanos) {
            fold();
        }
    }

    /** Takes over what was counted of the same run elsewhere; the other one is done with. */
    void addAll(Quanta other) {
        widenTo(other.quantum);
        other.widenTo(quantum);
        if (other.length > length) {
            resize(other.length);
        }
        for (int i = 0; i < other.length; i++) {
            move(other, i, i);
        }
        watch.addAll(other.watch);
        inFlight.addAll(other.inFlight);
        dots.addAll(other.dots);
    }

    /** Has something done before quanta are added up. */
    void beforeFold(Runnable action) {
        beforeFold = action;
    }

    private void fold() {
        beforeFold.run();
        for (int i = 0; i < length; i++) {
            merge(i, i / 2);
        }
        inFlight.fold(quantum);
        dots.fold();
        quantum *= 2;
        placeTo = Long.MIN_VALUE;
        sentTo = Long.MIN_VALUE;
    }

    /** Adds one quantum to another, and empties it. */
    private void merge(int from, int to) {
        if (from != to) {
            move(this, from, to);
            watch.merge(from, to);
        }
    }

    /** Adds a quantum of counts of the same run to one of these, and empties it. */
    private void move(Quanta other, int from, int to) {
        for (int what = 0; what < counts.length; what++) {
            counts[what][to] += other.counts[what][from];
            other.counts[what][from] = 0;
        }
        for (int of = 0; of < times.length; of++) {
            Durations moved = other.times[of][from];
            Durations into = times[of][to];
            other.times[of][from] = null;
            if (into == null) {
                times[of][to] = moved;
            } else if (moved != null) {
                into.addAll(moved);
            }
        }
    }

    /** Adds what lies behind the end of the run, by the error of clocks, to its last quantum. Returns how many there are. */
    private int close(long durationNanos) {
        int size = (int) Math.max(1, Math.min(Series.MAX_QUANTA, (durationNanos + quantum - 1) / quantum));
        if (size > length) {
            resize(size);
        }
        for (int i = size; i < length; i++) {
            merge(i, size - 1);
        }
        return size;
    }

    /**
     * Returns the series.
     *
     * @param active spans of clients in quanta of the same width, {@code null} in open load
     */
    public Series series(long durationNanos, @Nullable TimeWeightedCount active) {
        int size = close(durationNanos);
        Cursor cursor = new Cursor(
                mean(inFlight, size, durationNanos), active == null ? null : mean(active, size, durationNanos));
        Map<Series.Column, double[]> values = new HashMap<>();
        for (Series.Column column : Series.COLUMNS) {
            double[] ofColumn = new double[size];
            for (cursor.at = 0; cursor.at < size; cursor.at++) {
                ofColumn[cursor.at] = column.of().applyAsDouble(cursor);
            }
            values.put(column, ofColumn);
        }
        return new Series(quantum / 1e9, durationNanos / 1e9, size, values);
    }

    /** One quantum after another. */
    private final class Cursor implements Series.Quantum {

        private final double[] inFlight;
        private final double @Nullable [] active;
        private int at;

        Cursor(double[] inFlight, double @Nullable [] active) {
            this.inFlight = inFlight;
            this.active = active;
        }

        /** Rates are over the whole width, in the last quantum too: a sliver of a quantum would show as a peak. */
        @Override
        public double perSecond(Count of) {
            return counts[of.ordinal()][at] * 1e9 / quantum;
        }

        @Override
        public double mean(Span of) {
            double[] means = of == Span.ACTIVE ? active : inFlight;
            return means == null ? Double.NaN : means[at];
        }

        @Override
        public double millis(Times of, Statistic statistic) {
            Durations set = times[of.ordinal()][at];
            return set == null ? Double.NaN : statistic.of(set.millis());
        }

        @Override
        public double leastMillis(Statistic statistic) {
            Durations set = times[Times.RESPONSE.ordinal()][at];
            return set == null ? Double.NaN : set.lowMillis(statistic, times[Times.LEAST.ordinal()][at]);
        }
    }

    /** Returns response times over time. */
    public HeatMap heat(long durationNanos) {
        int size = close(durationNanos);
        return HeatMapBuilder.of(times[Times.RESPONSE.ordinal()], size, quantum);
    }

    public ScatterSample dots() {
        return dots.dots();
    }

    /**
     * Returns the throughput of a window.
     *
     * @param okCalls that ended in it
     * @return {@code null} where it has no length
     */
    @Nullable
    public Throughput throughput(long okCalls, long fromNanos, long toNanos) {
        if (toNanos <= fromNanos) {
            return null;
        }
        double mean = okCalls * 1e9 / (toNanos - fromNanos);
        long[] whole = okWithin(fromNanos, toNanos);
        if (whole.length == 0) {
            return new Throughput(mean, null, null, null);
        }
        Arrays.sort(whole);
        double seconds = quantum / 1e9;
        double median = (whole[(whole.length - 1) / 2] + whole[whole.length / 2]) / 2.0;
        return new Throughput(mean, median / seconds, whole[0] / seconds, whole[whole.length - 1] / seconds);
    }

    /** Counts ok calls of the quanta that lie within a window as a whole. */
    private long[] okWithin(long fromNanos, long toNanos) {
        int first = (int) Math.min(length, (Math.max(0, fromNanos) + quantum - 1) / quantum);
        int end = (int) Math.max(first, Math.min(length, toNanos / quantum));
        return Arrays.copyOfRange(counts[Count.OK.ordinal()], first, end);
    }

    private double[] mean(TimeWeightedCount of, int size, long durationNanos) {
        long[] sums = of.sums(quantum);
        double[] means = new double[size];
        for (int i = 0; i < size; i++) {
            long width = Math.min(quantum, durationNanos - i * quantum);
            means[i] = i < sums.length && width > 0 ? (double) sums[i] / width : 0;
        }
        return means;
    }
}
