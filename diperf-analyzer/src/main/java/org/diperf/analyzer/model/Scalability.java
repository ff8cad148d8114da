package org.diperf.analyzer.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The universal scalability law (N. Gunther, 1993): {@code X(N) = single N / (1 + contention (N - 1) + coherency N (N - 1))}.
 * It describes measured curves well and says little beyond them.
 *
 * @param singlePerSecond throughput of one client
 * @param contention share of the work that is serial
 * @param coherency what pairs of clients cost each other
 * @param thinkSeconds between a client's calls
 */
record Scalability(double singlePerSecond, double contention, double coherency, double thinkSeconds)
        implements LoadModel {

    static final String NAME = "universal-scalability";

    static Scalability fit(List<LevelPoint> points, double thinkSeconds) {
        double single = points.stream()
                .mapToDouble(point -> point.perSecond() / point.load())
                .max()
                .orElseThrow();
        double[] found = ModelFitter.least(
                at -> ModelFitter.error(of(thinkSeconds, at), points),
                new double[] {Math.log(single), 0.1, 0.01},
                new double[] {0.3, 0.2, 0.05});
        return of(thinkSeconds, found);
    }

    private static Scalability of(double thinkSeconds, double[] at) {
        return new Scalability(Math.exp(at[0]), at[1] * at[1], at[2] * at[2], thinkSeconds);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Double> parameters() {
        Map<String, Double> parameters = new LinkedHashMap<>();
        parameters.put("singlePerSecond", singlePerSecond);
        parameters.put("contention", contention);
        parameters.put("coherency", coherency);
        parameters.put("thinkMillis", thinkSeconds * 1e3);
        return parameters;
    }

    @Override
    public Answer at(double load) {
        double perSecond = singlePerSecond * load / (1 + contention * (load - 1) + coherency * load * (load - 1));
        return new Answer(perSecond, load / perSecond - thinkSeconds);
    }

    @Override
    public LoadModel refit(List<LevelPoint> points) {
        return fit(points, thinkSeconds);
    }

    @Override
    public double knee() {
        return coherency > 0 ? Math.sqrt(Math.max(0, 1 - contention) / coherency) : Double.POSITIVE_INFINITY;
    }
}
