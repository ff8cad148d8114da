package org.diperf.controller.experiment;

import static org.diperf.controller.experiment.ExperimentBuilder.get;
import static org.diperf.controller.experiment.ExperimentBuilder.map;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.Offer;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Lives;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Think;
import org.jspecify.annotations.Nullable;

/** Makes what is offered from the values of {@code load}. Confined to one thread, used once. */
final class LoadBuilder {

    private static final double MOST_IN_FLIGHT = 10_000;
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final String ON_FAILURE = "on-failure";

    private final Map<String, Object> load;
    private final String at;
    private final int testers;
    private final BiConsumer<String, String> problems;
    private boolean bad;

    /**
     * @param load values as the shape read them; the derived defaults are added
     * @param at path of the load in the file
     * @param testers that share it
     * @param problems takes a path and what is wrong there
     */
    LoadBuilder(Map<String, Object> load, String at, int testers, BiConsumer<String, String> problems) {
        this.load = load;
        this.at = at;
        this.testers = testers;
        this.problems = problems;
    }

    /** Makes it; {@code null} where there are problems. */
    @Nullable
    LoadChoice build() {
        LoadChoice choice;
        if (load.containsKey("open")) {
            choice = open(inner("open"));
        } else if (load.containsKey("stages")) {
            choice = stages();
        } else if (load.containsKey("levels")) {
            choice = levels(inner("levels"));
        } else if (load.containsKey("search")) {
            choice = search(inner("search"));
        } else {
            choice = closed();
        }
        return bad ? null : choice;
    }

    private void problem(String path, String text) {
        bad = true;
        problems.accept(at + "." + path, text);
    }

    /** Gives the values of a model as a map that can be added to; what belongs beside it is put there. */
    private Map<String, Object> inner(String key) {
        Map<String, Object> values = map(load.get(key));
        Object onFailure = values.remove(ON_FAILURE);
        if (onFailure != null) {
            if (!Objects.equals(load.get(ON_FAILURE), "continue") && !Objects.equals(load.get(ON_FAILURE), onFailure)) {
                problem(ON_FAILURE, "wanted it once, found it in '" + key + "' too, with another word");
            }
            load.put(ON_FAILURE, onFailure);
        }
        load.put(key, values);
        return values;
    }

    private OnFailure onFailure(boolean closed) {
        OnFailure said = OnFailure.valueOf(ExperimentBuilder.constant(get(load, ON_FAILURE, String.class)));
        if (said == OnFailure.RETIRE_CLIENT && !closed) {
            problem(
                    ON_FAILURE,
                    "wanted continue or abort where calls arrive at a rate, found 'retire-client'; only a closed load"
                            + " has clients to retire");
            return OnFailure.CONTINUE;
        }
        return said;
    }

    private @Nullable LoadChoice closed() {
        long clients = get(load, "clients", Long.class);
        Duration startEvery = get(load, "start-every", Duration.class);
        Duration runFor = load.get("run-for") instanceof Duration given ? given : null;
        boolean tooLong = tooLong("start-every", startEvery, clients - 1);
        tooLong |= runFor != null && tooLong("run-for", runFor, 1);
        Quota quota = quota(clients);
        Think think = think(load.get("think"), "think");
        OnFailure onFailure = onFailure(true);
        if (tooLong || bad) {
            return null;
        }
        return new LoadChoice.Single(new ClosedLoad(
                (int) clients,
                new Lives.Staggered(startEvery.toNanos(), runFor == null ? Lives.UNBOUNDED : runFor.toNanos()),
                think,
                quota,
                onFailure,
                timeoutNanos(load)));
    }

    private Quota quota(long clients) {
        Long calls = load.get("calls") instanceof Long given ? given : null;
        Long perClient = load.get("calls-per-client") instanceof Long given ? given : null;
        long bytes = load.get("volume") instanceof Long given ? given : 0;
        if (calls != null && perClient != null) {
            problem("calls-per-client", "wanted either 'calls' or 'calls-per-client', found both; leave one out");
        }
        if (calls != null && calls < clients) {
            problem(
                    "calls",
                    "wanted at least as many calls as clients (" + clients + "), found " + calls
                            + "; a client without a call measures nothing: use fewer clients or more calls");
        }
        if (bytes > 0 && bytes < clients) {
            problem("volume", "wanted at least a byte for each of " + clients + " clients, found " + bytes);
        }
        return new Quota(calls != null ? calls : perClient != null ? perClient * clients : 0, bytes);
    }

    private LoadChoice open(Map<String, Object> open) {
        double rate = get(open, "rate", Double.class);
        tooLong("open.ramp", get(open, "ramp", Duration.class), 1);
        tooLong("open.for", get(open, "for", Duration.class), 1);
        return new LoadChoice.Single(new OpenLoad(
                0,
                rate,
                OpenLoad.Arrivals.valueOf(ExperimentBuilder.constant(get(open, "arrivals", String.class))),
                get(open, "ramp", Duration.class).toNanos(),
                get(open, "for", Duration.class).toNanos(),
                maxInFlight(open, rate),
                onFailure(false),
                timeoutNanos(open)));
    }

    private @Nullable LoadChoice stages() {
        List<LoadChoice.Stages.Move> moves = new ArrayList<>();
        String of = "";
        double highest = 0;
        List<?> given = (List<?>) load.getOrDefault("stages", List.of());
        Duration whole = Duration.ZERO;
        for (int i = 0; i < given.size(); i++) {
            Map<String, Object> stage = map(given.get(i));
            boolean clients = stage.containsKey("clients");
            boolean rate = stage.containsKey("rate");
            String found = clients ? "clients" : rate ? "rate" : of;
            if (clients && rate || !of.isEmpty() && !found.equals(of)) {
                problem("stages." + i, "wanted all stages with 'clients' or all with 'rate', found both");
                return null;
            }
            of = found;
            Double value = clients ? (Double) (double) get(stage, "clients", Long.class) : (Double) stage.get("rate");
            highest = Math.max(highest, value == null ? 0 : value);
            Duration length = get(stage, "for", Duration.class);
            whole = whole.plus(length);
            moves.add(new LoadChoice.Stages.Move(value, length));
        }
        tooLong("stages", whole, 1);
        if (highest == 0) {
            problem("stages", "wanted a stage with 'clients' or a 'rate' above 0, found none");
            return null;
        }
        Offer offer = offer(of, load, "", highest);
        return offer == null ? null : new LoadChoice.Stages(offer, moves);
    }

    private @Nullable LoadChoice levels(Map<String, Object> levels) {
        String of = of(levels, "levels");
        List<Double> values = levels.get(of) instanceof List<?> list
                ? list.stream().map(value -> ((Number) value).doubleValue()).toList()
                : List.of();
        double highest = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        Offer offer = offer(of, levels, "levels.", highest);
        Duration hold = get(levels, "hold", Duration.class);
        tooLong("levels.hold", hold, 2L * values.size());
        return offer == null ? null : new LoadChoice.Levels(offer, values, hold, settle(levels, "levels.settle"));
    }

    private @Nullable LoadChoice search(Map<String, Object> search) {
        String of = of(search, "search");
        Quantities.Span span = get(search, of, Quantities.Span.class);
        if (of.equals("clients") && span.from() < testers) {
            problem(
                    "search.clients",
                    "wanted to begin with at least as many clients as testers (" + testers + "), found "
                            + (long) span.from());
        }
        Offer offer = offer(of, search, "search.", span.to());
        Duration hold = get(search, "hold", Duration.class);
        tooLong("search.hold", hold, 100);
        List<String> conditions = ((List<?>) search.getOrDefault("while", List.of()))
                .stream().map(String::valueOf).toList();
        return offer == null
                ? null
                : new LoadChoice.Search(
                        offer,
                        span.from(),
                        span.to(),
                        conditions,
                        hold,
                        settle(search, "search.settle"),
                        get(search, "precision", Double.class));
    }

    private String of(Map<String, Object> values, String path) {
        if (values.containsKey("clients") && values.containsKey("rate")) {
            problem(path, "wanted either 'clients' or 'rate', found both; leave one out");
        }
        return values.containsKey("clients") ? "clients" : "rate";
    }

    private @Nullable Duration settle(Map<String, Object> values, String path) {
        Duration fixed = values.get("settle") instanceof Duration given ? given : null;
        if (fixed != null) {
            tooLong(path, fixed, 100);
        }
        return fixed;
    }

    /** Makes what belongs to a model beside its one number, and writes out its defaults. */
    private @Nullable Offer offer(String of, Map<String, Object> values, String path, double highest) {
        boolean closed = of.equals("clients");
        for (String other : closed ? List.of("arrivals", "max-in-flight") : List.of("think")) {
            if (values.containsKey(other)) {
                problem(
                        path + other,
                        "wanted it " + (closed ? "where calls arrive at a rate" : "where there are clients")
                                + " only, found it beside '" + of + "'; leave it out");
            }
        }
        if (closed) {
            values.putIfAbsent("think", Duration.ZERO);
            Think think = think(values.get("think"), path + "think");
            return new Offer.Clients(think, onFailure(true), timeoutNanos(values));
        }
        values.putIfAbsent("arrivals", "constant");
        return new Offer.Rate(
                OpenLoad.Arrivals.valueOf(ExperimentBuilder.constant(get(values, "arrivals", String.class))),
                maxInFlight(values, highest),
                onFailure(false),
                timeoutNanos(values));
    }

    private int maxInFlight(Map<String, Object> values, double rate) {
        if (!values.containsKey("max-in-flight")) {
            double usual = Math.ceil(Math.min(MOST_IN_FLIGHT, rate * timeoutNanos(values) / 1e9));
            // Each tester needs one, or its arrivals would all be dropped.
            values.put("max-in-flight", Math.max(Math.max(1, testers), (long) usual));
        }
        return (int) (long) get(values, "max-in-flight", Long.class);
    }

    private static long timeoutNanos(Map<String, Object> values) {
        return get(values, "timeout", Duration.class).toNanos();
    }

    private boolean tooLong(String path, Duration duration, long times) {
        if (duration.toNanos() > LONGEST.toNanos() / Math.max(1, times)) {
            problem(path, "wanted a plan of at most a year, found one that is longer");
            return true;
        }
        return false;
    }

    private Think think(@Nullable Object value, String path) {
        if (value instanceof Map<?, ?> map) {
            if (map.get("exponential") instanceof Duration mean) {
                return new Think.Exponential(mean.toNanos());
            }
            List<Duration> pair = ((List<?>) map.values().iterator().next())
                    .stream().map(Duration.class::cast).toList();
            if (pair.size() != 2 || pair.get(0).compareTo(pair.get(1)) > 0) {
                problem(path + ".uniform", "wanted [FROM, TO] with FROM at most TO, such as [0s, 2s]");
                return Think.NONE;
            }
            return new Think.Uniform(pair.get(0).toNanos(), pair.get(1).toNanos());
        }
        return value instanceof Duration fixed && !fixed.isZero() ? new Think.Fixed(fixed.toNanos()) : Think.NONE;
    }
}
