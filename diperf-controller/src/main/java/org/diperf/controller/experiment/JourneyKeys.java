package org.diperf.controller.experiment;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.expression.Comparison;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.Think;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Nearest;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** The key {@code client.journeys}: its form, and the moves that it is compiled to. */
final class JourneyKeys {

    /** More are no journey that somebody wrote. */
    private static final int MAX_MOVES = 10_000;

    private static final long MAX_TIMES = 1_000_000;

    private static final String JOURNEYS = "journeys";

    private JourneyKeys() {}

    // ---- the form ----

    /** Declares journeys, for clients of a plugin. */
    static Key<?> key(ClientPlugin own, List<ClientPlugin> plugins, Names names) {
        Fields journey = Fields.of(
                "a journey",
                Key.withDefault(
                        "weight",
                        weight(),
                        1.0,
                        "its share of the iterations, relative to the other weights; 0: only other journeys go through"
                                + " it"),
                Key.optional(
                        "steps",
                        new Shapes.ListOf<>("a list of steps", new StepShape(own, plugins, names), 1),
                        "what is done, one after another"),
                Key.optional(
                        JavaKeys.JAVA,
                        Scalar.text("a Java file such as Shop.java", ".*\\.java"),
                        "Java file whose class says what is done, in place of steps; relative to the experiment file"));
        return Key.optional(
                JOURNEYS,
                new Shapes.Named("names with journeys", RequestKeys.NAME, journey),
                "weighted journeys of several calls; seed, client and iteration determine which one an iteration takes");
    }

    private static Scalar<Double> weight() {
        return Scalar.quantity(
                "a number of at least 0",
                Map.of("type", "number", "minimum", 0),
                text -> {
                    double weight = Double.parseDouble(text);
                    if (!(weight >= 0) || Double.isInfinite(weight)) {
                        throw new IllegalArgumentException(text);
                    }
                    return weight;
                },
                weight -> weight == Math.rint(weight) && weight < 1e15 ? (Object) weight.longValue() : weight);
    }

    private static Fields step(ClientPlugin plugin, Shape<?> steps, Names names) {
        List<Key<?>> partial = ExperimentShape.parameters(plugin.parameters(), names).stream()
                .<Key<?>>map(Key::withoutDefault)
                .toList();
        return Fields.of(
                        "a step",
                        Key.optional(
                                "name",
                                Scalar.text("letters, digits, hyphens and underscores, at most 40", RequestKeys.NAME),
                                "of a request: its name in the results"),
                        Key.optional(
                                "plugin",
                                Scalar.text("the ID of a client plugin", "[a-z][a-z0-9-]*"),
                                "client plugin that makes the request; default: the client's"),
                        Key.optional(
                                "target", Quantities.uri(), "where the request goes; default: the experiment's target"),
                        Key.optional(
                                "with",
                                new Fields("parameters of '" + plugin.id() + "'", partial, Map.of(), List.of()),
                                "parameters of the request; they override the client's, where that has the same plugin"))
                .and(RequestKeys.answerKeys())
                .and(List.of(
                        Key.optional(
                                "when-failed",
                                Scalar.oneOf(List.of("end", "continue")),
                                "whether the journey ends when the request has failed; default: end"),
                        Key.optional(
                                "set",
                                new Shapes.TextMap("names with texts"),
                                "values for later texts, set before the step"),
                        Key.optional(
                                "if",
                                Scalar.text("a condition such as ${stock} > 0", "(?s).*\\S.*"),
                                "condition without which the step is left out: TEXT, or TEXT == != < <= > >= ~ !~ TEXT"),
                        Key.optional(
                                "repeat",
                                Scalar.text("how often, such as 3 or 2..5", "[0-9]{1,7}(\\.\\.[0-9]{1,7})?"),
                                "how often the step is done, such as 3, or at random 2..5"),
                        Key.optional(
                                "think",
                                ThinkKeys.THINK.shape(),
                                "pause behind the step, each time; a duration or a distribution"),
                        Key.optional(
                                "group",
                                Scalar.text("letters, digits, hyphens and underscores, at most 40", RequestKeys.NAME),
                                "of steps within: the name under which they are measured as a whole"),
                        Key.optional("steps", steps, "steps within this one, for repeat, if and group"),
                        Key.optional(
                                "journey",
                                Scalar.text("the name of a journey", RequestKeys.NAME),
                                "another journey to go through")));
    }

    /** A step, whose parameters are those of its plugin; steps within it have the same form. */
    private static final class StepShape implements Shape<Map<String, Object>> {

        private final ClientPlugin own;
        private final Names names;
        private final Map<String, ClientPlugin> plugins = new LinkedHashMap<>();
        /** Made when they are needed: most files need one of them. */
        private final Map<String, Fields> made = new HashMap<>();

        StepShape(ClientPlugin own, List<ClientPlugin> known, Names names) {
            this.own = own;
            this.names = names;
            known.forEach(plugin -> plugins.put(plugin.id(), plugin));
        }

        private Fields fields(@Nullable Object id) {
            ClientPlugin plugin = plugins.getOrDefault(id == null ? own.id() : String.valueOf(id), own);
            return made.computeIfAbsent(plugin.id(), key -> step(plugin, new Within(this), names));
        }

        @Override
        public @Nullable Map<String, Object> read(Node node, String path, Problems problems) {
            Node plugin = Node.find(node, "plugin");
            if (plugin instanceof Node.Scalar named && !plugins.containsKey(named.text())) {
                problems.add(
                        named.position(),
                        Fields.join(path, "plugin"),
                        "expected one of the client plugins " + plugins.keySet() + ", got '" + named.text() + "'"
                                + Nearest.suggestion(named.text(), List.copyOf(plugins.keySet())));
                return null;
            }
            return fields(plugin instanceof Node.Scalar named ? named.text() : null)
                    .read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>(fields(null).schema());
            Map<String, Object> properties = new LinkedHashMap<>(ExperimentBuilder.map(schema.get("properties")));
            // What it may hold depends on the plugin.
            properties.put("with", Map.of("type", "object", "description", "parameters of the request"));
            schema.put("properties", properties);
            return schema;
        }

        @Override
        public Object write(Map<String, Object> value) {
            return fields(value.get("plugin")).write(value);
        }

        @Override
        public String expected() {
            return "a step";
        }
    }

    /** Steps within a step. */
    private record Within(StepShape step) implements Shape<List<Map<String, Object>>> {

        private Shapes.ListOf<Map<String, Object>> list() {
            return new Shapes.ListOf<>("a list of steps", step, 1);
        }

        @Override
        public @Nullable List<Map<String, Object>> read(Node node, String path, Problems problems) {
            return list().read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            // A schema that holds itself would have no end.
            return Map.of("type", "array", "items", Map.of("type", "object"), "minItems", 1);
        }

        @Override
        public Object write(List<Map<String, Object>> value) {
            return list().write(value);
        }

        @Override
        public String expected() {
            return "a list of steps";
        }
    }

    // ---- what the file says before it is read ----

    /** Visits all steps of all journeys, however deep, with their paths. */
    static void eachStep(Node root, BiConsumer<String, Node> visitor) {
        if (Node.find(root, "client." + JOURNEYS) instanceof Node.Mapping journeys) {
            journeys.entries()
                    .forEach((name, journey) -> eachStep(journey, "client." + JOURNEYS + "." + name, visitor));
        }
    }

    private static void eachStep(Node holder, String path, BiConsumer<String, Node> visitor) {
        if (Node.find(holder, "steps") instanceof Node.Sequence steps) {
            for (int i = 0; i < steps.items().size(); i++) {
                String own = path + ".steps." + i;
                visitor.accept(own, steps.items().get(i));
                eachStep(steps.items().get(i), own, visitor);
            }
        }
    }

    /** Finds the path of the step that makes a request. */
    static String pathOf(Node root, String request) {
        String[] found = {"client." + JOURNEYS};
        eachStep(root, (path, step) -> {
            if (Node.find(step, "name") instanceof Node.Scalar name
                    && name.text().equals(request)) {
                found[0] = path;
            }
        });
        return found[0];
    }

    // ---- what is made of it ----

    /**
     * What the journeys of a client are.
     *
     * @param requests of their steps
     */
    record Compiled(List<RequestSettings> requests, List<Journey> journeys, List<CallGroup> groups) {}

    /**
     * Compiles the journeys of a client.
     *
     * @param client its values
     * @param taken names of requests
     * @param typeOf the class of a Java file, by the name of the file
     */
    static Compiled compile(
            Map<String, Object> client,
            long seed,
            Names names,
            Set<String> taken,
            Function<String, String> typeOf,
            BiConsumer<String, String> problem) {
        return new Compiler(client, seed, names, taken, typeOf, problem).compile();
    }

    /** Compiles all journeys. Confined to one thread, used once. */
    private static final class Compiler {

        private final Map<String, Object> journeys;
        private final String plugin;
        private final Map<String, Object> with;
        private final long seed;
        private final Names names;
        private final Set<String> taken;
        private final Function<String, String> typeOf;
        private final BiConsumer<String, String> problem;
        private final List<RequestSettings> requests = new ArrayList<>();
        private final Map<String, Integer> numbers = new LinkedHashMap<>();
        private final Map<String, Set<String>> groups = new LinkedHashMap<>();

        Compiler(
                Map<String, Object> client,
                long seed,
                Names names,
                Set<String> taken,
                Function<String, String> typeOf,
                BiConsumer<String, String> problem) {
            this.typeOf = typeOf;
            this.journeys = ExperimentBuilder.map(client.get(JOURNEYS));
            this.plugin = ExperimentBuilder.get(client, "plugin", String.class);
            this.with = ExperimentBuilder.map(client.get("with"));
            this.seed = seed;
            this.names = names;
            this.taken = taken;
            this.problem = problem;
        }

        Compiled compile() {
            int before = requests.size();
            journeys.forEach((name, journey) -> {
                Map<String, Object> keys = ExperimentBuilder.map(journey);
                if (!keys.containsKey("steps") && !keys.containsKey(JavaKeys.JAVA)) {
                    problem.accept(
                            "client." + JOURNEYS + "." + name, "expected steps, or a Java file (java), got neither");
                }
                groups.put(name, new LinkedHashSet<>());
                declare("client." + JOURNEYS + "." + name, stepsOf(journey));
            });
            Set<String> journeyNames = Set.copyOf(journeys.keySet());
            journeys.forEach((name, journey) ->
                    declareGroups("client." + JOURNEYS + "." + name, stepsOf(journey), journeyNames));
            List<Journey> made = new ArrayList<>();
            journeys.forEach((name, journey) -> {
                OneJourney one = new OneJourney(name);
                one.into(name);
                double weight = ExperimentBuilder.map(journey).get("weight") instanceof Double share ? share : 1;
                OptionalInt found = one.moves.stream()
                        .filter(move -> move instanceof Move.Request || move instanceof Move.Code)
                        .mapToInt(
                                move -> move instanceof Move.Request next ? next.request() : ((Move.Code) move).first())
                        .findFirst();
                int first = found.orElse(before);
                if (found.isEmpty()) {
                    problem.accept(
                            "client." + JOURNEYS + "." + name,
                            "expected at least one step that makes a request, got none; give it a step with a name");
                }
                made.add(new Journey(name, weight, place(name), first, one.moves));
            });
            if (!journeys.isEmpty() && made.stream().noneMatch(journey -> journey.weight() > 0)) {
                problem.accept(
                        "client." + JOURNEYS,
                        "expected a journey with a weight above 0, got none; no client would take one");
            }
            List<CallGroup> declared = new ArrayList<>();
            groups.forEach((name, calls) ->
                    declared.add(new CallGroup(name, journeyNames.contains(name), List.copyOf(calls))));
            return new Compiled(List.copyOf(requests), List.copyOf(made), List.copyOf(declared));
        }

        private int place(String group) {
            return List.copyOf(groups.keySet()).indexOf(group);
        }

        private static List<Map<String, Object>> stepsOf(Object holder) {
            List<Map<String, Object>> steps = new ArrayList<>();
            if (ExperimentBuilder.map(holder).get("steps") instanceof List<?> list) {
                list.forEach(step -> steps.add(ExperimentBuilder.map(step)));
            }
            return steps;
        }

        /** Looks what each step is, and notes the requests. */
        private void declare(String path, List<Map<String, Object>> steps) {
            for (int i = 0; i < steps.size(); i++) {
                Map<String, Object> step = steps.get(i);
                String own = path + ".steps." + i;
                check(own, step);
                if (step.get("name") instanceof String name) {
                    request(own, name, step);
                }
                declare(own, stepsOf(step));
            }
        }

        private void check(String path, Map<String, Object> step) {
            List<String> kinds = new ArrayList<>(List.of("name", "steps", "journey"));
            kinds.retainAll(step.keySet());
            if (kinds.size() > 1 || (kinds.isEmpty() && !step.containsKey("think") && !step.containsKey("set"))) {
                problem.accept(
                        path,
                        "expected a step that is a request (name), steps (steps), another journey (journey), or a pause"
                                + " (think) or values (set) alone, got "
                                + (kinds.isEmpty() ? "none of them" : "the keys " + kinds));
            }
            for (String key : List.of("plugin", "target", "with", "capture", "check", "when-failed")) {
                boolean given = step.get(key) instanceof Map<?, ?> map ? !map.isEmpty() : step.containsKey(key);
                if (given && !step.containsKey("name")) {
                    problem.accept(path + "." + key, "expected it in a step with a name, which makes a request");
                }
            }
            if (step.containsKey("group") && !step.containsKey("steps")) {
                problem.accept(path + ".group", "expected it with steps that it measures as a whole, got none");
            }
            if (step.get("if") instanceof String condition) {
                try {
                    Comparison.Condition parsed = Comparison.condition(condition);
                    Text.parse(parsed.left(), seed, names);
                    Text.parse(parsed.comparison().right(), seed, names);
                } catch (IllegalArgumentException e) {
                    problem.accept(path + ".if", String.valueOf(e.getMessage()));
                }
            }
            ExperimentBuilder.map(step.get("set")).forEach((name, text) -> {
                RequestKeys.checkName(path + ".set." + name, name, problem);
                try {
                    Text.parse(String.valueOf(text), seed, names);
                } catch (IllegalArgumentException e) {
                    problem.accept(path + ".set." + name, String.valueOf(e.getMessage()));
                }
            });
        }

        private void request(String path, String name, Map<String, Object> step) {
            if (!taken.add(name)) {
                problem.accept(
                        path + ".name",
                        "expected requests with names of their own, got '" + name
                                + "' again; a step that several journeys make is a journey of its own, with weight: 0");
            }
            String other = step.get("plugin") instanceof String id && !id.equals(plugin) ? id : "";
            Map<String, Object> complete = new LinkedHashMap<>(other.isEmpty() ? with : Map.of());
            complete.putAll(ExperimentBuilder.map(step.get("with")));
            numbers.put(name, requests.size());
            requests.add(new RequestSettings(
                    name,
                    0,
                    other,
                    step.get("target") instanceof URI uri ? uri.toString() : "",
                    complete,
                    RequestKeys.captures(path, step, problem),
                    RequestKeys.checks(path, step, seed, names, problem),
                    "continue".equals(step.get("when-failed"))));
        }

        private void declareGroups(String path, List<Map<String, Object>> steps, Set<String> journeyNames) {
            for (int i = 0; i < steps.size(); i++) {
                Map<String, Object> step = steps.get(i);
                String own = path + ".steps." + i;
                if (step.get("group") instanceof String group && groups.put(group, new LinkedHashSet<>()) != null) {
                    problem.accept(
                            own + ".group",
                            "expected groups and journeys with names of their own, got '" + group + "' again");
                }
                if (step.get("journey") instanceof String journey && !journeyNames.contains(journey)) {
                    problem.accept(
                            own + ".journey",
                            "expected one of the journeys " + journeys.keySet() + ", got '" + journey + "'"
                                    + Nearest.suggestion(journey, List.copyOf(journeys.keySet())));
                }
                declareGroups(own, stepsOf(step), journeyNames);
            }
        }

        /** Makes the moves of one journey. */
        private final class OneJourney {

            private final String name;
            private final List<Move> moves = new ArrayList<>();
            private final Deque<String> open = new ArrayDeque<>();
            private final Set<String> told = new HashSet<>();
            private boolean tooMany;
            private int loops;

            OneJourney(String name) {
                this.name = name;
            }

            private void add(Move move) {
                if (moves.size() < MAX_MOVES) {
                    moves.add(move);
                } else if (!tooMany) {
                    tooMany = true;
                    problem.accept(
                            "client." + JOURNEYS + "." + name,
                            "expected at most " + MAX_MOVES + " steps with those of the journeys that it goes through,"
                                    + " got more");
                }
            }

            private void into(String journey) {
                if (tooMany) {
                    // Journeys that go through the next one twice each are few steps, and no end of moves.
                    return;
                }
                if (open.contains(journey)) {
                    if (told.add(journey)) {
                        problem.accept(
                                "client." + JOURNEYS + "." + name,
                                "expected journeys that come to an end, got that '" + journey
                                        + "' goes through itself");
                    }
                    return;
                }
                if (!journeys.containsKey(journey)) {
                    return;
                }
                Object made = Objects.requireNonNull(journeys.get(journey));
                if (ExperimentBuilder.map(made).get(JavaKeys.JAVA) instanceof String file) {
                    measured(journey, () -> code(file, stepsOf(made)));
                } else {
                    measured(journey, () -> steps(stepsOf(made)));
                }
            }

            private void code(String file, List<Map<String, Object>> steps) {
                if (open.size() > 1) {
                    problem.accept(
                            "client." + JOURNEYS + "." + name,
                            "expected to go through journeys of steps, got that '" + open.peek()
                                    + "' is in Java; give it a weight of its own");
                    return;
                }
                List<String> values = new ArrayList<>();
                List<String> called = new ArrayList<>();
                for (Map<String, Object> step : steps) {
                    values.addAll(ExperimentBuilder.map(step.get("set")).keySet());
                    if (step.get("name") instanceof String request) {
                        called.add(request);
                    }
                }
                if (!called.isEmpty()) {
                    int first = numbers.getOrDefault(called.get(0), 0);
                    add(new Move.Code(typeOf.apply(file), first, called.size(), values));
                    open.forEach(
                            group -> Objects.requireNonNull(groups.get(group)).addAll(called));
                }
            }

            private void measured(String group, Runnable inside) {
                open.push(group);
                add(new Move.Enter(place(group)));
                inside.run();
                add(new Move.Leave());
                open.pop();
            }

            private void steps(List<Map<String, Object>> steps) {
                steps.forEach(this::step);
            }

            private void step(Map<String, Object> step) {
                ExperimentBuilder.map(step.get("set"))
                        .forEach((value, text) -> add(new Move.Set(value, String.valueOf(text))));
                if (step.get("if") instanceof String condition) {
                    int at = reserve();
                    repeated(step);
                    put(at, new Move.When(condition, moves.size()));
                } else {
                    repeated(step);
                }
            }

            private int reserve() {
                int at = moves.size();
                add(new Move.Leave());
                return at;
            }

            private void put(int at, Move move) {
                if (at < moves.size()) {
                    moves.set(at, move);
                }
            }

            private void repeated(Map<String, Object> step) {
                if (!(step.get("repeat") instanceof String times)) {
                    once(step);
                    return;
                }
                String[] ends = times.split("\\.\\.", 2);
                long least = Math.min(MAX_TIMES, Long.parseLong(ends[0]));
                long most = Math.min(MAX_TIMES, Long.parseLong(ends[ends.length - 1]));
                if (least > most) {
                    problem.accept(
                            "client." + JOURNEYS + "." + name,
                            "expected a repeat A..B with A at most B, got '" + times + "'");
                    return;
                }
                int loop = loops++;
                int at = reserve();
                int from = moves.size();
                once(step);
                add(new Move.Again(loop, from));
                put(at, new Move.Repeat(loop, least, most, moves.size()));
            }

            private void once(Map<String, Object> step) {
                if (step.get("name") instanceof String request) {
                    add(new Move.Request(numbers.getOrDefault(request, 0)));
                    open.forEach(
                            group -> Objects.requireNonNull(groups.get(group)).add(request));
                } else if (step.get("journey") instanceof String journey) {
                    into(journey);
                } else if (step.get("group") instanceof String group) {
                    measured(group, () -> steps(stepsOf(step)));
                } else {
                    steps(stepsOf(step));
                }
                if (step.get("think") instanceof Think think && !(think instanceof Think.None)) {
                    add(new Move.Pause(think));
                }
            }
        }
    }

    /** Has a consumer for each value that a journey may capture or set. */
    static void eachValue(Node root, Consumer<String> value) {
        eachStep(root, (path, step) -> {
            for (String key : List.of("capture", "set")) {
                if (Node.find(step, key) instanceof Node.Mapping names) {
                    names.entries().keySet().forEach(value);
                }
            }
        });
    }
}
