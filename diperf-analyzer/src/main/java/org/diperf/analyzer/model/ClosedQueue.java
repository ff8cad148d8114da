package org.diperf.analyzer.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Closed load on one station of c servers whose calls hinder each other: with j calls inside, the station ends one every
 * {@code S(j) = demand (1 + interference (j - 1)) / min(j, servers)} seconds. This is exact mean value analysis with
 * load-dependent rates (M. Reiser, S. Lavenberg, 1980), solved by its normalising constants (J. Buzen, 1973): with think
 * time Z the station holds j of N clients with weight {@code S(1)...S(j) Z^(N-j) / (N-j)!}, and throughput is the mean number
 * of clients that think, over Z.
 *
 * <p>That is so for service times that are exponential. Where they vary less, calls wait for each other less, and a model
 * that does not know it makes up for it with servers that are not there. So the wait beyond that of a steady flow, whose j
 * calls inside solve {@code j + Z / S(j) = N}, is multiplied by how much service times vary. Without think time both are
 * the same.
 *
 * @param servers c, at least 1
 * @param demandSeconds D, what one call takes alone
 * @param interference k, share by which each further call inside slows all; at least 0
 * @param variation from 0, service times are all the same, to 1, they are exponential
 * @param thinkSeconds Z
 */
record ClosedQueue(int servers, double demandSeconds, double interference, double variation, double thinkSeconds)
        implements LoadModel {

    static final String NAME = "closed-mva";

    private static final int FEW = 12;
    private static final double GROWTH = 1.12;
    /** Calls hinder each other only where that leaves less than this share of the error unexplained. */
    private static final double BETTER = 0.8;
    /** Interference and more servers together look much like fewer servers whose service times vary less. */
    private static final double FAR_BETTER = 0.1;

    /** Of one degree of freedom. */
    private static final double CHI_SQUARE = 3.84;

    private static final double LARGE = 0x1p500;
    private static final int HALVINGS = 50;

    /**
     * Fits demand, variation and interference for each likely number of servers, and takes the best. Each level is fitted at
     * the think time that it had, {@code N / X - R}: of a level of seconds it strays from its mean by several percent, and the
     * service must not be blamed for it.
     */
    static ClosedQueue fit(List<LevelPoint> points, double thinkSeconds) {
        ClosedQueue plain = best(each(points, thinkSeconds, false), points);
        ClosedQueue hindered = fit(points, thinkSeconds, plain.servers, plain.demandSeconds, true);
        ClosedQueue other = best(each(points, thinkSeconds, true), points);
        double error = plain.error(points);
        if (other.error(points) < FAR_BETTER * Math.min(error, hindered.error(points))) {
            return other;
        }
        return hindered.error(points) < BETTER * error ? hindered : plain;
    }

    /** Fits one for each likely number of servers. */
    private static List<ClosedQueue> each(List<LevelPoint> points, double thinkSeconds, boolean hindered) {
        double first =
                points.stream().mapToDouble(LevelPoint::responseSeconds).min().orElseThrow();
        double most = points.stream().mapToDouble(LevelPoint::perSecond).max().orElseThrow();
        double largest = points.stream().mapToDouble(LevelPoint::load).max().orElseThrow();
        double likely = Math.max(1, most * first);
        List<ClosedQueue> fitted = new ArrayList<>();
        for (int servers = 1; servers <= Math.max(FEW, Math.min(largest, 3 * likely)); servers = next(servers)) {
            fitted.add(fit(points, thinkSeconds, servers, first, hindered));
        }
        return fitted;
    }

    private static ClosedQueue best(List<ClosedQueue> fitted, List<LevelPoint> points) {
        ClosedQueue best = fitted.get(0);
        double bestError = Double.POSITIVE_INFINITY;
        for (ClosedQueue each : fitted) {
            double error = each.error(points);
            // Of models that explain the same the simpler one, with fewer servers, stays.
            if (error < bestError * (1 - 1e-6)) {
                best = each;
                bestError = error;
            }
        }
        return best;
    }

    @Override
    public LoadModel refit(List<LevelPoint> points) {
        return fit(points, thinkSeconds, servers, demandSeconds, interference > 0);
    }

    /** What a test of likelihood ratios does not reject on the level of 5 %; with the same doubts as {@link #fit} has. */
    @Override
    public List<LoadModel> rivals(List<LevelPoint> points) {
        double limit = error(points) * Math.exp(CHI_SQUARE / points.size());
        List<LoadModel> rivals = new ArrayList<>();
        boolean hindered = interference > 0;
        if (!hindered) {
            rivals.add(fit(points, thinkSeconds, servers, demandSeconds, true));
        }
        each(points, thinkSeconds, hindered).stream()
                .filter(other -> other.error(points) < limit)
                .forEach(rivals::add);
        each(points, thinkSeconds, !hindered).stream()
                .filter(other -> other.error(points) < (hindered ? limit : FAR_BETTER * limit))
                .forEach(rivals::add);
        return rivals;
    }

    private static int next(int servers) {
        return servers < FEW ? servers + 1 : (int) Math.ceil(servers * GROWTH);
    }

    private static ClosedQueue fit(
            List<LevelPoint> points, double thinkSeconds, int servers, double demand, boolean hindered) {
        List<Double> start = new ArrayList<>(List.of(Math.log(demand)));
        List<Double> steps = new ArrayList<>(List.of(0.3));
        if (thinkSeconds > 0) {
            start.add(1.2);
            steps.add(-0.3);
        }
        if (hindered) {
            start.add(0.01);
            steps.add(0.05);
        }
        double[] found = ModelFitter.least(
                at -> of(servers, thinkSeconds, hindered, at).error(points), doubles(start), doubles(steps));
        return of(servers, thinkSeconds, hindered, found);
    }

    private static double[] doubles(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A square cannot be negative, and is smooth at 0; that of a sine cannot be above 1 either. */
    private static ClosedQueue of(int servers, double thinkSeconds, boolean hindered, double[] at) {
        return new ClosedQueue(
                servers,
                Math.exp(at[0]),
                hindered ? at[at.length - 1] * at[at.length - 1] : 0,
                thinkSeconds > 0 ? Math.pow(Math.sin(at[1]), 2) : 1,
                thinkSeconds);
    }

    private double error(List<LevelPoint> points) {
        double sum = 0;
        for (LevelPoint point : points) {
            double think = Math.max(0, point.load() / point.perSecond() - point.responseSeconds());
            sum += ModelFitter.error(thinkSeconds > 0 ? withThink(think) : this, point);
        }
        return sum;
    }

    private ClosedQueue withThink(double seconds) {
        return new ClosedQueue(servers, demandSeconds, interference, variation, seconds);
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
        if (thinkSeconds > 0) {
            parameters.put("variation", variation);
        }
        parameters.put("thinkMillis", thinkSeconds * 1e3);
        return parameters;
    }

    @Override
    public Answer at(double load) {
        // Between whole numbers of clients throughput is taken as a line.
        int below = (int) Math.floor(load);
        double low = below == 0 ? 0 : throughput(below);
        double perSecond = load == below ? low : low + (load - below) * (throughput(below + 1) - low);
        if (thinkSeconds <= 0) {
            return new Answer(perSecond, load / perSecond);
        }
        double steady = steadyResponse(load);
        double response = steady + variation * (load / perSecond - thinkSeconds - steady);
        return new Answer(load / (response + thinkSeconds), response);
    }

    private double throughput(int clients) {
        if (thinkSeconds <= 0) {
            return 1 / secondsAnEnd(clients);
        }
        double weight = 1;
        double sum = 1;
        double thinking = clients;
        for (int inside = 1; inside <= clients; inside++) {
            weight *= secondsAnEnd(inside) * (clients - inside + 1) / thinkSeconds;
            sum += weight;
            thinking += weight * (clients - inside);
            if (sum > LARGE) {
                weight /= LARGE;
                sum /= LARGE;
                thinking /= LARGE;
            }
        }
        return thinking / sum / thinkSeconds;
    }

    /** Returns the response time if calls came and ended as evenly as can be. */
    private double steadyResponse(double load) {
        double low = 0;
        double high = load;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (middle + thinkSeconds / secondsAnEnd(middle) < load) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high * secondsAnEnd(high);
    }

    private double secondsAnEnd(double inside) {
        return demandSeconds * (1 + interference * Math.max(0, inside - 1)) / Math.min(inside, servers);
    }

    @Override
    public double knee() {
        return servers * (demandSeconds + thinkSeconds) / demandSeconds;
    }
}
