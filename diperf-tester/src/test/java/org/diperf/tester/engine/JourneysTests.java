package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.DataSettings.Give;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.experiment.TraceSettings;
import org.diperf.core.plan.CallGroup;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.RequestMix;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Journeys, with real loops and threads. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class JourneysTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;
    private static final long SEED = 7;

    @TempDir
    Path folder;

    /** Makers of journeys in Java, by the names of their classes. */
    Map<String, Supplier<JavaJourney>> journeys = Map.of();

    private Targets targets = Targets.one(Url.of("test:a"));

    final List<Said> said = Collections.synchronizedList(new ArrayList<>());
    final List<Recorded> calls = Collections.synchronizedList(new ArrayList<>());
    final List<Recorded> groups = Collections.synchronizedList(new ArrayList<>());
    final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** How the plugins make their calls. */
    enum Kinds {
        ASYNCHRONOUS,
        BLOCKING,
        /** The second of the two plugins blocks. */
        BOTH
    }

    record Said(int client, String plugin, String text) {}

    /** A call or group, as it was recorded. */
    record Recorded(
            int client, int number, long intended, long lag, long latency, String outcome, Fault fault, long bytes) {
        long end() {
            return intended + latency;
        }
    }

    /** Answers with what it was asked; fails a text that begins with {@code bad}. */
    private final class Echoing implements ClientPlugin {
        private final String id;
        private final boolean blocks;

        Echoing(String id, boolean blocks) {
            this.id = id;
            this.blocks = blocks;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public String summary() {
            return "echoes a text";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(Parameter.required("text", Parameter.Type.TEXT, "what to say"));
        }

        @Override
        public boolean mixes(List<Parameters> requests) {
            return true;
        }

        @Override
        public Session open(SessionContext context) {
            return new Session() {
                @Override
                public Client newClient() {
                    if (blocks) {
                        return (BlockingClient) call -> {
                            String failure = say(call, context);
                            if (failure != null) {
                                call.fail(failure);
                            }
                        };
                    }
                    return new AsyncClient() {
                        @Override
                        public void call(Call call) {
                            String failure = say(call, context);
                            if (failure == null) {
                                call.ok();
                            } else {
                                call.fail(failure);
                            }
                        }

                        @Override
                        public void cancel(Call call) {}
                    };
                }

                @Override
                public Class<? extends Client> kind() {
                    return blocks ? BlockingClient.class : AsyncClient.class;
                }
            };
        }

        private @Nullable String say(Call call, SessionContext context) {
            List<Parameters> requests = context.requests();
            String text = requests.get(requests.size() == 1 ? 0 : call.request())
                    .text("text")
                    .of(call);
            said.add(new Said(call.client(), id, text));
            call.bytes(text.length());
            if (call.wantsAnswer()) {
                call.answer(new Answer() {
                    @Override
                    public @Nullable String header(String name) {
                        return name.equals("Said") ? text : null;
                    }

                    @Override
                    public String status() {
                        return "200";
                    }

                    @Override
                    public String body() {
                        return "{\"n\": " + text.length() + ", \"text\": \"" + text + "\"}";
                    }
                });
            }
            return text.startsWith("bad") ? "refused" : null;
        }
    }

    private final class Sink implements BlockSink {
        private long number;

        @Override
        public synchronized void write(BlockWriter writer) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, ++number);
            block.flip();
            if (!(writer instanceof CallWriter)) {
                return;
            }
            try {
                Block header = Block.read(block);
                Calls read = new Calls();
                read.decode(block, header);
                List<String> words = Calls.outcomeWords(block, header);
                for (int i = 0; i < read.rows(); i++) {
                    (header.kind() == Block.GROUPS ? groups : calls)
                            .add(new Recorded(
                                    read.client(i),
                                    read.request(i),
                                    read.intendedNanos(i),
                                    read.lagNanos(i),
                                    read.latencyNanos(i),
                                    read.outcome(i),
                                    Outcome.fault(words.get(read.outcomeIndex(i))),
                                    read.bytes(i)));
                }
            } catch (CorruptBlockException e) {
                throw new AssertionError(e);
            }
        }
    }

    static RequestSettings request(String name, String text) {
        return request(name, "", text, Map.of(), Map.of(), false);
    }

    static RequestSettings request(
            String name,
            String plugin,
            String text,
            Map<String, String> capture,
            Map<String, String> check,
            boolean goesOn) {
        return new RequestSettings(name, 0, plugin, "", Map.of("text", text), capture, check, goesOn);
    }

    /** One journey, whose whole is group 0, of these moves. */
    static Script script(List<RequestSettings> requests, Move... inside) {
        return script(requests, List.of(), List.of(), inside);
    }

    private static Script script(
            List<RequestSettings> requests, List<RequestSettings> before, List<CallGroup> more, Move... inside) {
        List<Move> moves = new ArrayList<>(List.of(new Move.Enter(0)));
        moves.addAll(List.of(inside));
        moves.add(new Move.Leave());
        List<CallGroup> all = new ArrayList<>();
        all.add(new CallGroup(
                "shop", true, requests.stream().map(RequestSettings::name).toList()));
        all.addAll(more);
        return new Script(
                requests,
                List.of(new Journey("shop", 1, 0, 0, moves)),
                all,
                before,
                List.of(),
                List.of(),
                Secrets.NONE,
                CaptureSettings.NONE,
                TraceSettings.NONE);
    }

    static Load iterations(int clients, long count) {
        return new ClosedLoad(
                clients,
                new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                ThinkTime.NONE,
                new Quota(count, 0),
                OnFailure.CONTINUE,
                S);
    }

    Engine engine(Kinds kinds, Script script, List<Stage> stages) {
        ClientPlugin first = new Echoing("first", kinds == Kinds.BLOCKING);
        ClientPlugin second = new Echoing("second", kinds != Kinds.ASYNCHRONOUS);
        Plan plan = new Plan(SEED, 1, targets, stages);
        return new Engine(
                new Engine.Config(
                        1,
                        1,
                        Rank.ONLY,
                        plan,
                        first,
                        Map.of("second", second),
                        journeys,
                        Map.of("text", "unused"),
                        folder,
                        LoopSettings.DEFAULT.orLoops(2),
                        false,
                        script),
                new Sink(),
                NanoClock.SYSTEM,
                log::add);
    }

    void run(Kinds kinds, Script script, Load load) throws Exception {
        run(kinds, script, List.of(new Stage(0, load, 0)));
    }

    private void run(Kinds kinds, Script script, List<Stage> stages) throws Exception {
        try (Engine engine = engine(kinds, script, stages)) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime() + 5 * MS);
            engine.done().get(20, TimeUnit.SECONDS);
        }
    }

    List<String> texts(int client) {
        return said.stream()
                .filter(each -> each.client() == client)
                .map(Said::text)
                .toList();
    }

    List<Recorded> of(List<Recorded> all, int client) {
        return all.stream()
                .filter(each -> each.client() == client)
                .sorted(Comparator.comparingLong(Recorded::end))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void stepsFollowOneAnotherAndUseWhatEarlierOnesAnswered(Kinds kinds) throws Exception {
        Script script = script(
                List.of(
                        request("login", "", "hello ${client}", Map.of("n", "json:/n"), Map.of(), false),
                        request("buy", "second", "buy ${n}", Map.of(), Map.of("status", "200"), false)),
                new Move.Request(0),
                new Move.Request(1));
        run(kinds, script, iterations(3, 30));
        assertThat(calls)
                .hasSize(60)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo("ok"));
        assertThat(groups).hasSize(30);
        for (int client = 0; client < 3; client++) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                expected.add("hello " + client);
                expected.add("buy 7");
            }
            assertThat(texts(client)).isEqualTo(expected);
            List<Recorded> own = of(calls, client);
            List<Recorded> whole = of(groups, client);
            for (int i = 0; i < 10; i++) {
                Recorded first = own.get(2 * i);
                Recorded last = own.get(2 * i + 1);
                assertThat(last.intended()).isEqualTo(first.end());
                assertThat(whole.get(i).intended()).isEqualTo(first.intended());
                assertThat(whole.get(i).end()).isEqualTo(last.end());
                assertThat(whole.get(i).lag()).isEqualTo(first.lag());
                assertThat(whole.get(i).bytes()).isEqualTo(first.bytes() + last.bytes());
            }
        }
        assertThat(said.stream().map(Said::plugin).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void seedClientAndIterationDetermineWhichJourneyAnIterationTakes() throws Exception {
        List<RequestSettings> requests =
                List.of(request("browse", "browse"), request("pick", "pick"), request("pay", "pay"));
        Script script = new Script(
                requests,
                List.of(
                        new Journey("look", 3, 0, 0, List.of(new Move.Enter(0), new Move.Request(0), new Move.Leave())),
                        new Journey("none", 0, 1, 1, List.of(new Move.Enter(1), new Move.Request(1), new Move.Leave())),
                        new Journey(
                                "buy",
                                1,
                                2,
                                1,
                                List.of(
                                        new Move.Enter(2),
                                        new Move.Request(1),
                                        new Move.Request(2),
                                        new Move.Leave()))),
                List.of(
                        new CallGroup("look", true, List.of("browse")),
                        new CallGroup("none", true, List.of("pick")),
                        new CallGroup("buy", true, List.of("pick", "pay"))),
                List.of(),
                List.of(),
                List.of(),
                Secrets.NONE,
                CaptureSettings.NONE,
                TraceSettings.NONE);
        run(Kinds.ASYNCHRONOUS, script, iterations(2, 200));
        RequestMix mix = new RequestMix(SEED, List.of(3.0, 1.0));
        for (int client = 0; client < 2; client++) {
            List<String> expected = new ArrayList<>();
            for (long k = 0; k < 100; k++) {
                expected.addAll(mix.requestOf(client, k) == 0 ? List.of("browse") : List.of("pick", "pay"));
            }
            assertThat(texts(client)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailedCheckEndsTheJourneyUnlessItSaysThatItGoesOn(Kinds kinds) throws Exception {
        Script script = script(
                List.of(
                        request("stock", "", "two", Map.of(), Map.of("json:/n", "> 5"), true),
                        request("order", "second", "x", Map.of(), Map.of("body", "~ nothing"), false),
                        request("pay", "pay")),
                new Move.Request(0),
                new Move.Request(1),
                new Move.Request(2));
        run(kinds, script, iterations(1, 4));
        assertThat(of(calls, 0).stream().map(Recorded::outcome).distinct())
                .containsExactly("check json:/n > 5", "check body ~ nothing");
        assertThat(calls).hasSize(8);
        assertThat(groups)
                .hasSize(4)
                .allSatisfy(group -> assertThat(group.outcome()).isEqualTo("order: check body ~ nothing"));
        assertThat(texts(0)).doesNotContain("pay");
    }

    @Test
    void aCallThatTakesLongerThanItsCheckAllowsHasFailed() throws Exception {
        Script script = script(
                List.of(request("slow", "", "x", Map.of(), Map.of("time", "< 1ns", "status", "200..299"), false)),
                new Move.Request(0));
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 2));
        assertThat(calls)
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo("check time < 1ns"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loopsConditionsValuesAndGroupsAreFollowed(boolean blocking) throws Exception {
        Script script = script(
                List.of(request("list", "list ${page}"), request("more", "more"), request("done", "done")),
                List.of(),
                List.of(new CallGroup("pages", false, List.of("list"))),
                new Move.Set("page", "p${client}"),
                new Move.Enter(1),
                new Move.Repeat(0, 3, 3, 6),
                new Move.Request(0),
                new Move.Again(0, 4),
                new Move.Leave(),
                new Move.When("${page} == p0", 9),
                new Move.Request(1),
                new Move.Repeat(1, 0, 0, 12),
                new Move.Request(1),
                new Move.Again(1, 10),
                new Move.Request(2));
        run(blocking ? Kinds.BLOCKING : Kinds.ASYNCHRONOUS, script, iterations(2, 2));
        assertThat(texts(0)).containsExactly("list p0", "list p0", "list p0", "more", "done");
        assertThat(texts(1)).containsExactly("list p1", "list p1", "list p1", "done");
        List<Recorded> own = of(calls, 1);
        assertThat(groups.stream().filter(group -> group.client() == 1 && group.number() == 1))
                .singleElement()
                .satisfies(group -> {
                    assertThat(group.intended()).isEqualTo(own.get(0).intended());
                    assertThat(group.end()).isEqualTo(own.get(2).end());
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPauseMovesTheIntendedStartOfTheNextCallAndIsPartOfTheJourney(boolean blocking) throws Exception {
        Script script = script(
                List.of(request("a", "a"), request("b", "b")),
                new Move.Request(0),
                new Move.Pause(new ThinkTime.Fixed(20 * MS)),
                new Move.Request(1),
                new Move.Pause(new ThinkTime.Fixed(10 * MS)));
        run(blocking ? Kinds.BLOCKING : Kinds.ASYNCHRONOUS, script, iterations(1, 2));
        List<Recorded> own = of(calls, 0);
        assertThat(own.get(1).intended()).isEqualTo(own.get(0).end() + 20 * MS);
        assertThat(own.get(2).intended()).isEqualTo(own.get(1).end() + 10 * MS);
        assertThat(of(groups, 0).get(0).end()).isEqualTo(own.get(1).end());
        assertThat(of(groups, 0).get(0).latency()).isGreaterThanOrEqualTo(20 * MS);
    }

    @ParameterizedTest
    @EnumSource
    void thePauseBehindAStepThatFailedKeepsUsersFromComingBackAtOnce(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request("a", "bad"), request("b", "b")),
                new Move.Request(0),
                new Move.Pause(new ThinkTime.Fixed(20 * MS)),
                new Move.Request(1));
        run(kinds, script, iterations(1, 3));
        List<Recorded> own = of(calls, 0);
        assertThat(texts(0)).containsExactly("bad", "bad", "bad");
        assertThat(own.get(1).intended()).isEqualTo(own.get(0).end() + 20 * MS);
        assertThat(own.get(2).intended()).isEqualTo(own.get(1).end() + 20 * MS);
        assertThat(of(groups, 0).get(0).end()).isEqualTo(own.get(0).end());
    }

    @ParameterizedTest
    @EnumSource
    void inOpenLoadAJourneyArrivesAndItsStepsFollow(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request("a", "a"), request("b", "second", "b", Map.of(), Map.of(), false)),
                new Move.Request(0),
                new Move.Pause(new ThinkTime.Fixed(5 * MS)),
                new Move.Request(1));
        run(kinds, script, new OpenLoad(200, OpenLoad.Arrivals.CONSTANT, 0, 300 * MS, 60, S));
        assertThat(groups).hasSize(60);
        assertThat(calls).hasSize(120);
        List<Long> starts = groups.stream().map(Recorded::intended).sorted().toList();
        for (int i = 1; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - 1)).isEqualTo(5 * MS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStopEndsJourneysThatPause(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request("a", "a"), request("b", "b")),
                new Move.Request(0),
                new Move.Pause(new ThinkTime.Fixed(3_600 * S)),
                new Move.Request(1));
        try (Engine engine = engine(kinds, script, List.of(new Stage(0, iterations(3, 3), 0)))) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            while (said.size() < 3) {
                Thread.onSpinWait();
            }
            engine.stop(S);
            engine.done().get(20, TimeUnit.SECONDS);
        }
        assertThat(calls).hasSize(3);
        assertThat(groups)
                .hasSize(3)
                .allSatisfy(group -> assertThat(group.outcome()).isEqualTo(Outcome.UNFINISHED));
    }

    @Test
    void aLongLoopOfCallsThatEndAtOnceDoesNotFillTheStack() throws Exception {
        Script script = script(
                List.of(request("a", "a")),
                new Move.Repeat(0, 50_000, 50_000, 4),
                new Move.Request(0),
                new Move.Again(0, 2));
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 1));
        assertThat(calls)
                .hasSize(50_000)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo("ok"));
        assertThat(groups).hasSize(1);
    }

    private static Stage hold(int number, int clients) {
        ClientLifetimes lives = new ClientLifetimes.Ramp(clients, clients, 200 * MS);
        Load load = new ClosedLoad(1, lives, new ThinkTime.Fixed(5 * MS), Quota.NONE, OnFailure.CONTINUE, S);
        return new Stage(number, load, number * 200 * MS);
    }

    @Test
    void aClientThatWasGoneForAStageNumbersItsCallsFromWhereItWas() throws Exception {
        Script script = script(
                List.of(request("one", "${call}"), request("two", "${call}")),
                new Move.Request(0),
                new Move.Request(1));
        run(Kinds.ASYNCHRONOUS, script, List.of(hold(0, 1), hold(1, 0), hold(2, 1)));
        assertThat(texts(0)).hasSizeGreaterThan(2).doesNotHaveDuplicates();
    }

    @Test
    void whatIsSetOrAskedBeforeTheFirstCallIsOfTheIterationsOwnTarget() throws Exception {
        targets =
                new Targets(List.of(Url.of("test:a"), Url.of("test:b")), Targets.Assign.ALL_TO_ALL, Targets.Per.CLIENT);
        Script script = script(
                List.of(
                        request("a", "a ${before}"),
                        request("b", "b ${before}"),
                        new RequestSettings("own", 0, "", "test:c", Map.of("text", "own"), Map.of(), Map.of(), false)),
                new Move.Set("before", "${target}"),
                new Move.When("${target} == test:a", 4),
                new Move.Request(0),
                new Move.When("${target} == test:b", 6),
                new Move.Request(1),
                new Move.Request(2));
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 3));
        assertThat(texts(0)).containsExactly("a test:a", "own", "b test:b", "own", "a test:a", "own");
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNCHRONOUS", "BLOCKING"})
    void anExpressionForWhichTheStackIsTooSmallFailsTheCallByTheGeneratorsFault(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request(
                        "login",
                        "",
                        "x".repeat(200_000),
                        Map.of("token", "regex:\"text\": \"((?:[^\"\\\\]|\\\\.)*)\""),
                        Map.of(),
                        false)),
                new Move.Request(0));
        run(kinds, script, iterations(1, 2));
        assertThat(calls).hasSize(2).allSatisfy(call -> {
            assertThat(call.outcome()).startsWith("check or capture: regular expression takes too many steps: \"text");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNCHRONOUS", "BLOCKING"})
    void aConditionForWhichTheStackIsTooSmallEndsTheJourneyByTheGeneratorsFault(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request("list", "list"), request("buy", "buy")),
                new Move.Set("long", "x".repeat(200_000)),
                new Move.Repeat(0, 2, 2, 5),
                new Move.Request(0),
                new Move.Again(0, 3),
                new Move.When("${long} ~ (?:y|x)*!", 7),
                new Move.Request(1));
        run(kinds, script, iterations(1, 2));
        assertThat(texts(0)).containsExactly("list", "list", "list", "list");
        assertThat(groups).hasSize(2).allSatisfy(group -> {
            assertThat(group.outcome()).isEqualTo("regular expression takes too many steps: (?:y|x)*!");
            assertThat(group.fault()).isEqualTo(Fault.GENERATOR);
        });
    }

    @Test
    void aJourneyThatFailsByItsFirstConditionIsRecordedToo() throws Exception {
        Script script = script(
                List.of(request("buy", "buy")),
                new Move.Set("long", "x".repeat(200_000)),
                new Move.When("${long} ~ (?:y|x)*!", 4),
                new Move.Request(0));
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 2));
        assertThat(calls).isEmpty();
        assertThat(groups)
                .hasSize(2)
                .allSatisfy(group ->
                        assertThat(group.outcome()).isEqualTo("regular expression takes too many steps: (?:y|x)*!"));
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNCHRONOUS", "BLOCKING"})
    void aJourneyThatLoopsWithoutACallFails(Kinds kinds) throws Exception {
        long million = 1_000_000L;
        Script script = script(
                List.of(request("buy", "buy")),
                new Move.Request(0),
                new Move.Repeat(0, million, million, 7),
                new Move.Repeat(1, million, million, 6),
                new Move.Set("x", "1"),
                new Move.When("${x} == 2", 5),
                new Move.Again(1, 3),
                new Move.Again(0, 2));
        run(kinds, script, iterations(1, 2));
        assertThat(texts(0)).containsExactly("buy", "buy");
        assertThat(groups).hasSize(2).allSatisfy(group -> {
            assertThat(group.outcome()).isEqualTo("no call within 10000 moves of a journey");
            assertThat(group.fault()).isEqualTo(Fault.EXPERIMENT);
        });
    }

    @Test
    void allStepsOfAnIterationHaveTheSameRow() throws Exception {
        Path file = Files.writeString(folder.resolve("users.csv"), "id,name\n0,ann\n1,bob\n2,eve\n3,kim\n");
        Script without = script(
                List.of(request("login", "${users.id}"), request("buy", "${users.name}")),
                new Move.Request(0),
                new Move.Request(1));
        Script script = new Script(
                without.requests(),
                without.journeys(),
                without.groups(),
                List.of(),
                List.of(new DataSettings("users", file.toString(), Give.PER_CALL, false)),
                List.of("users.id", "users.name"),
                Secrets.NONE,
                CaptureSettings.NONE,
                TraceSettings.NONE);
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 4));
        assertThat(texts(0)).containsExactly("0", "ann", "1", "bob", "2", "eve", "3", "kim");
    }

    @Test
    void aJourneyWhoseClientCouldNotDoWhatComesBeforeFailsByThat() throws Exception {
        Script script = script(
                List.of(request("a", "a"), request("b", "b")),
                List.of(new RequestSettings("login", 0, Map.of("text", "bad"), Map.of())),
                List.of(),
                new Move.Request(0),
                new Move.Request(1));
        run(Kinds.ASYNCHRONOUS, script, iterations(1, 2));
        assertThat(groups)
                .hasSize(2)
                .allSatisfy(group -> assertThat(group.outcome()).isEqualTo("login: refused"));
        assertThat(calls.stream().map(Recorded::number)).containsExactlyInAnyOrder(2, 0, 2, 0);
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatFailsEndsItsGroupsToo(Kinds kinds) throws Exception {
        Script script = script(
                List.of(request("a", "a"), request("b", "second", "bad", Map.of(), Map.of(), false), request("c", "c")),
                List.of(),
                List.of(new CallGroup("part", false, List.of("b", "c"))),
                new Move.Request(0),
                new Move.Enter(1),
                new Move.Request(1),
                new Move.Request(2),
                new Move.Leave());
        run(kinds, script, iterations(1, 1));
        assertThat(groups.stream().map(Recorded::number)).containsExactly(1, 0);
        assertThat(groups).allSatisfy(group -> assertThat(group.outcome()).isEqualTo("b: refused"));
        assertThat(texts(0)).containsExactly("a", "bad");
    }
}
