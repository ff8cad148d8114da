package org.diperf.analyzer;

import org.diperf.analyzer.Durations.Kind;
import org.jspecify.annotations.Nullable;

/** What is counted of one tester. Confined to one thread. */
final class TesterTally {

    final TesterClock clock;
    final BlockNumbers blocks = new BlockNumbers();
    final Durations service = new Durations(Kind.TESTER);
    final Durations rtt = new Durations(Kind.TESTER);
    final Durations startup = new Durations(Kind.TESTER);
    long ok;
    long failed;
    long sent;
    long bytes;
    /** Ok calls that ended in the peak; 0 without one. */
    long peakOk;

    long peakBytes;
    long responseNanos;
    long serviceNanos;
    long duplicates;
    /** Round trips to the target over time; {@code null}: none was observed. */
    @Nullable
    LatencyTrail latency;

    long firstLocal = Long.MAX_VALUE;
    long lastLocal = Long.MIN_VALUE;
    final WatchTally watch = new WatchTally();

    TesterTally(TesterClock clock) {
        this.clock = clock;
    }

    /** @param at ns after the start of the run, at least 0 */
    void roundTrip(long at, double millis, long quantumNanos) {
        LatencyTrail trail = latency;
        if (trail == null) {
            trail = new LatencyTrail(quantumNanos);
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
