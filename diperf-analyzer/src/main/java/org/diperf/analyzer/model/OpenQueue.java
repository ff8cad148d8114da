package org.diperf.analyzer.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Open load on c servers with one queue, M/M/c (A. Erlang, 1917): what arrives at random waits with the probability of
 * his C formula; beyond {@code servers / demand} calls a second the queue grows without end.
 *
 * @param servers c, at least 1
 * @param demandSeconds D, what one call takes a server
 */
record OpenQueue(int servers, double demandSeconds) implements LoadModel {

    static final String NAME = "m-m-c";

    private static final int FEW = 12;
    private static final double GROWTH = 1.12;

    static OpenQueue fit(List<LevelPoint> points) {
        double first =
                points.stream().mapToDouble(LevelPoint::responseSeconds).min().orElseThrow();
        double most = points.stream().mapToDouble(LevelPoint::perSecond).max().orElseThrow();
        OpenQueue best = null;
        double bestError = Double.POSITIVE_INFINITY;
        for (int servers = 1; servers <= Math.max(FEW, 4 * most * first); servers = next(servers)) {
            int fixed = servers;
            double[] found = ModelFitter.least(
                    at -> ModelFitter.error(new OpenQueue(fixed, Math.exp(at[0])), points),
                    new double[] {Math.log(Math.min(first, 0.98 * fixed / most))},
                    new double[] {0.1});
            OpenQueue fitted = new OpenQueue(servers, Math.exp(found[0]));
            double error = ModelFitter.error(fitted, points);
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

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Double> parameters() {
        Map<String, Double> parameters = new LinkedHashMap<>();
        parameters.put("servers", (double) servers);
        parameters.put("demandMillis", demandSeconds * 1e3);
        return parameters;
    }

    @Override
    public Answer at(double load) {
        double erlangs = load * demandSeconds;
        if (erlangs >= servers) {
            return new Answer(servers / demandSeconds, Double.POSITIVE_INFINITY);
        }
        return new Answer(load, demandSeconds * (1 + waits(erlangs) / (servers - erlangs)));
    }

    /** Returns the probability that a call waits: Erlang's C from his B, which is computed without large numbers. */
    private double waits(double erlangs) {
        double blocked = 1;
        for (int i = 1; i <= servers; i++) {
            blocked = erlangs * blocked / (i + erlangs * blocked);
        }
        return servers * blocked / (servers - erlangs * (1 - blocked));
    }

    @Override
    public LoadModel refit(List<LevelPoint> points) {
        return fit(points);
    }

    @Override
    public double knee() {
        return servers / demandSeconds;
    }
}
