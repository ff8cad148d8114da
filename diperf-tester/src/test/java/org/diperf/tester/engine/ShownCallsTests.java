package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.CallExchanges;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.ExchangeWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Dialogue;
import org.diperf.tester.engine.call.BlockSink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which calls are sent whole. */
@Timeout(60)
class ShownCallsTests {

    private static final String SECRET = "open-sesame-0815";
    private static final String TOKEN = "token-4711-abc";

    @TempDir
    Path folder;

    private final List<CallExchange> shown = Collections.synchronizedList(new ArrayList<>());
    private boolean asked;

    /** Every third call fails by one cause, every fifth by another; call 0 of a client gets a token. */
    private final class Talking implements BlockingClient {
        @Override
        public void call(Call call) throws Exception {
            Dialogue dialogue = call.dialogue();
            if (dialogue != null) {
                asked = true;
                dialogue.sent(("ask " + call.number() + " with " + SECRET + " and " + TOKEN)
                        .getBytes(StandardCharsets.UTF_8));
                dialogue.received(("answer " + call.number()).getBytes(StandardCharsets.UTF_8));
            }
            if (call.wantsAnswer()) {
                call.answer(new Answer() {
                    @Override
                    public @Nullable String header(String name) {
                        return TOKEN;
                    }

                    @Override
                    public String body() {
                        return "";
                    }
                });
                return;
            }
            if (call.number() % 3 == 0) {
                call.fail("by three, not " + SECRET);
            } else if (call.number() % 5 == 0) {
                call.fail("by five");
            } else if (call.number() == 31) {
                Thread.sleep(30);
            }
        }
    }

    private List<CallExchange> run(CaptureSettings capture) throws Exception {
        ClosedLoad load = new ClosedLoad(
                1,
                new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED),
                ThinkTime.NONE,
                new Quota(100, 0),
                OnFailure.CONTINUE,
                TimeUnit.SECONDS.toNanos(10));
        Plan plan = new Plan(1, 1, Targets.one(org.diperf.core.spi.Url.of("test:a")), List.of(new Stage(0, load, 0)));
        Script script = new Script(
                        List.of(),
                        List.of(new RequestSettings("login", 0, Map.of(), Map.of("token", "header:token"))),
                        List.of(),
                        List.of(),
                        new Secrets(Map.of("env:KEY", SECRET)))
                .with(capture);
        BlockSink sink = new BlockSink() {
            private long number;

            @Override
            public synchronized void write(BlockWriter writer) {
                boolean isShown = writer instanceof ExchangeWriter;
                ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
                writer.encode(block, ++number);
                if (isShown) {
                    try {
                        block.flip();
                        shown.addAll(CallExchanges.decode(block, Block.read(block)));
                    } catch (CorruptBlockException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        };
        try (Engine engine = new Engine(
                new Engine.Config(
                        1,
                        1,
                        Rank.ONLY,
                        plan,
                        new FakePlugin(BlockingClient.class, Talking::new),
                        Map.of(),
                        folder,
                        LoopSettings.DEFAULT.orLoops(1),
                        false,
                        script),
                sink,
                NanoClock.SYSTEM,
                line -> {})) {
            engine.prepare();
            engine.start(System.nanoTime());
            engine.done().get(30, TimeUnit.SECONDS);
        }
        return List.copyOf(shown);
    }

    @Test
    void theFirstOfEachCauseAndTheSlowestAreSentWithoutSecrets() throws Exception {
        List<CallExchange> calls = run(new CaptureSettings(2, 3));

        assertThat(calls.stream().filter(call -> call.outcome().equals("by three, not ***")))
                .extracting(CallExchange::call)
                .containsExactly(0L, 3L);
        assertThat(calls.stream().filter(call -> call.outcome().equals("by five")))
                .extracting(CallExchange::call)
                .containsExactly(5L, 10L);
        List<CallExchange> slow =
                calls.stream().filter(call -> call.outcome().equals(Outcome.OK)).toList();
        assertThat(slow)
                .hasSizeGreaterThanOrEqualTo(3)
                .extracting(CallExchange::call)
                .contains(31L);
        assertThat(slow).allSatisfy(call -> assertThat(call.limit()).isEqualTo(3));
        assertThat(calls).allSatisfy(call -> {
            assertThat(call.text()).isEqualTo("> ask " + call.call() + " with *** and ***\n< answer " + call.call());
            assertThat(call.latencyNanos()).isPositive();
        });
    }

    @Test
    void whatIsSwitchedOffIsNotAskedFor() throws Exception {
        assertThat(run(CaptureSettings.NONE)).isEmpty();
        assertThat(asked).isFalse();
        assertThat(run(new CaptureSettings(1, 0)))
                .extracting(CallExchange::outcome)
                .containsExactlyInAnyOrder("by three, not ***", "by five");
    }
}
