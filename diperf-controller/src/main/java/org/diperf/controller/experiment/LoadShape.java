package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Declares the forms that {@code load} may have. */
final class LoadShape {

    private static final long MOST_CLIENTS = 1_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration SEARCH_HOLD = Duration.ofSeconds(10);
    private static final double PRECISION = 0.02;

    private LoadShape() {}

    static Shape load() {
        Map<String, Fields> marked = new LinkedHashMap<>();
        marked.put(
                "open",
                form(List.of(Key.required("open", open(), "calls that arrive whether or not earlier ones ended"))));
        marked.put("stages", form(stages()));
        marked.put("levels", form(List.of(Key.required("levels", levels(), "values that are held one after another"))));
        marked.put(
                "search",
                form(List.of(Key.required("search", search(), "finds the highest value that keeps some conditions"))));
        return new Shapes.Marked(
                "a load such as {clients: 10, run-for: 60s} or {open: {rate: 100/s, for: 60s}}", marked, closed());
    }

    /** Declares the forms of the load of a group: its course is known before the run. */
    static Shape ofGroup() {
        Map<String, Fields> marked = new LinkedHashMap<>();
        marked.put(
                "open",
                form(List.of(Key.required("open", open(), "calls that arrive whether or not earlier ones ended"))));
        marked.put("stages", form(stages()));
        Map<String, String> hints = new LinkedHashMap<>(closedHints());
        for (String name : List.of("levels", "search")) {
            hints.put(
                    name,
                    "levels and searches look at one load alone, so groups have none; use stages, such as load: {"
                            + " stages: [{for: 1m, clients: 10}] }, or 'load' without groups");
        }
        return new Shapes.Marked(
                "a load such as {clients: 10, run-for: 60s} or {open: {rate: 100/s, for: 60s}}",
                marked,
                closed().hinting(hints));
    }

    private static Fields form(List<Key> keys) {
        List<Key> all = new ArrayList<>(keys);
        all.add(onFailure());
        all.addAll(spread());
        return Fields.of("a load").and(all);
    }

    private static List<Key> spread() {
        return List.of(
                Key.withDefault(
                        "placement",
                        Word.oneOf(List.of("round-robin", "fill")),
                        "round-robin",
                        "round-robin: client i is on tester i mod T; fill: the first clients are on the first tester,"
                                + " the next ones on the second"),
                Key.withDefault(
                        "order",
                        new Shapes.ListOf(
                                "a list of labels such as [site=wan, site=lan]",
                                Word.text("a label and its value such as site=lan", "[^=\\s]+=[^=]*[^=\\s]"),
                                0),
                        List.of(),
                        "testers on nodes with the first of these labels come first, with none of them last"));
    }

    private static Map<String, String> closedHints() {
        Map<String, String> hints = new LinkedHashMap<>();
        for (String name : List.of("rate", "arrivals", "ramp", "for", "max-in-flight")) {
            hints.put(name, "it belongs to open load: load: { open: { " + name + ": ... } }");
        }
        hints.put("hold", "it belongs to levels or search, such as load: { levels: { clients: [1, 2], hold: 60s } }");
        hints.put("while", "it belongs to a search: load: { search: { clients: 1..100, while: [...] } }");
        return hints;
    }

    private static Fields closed() {
        return Fields.of("a closed load")
                .and(List.of(
                        Key.required(
                                "clients",
                                Word.whole("clients", 1, MOST_CLIENTS),
                                "concurrent clients (virtual users)"),
                        Key.withDefault(
                                "start-every",
                                Quantities.duration(false),
                                Duration.ZERO,
                                "from one client's start to the next one's (the ramp)"),
                        Key.optional(
                                "run-for",
                                Quantities.duration(true),
                                "how long each client lives; may be left out where calls or bytes are limited"),
                        Key.optional(
                                "calls",
                                Word.whole("calls", 1, Long.MAX_VALUE / 2),
                                "calls of the whole run, shared out evenly; then it is over"),
                        Key.optional(
                                "calls-per-client",
                                Word.whole("calls", 1, Long.MAX_VALUE / 2 / MOST_CLIENTS),
                                "calls of each client; then it is over"),
                        Key.optional(
                                "volume",
                                Quantities.size(),
                                "bytes of the whole run, shared out evenly; a client that has moved its share is over"),
                        Key.withDefault("think", thinks(), Duration.ZERO, "pause between a client's calls"),
                        timeout(),
                        onFailure()))
                .and(spread())
                .needing("run-for", "calls", "calls-per-client", "volume")
                .hinting(closedHints());
    }

    private static Fields open() {
        return Fields.of(
                "an open load",
                Key.required("rate", Quantities.rate(true), "calls that arrive, after the ramp"),
                Key.withDefault("arrivals", arrivals(), "constant", "evenly spaced, or a Poisson process"),
                Key.withDefault(
                        "ramp",
                        Quantities.duration(false),
                        Duration.ZERO,
                        "time in which the rate grows from 0; precedes 'for'"),
                Key.required("for", Quantities.duration(true), "time at the full rate"),
                Key.optional(
                        "max-in-flight",
                        Word.whole("calls", 1, MOST_CLIENTS),
                        "calls under way at most, an arrival beyond it is dropped and counted; default: rate x"
                                + " timeout, at most 10,000"),
                timeout(),
                innerOnFailure());
    }

    private static List<Key> stages() {
        Fields stage = Fields.of(
                "a stage such as {for: 2m, clients: 100} or {for: 2m, rate: 500/s}",
                Key.required("for", Quantities.duration(true), "how long it takes"),
                Key.optional(
                        "clients",
                        Word.whole("clients", 0, MOST_CLIENTS),
                        "clients at its end, to which the number moves evenly; left out: as before"),
                Key.optional(
                        "rate",
                        Quantities.rate(false),
                        "calls that arrive at its end, to which the rate moves evenly; left out: as before"));
        List<Key> keys = new ArrayList<>();
        keys.add(Key.required(
                "stages",
                new Shapes.ListOf("a list of at least one stage such as {for: 2m, clients: 100}", stage, 1),
                "one after another; the first begins from 0"));
        keys.addAll(common());
        return keys;
    }

    private static Fields levels() {
        return Fields.of(
                        "levels",
                        Key.optional(
                                "clients",
                                new Shapes.ListOf(
                                        "a list of at least one number of clients",
                                        Word.whole("clients", 1, MOST_CLIENTS),
                                        1),
                                "numbers of clients"),
                        Key.optional(
                                "rate",
                                new Shapes.ListOf("a list of at least one rate", Quantities.rate(true), 1),
                                "rates at which calls arrive"),
                        Key.required("hold", Quantities.duration(true), "how long each is measured"),
                        settle())
                .and(common())
                .and(List.of(innerOnFailure()))
                .needing("clients", "rate");
    }

    private static Fields search() {
        return Fields.of(
                        "a search",
                        Key.optional("rate", Quantities.rates(), "lowest and highest rate"),
                        Key.optional("clients", Quantities.counts("clients", MOST_CLIENTS), "least and most clients"),
                        Key.required(
                                "while",
                                new Shapes.ListOf(
                                        "a list of at least one condition such as response.p99 < 100ms",
                                        Quantities.condition(),
                                        1),
                                "all of which must hold"),
                        Key.withDefault(
                                "hold", Quantities.duration(true), SEARCH_HOLD, "how long each value is measured"),
                        settle(),
                        Key.withDefault(
                                "precision",
                                Quantities.share(),
                                PRECISION,
                                "how near the highest value that held and the lowest that did not come"))
                .and(common())
                .and(List.of(innerOnFailure()))
                .needing("rate", "clients");
    }

    /** Lists what belongs to a model of which only the number is not known. */
    private static List<Key> common() {
        return List.of(
                Key.optional("think", thinks(), "pause between a client's calls; default: none"),
                Key.optional("arrivals", arrivals(), "evenly spaced, or a Poisson process; default: constant"),
                Key.optional(
                        "max-in-flight",
                        Word.whole("calls", 1, MOST_CLIENTS),
                        "calls under way at most; default: highest rate x timeout, at most 10,000"),
                timeout());
    }

    private static Key settle() {
        return Key.withDefault(
                "settle",
                Quantities.settle(),
                Quantities.AUTO,
                "how long a value is left to settle before it is measured; auto: until it shows no trend");
    }

    private static Key timeout() {
        return Key.withDefault("timeout", Quantities.duration(true), TIMEOUT, "upper bound for one call");
    }

    private static Word arrivals() {
        return Word.oneOf(List.of("constant", "poisson"));
    }

    private static Key onFailure() {
        return Key.withDefault(
                "on-failure",
                Word.oneOf(List.of("continue", "retire-client", "abort")),
                "continue",
                "what a failed call does: nothing but being counted, end its client, end the run");
    }

    /** The same, where it stands among the other keys of its model. */
    private static Key innerOnFailure() {
        return Key.optional(
                "on-failure",
                Word.oneOf(List.of("continue", "retire-client", "abort")),
                "the same as beside it: what a failed call does");
    }

    private static Shape thinks() {
        return new Shapes.WordOrMapping(Quantities.duration(false), think());
    }

    private static Shape think() {
        Shape pair = new Shapes.ListOf("two durations [FROM, TO]", Quantities.duration(false), 2);
        return new Shapes.ExactlyOne(Fields.of(
                "{exponential: MEAN} or {uniform: [FROM, TO]}",
                Key.optional("exponential", Quantities.duration(true), "mean of an exponential distribution"),
                Key.optional("uniform", pair, "from the first to the second, all equally likely")));
    }
}
