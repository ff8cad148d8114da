package org.diperf.analyzer.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LevelPoint;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Capacity;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.server.LinearFit;
import org.diperf.analyzer.server.ServiceDemand;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code profile.json}: what levels of load told of one service on one machine. Times in milliseconds, rates per
 * second; absent what was not measured.
 *
 * @param load {@code closed}: levels are clients; {@code open}: calls offered a second
 * @param thinkMillis between a client's calls
 * @param levels that count, by load
 * @param knee where more clients bring no more; absent where it was not reached, and in open load
 * @param resources what a call costs of them; absent ones were not watched
 * @param requests kind of request to its share of all ok calls; empty: all calls are of one kind
 * @param experiment its name
 * @param verdict of the run
 */
public record Profile(
        String format,
        String experiment,
        @Nullable String startedAt,
        List<String> target,
        String load,
        double thinkMillis,
        List<Level> levels,
        @Nullable Knee knee,
        List<Resource> resources,
        Map<String, Double> requests,
        String verdict) {

    /** Name and version of the format. */
    public static final String FORMAT = "diperf-profile/1";

    /** Its unit of cost is the second of one processor. */
    static final String PROCESSORS = "processors";

    /** Its unit of cost is the byte. */
    static final String NETWORK = "network";

    public Profile {
        target = List.copyOf(target);
        levels = List.copyOf(levels);
        resources = List.copyOf(resources);
    }

    /** One level: ok calls a second, and their mean response time. */
    public record Level(double load, double perSecond, double responseMillis) {}

    /** The knee, with the interval of its clients (95 %). */
    public record Knee(double clients, double low, double high, double perSecond) {}

    /**
     * What a call costs of a resource.
     *
     * @param name {@code processors} or {@code network}
     * @param seenBy the monitor, or {@code clients}
     * @param perCall seconds of a processor, or bytes
     * @param low lower end of its interval (95 %)
     * @param high upper end of it
     * @param base processors that are busy without any call
     * @param available processors that there were
     */
    public record Resource(
            String name,
            String seenBy,
            double perCall,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Double base,
            @Nullable Double available) {}

    /** Makes the profile of a run; empty where it has too few levels for a model. */
    public static Optional<Profile> of(Analysis analysis) {
        Capacity capacity = analysis.capacity();
        if (capacity.points().size() < FittedModel.FEWEST_LEVELS) {
            return Optional.empty();
        }
        Summary summary = analysis.summary();
        Saturation saturation = capacity.saturation();
        Knee knee = saturation == null || !saturation.reached()
                ? null
                : new Knee(saturation.clients(), saturation.low(), saturation.high(), saturation.perSecond());
        return Optional.of(new Profile(
                FORMAT,
                summary.experiment(),
                summary.startedAt(),
                summary.target(),
                capacity.closed() ? "closed" : "open",
                capacity.thinkSeconds() * 1e3,
                capacity.points().stream()
                        .map(point -> new Level(point.load(), point.perSecond(), point.responseSeconds() * 1e3))
                        .toList(),
                knee,
                resources(analysis),
                shares(summary),
                summary.verdict()));
    }

    private static List<Resource> resources(Analysis analysis) {
        List<Resource> resources = new ArrayList<>();
        for (ServiceDemand demand : analysis.server().demands()) {
            LinearFit by = demand.cpu() != null ? demand.cpu() : demand.demand();
            if (by != null && by.perUnit() > 0) {
                resources.add(new Resource(
                        PROCESSORS,
                        demand.monitor(),
                        by.perUnit(),
                        Math.max(0, by.low()),
                        by.high(),
                        Math.max(0, by.base()),
                        Double.isNaN(demand.cores()) ? null : demand.cores()));
            }
        }
        long ok = analysis.summary().numbers().calls().ok();
        long bytes = analysis.summary().numbers().calls().bytes();
        if (ok > 0 && bytes > 0) {
            resources.add(new Resource(NETWORK, "clients", (double) bytes / ok, null, null, null, null));
        }
        return resources;
    }

    private static Map<String, Double> shares(Summary summary) {
        Map<String, Double> shares = new LinkedHashMap<>();
        long ok = summary.numbers().calls().ok();
        if (summary.requests() != null && ok > 0) {
            summary.requests()
                    .forEach((name, of) -> shares.put(name, of.counts().ok() / (double) ok));
        }
        return shares;
    }

    boolean closed() {
        return load.equals("closed");
    }

    double thinkSeconds() {
        return thinkMillis / 1e3;
    }

    double mostLoad() {
        return levels.get(levels.size() - 1).load();
    }

    double leastLoad() {
        return levels.get(0).load();
    }

    /** Returns the highest throughput that the service was seen to sustain. */
    double mostPerSecond() {
        return knee != null
                ? knee.perSecond()
                : levels.stream().mapToDouble(Level::perSecond).max().orElseThrow();
    }

    /** Fits the models of the run again; the best first. */
    FittedModel model() {
        List<LevelPoint> points = levels.stream()
                .map(level -> new LevelPoint(level.load(), level.perSecond(), level.responseMillis() / 1e3))
                .toList();
        return (closed() ? FittedModel.closed(points, thinkSeconds()) : FittedModel.open(points)).get(0);
    }

    Optional<Resource> resource(String name) {
        return resources.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
