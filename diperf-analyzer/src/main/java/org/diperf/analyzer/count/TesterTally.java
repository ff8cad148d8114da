package org.diperf.analyzer.count;

import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.jspecify.annotations.Nullable;

/** What is counted of one tester. Confined to one thread. */
public final class TesterTally {

    public final TesterClock clock;
    public final Durations service = new Durations(Kind.TESTER);
    public final Durations rtt = new Durations(Kind.TESTER);
    public final Durations startup = new Durations(Kind.TESTER);
    public long ok;
    public long failed;
    public long sent;
    public long bytes;
    /** Ok calls that ended in the peak; 0 without one. */
    public long peakOk;

    public long peakBytes;
    public long responseNanos;
    public long serviceNanos;
    /** Round trips to the target over time; {@code null}: none was observed. */
    @Nullable
    public LatencySeries latency;

    public long firstLocal = Long.MAX_VALUE;
    public long lastLocal = Long.MIN_VALUE;
    public final WatchTally watch = new WatchTally();

    TesterTally(TesterClock clock) {
        this.clock = clock;
    }

    /** @param at ns after the start of the run, at least 0 */
    void roundTrip(long at, double millis, long quantumNanos) {
        LatencySeries trail = latency;
        if (trail == null) {
            trail = new LatencySeries(quantumNanos);
            latency = trail;
        }
        trail.add(at, millis);
    }

    /** Adds what was counted of the same tester elsewhere; what it says of itself is in one place. */
    void addAll(TesterTally other) {
        service.addAll(other.service);
        ok += other.ok;
        failed += other.failed;
        sent += other.sent;
        bytes += other.bytes;
        peakOk += other.peakOk;
        peakBytes += other.peakBytes;
        responseNanos += other.responseNanos;
        serviceNanos += other.serviceNanos;
        seen(other.firstLocal, other.lastLocal);
    }

    /** Counts ok calls, from one row to before another, of which the sums are known. */
    void ok(Rows rows, int from, int to) {
        ok += to - from;
        sent += to - from;
        if (rows.knowsLag) {
            service.addAll(rows.service, rows.servicePlaces, from, to, rows.services);
        }
        bytes += rows.moved;
        responseNanos += rows.latencies.sum;
        serviceNanos += rows.services.sum;
    }

    void seen(long fromLocal, long toLocal) {
        firstLocal = Math.min(firstLocal, fromLocal);
        lastLocal = Math.max(lastLocal, toLocal);
    }
}
