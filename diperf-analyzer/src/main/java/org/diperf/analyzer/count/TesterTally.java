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
    long ok;
    long failed;
    long sent;
    long bytes;
    long peakOk;
    long peakBytes;
    long responseNanos;
    long serviceNanos;
    private @Nullable LatencySeries latency;
    private double bandwidthSum;
    private long bandwidths;
    private boolean beyond;
    private long refused;
    private long refusedClient = Long.MAX_VALUE;
    private long impossible;
    private @Nullable String firstImpossible;
    private long valuesLeftOut;
    private @Nullable String firstLeftOut;

    long firstLocal = Long.MAX_VALUE;
    long lastLocal = Long.MIN_VALUE;
    public final TesterHealthTally watch = new TesterHealthTally();

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

    /** @param bytesPerSecond that a probe found */
    void bandwidth(double bytesPerSecond) {
        bandwidthSum += bytesPerSecond;
        bandwidths++;
    }

    /** Returns the mean of what its probes found, in bytes a second; {@code NaN}: there were none. */
    public double bandwidth() {
        return bandwidths == 0 ? Double.NaN : bandwidthSum / bandwidths;
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
        beyond |= other.beyond;
        refuse(other.refused, other.refusedClient);
        impossible += other.impossible;
        firstImpossible = first(firstImpossible, other.firstImpossible);
        valuesLeftOut += other.valuesLeftOut;
        firstLeftOut = first(firstLeftOut, other.firstLeftOut);
        seen(other.firstLocal, other.lastLocal);
    }

    /** Counts ok calls, from one row to before another, of which the sums are known. */
    void ok(OkCallColumns rows, int from, int to) {
        ok += to - from;
        sent += to - from;
        if (rows.knowsLag) {
            service.addAll(rows.service, rows.servicePlaces, from, to, rows.services);
        }
        bytes += rows.moved;
        responseNanos += rows.latencies.sum;
        serviceNanos += rows.services.sum;
    }

    /** Notes that it reported something from long after the run. */
    void beyond() {
        beyond = true;
    }

    /** Returns whether it reported something from long after the run. */
    public boolean isBeyond() {
        return beyond;
    }

    /** Notes calls that are not counted, because they are said to be of a client that is not this tester's. */
    void refuse(long calls, long client) {
        refused += calls;
        refusedClient = Math.min(refusedClient, client);
    }

    /** Notes calls of a block that are not counted, because one of them cannot be. */
    void refuse(long calls, String words) {
        impossible += calls;
        firstImpossible = first(firstImpossible, words);
    }

    /** Notes a value that is not counted, because its metric cannot have it. */
    void leaveOut(String metric, double value) {
        valuesLeftOut++;
        if (firstLeftOut == null) {
            firstLeftOut = metric + " of " + value;
        }
    }

    /** Chooses the same words however blocks were shared between threads. */
    private static @Nullable String first(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Counts the calls of blocks with one that cannot be. */
    public long impossible() {
        return impossible;
    }

    /** Describes one of the calls that cannot be; {@code null}: there is none. */
    public @Nullable String firstImpossible() {
        return firstImpossible;
    }

    /** Counts the observed values that cannot be. */
    public long valuesLeftOut() {
        return valuesLeftOut;
    }

    /** Describes one of the values that cannot be; {@code null}: there is none. */
    public @Nullable String firstLeftOut() {
        return firstLeftOut;
    }

    /** Counts the calls that were refused. */
    public long refused() {
        return refused;
    }

    /** Returns the lowest number of the clients that they were refused for. */
    public long refusedClient() {
        return refusedClient;
    }

    void seen(long fromLocal, long toLocal) {
        firstLocal = Math.min(firstLocal, fromLocal);
        lastLocal = Math.max(lastLocal, toLocal);
    }

    /** Counts the calls that succeeded. */
    public long ok() {
        return ok;
    }

    /** Counts the calls that failed. */
    public long failed() {
        return failed;
    }

    /** Counts the calls that were sent, also those that never ended. */
    public long sent() {
        return sent;
    }

    /** Sums the bytes of ok calls. */
    public long bytes() {
        return bytes;
    }

    /** Counts ok calls that ended in the peak; 0 without one. */
    public long peakOk() {
        return peakOk;
    }

    /** Sums the bytes of ok calls that ended in the peak; 0 without one. */
    public long peakBytes() {
        return peakBytes;
    }

    /** Sums the response times of ok calls, ns. */
    public long responseNanos() {
        return responseNanos;
    }

    /** Sums the service times of ok calls, ns. */
    public long serviceNanos() {
        return serviceNanos;
    }

    /** Returns the round trips to the target over time; {@code null}: none was observed. */
    public @Nullable LatencySeries latency() {
        return latency;
    }

    /** Returns whether anything was seen of it, so that {@link #firstLocal} and {@link #lastLocal} hold. */
    public boolean wasSeen() {
        return firstLocal <= lastLocal;
    }

    /** Returns the first instant that its samples name, on its own clock. */
    public long firstLocal() {
        return firstLocal;
    }

    /** Returns the last instant that its samples name, on its own clock. */
    public long lastLocal() {
        return lastLocal;
    }
}
