package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.measure.Scope;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.expression.Expression;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.NearestName;
import org.jspecify.annotations.Nullable;

/** The key {@code thresholds}: its form, what is made of it, and whether the experiment has what they name. */
final class ThresholdKeys {

    private static final String METRICS = "metrics";

    private static final Key<Expression> THAT =
            Key.required("that", Quantities.expression(), "condition that must hold");
    private static final Key<Duration> EVERY = Key.withDefault(
            "every",
            Quantities.duration(false),
            Duration.ZERO,
            "how often to check it during the run, over the time since the last check; 0s: once, at the end");
    private static final Key<Duration> AFTER =
            Key.withDefault("after", Quantities.duration(false), Duration.ZERO, "when the checks during the run start");
    private static final Key<Boolean> ABORT =
            Key.withDefault("abort", Scalar.bool(), false, "whether the run ends as soon as it fails");

    static final Key<List<Shapes.Either<Expression>>> THRESHOLDS = Key.withDefault(
            "thresholds",
            new Shapes.ListOf<>(
                    "a list of thresholds",
                    new Shapes.WordOrMapping<>(
                            Quantities.expression(), Fields.of("a threshold", THAT, EVERY, AFTER, ABORT)),
                    0),
            List.of(),
            "conditions that must hold in the measured part");

    private final List<String> requests;
    private final List<String> journeys;
    private final List<String> groups;
    private final @Nullable ClientPlugin client;
    private final boolean monitored;
    private final BiConsumer<String, String> problem;

    /**
     * @param requests names of all kinds of request
     * @param journeys names of journeys and groups of calls within them
     * @param client {@code null}: there is no such plugin, which is told elsewhere
     */
    ThresholdKeys(
            List<String> requests,
            List<String> journeys,
            LoadSettings load,
            @Nullable ClientPlugin client,
            boolean monitored,
            BiConsumer<String, String> problem) {
        this.requests = requests;
        this.journeys = journeys;
        this.groups = load instanceof LoadSettings.Groups beside
                ? beside.groups().stream().map(group -> group.name()).toList()
                : List.of();
        this.client = client;
        this.monitored = monitored;
        this.problem = problem;
    }

    static List<Threshold> thresholds(FormValues experiment) {
        return experiment.get(THRESHOLDS).stream().map(ThresholdKeys::threshold).toList();
    }

    private static Threshold threshold(Shapes.Either<Expression> given) {
        FormValues full = given.mapping();
        if (full == null) {
            return new Threshold(String.valueOf(given.word()), Duration.ZERO, Duration.ZERO, false);
        }
        boolean abort = full.get(ABORT);
        if (full.get(EVERY).isZero() && (abort || !full.get(AFTER).isZero())) {
            full.problem("expected 'every', e.g. every: 10s, because '" + (abort ? "abort" : "after")
                    + "' is set: without 'every', the threshold is judged once, at the end");
        }
        return new Threshold(full.get(THAT).toString(), full.get(EVERY), full.get(AFTER), abort);
    }

    void check(List<Threshold> thresholds) {
        for (int i = 0; i < thresholds.size(); i++) {
            String place = "thresholds." + i;
            Threshold threshold = thresholds.get(i);
            for (Expression.Asked asked : Expression.parse(threshold.that()).asked()) {
                Measures.find(asked.lookup()).ifPresent(measure -> check(place, measure));
                if (threshold.abort()
                        && Measures.find(asked.lookup(), MeasureSource.RUN_UNDER_WAY)
                                .isEmpty()) {
                    problem.accept(
                            place,
                            "expected a metric that can end a run, such as failed, dropped, throughput or "
                                    + "response.p99, got '" + asked.path() + "'; drop 'abort'");
                }
            }
        }
    }

    private void check(String place, Measure measure) {
        String name = measure.scope().name();
        if (measure.scope().of() == Scope.Of.REQUEST) {
            checkRequest(place, name);
        }
        if (measure.scope().of() == Scope.Of.JOURNEY && !journeys.contains(name)) {
            problem.accept(
                    place,
                    journeys.isEmpty()
                            ? "expected client.journeys for a threshold on a journey, got none; drop 'journeys." + name
                                    + ".'"
                            : "expected a threshold on one of the journeys and groups of calls " + journeys + ", got '"
                                    + name + "'" + NearestName.suggestion(name, journeys));
        }
        if (measure.scope().of() == Scope.Of.GROUP && !groups.contains(name)) {
            problem.accept(
                    place,
                    groups.isEmpty()
                            ? "expected groups for a threshold on a group, got none; drop 'groups." + name + ".'"
                            : "expected a threshold on one of the groups " + groups + ", got '" + name + "'"
                                    + NearestName.suggestion(name, groups));
        }
        switch (measure.quantity().name()) {
            case METRICS -> checkMetric(place, measure.path());
            case "server" -> {
                if (!monitored) {
                    problem.accept(
                            place, "expected monitors for a threshold on their metrics, got none; add 'monitors'");
                }
            }
            default -> {
                // known of every run
            }
        }
    }

    private void checkRequest(String place, String name) {
        if (!requests.contains(name)) {
            problem.accept(
                    place,
                    "expected a threshold on one of the requests " + requests + ", got '" + name + "'"
                            + NearestName.suggestion(name, requests));
        } else if (requests.size() == 1) {
            problem.accept(
                    place,
                    "expected client.requests for a threshold on a request, got none; drop 'requests." + name + ".'");
        }
    }

    /** Clients that time their calls themselves name their metrics during the run; all others declare them. */
    private void checkMetric(String place, String path) {
        if (client == null || client.traits().contains(ClientTrait.TIMES_ITSELF)) {
            return;
        }
        List<String> declared = client.metrics().stream().map(Metric::name).toList();
        if (declared.stream().noneMatch(name -> path.startsWith(METRICS + "." + name + "."))) {
            String asked = path.substring(METRICS.length() + 1, path.lastIndexOf('.'));
            problem.accept(
                    place,
                    "expected a metric of client '" + client.id() + "', one of " + declared + ", got '" + asked + "'"
                            + NearestName.suggestion(asked, declared));
        }
    }
}
