package org.diperf.analyzer.server;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call and a client cost the service, as one monitor saw it: the base of a plan of capacity.
 *
 * @param monitor that saw it
 * @param cpu processor seconds a call: the line of cores over calls a second, whose base is what is busy without any;
 *     {@code null}: not seen, or the throughput was too much the same
 * @param demand processor seconds a call over the measured part, by the service demand law D = U / X: all that is busy, shared
 *     out among the calls; {@code null}: not seen
 * @param cores that there are; {@code NaN}: not seen
 * @param memory bytes a client (in open load: a call in flight), while load grew; {@code null}: not seen, or the load was too
 *     much the same
 * @param levels the same of each level that was held, by its load; empty without levels
 */
public record ServiceDemand(
        String monitor,
        @Nullable LinearFit cpu,
        @Nullable LinearFit demand,
        double cores,
        @Nullable LinearFit memory,
        List<LevelDemand> levels) {

    public ServiceDemand {
        levels = List.copyOf(levels);
    }

    /**
     * What the clients saw, a value a quantum.
     *
     * @param load active clients, or calls in flight
     * @param perSecond calls that ended, a second
     */
    public record Offered(double[] load, double[] perSecond) {}

    /** Works it out for each monitor that saw processors or memory. */
    public static List<ServiceDemand> of(
            ServerView view, Offered offered, List<LevelDemand.Held> levels, TimeAxis axis) {
        List<ServiceDemand> found = new ArrayList<>();
        for (String monitor :
                view.tracks().stream().map(MonitoredMetric::monitor).distinct().toList()) {
            MonitoredMetric cpu = track(view, monitor, "cpu");
            MonitoredMetric memory = track(view, monitor, "memory");
            MonitoredMetric cores = track(view, monitor, "cores");
            double count = cores == null ? Double.NaN : cores.mean();
            ServiceDemand demand = new ServiceDemand(
                    monitor,
                    cpu == null ? null : line(offered.perSecond(), cpu.values(), axis, axis.quanta()),
                    cpu == null ? null : ratio(offered.perSecond(), cpu.values(), axis),
                    count,
                    memory == null ? null : line(offered.load(), memory.values(), axis, growth(offered.load())),
                    LevelDemand.of(levels, cpu, count, memory, offered, axis));
            if (demand.cpu != null || demand.demand != null || demand.memory != null || !demand.levels.isEmpty()) {
                found.add(demand);
            }
        }
        return List.copyOf(found);
    }

    private static @Nullable MonitoredMetric track(ServerView view, String monitor, String metric) {
        return view.tracks().stream()
                .filter(track ->
                        track.monitor().equals(monitor) && track.metric().equals(metric))
                .findFirst()
                .orElse(null);
    }

    /** Services keep memory that they once took: only the part counts in which load grew. */
    private static int growth(double[] load) {
        double max = 0;
        int last = 0;
        for (int i = 0; i < load.length; i++) {
            // A client that ends within a quantum takes a little off its mean.
            if (load[i] >= 0.995 * max) {
                max = Math.max(max, load[i]);
                last = i + 1;
            }
        }
        return last;
    }

    private static @Nullable LinearFit line(double[] x, double[] y, TimeAxis axis, int until) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < until; i++) {
            if (axis.end(i) - axis.begin(i) == axis.quantumNanos() && !Double.isNaN(x[i]) && !Double.isNaN(y[i])) {
                points.add(new double[] {x[i], y[i]});
            }
        }
        return LinearFit.of(column(points, 0), column(points, 1));
    }

    static @Nullable LinearFit ratio(double[] x, double[] y, TimeAxis axis) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < axis.quanta(); i++) {
            if (axis.isMeasured(i) && !Double.isNaN(x[i]) && !Double.isNaN(y[i])) {
                points.add(new double[] {x[i], y[i]});
            }
        }
        return LinearFit.ratio(column(points, 0), column(points, 1));
    }

    private static double[] column(List<double[]> points, int column) {
        return points.stream().mapToDouble(point -> point[column]).toArray();
    }

    /** Returns the cores that are busy at a throughput: by the line where there is one, else by the law. */
    public double busyCores(double perSecond) {
        LinearFit by = cpu != null ? cpu : demand;
        return by == null ? Double.NaN : by.base() + by.perUnit() * perSecond;
    }

    /** Returns the calls a second at which the processors would be busy all the time; {@code NaN}: nobody knows. */
    public double fullAtPerSecond() {
        LinearFit by = cpu != null ? cpu : demand;
        return by == null || by.perUnit() <= 0 || Double.isNaN(cores) ? Double.NaN : (cores - by.base()) / by.perUnit();
    }

    /** Returns the part of the processors that is busy at a throughput, in percent. */
    public double utilisationPercent(double perSecond) {
        return 100 * busyCores(perSecond) / cores;
    }
}
