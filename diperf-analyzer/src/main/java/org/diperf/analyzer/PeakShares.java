package org.diperf.analyzer;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.diperf.analyzer.count.ClientTally;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.Tally;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.run.Outcomes;
import org.jspecify.annotations.Nullable;

/** What each client of closed load had of the ok calls of the peak. */
final class PeakShares {

    private final PlannedLoad offered;
    private final Tally tally;
    private final long seed;
    private final PlannedLoad.@Nullable Part peak;
    private final long all;
    /** Length of the peak, ns. */
    private final long length;

    PeakShares(PlannedLoad offered, Tally tally, long duration, long seed) {
        this.offered = offered;
        this.tally = tally;
        this.seed = seed;
        this.peak = offered.isClosed() ? offered.peak() : null;
        ScopeTally counted = tally.peak;
        this.all = counted == null ? 0 : counted.outcome(Outcomes.OK);
        this.length = peak == null ? 0 : Math.min(duration, peak.to()) - peak.from();
    }

    /** Returns a client's share; {@code NaN} where it was not active all through the peak, or on a tester that was lost. */
    double of(int client) {
        if (peak == null
                || all == 0
                || !offered.isSteady(client)
                || !offered.isActive(client, peak.from(), peak.to())) {
            return Double.NaN;
        }
        ClientTally.One one = tally.clients.existing(client);
        return one == null ? 0 : (double) one.okPeak / all;
    }

    /** Says how evenly some clients were served; {@code null} where none of them was. */
    @Nullable
    Fairness among(IntPredicate members) {
        double[] shares = new double[offered.clients()];
        double[] most = new double[offered.clients()];
        int n = 0;
        for (int client = 0; client < offered.clients(); client++) {
            double share = members.test(client) ? of(client) : Double.NaN;
            if (!Double.isNaN(share)) {
                shares[n] = share;
                most[n++] = share / (1 - added(client));
            }
        }
        Fairness fairness = Fairness.of(Arrays.copyOf(shares, n), seed);
        boolean bounded = tally.peak != null && tally.peak.isBounded();
        return fairness == null || !bounded
                ? fairness
                : fairness.within(Arrays.copyOf(shares, n), Arrays.copyOf(most, n));
    }

    /** Returns the share of the peak in which a client may have waited for its load generator: without, it had made more calls. */
    private double added(int client) {
        return Math.min(1, (double) tally.clients.addedInPeak(client) / length);
    }
}
