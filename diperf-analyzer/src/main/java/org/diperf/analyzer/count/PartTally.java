package org.diperf.analyzer.count;

import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Durations.Kind;
import org.jspecify.annotations.Nullable;

/** What is counted of one part of a run, such as a group. Confined to one thread. */
public final class PartTally {

    public final ScopeTally whole = new ScopeTally(0, Long.MAX_VALUE, Kind.STAGE);
    public final ScopeTally measured;
    public final @Nullable ScopeTally peak;
    public final Quanta quanta;

    /**
     * @param measured of the run
     * @param peak of the run
     * @param expectedNanos length of the run as far as it is known
     */
    PartTally(ScopeTally measured, @Nullable ScopeTally peak, long quantumNanos, long expectedNanos, long seed) {
        this.measured = new ScopeTally(measured.from, measured.to, Kind.STAGE);
        this.peak = peak == null ? null : new ScopeTally(peak.from, peak.to, Kind.STAGE);
        this.quanta = new Quanta(quantumNanos, expectedNanos, seed);
    }

    /** Adds what was counted of the same part elsewhere. */
    void addAll(PartTally other) {
        whole.addAll(other.whole);
        measured.addAll(other.measured);
        if (peak != null && other.peak != null) {
            peak.addAll(other.peak);
        }
        quanta.addAll(other.quanta);
    }

    void dropped(long end) {
        quanta.dropped(end);
        whole.count(Outcomes.DROPPED);
        if (measured.holds(end)) {
            measured.count(Outcomes.DROPPED);
        }
        if (peak != null && peak.holds(end)) {
            peak.count(Outcomes.DROPPED);
        }
    }

    void sent(int outcome, long end, long latency, long lag, long least, long bytes) {
        quanta.sent(end - (latency - Math.max(0, lag)), end, lag);
        if (outcome == Outcomes.OK) {
            quanta.ok(end, latency, least, bytes);
        } else if (outcome != Outcomes.UNFINISHED) {
            quanta.failed(end);
        }
        whole.sent(outcome, end, latency, lag, least, bytes);
        if (measured.holds(end)) {
            measured.sent(outcome, end, latency, lag, least, bytes);
        }
        if (peak != null && peak.holds(end)) {
            peak.sent(outcome, end, latency, lag, least, bytes);
        }
    }
}
