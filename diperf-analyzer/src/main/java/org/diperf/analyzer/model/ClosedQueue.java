package org.diperf.analyzer.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.special.Gamma;

/**
 * Closed load on one station of c servers whose calls hinder each other: with j calls inside, the station ends one every
 * {@code S(j) = demand (1 + interference (j - 1)) / min(j, servers)} seconds. This is exact mean value analysis with
 * load-dependent rates (M. Reiser, S. Lavenberg, 1980), solved by its normalising constants (J. Buzen, 1973): with think
 * time Z the station holds j of N clients with weight {@code S(1)...S(j) Z^(N-j) / (N-j)!}, and throughput is the ratio of
 * the sums for N - 1 and N.
 *
 * @param servers c, at least 1
 * @param demandSeconds D, what one call takes alone
 * @param interference k, share by which each further call inside slows all; at least 0
 * @param thinkSeconds Z
 */
record ClosedQueue(int servers, double demandSeconds, double interference, double thinkSeconds) implements LoadModel {

    static final String NAME = "closed-mva";

    private static final int FEW = 12;
    private static final double GROWTH = 1.12;

    /** Fits demand and interference for each likely number of servers, and takes the best. */
    static ClosedQueue fit(List<LevelPoint> points, double thinkSeconds) {
        double first =
                points.stream().mapToDouble(LevelPoint::responseSeconds).min().orElseThrow();
        double most = points.stream().mapToDouble(LevelPoint::perSecond).max().orElseThrow();
        double largest = points.stream().mapToDouble(LevelPoint::load).max().orElseThrow();
        double likely = Math.max(1, most * first);
        ClosedQueue best = null;
        double bestError = Double.POSITIVE_INFINITY;
        for (int servers = 1; servers <= Math.max(FEW, Math.min(largest, 3 * likely)); servers = next(servers)) {
            ClosedQueue fitted = fit(points, thinkSeconds, servers, first);
            double error = Fitting.error(fitted, points);
            // Of models that explain the same the simpler one, with fewer servers, stays.
            if (error < bestError * (1 - 1e-6)) {
                best = fitted;
                bestError = error;
            }
        }
        if (best == null) {
            throw new IllegalStateException("No model fits the levels " + points);
        }
        return best;
    }

    private static int next(int servers) {
        return servers < FEW ? servers + 1 : (int) Math.ceil(servers * GROWTH);
    }

    private static ClosedQueue fit(List<LevelPoint> points, double thinkSeconds, int servers, double demand) {
        double[] found = Fitting.least(
                at -> Fitting.error(of(servers, thinkSeconds, at), points),
                new double[] {Math.log(demand), 0.01},
                new double[] {0.3, 0.05});
        return of(servers, thinkSeconds, found);
    }

    /** A square cannot be negative, and is smooth at 0. */
    private static ClosedQueue of(int servers, double thinkSeconds, double[] at) {
        return new ClosedQueue(servers, Math.exp(at[0]), at[1] * at[1], thinkSeconds);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Double> parameters() {
        Map<String, Double> parameters = new LinkedHashMap<>();
        parameters.put("servers", (double) servers);
        parameters.put("demandMillis", demandSeconds * 1e3);
        parameters.put("interference", interference);
        parameters.put("thinkMillis", thinkSeconds * 1e3);
        return parameters;
    }

    @Override
    public Answer at(double load) {
        // Between whole numbers of clients throughput is taken as a line.
        int below = (int) Math.floor(load);
        double low = below == 0 ? 0 : throughput(below);
        double perSecond = load == below ? low : low + (load - below) * (throughput(below + 1) - low);
        return new Answer(perSecond, load / perSecond - thinkSeconds);
    }

    private double throughput(int clients) {
        if (thinkSeconds <= 0) {
            return 1 / secondsAnEnd(clients);
        }
        return Math.exp(logSum(clients - 1) - logSum(clients));
    }

    private double secondsAnEnd(int inside) {
        return demandSeconds * (1 + interference * (inside - 1)) / Math.min(inside, servers);
    }

    /** Gives the logarithm of the normalising constant; sums grow and shrink beyond any double. */
    private double logSum(int clients) {
        double logThink = Math.log(thinkSeconds);
        double[] terms = new double[clients + 1];
        double logServed = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int inside = 0; inside <= clients; inside++) {
            logServed += inside == 0 ? 0 : Math.log(secondsAnEnd(inside));
            int thinking = clients - inside;
            terms[inside] = logServed + thinking * logThink - Gamma.logGamma(thinking + 1.0);
            largest = Math.max(largest, terms[inside]);
        }
        double sum = 0;
        for (double term : terms) {
            sum += Math.exp(term - largest);
        }
        return largest + Math.log(sum);
    }

    @Override
    public double knee() {
        return servers * (demandSeconds + thinkSeconds) / demandSeconds;
    }
}
