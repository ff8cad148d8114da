package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.DataSettings.Give;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
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
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.Url;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mixes, steps before the first call, and data files, with real loops and threads; each run is over at once. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RequestsTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    @TempDir
    Path folder;

    private final List<Said> said = Collections.synchronizedList(new ArrayList<>());
    private final List<Recorded> recorded = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final List<Memory> memory = new ArrayList<>();

    /** What a client was asked to say. */
    private record Said(int client, long call, int request, String text) {}

    /** A call as it was recorded. */
    private record Recorded(int client, int request, String outcome) {}

    /** Says the text of its request; an answer has a body and a header. */
    private final class Speaking implements ClientPlugin {
        private final boolean async;
        private final boolean mixes;

        Speaking(boolean async, boolean mixes) {
            this.async = async;
            this.mixes = mixes;
        }

        @Override
        public String id() {
            return "speaking";
        }

        @Override
        public String summary() {
            return "says a text";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(Parameter.required("text", Parameter.Type.TEXT, "what to say"));
        }

        @Override
        public boolean mixes(List<Parameters> requests) {
            return mixes;
        }

        @Override
        public Session open(SessionContext context) {
            memory.add(context.memory());
            assertThat(context.requests().size() > 1)
                    .isEqualTo(mixes && context.requests().size() > 1);
            return new Session() {
                @Override
                public Client newClient() {
                    return async ? new Async(context) : new Blocking(context);
                }

                @Override
                public Class<? extends Client> kind() {
                    return async ? AsyncClient.class : BlockingClient.class;
                }
            };
        }

        private @Nullable String say(Call call, SessionContext context) {
            List<Parameters> requests = context.requests();
            Parameters with = requests.get(requests.size() == 1 ? 0 : call.request());
            String text = with.text("text").of(call);
            said.add(new Said(call.client(), call.number(), call.request(), text));
            if (call.wantsAnswer()) {
                call.answer(new Answer() {
                    @Override
                    public @Nullable String header(String name) {
                        return name.equals("Session") ? "s" + call.client() : null;
                    }

                    @Override
                    public String body() {
                        return "{\"list\": [{\"token\": \"t" + call.client() + "\"}], \"deep\": {}}";
                    }
                });
            }
            return text.startsWith("bad") ? "refused" : null;
        }

        private final class Async implements AsyncClient {
            private final SessionContext context;

            Async(SessionContext context) {
                this.context = context;
            }

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
        }

        private final class Blocking implements BlockingClient {
            private final SessionContext context;

            Blocking(SessionContext context) {
                this.context = context;
            }

            @Override
            public void call(Call call) {
                String failure = say(call, context);
                if (failure != null) {
                    call.fail(failure);
                }
            }
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
                Calls read = new Calls();
                read.decode(block, Block.read(block));
                for (int i = 0; i < read.rows(); i++) {
                    recorded.add(new Recorded(read.client(i), read.request(i), read.outcome(i)));
                }
            } catch (CorruptBlockException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static RequestSettings request(String name, double weight, String text) {
        return new RequestSettings(name, weight, Map.of("text", text), Map.of());
    }

    private static RequestSettings login(String text, String token) {
        return new RequestSettings("login", 0, Map.of("text", text), Map.of("token", token));
    }

    private static Script script(List<RequestSettings> requests, List<RequestSettings> before) {
        return new Script(requests, before, List.of(), List.of(), Secrets.NONE);
    }

    private Script withData(Give give, boolean repeats, int rows) throws Exception {
        StringBuilder text = new StringBuilder("id,name\n");
        IntStream.range(0, rows)
                .forEach(i -> text.append(i).append(",n").append(i).append('\n'));
        Path file = Files.writeString(folder.resolve("users.csv"), text);
        return new Script(
                List.of(),
                List.of(),
                List.of(new DataSettings("users", file.toString(), give, repeats)),
                List.of("users.id", "users.name"),
                Secrets.NONE);
    }

    private static Load calls(int clients, long calls) {
        return new ClosedLoad(
                clients,
                new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                ThinkTime.NONE,
                new Quota(calls, 0),
                OnFailure.CONTINUE,
                S);
    }

    private TesterTotals run(ClientPlugin plugin, String text, Script script, Load load, int slot, int testers)
            throws Exception {
        Plan plan = new Plan(7, testers, Targets.one(Url.of("test:a")), List.of(new Stage(0, load, 0)));
        try (Engine engine = new Engine(
                new Engine.Config(
                        slot,
                        slot,
                        new Rank(slot - 1, testers, 0),
                        plan,
                        plugin,
                        Map.of("text", text),
                        folder,
                        LoopSettings.DEFAULT.orLoops(2),
                        false,
                        script),
                new Sink(),
                NanoClock.SYSTEM,
                log::add)) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime() + 5 * MS);
            return engine.done().get(20, TimeUnit.SECONDS);
        }
    }

    private void run(ClientPlugin plugin, String text, Script script, Load load) throws Exception {
        run(plugin, text, script, load, 1, 1);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void eachCallIsTheRequestThatSeedClientAndNumberSay(boolean async, boolean mixes) throws Exception {
        Script script =
                script(List.of(request("browse", 3, "b ${call}"), request("order", 1, "o ${client}")), List.of());
        run(new Speaking(async, mixes), "unused", script, calls(4, 400));
        RequestMix mix = new RequestMix(7, List.of(3.0, 1.0));
        assertThat(said).hasSize(400).allSatisfy(call -> {
            int request = mix.requestOf(call.client(), call.call());
            assertThat(call.request()).isEqualTo(request);
            assertThat(call.text()).isEqualTo(request == 0 ? "b " + call.call() : "o " + call.client());
        });
        long browsed = said.stream().filter(call -> call.request() == 0).count();
        assertThat(recorded.stream().filter(call -> call.request() == 0).count())
                .isEqualTo(browsed);
        assertThat(recorded).hasSize(400);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatComesBeforeIsDoneOncePerClientAndRecordedAsItsOwnRequest(boolean async) throws Exception {
        Script script = script(List.of(), List.of(login("hello", "json:/list/0/token")));
        run(new Speaking(async, true), "go ${token}", script, calls(3, 30));
        assertThat(recorded).hasSize(33);
        assertThat(recorded.stream().filter(call -> call.request() == 1)).hasSize(3);
        assertThat(said.stream().filter(call -> call.text().equals("hello"))).hasSize(3);
        assertThat(said.stream().filter(call -> !call.text().equals("hello")))
                .hasSize(30)
                .allSatisfy(call -> assertThat(call.text()).isEqualTo("go t" + call.client()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inOpenLoadEveryArrivalIsSentAfterWhatItsClientDoesBefore(boolean async) throws Exception {
        Script script = script(List.of(), List.of(login("hello", "header:Session"), request("warm", 0, "w ${token}")));
        Load load = new OpenLoad(200, OpenLoad.Arrivals.CONSTANT, 0, 300 * MS, 20, S);
        run(new Speaking(async, true), "go ${token}", script, load);
        long clients = recorded.stream().map(Recorded::client).distinct().count();
        assertThat(recorded.stream().filter(call -> call.request() == 0)).hasSize(60);
        assertThat(recorded.stream().filter(call -> call.request() == 1)).hasSize((int) clients);
        assertThat(recorded.stream().filter(call -> call.request() == 2)).hasSize((int) clients);
        assertThat(said)
                .filteredOn(call -> call.text().startsWith("go"))
                .allSatisfy(call -> assertThat(call.text()).isEqualTo("go s" + call.client()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true|bad|json:/list/0/token|login: refused|refused",
                "false|bad|json:/list/0/token|login: refused|refused",
                "true|hi|json:/none|login: capture token: the answer has none|capture token: the answer has none",
                "false|hi|regex:none|login: capture token: the answer has none|capture token: the answer has none"
            })
    void aCallWhoseClientCouldNotDoWhatComesBeforeFailsByThat(
            boolean async, String text, String from, String outcome, String own) throws Exception {
        run(new Speaking(async, true), "go", script(List.of(), List.of(login(text, from))), calls(2, 6));
        assertThat(recorded.stream().filter(call -> call.request() == 0))
                .hasSize(6)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo(outcome));
        assertThat(recorded.stream().filter(call -> call.request() == 1))
                .hasSize(6)
                .allSatisfy(call -> assertThat(call.outcome()).isEqualTo(own));
        assertThat(said).noneMatch(call -> call.text().equals("go"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsThatAreClosedGiveBackTheMemoryOfWhatTheyCaptured(boolean async) throws Exception {
        Script script = script(List.of(), List.of(login("hello", "json:/list/0/token")));
        run(new Speaking(async, true), "go ${token}", script, calls(3, 30));
        assertThat(memory)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.kept()).isZero());
    }

    @Test
    void clientsThatGiveNoAnswerCannotBeCapturedFrom() throws Exception {
        ClientPlugin silent = new FakePlugin(BlockingClient.class, () -> (BlockingClient) call -> {});
        Plan plan = new Plan(7, 1, Targets.one(Url.of("test:a")), List.of(new Stage(0, calls(1, 1), 0)));
        Script script =
                script(List.of(), List.of(new RequestSettings("login", 0, Map.of(), Map.of("token", "regex:a"))));
        try (Engine engine = new Engine(
                new Engine.Config(
                        1,
                        1,
                        Rank.ONLY,
                        plan,
                        silent,
                        Map.of(),
                        folder,
                        LoopSettings.DEFAULT.orLoops(1),
                        false,
                        script),
                new Sink(),
                NanoClock.SYSTEM,
                log::add)) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            engine.done().get(20, TimeUnit.SECONDS);
        }
        assertThat(recorded)
                .extracting(Recorded::outcome)
                .containsExactly(
                        "capture: this client returns no answers", "login: capture: this client returns no answers");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientIHasRowIOfItsFileForAllItsCalls(boolean async) throws Exception {
        Script script = withData(Give.ONE_PER_CLIENT, false, 100);
        run(new Speaking(async, true), "${users.name}-${users.id}", script, calls(10, 100), 2, 2);
        assertThat(said).isNotEmpty().allSatisfy(call -> {
            assertThat(call.client() % 2).isEqualTo(1);
            assertThat(call.text()).isEqualTo("n" + call.client() + "-" + call.client());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void perCallNoRowIsGivenTwiceAndTheClientsEndWhenAllAre(boolean async) throws Exception {
        for (int tester = 1; tester <= 3; tester++) {
            Script script = withData(Give.PER_CALL, false, 1_000);
            run(new Speaking(async, true), "${users.id}", script, calls(9, 30_000), tester, 3);
        }
        assertThat(said).hasSize(1_000);
        assertThat(new HashSet<>(said.stream().map(Said::text).toList())).hasSize(1_000);
        assertThat(recorded).hasSize(1_000).allMatch(call -> call.outcome().equals("ok"));
    }

    @Test
    void openLoadStopsWithAReasonWhenTheRowsAreUsedUp() throws Exception {
        Load load = new OpenLoad(1_000, OpenLoad.Arrivals.CONSTANT, 0, 2 * S, 20, S);
        TesterTotals totals =
                run(new Speaking(true, true), "${users.id}", withData(Give.PER_CALL, false, 50), load, 1, 1);
        assertThat(totals.aborted()).isEqualTo("data 'users' is used up: each of its 50 rows was used once");
        assertThat(said).hasSize(50);
    }

    @Test
    void rowsAreGivenAgainWhereTheFileMayRepeat() throws Exception {
        run(new Speaking(true, true), "${users.id}", withData(Give.PER_CALL, true, 10), calls(2, 40));
        assertThat(said).hasSize(40);
        assertThat(said.stream().filter(call -> call.text().equals("3"))).hasSize(4);
    }

    @Test
    void aRequestThatNamesNoDataTakesNoRow() throws Exception {
        Script data = withData(Give.PER_CALL, false, 1_000);
        Script script = new Script(
                List.of(request("browse", 1, "b"), request("order", 1, "${users.id}")),
                List.of(),
                data.data(),
                data.columns(),
                Secrets.NONE);
        run(new Speaking(true, true), "unused", script, calls(2, 200));
        List<Integer> ids = said.stream()
                .filter(call -> call.request() == 1)
                .map(call -> Integer.valueOf(call.text()))
                .sorted()
                .toList();
        assertThat(ids)
                .isEqualTo(IntStream.range(0, ids.size()).boxed().toList())
                .isNotEmpty();
    }

    @Test
    void secretsAreFilledInAndMaskedInOutcomes() throws Exception {
        Script script =
                new Script(List.of(), List.of(), List.of(), List.of(), new Secrets(Map.of("env:KEY", "refused")));
        run(new Speaking(true, true), "bad ${secret:env:KEY}", script, calls(1, 2));
        assertThat(said).extracting(Said::text).containsOnly("bad refused");
        assertThat(recorded).extracting(Recorded::outcome).containsOnly("***");
        assertThat(script.toString()).doesNotContain("refused");
    }
}
