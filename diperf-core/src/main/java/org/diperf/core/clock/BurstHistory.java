package org.diperf.core.clock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the latest bursts of probes told, as far as it decides when to probe again: the best answer of each of the last few
 * bursts. Sees causes for doubt early and cheaply; what the clock did is decided by {@link Corridor}, from all exchanges.
 * Confined to one thread.
 */
final class BurstHistory {

    private static final int KEPT = 8;
    private static final double MIN_STRAY = 1e-6;
    private static final double MAX_STRAY = 100e-6;
    private static final double RATE_CHANGE = 1e-6;

    /** Round trips scatter by some microseconds on any machine, without the path having changed. */
    private static final double MIN_JITTER_NANOS = 5_000;

    enum Verdict {
        UNANSWERED,
        QUIET,
        DISTURBED
    }

    /** The best answer of a burst: when it came, offset relative to the first one, round trip, ns. */
    private record Best(double at, double offset, double roundTrip) {

        double rateTo(Best later) {
            return (later.offset - offset) / Math.max(1, later.at - at);
        }

        /** Says how wrong a rate can be by what the round trips were longer than they can be. */
        double rateErrorTo(Best later, double least) {
            return (roundTrip - least + later.roundTrip - least + MIN_JITTER_NANOS) / 2 / Math.max(1, later.at - at);
        }
    }

    private final Best[] bests = new Best[KEPT];
    private int count;
    private boolean based;
    private long clientBase;
    private long offsetBase;
    private @Nullable Best open;
    private final double[] roundTrips = new double[4 * ProbeSchedule.BURST];
    private int answers;
    private double jitter = MIN_JITTER_NANOS;
    private double least = Double.POSITIVE_INFINITY;
    private double stray = MIN_STRAY;

    void add(Exchange exchange, long nowNanos) {
        if (!based) {
            based = true;
            clientBase = nowNanos;
            offsetBase = exchange.lowerNanos();
        }
        double roundTrip = exchange.roundTripNanos();
        double offset = exchange.lowerNanos() - offsetBase + roundTrip / 2;
        roundTrips[answers++ % roundTrips.length] = roundTrip;
        if (open == null || roundTrip < open.roundTrip) {
            open = new Best(nowNanos - clientBase, offset, roundTrip);
        }
    }

    /** Ends a burst and compares it with those before. */
    Verdict close() {
        Best best = open;
        open = null;
        if (best == null) {
            return Verdict.UNANSWERED;
        }
        double scatter = medianRoundTrip() - best.roundTrip;
        answers = 0;
        jitter = Math.max(MIN_JITTER_NANOS, count > 0 ? 0.8 * jitter + 0.2 * scatter : scatter);
        if (count > 0 && isDisturbed(best)) {
            // What came before says nothing about what comes now.
            Best before = bests[count - 1];
            count = 0;
            least = best.roundTrip;
            stray = Math.min(
                    MAX_STRAY, Math.max(stray, 2 * Math.abs(before.rateTo(best)) - before.rateErrorTo(best, 0)));
            keep(best);
            return Verdict.DISTURBED;
        }
        least = Math.min(least, best.roundTrip);
        stray = Math.max(MIN_STRAY, 0.7 * stray);
        keep(best);
        return Verdict.QUIET;
    }

    private boolean isDisturbed(Best best) {
        Best last = bests[count - 1];
        if (Math.abs(best.roundTrip - leastKept()) > 3 * jitter
                && Math.abs(best.roundTrip - last.roundTrip) > 3 * jitter) {
            return true;
        }
        Best first = bests[0];
        if (count < 2) {
            return false;
        }
        double shortest = Math.min(leastKept(), best.roundTrip);
        double before = first.rateTo(last);
        double doubt = first.rateErrorTo(last, shortest) + last.rateErrorTo(best, shortest);
        double change = Math.abs(last.rateTo(best) - before);
        boolean contradicts = change * (best.at - last.at) > (last.roundTrip + best.roundTrip) / 2;
        return contradicts || change > RATE_CHANGE + doubt;
    }

    private double medianRoundTrip() {
        double[] sorted = Arrays.copyOf(roundTrips, Math.min(answers, roundTrips.length));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private double leastKept() {
        double shortest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            shortest = Math.min(shortest, bests[i].roundTrip);
        }
        return shortest;
    }

    private void keep(Best best) {
        if (count == KEPT) {
            System.arraycopy(bests, 1, bests, 0, KEPT - 1);
            count--;
        }
        bests[count++] = best;
    }

    /** Returns the least round trip since the last disturbance; infinite: there was no answer. */
    double leastRoundTripNanos() {
        return open == null ? least : Math.min(least, open.roundTrip);
    }

    /** Returns how far the round trips of a burst scatter about their least, of late; at least some microseconds. */
    double jitterNanos() {
        return jitter;
    }

    /** Returns how far the rate is thought to stray; at least 1 ppm. */
    double strayRate() {
        return stray;
    }
}
