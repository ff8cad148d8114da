package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.TesterPlacement;
import org.diperf.core.plan.ClientNumbering.Placement;
import org.diperf.core.plan.OnFailure;
import org.jspecify.annotations.Nullable;

/** The forms that {@code load} may have, and the keys that are common to them. */
final class LoadForms {

    static final long MAX_CLIENTS = 1_000_000;
    private static final Duration LONGEST = Duration.ofDays(365);

    static final Key<Duration> TIMEOUT =
            Key.withDefault("timeout", Quantities.duration(true), Duration.ofSeconds(30), "time limit for one call");

    static final Key<OnFailure> ON_FAILURE = Key.withDefault(
            "on-failure",
            Scalar.oneOf(OnFailure.class),
            OnFailure.CONTINUE,
            "what a failed call does: it is only counted, stops its client, or ends the run");

    /** The same, where it stands among the other keys of its model. */
    static final Key<OnFailure> INNER_ON_FAILURE = Key.optional(
            "on-failure", Scalar.oneOf(OnFailure.class), "effect of a failed call; same as on-failure next to 'open'");

    private static final Key<Placement> PLACEMENT = Key.withDefault(
            "placement",
            Scalar.oneOf(Placement.class),
            Placement.ROUND_ROBIN,
            "round-robin: client i runs on tester i mod T; fill: the first clients run on the first tester, the next"
                    + " ones on the second");

    private static final Key<List<String>> ORDER = Key.withDefault(
            "order",
            new Shapes.ListOf<>(
                    "a list of labels such as [site=wan, site=lan]",
                    Scalar.text("a label and its value such as site=lan", "[^=\\s]+=[^=]*[^=\\s]"),
                    0),
            List.of(),
            "order of testers by the labels of their nodes; those with none of these labels come last");

    private static final String WANTED =
            "a load such as {clients: 10, run-for: 60s} or {open: {rate: 100/s, for: 60s}}";

    private LoadForms() {}

    /** What is offered, and how its clients are spread over testers. */
    record Offered(LoadSettings choice, TesterPlacement spread) {}

    /** Returns the shape of {@code load}; the number of its testers must be known besides. */
    static Shape<Form.Filled<Integer, Offered>> load() {
        Map<String, Form<Integer, Offered>> marked = new LinkedHashMap<>();
        marked.put(OpenLoadForm.OPEN.name(), OpenLoadForm.form());
        marked.put(StagesForm.STAGES.name(), StagesForm.form());
        marked.put(LevelForms.LEVELS.name(), LevelForms.levels());
        marked.put(LevelForms.SEARCH.name(), LevelForms.search());
        return new Shapes.Variant<>(WANTED, marked, ClosedLoadForm.form(closedHints()));
    }

    /** Returns the shape of the load of a group: its course is known before the run. */
    static Shape<Form.Filled<Integer, Offered>> ofGroup() {
        Map<String, Form<Integer, Offered>> marked = new LinkedHashMap<>();
        marked.put(OpenLoadForm.OPEN.name(), OpenLoadForm.form());
        marked.put(StagesForm.STAGES.name(), StagesForm.form());
        Map<String, String> hints = closedHints();
        for (Key<?> key : List.of(LevelForms.LEVELS, LevelForms.SEARCH)) {
            hints.put(
                    key.name(),
                    "levels and searches need a single load, so groups cannot use them; use stages, e.g. load: { "
                            + "stages: [{for: 1m, clients: 10}] }, or 'load' without groups");
        }
        return new Shapes.Variant<>(WANTED, marked, ClosedLoadForm.form(hints));
    }

    private static Map<String, String> closedHints() {
        Map<String, String> hints = new LinkedHashMap<>();
        for (String name : List.of("rate", "arrivals", "ramp", "for", "max-in-flight")) {
            hints.put(name, "it belongs to open load: load: { open: { " + name + ": ... } }");
        }
        hints.put("hold", "it belongs to levels or search, e.g. load: { levels: { clients: [1, 2], hold: 60s } }");
        hints.put("while", "it belongs to a search: load: { search: { clients: 1..100, while: [...] } }");
        return hints;
    }

    /** Makes the form of a load, which besides its own keys has those of every load. */
    static Form<Integer, Offered> form(
            String expected, List<Key<?>> own, BiFunction<FormValues, Integer, @Nullable LoadSettings> maker) {
        List<Key<?>> keys = new ArrayList<>(own);
        keys.addAll(List.of(ON_FAILURE, PLACEMENT, ORDER));
        return new Form<>(new Fields(expected, keys, Map.of(), List.of()), (given, testers) -> {
            LoadSettings choice = maker.apply(given, testers);
            return choice == null ? null : new Offered(choice, spread(given));
        });
    }

    /** Says where keys belong that stand next to a model's own, for those who write them within. */
    static Map<String, String> besideHints(String model, List<Key<?>> more) {
        Map<String, String> hints = new LinkedHashMap<>();
        List<Key<?>> beside = new ArrayList<>(more);
        beside.addAll(List.of(PLACEMENT, ORDER));
        for (Key<?> key : beside) {
            hints.put(
                    key.name(),
                    "it belongs next to '" + model + "': load: { " + model + ": ..., " + key.name() + ": ... }");
        }
        return hints;
    }

    private static TesterPlacement spread(FormValues given) {
        List<TesterPlacement.Label> order = new ArrayList<>();
        for (String label : given.get(ORDER)) {
            int equals = label.indexOf('=');
            order.add(new TesterPlacement.Label(
                    label.substring(0, equals).strip(),
                    label.substring(equals + 1).strip()));
        }
        return new TesterPlacement(given.get(PLACEMENT), order);
    }

    /** Puts what a failed call does, where it stands among the keys of a model, next to that. */
    static FormValues inner(FormValues load, Key<FormValues> model) {
        FormValues inner = load.get(model);
        OnFailure said = inner.find(INNER_ON_FAILURE);
        if (said != null) {
            OnFailure beside = load.get(ON_FAILURE);
            if (beside != OnFailure.CONTINUE && !Objects.equals(beside, said)) {
                load.problem(
                        ON_FAILURE, "expected it once, got it in '" + model.name() + "' too, with a different value");
            }
            load.put(ON_FAILURE, said);
            inner.remove(INNER_ON_FAILURE);
        }
        return inner;
    }

    /** Returns what a failed call does where calls arrive at a rate. */
    static OnFailure onFailureOfArrivals(FormValues load) {
        OnFailure said = load.get(ON_FAILURE);
        if (said == OnFailure.RETIRE_CLIENT) {
            load.problem(
                    ON_FAILURE,
                    "expected continue or abort for open load, got 'retire-client'; only a closed load has clients "
                            + "to retire");
            return OnFailure.CONTINUE;
        }
        return said;
    }

    static long timeoutNanos(FormValues given) {
        return given.get(TIMEOUT).toNanos();
    }

    /**
     * Refuses a plan that takes too long.
     *
     * @param times how often the duration comes
     */
    static boolean isTooLong(FormValues given, Key<?> key, Duration duration, long times) {
        if (duration.toNanos() > LONGEST.toNanos() / Math.max(1, times)) {
            given.problem(key, "expected a plan of at most a year, got a longer one");
            return true;
        }
        return false;
    }
}
