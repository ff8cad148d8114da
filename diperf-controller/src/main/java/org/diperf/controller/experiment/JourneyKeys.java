package org.diperf.controller.experiment;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.diperf.core.experiment.ClientSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.expression.Comparison;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** The key {@code client.journeys}: its form, and the moves that it is compiled to. */
final class JourneyKeys {

    /** More are no journey that somebody wrote. */
    private static final int MAX_MOVES = 10_000;

    private static final long MAX_TIMES = 1_000_000;

    private static final String PATH = "client.journeys";

    private static final Key<String> NAME =
            Key.optional("name", RequestKeys.NAMED.shape(), "for a request: its name in the results");
    private static final Key<String> PLUGIN = Key.optional(
            "plugin",
            Scalar.text("the ID of a client plugin", "[a-z][a-z0-9-]*"),
            "client plugin that makes the request; default: the client's");
    private static final Key<Url> TARGET =
            Key.optional("target", Quantities.url(), "target of the request; default: the experiment's target");
    private static final Key<FormValues> WITH = Key.optional(
            "with",
            Fields.of("parameters"),
            "parameters of the request; they override the client's, if both use the same plugin");
    private static final Key<WhenFailed> WHEN_FAILED = Key.optional(
            "when-failed",
            Scalar.oneOf(WhenFailed.class),
            "whether the journey ends when the request fails; default: end");
    private static final Key<Map<String, String>> SET = Key.optional(
            "set",
            new Shapes.TextMap("a mapping of names to text values"),
            "values that later text values can use, from this step on");
    private static final Key<String> IF = Key.optional(
            "if",
            Scalar.text("a condition such as ${stock} > 0", "[\\s\\S]*\\S[\\s\\S]*"),
            "condition for the step, which is skipped otherwise: TEXT, or TEXT == != < <= > >= ~ !~ TEXT");
    private static final Key<String> REPEAT = Key.optional(
            "repeat",
            Scalar.text("a number of times, such as 3 or 2..5", "[0-9]{1,7}(\\.\\.[0-9]{1,7})?"),
            "number of times to run the step, such as 3, or a random number in 2..5");
    private static final Key<ThinkTime> THINK = Key.optional(
            "think",
            ThinkTimeKeys.THINK.shape(),
            "pause after the step, each time it runs; a duration or a distribution");
    private static final Key<String> GROUP = Key.optional(
            "group", RequestKeys.NAMED.shape(), "for nested steps: name under which they are measured as a whole");
    private static final Key<String> JOURNEY =
            Key.optional("journey", Scalar.text("the name of a journey", RequestKeys.NAME), "another journey to run");

    /** Of steps, whose form depends on the plugin. */
    private static final Key<List<FormValues>> STEPS =
            Key.optional("steps", steps(Fields.of("a step")), "nested steps, for repeat, if and group");

    private static final Key<Double> WEIGHT = Key.withDefault(
            "weight",
            weight(),
            1.0,
            "its share of the iterations, relative to the other weights; 0: run only from other journeys");
    private static final Key<String> JAVA = Key.optional(
            JavaJourneyKeys.JAVA,
            Scalar.text("a Java file such as Shop.java", ".*\\.java"),
            "Java file whose class defines the journey, instead of steps; relative to the experiment file");
    private static final Key<Map<String, FormValues>> JOURNEYS = Key.optional(
            "journeys",
            new Shapes.Named<>("a mapping of names to journeys", RequestKeys.NAME, Fields.of("a journey")),
            "weighted journeys of several calls; seed, client and iteration determine which one an "
                    + "iteration runs");

    private JourneyKeys() {}

    /** What follows when the request of a step has failed. */
    private enum WhenFailed {
        END,
        CONTINUE
    }

    // ---- the form ----

    /** Declares journeys, for clients of a plugin. */
    static Key<?> key(ClientPlugin own, List<ClientPlugin> plugins, Names names) {
        Key<List<FormValues>> steps =
                Key.optional(STEPS.name(), steps(new StepShape(own, plugins, names)), "steps, run one after another");
        return JOURNEYS.of(new Shapes.Named<>(
                "a mapping of names to journeys", RequestKeys.NAME, Fields.of("a journey", WEIGHT, steps, JAVA)));
    }

    private static Shape<List<FormValues>> steps(Shape<FormValues> step) {
        return new Shapes.ListOf<>("a list of steps", step, 1);
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

    private static Fields step(ClientPlugin plugin, Shape<List<FormValues>> within, Names names) {
        return Fields.of(
                        "a step",
                        NAME,
                        PLUGIN,
                        TARGET,
                        WITH.of(RequestKeys.with(plugin, RequestKeys.partial(plugin, names))))
                .and(RequestKeys.OF_ANSWER)
                .and(List.of(WHEN_FAILED, SET, IF, REPEAT, THINK, GROUP, STEPS.of(within), JOURNEY));
    }

    /** A step, whose parameters are those of its plugin; steps within it have the same form. */
    static final class StepShape implements Shape<FormValues> {

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

        Fields fields(@Nullable String id) {
            ClientPlugin plugin = plugins.getOrDefault(id == null ? own.id() : id, own);
            return made.computeIfAbsent(plugin.id(), key -> step(plugin, new Within(this), names));
        }

        @Override
        public @Nullable FormValues read(Node node, String path, Problems problems) {
            Node plugin = Node.find(node, "plugin");
            if (plugin instanceof Node.Scalar named && !plugins.containsKey(named.text())) {
                problems.add(
                        named.position(),
                        Fields.join(path, "plugin"),
                        "expected one of the client plugins " + plugins.keySet() + ", got '" + named.text() + "'"
                                + NearestName.suggestion(named.text(), List.copyOf(plugins.keySet())));
                return null;
            }
            return fields(plugin instanceof Node.Scalar named ? named.text() : null)
                    .read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>(fields(null).schema());
            Map<String, Object> properties = new LinkedHashMap<>();
            ((Map<?, ?>) requireNonNull(schema.get("properties")))
                    .forEach((key, property) -> properties.put((String) key, property));
            // What it may hold depends on the plugin.
            properties.put("with", Map.of("type", "object", "description", "parameters of the request"));
            schema.put("properties", properties);
            return schema;
        }

        @Override
        public Object write(FormValues value) {
            return value.written();
        }

        @Override
        public String expected() {
            return "a step";
        }
    }

    /** Steps within a step. */
    private record Within(StepShape step) implements Shape<List<FormValues>> {

        @Override
        public @Nullable List<FormValues> read(Node node, String path, Problems problems) {
            return steps(step).read(node, path, problems);
        }

        @Override
        public Map<String, Object> schema() {
            // A schema that holds itself would have no end.
            return Map.of("type", "array", "items", Map.of("type", "object"), "minItems", 1);
        }

        @Override
        public Object write(List<FormValues> value) {
            return steps(step).write(value);
        }

        @Override
        public String expected() {
            return "a list of steps";
        }
    }

    // ---- what the file says before it is read ----

    /** Visits all steps of all journeys, however deep, with their paths. */
    static void eachStep(Node root, BiConsumer<String, Node> visitor) {
        if (Node.find(root, PATH) instanceof Node.Mapping journeys) {
            journeys.entries().forEach((name, journey) -> eachStep(journey, PATH + "." + name, visitor));
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
        String[] found = {PATH};
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
     * @param common what is for all its requests
     * @param taken names of requests
     * @param typeOf the class of a Java file, by the name of the file
     */
    static Compiled compile(
            FormValues client,
            ClientSettings common,
            long seed,
            Names names,
            Set<String> taken,
            Function<String, String> typeOf) {
        return new Compiler(client, common, seed, names, taken, typeOf).compile();
    }

    /** Takes the steps of journeys in Java out of what is written. */
    static void withoutStepsInJava(FormValues client) {
        journeys(client).values().stream()
                .filter(journey -> journey.has(JAVA))
                .forEach(journey -> journey.remove(STEPS));
    }

    private static Map<String, FormValues> journeys(FormValues client) {
        Map<String, FormValues> journeys = client.find(JOURNEYS);
        return journeys == null ? Map.of() : journeys;
    }

    private static List<FormValues> stepsOf(FormValues holder) {
        List<FormValues> steps = holder.find(STEPS);
        return steps == null ? List.of() : steps;
    }

    private static Map<String, String> setBy(FormValues step) {
        Map<String, String> set = step.find(SET);
        return set == null ? Map.of() : set;
    }

    /** Compiles all journeys. Confined to one thread, used once. */
    private static final class Compiler {

        private final FormValues client;
        private final Map<String, FormValues> journeys;
        private final ClientSettings common;
        private final long seed;
        private final Names names;
        private final Set<String> taken;
        private final Function<String, String> typeOf;
        private final List<RequestSettings> requests = new ArrayList<>();
        private final Map<String, Integer> numbers = new LinkedHashMap<>();
        private final Map<String, Set<String>> groups = new LinkedHashMap<>();

        Compiler(
                FormValues client,
                ClientSettings common,
                long seed,
                Names names,
                Set<String> taken,
                Function<String, String> typeOf) {
            this.client = client;
            this.journeys = journeys(client);
            this.common = common;
            this.seed = seed;
            this.names = names;
            this.taken = taken;
            this.typeOf = typeOf;
        }

        Compiled compile() {
            journeys.forEach((name, journey) -> {
                if (!journey.has(STEPS) && !journey.has(JAVA)) {
                    journey.problem("expected steps, or a Java file (java), got neither");
                }
                groups.put(name, new LinkedHashSet<>());
                declare(stepsOf(journey));
            });
            Set<String> journeyNames = Set.copyOf(journeys.keySet());
            journeys.values().forEach(journey -> declareGroups(stepsOf(journey)));
            List<Journey> made = new ArrayList<>();
            journeys.forEach((name, journey) -> {
                OneJourney one = new OneJourney(journey);
                one.into(name);
                OptionalInt found = one.moves.stream()
                        .filter(move -> move instanceof Move.Request || move instanceof Move.Code)
                        .mapToInt(
                                move -> move instanceof Move.Request next ? next.request() : ((Move.Code) move).first())
                        .findFirst();
                if (found.isEmpty()) {
                    journey.problem(
                            "expected at least one step that makes a request, got none; give it a step with a name");
                }
                made.add(new Journey(name, journey.get(WEIGHT), place(name), found.orElse(0), one.moves));
            });
            if (!journeys.isEmpty() && made.stream().noneMatch(journey -> journey.weight() > 0)) {
                client.problem(JOURNEYS, "expected a journey with a weight above 0, got none; no client would run any");
            }
            List<CallGroup> declared = new ArrayList<>();
            groups.forEach((name, calls) ->
                    declared.add(new CallGroup(name, journeyNames.contains(name), List.copyOf(calls))));
            return new Compiled(List.copyOf(requests), List.copyOf(made), List.copyOf(declared));
        }

        private int place(String group) {
            return List.copyOf(groups.keySet()).indexOf(group);
        }

        /** Checks each step, and numbers the requests. */
        private void declare(List<FormValues> steps) {
            for (FormValues step : steps) {
                check(step);
                if (step.has(NAME)) {
                    request(step);
                }
                declare(stepsOf(step));
            }
        }

        private void check(FormValues step) {
            List<String> kinds = Stream.of(NAME, STEPS, JOURNEY)
                    .filter(step::has)
                    .map(Key::name)
                    .toList();
            if (kinds.size() > 1 || (kinds.isEmpty() && !step.has(THINK) && !step.has(SET))) {
                step.problem(
                        "expected a step with a request (name), steps (steps), another journey (journey), or only a "
                                + "pause (think) or values (set), got "
                                + (kinds.isEmpty() ? "none of them" : "the keys " + kinds));
            }
            if (!step.has(NAME)) {
                List<Key<?>> ofRequests = new ArrayList<>(List.of(PLUGIN, TARGET, WITH));
                ofRequests.addAll(RequestKeys.OF_ANSWER);
                ofRequests.add(WHEN_FAILED);
                for (Key<?> key : ofRequests) {
                    if (step.has(key) && !step.write(key).equals(Map.of())) {
                        step.problem(key, "expected it in a step that makes a request (one with a name)");
                    }
                }
            }
            if (step.has(GROUP) && !step.has(STEPS)) {
                step.problem(GROUP, "expected it with nested steps to measure as a whole, got none");
            }
            String condition = step.find(IF);
            if (condition != null) {
                checked(step, IF.name(), () -> {
                    Comparison.Condition parsed = Comparison.condition(condition);
                    Text.parse(parsed.left(), seed, names);
                    Text.parse(parsed.comparison().right(), seed, names);
                });
            }
            setBy(step).forEach((name, text) -> {
                String below = SET.name() + "." + name;
                RequestKeys.checkName(step, below, name);
                checked(step, below, () -> Text.parse(text, seed, names));
            });
        }

        private static void checked(FormValues step, String below, Runnable parse) {
            try {
                parse.run();
            } catch (IllegalArgumentException e) {
                step.problem(below, String.valueOf(e.getMessage()));
            }
        }

        private void request(FormValues step) {
            String name = step.get(NAME);
            if (!taken.add(name)) {
                step.problem(
                        NAME,
                        "expected requests with unique names, got '" + name
                                + "' again; put a step that several journeys share into its own journey, with weight: 0");
            }
            String plugin = step.find(PLUGIN);
            String other = plugin == null || plugin.equals(common.plugin()) ? "" : plugin;
            Map<String, Object> complete = new LinkedHashMap<>(other.isEmpty() ? common.with() : Map.of());
            FormValues own = step.find(WITH);
            complete.putAll(own == null ? Map.of() : own.parameters());
            Url target = step.find(TARGET);
            numbers.put(name, requests.size());
            requests.add(new RequestSettings(
                    name,
                    0,
                    other,
                    target == null ? "" : target.text(),
                    complete,
                    RequestKeys.captures(step),
                    RequestKeys.checks(step, seed, names),
                    step.find(WHEN_FAILED) == WhenFailed.CONTINUE));
        }

        private void declareGroups(List<FormValues> steps) {
            for (FormValues step : steps) {
                String group = step.find(GROUP);
                if (group != null && groups.put(group, new LinkedHashSet<>()) != null) {
                    step.problem(GROUP, "expected groups and journeys with unique names, got '" + group + "' again");
                }
                String journey = step.find(JOURNEY);
                if (journey != null && !journeys.containsKey(journey)) {
                    step.problem(
                            JOURNEY,
                            "expected one of the journeys " + journeys.keySet() + ", got '" + journey + "'"
                                    + NearestName.suggestion(journey, List.copyOf(journeys.keySet())));
                }
                declareGroups(stepsOf(step));
            }
        }

        /** Makes the moves of one journey. */
        private final class OneJourney {

            private final FormValues own;
            private final List<Move> moves = new ArrayList<>();
            private final Deque<String> open = new ArrayDeque<>();
            private final Set<String> reported = new HashSet<>();
            private boolean tooMany;
            private int loops;

            OneJourney(FormValues own) {
                this.own = own;
            }

            private void add(Move move) {
                if (moves.size() < MAX_MOVES) {
                    moves.add(move);
                } else if (!tooMany) {
                    tooMany = true;
                    own.problem("expected at most " + MAX_MOVES
                            + " steps, including those of the journeys that it runs, got more");
                }
            }

            private void into(String journey) {
                if (tooMany) {
                    // Journeys that go through the next one twice each are few steps, and no end of moves.
                    return;
                }
                if (open.contains(journey)) {
                    if (reported.add(journey)) {
                        own.problem("expected journeys that end, got '" + journey + "', which runs itself");
                    }
                    return;
                }
                FormValues next = journeys.get(journey);
                if (next == null) {
                    return;
                }
                String file = next.find(JAVA);
                measured(journey, () -> {
                    if (file != null) {
                        code(file, stepsOf(next));
                    } else {
                        steps(stepsOf(next));
                    }
                });
            }

            private void code(String file, List<FormValues> steps) {
                if (open.size() > 1) {
                    own.problem("expected to run journeys that consist of steps, got '" + open.peek()
                            + "', which is written in Java; give it its own weight");
                    return;
                }
                List<String> values = new ArrayList<>();
                List<String> called = new ArrayList<>();
                for (FormValues step : steps) {
                    values.addAll(setBy(step).keySet());
                    if (step.has(NAME)) {
                        called.add(step.get(NAME));
                    }
                }
                if (!called.isEmpty()) {
                    int first = numbers.getOrDefault(called.get(0), 0);
                    add(new Move.Code(typeOf.apply(file), first, called.size(), values));
                    open.forEach(group -> requireNonNull(groups.get(group)).addAll(called));
                }
            }

            private void measured(String group, Runnable inside) {
                open.push(group);
                add(new Move.Enter(place(group)));
                inside.run();
                add(new Move.Leave());
                open.pop();
            }

            private void steps(List<FormValues> steps) {
                steps.forEach(this::step);
            }

            private void step(FormValues step) {
                setBy(step).forEach((value, text) -> add(new Move.Set(value, text)));
                String condition = step.find(IF);
                if (condition != null) {
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

            private void repeated(FormValues step) {
                String times = step.find(REPEAT);
                if (times == null) {
                    once(step);
                    return;
                }
                String[] ends = times.split("\\.\\.", 2);
                long least = Math.min(MAX_TIMES, Long.parseLong(ends[0]));
                long most = Math.min(MAX_TIMES, Long.parseLong(ends[ends.length - 1]));
                if (least > most) {
                    own.problem("expected a range A..B with A at most B, got '" + times + "'");
                    return;
                }
                int loop = loops++;
                int at = reserve();
                int from = moves.size();
                once(step);
                add(new Move.Again(loop, from));
                put(at, new Move.Repeat(loop, least, most, moves.size()));
            }

            private void once(FormValues step) {
                if (step.has(NAME)) {
                    String request = step.get(NAME);
                    add(new Move.Request(numbers.getOrDefault(request, 0)));
                    open.forEach(group -> requireNonNull(groups.get(group)).add(request));
                } else if (step.has(JOURNEY)) {
                    into(step.get(JOURNEY));
                } else if (step.has(GROUP)) {
                    measured(step.get(GROUP), () -> steps(stepsOf(step)));
                } else {
                    steps(stepsOf(step));
                }
                ThinkTime think = step.find(THINK);
                if (think != null && !(think instanceof ThinkTime.None)) {
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
