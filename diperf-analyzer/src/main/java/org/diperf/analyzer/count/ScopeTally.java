package org.diperf.analyzer.count;

import java.util.Arrays;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.BatchSeries;
import org.jspecify.annotations.Nullable;

/** What is counted of the calls of one part of the run. Confined to one thread. */
public final class ScopeTally {

    public final long from;
    public final long to;
    public final Durations response;
    public final Durations responseFailed;
    public final Durations service;
    /** What ok calls took at least, of those of which it is known. */
    public final Durations least;

    public final Durations lag;
    /** What confidence intervals are made of; {@code null} where none are wanted. */
    public final @Nullable BatchSeries batches;

    private long[] outcomes = new long[8];
    private long bytes;
    private long heldNanos;
    private long held;
    private long brought;

    /**
     * @param from ns after the start of the run
     * @param to the first instant behind it
     */
    public ScopeTally(long from, long to) {
        this(from, to, Kind.TOTAL, null);
    }

    public ScopeTally(long from, long to, Kind kind) {
        this(from, to, kind, null);
    }

    public ScopeTally(long from, long to, Kind kind, @Nullable BatchSeries batches) {
        this.batches = batches;
        this.from = from;
        this.to = to;
        this.response = new Durations(kind);
        this.responseFailed = new Durations(kind);
        this.service = new Durations(kind);
        this.least = new Durations(kind);
        this.lag = new Durations(kind);
    }

    private ScopeTally(ScopeTally of, ScopeTally some) {
        this.from = of.from;
        this.to = of.to;
        this.batches = of.batches == null ? null : of.batches.copy();
        this.response = of.response.without(some.response);
        this.responseFailed = of.responseFailed.without(some.responseFailed);
        this.service = of.service.without(some.service);
        this.least = of.least.without(some.least);
        this.lag = of.lag.without(some.lag);
        this.outcomes = of.outcomes.clone();
        this.bytes = of.bytes;
    }

    /** Returns a copy that has no longer the times of some of its calls, but for its batches. */
    ScopeTally withTimesLess(ScopeTally some) {
        return new ScopeTally(this, some);
    }

    public boolean holds(long end) {
        return end >= from && end < to;
    }

    void count(int outcome) {
        count(outcome, 1, 0);
    }

    /** Counts calls that ended in the same way, and the bytes that they moved, but none of their times. */
    void count(int outcome, int calls, long moved) {
        if (outcome >= outcomes.length) {
            outcomes = Arrays.copyOf(outcomes, 2 * outcome);
        }
        outcomes[outcome] += calls;
        bytes += moved;
    }

    /** Returns a part of the run that has confidence intervals; what lies beyond an end is not in them. */
    public static ScopeTally withIntervals(long from, long to, long end) {
        return new ScopeTally(from, to, Kind.TOTAL, new BatchSeries(from, Math.min(to, end)));
    }

    /**
     * Counts a call that was sent.
     *
     * @param at the instant to which it belongs
     * @param lagNanos negative: not known
     * @param leastNanos what it took at least, likewise
     */
    void sent(int outcome, long at, long latency, long lagNanos, long leastNanos, long moved) {
        count(outcome);
        if (lagNanos >= 0) {
            lag.add(lagNanos);
        }
        if (outcome == Outcomes.OK) {
            response.add(latency);
            if (lagNanos >= 0) {
                service.add(latency - lagNanos);
            }
            if (leastNanos >= 0) {
                least.add(leastNanos);
            }
            bytes += moved;
            if (batches != null) {
                batches.add(at, latency);
            }
        } else if (outcome != Outcomes.UNFINISHED) {
            responseFailed.add(latency);
        }
    }

    /**
     * Notes an ok call that was running when the part began or ended: what of it the load generator may have added, where that is known,
     * may have moved its end from one side to the other.
     */
    void edge(long end, long latency, long leastNanos) {
        if (leastNanos < 0) {
            return;
        }
        long due = Math.max(0, end - latency);
        if (end >= to && due + leastNanos < to) {
            held++;
            heldNanos += to - Math.max(from, due + leastNanos);
        } else if (holds(end) && due + leastNanos < from) {
            brought++;
        }
    }

    /** Returns for how long, of the time before its end, clients may have waited for the load generator in calls that ended after it, ns. */
    public long heldNanos() {
        return heldNanos;
    }

    /** Counts the ok calls that ended after it and may have ended in it but for the load generator. */
    public long held() {
        return held;
    }

    /** Counts the ok calls that ended in it and may have ended before it but for the load generator. */
    public long brought() {
        return brought;
    }

    /** Returns its confidence intervals; {@code null} where none are wanted. */
    public @Nullable Confidence confidence() {
        return batches == null ? null : Confidence.of(batches, response::quantileMillis);
    }

    /** Returns its numbers with what its confidence intervals say of them. */
    public CallStatistics certain(CallStatistics numbers, @Nullable Confidence confidence) {
        BatchSeries made = batches;
        Durations times = response;
        return made == null || confidence == null
                ? numbers
                : numbers.with(confidence, statistic -> Confidence.of(made, times::quantileMillis, statistic));
    }

    /** Adds what was counted of the same part elsewhere. */
    void addAll(ScopeTally other) {
        response.addAll(other.response);
        responseFailed.addAll(other.responseFailed);
        service.addAll(other.service);
        least.addAll(other.least);
        lag.addAll(other.lag);
        if (other.outcomes.length > outcomes.length) {
            outcomes = Arrays.copyOf(outcomes, other.outcomes.length);
        }
        for (int i = 0; i < other.outcomes.length; i++) {
            outcomes[i] += other.outcomes[i];
        }
        bytes += other.bytes;
        heldNanos += other.heldNanos;
        held += other.held;
        brought += other.brought;
        if (batches != null && other.batches != null) {
            batches.addAll(other.batches);
        }
    }

    /** Counts ok calls, from one row to before another, of which the sums are known; batches are the caller's to fill. */
    void ok(OkCallColumns rows, int from, int to) {
        response.addAll(rows.latency, rows.latencyPlaces, from, to, rows.latencies);
        if (rows.knowsLag) {
            service.addAll(rows.service, rows.servicePlaces, from, to, rows.services);
            lag.addAll(rows.lag, rows.lagPlaces, from, to, rows.lags);
        }
        if (rows.knowsLeast) {
            rows.addLeasts(least, from, to);
        }
        count(Outcomes.OK, to - from, rows.moved);
    }

    /**
     * Returns the numbers of a summary; nothing may be counted after that.
     *
     * @param share of the run's ok calls, where it is one part of several
     */
    public CallStatistics numbers(CallCounts calls, @Nullable Double share, @Nullable Throughput throughput) {
        return new CallStatistics(
                calls,
                share,
                throughput,
                response.statistics(least),
                responseFailed.statistics(),
                service.statistics(least),
                lag.statistics());
    }

    /** Returns whether it is known of its ok calls, but for a few, what the load generator may have added to each. */
    public boolean isBounded() {
        return Bounds.areEnough(least.count(), response.count());
    }

    public long outcome(int outcome) {
        return outcome < outcomes.length ? outcomes[outcome] : 0;
    }

    public long bytes() {
        return bytes;
    }
}
