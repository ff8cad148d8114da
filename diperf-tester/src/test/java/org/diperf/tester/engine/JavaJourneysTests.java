package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyContext;
import org.diperf.core.spi.JourneyStep;
import org.diperf.core.spi.Parameters;
import org.diperf.tester.engine.JourneysTests.Kinds;
import org.diperf.tester.engine.JourneysTests.Recorded;
import org.diperf.tester.engine.call.CallScript;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Journeys in Java, with real loops and threads. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class JavaJourneysTests {

    private static final long MS = 1_000_000L;
    private static final JourneyStep FIRST = JourneyStep.named("first");
    private static final JourneyStep SECOND = JourneyStep.named("second");

    @TempDir
    Path folder;

    private final JourneysTests runs = new JourneysTests();

    /** What a journey does. */
    private interface Doing {
        void go(JourneyContext user) throws Exception;
    }

    /** A journey of two steps. */
    private record Coding(Doing doing) implements JavaJourney {

        @Override
        public List<JourneyStep> steps() {
            return List.of(FIRST, SECOND);
        }

        @Override
        public void go(JourneyContext context) throws Exception {
            doing.go(context);
        }
    }

    @BeforeEach
    void prepare() {
        runs.folder = folder;
    }

    private static Script script(String first, String second) {
        List<RequestSettings> requests = List.of(
                JourneysTests.request("first", "", first, Map.of("n", "json:/n"), Map.of(), false),
                JourneysTests.request("second", "second", second, Map.of(), Map.of("status", "200"), false));
        return JourneysTests.script(requests, new Move.Code("shop", 0, 2, List.of("own")));
    }

    private void run(Kinds kinds, Script script, int clients, long count, Doing doing) throws Exception {
        runs.journeys = Map.of("shop", () -> new Coding(doing));
        runs.run(kinds, script, JourneysTests.iterations(clients, count));
    }

    private static List<String> outcomes(List<Recorded> recorded) {
        return recorded.stream().map(Recorded::outcome).toList();
    }

    @ParameterizedTest
    @EnumSource
    void codeMakesCallsWithItsOwnValuesAndReadsTheirAnswers(Kinds kinds) throws Exception {
        run(kinds, script("hello ${own}", "buy ${n} ${own}"), 2, 6, user -> {
            user.set("own", "i" + user.iteration());
            String body = user.call(FIRST).body();
            user.set("own", body.contains("hello i" + user.iteration()) ? user.value("n") : "wrong");
            user.call(SECOND);
        });
        for (int client = 0; client < 2; client++) {
            assertThat(runs.texts(client))
                    .containsExactly("hello i0", "buy 8 8", "hello i1", "buy 8 8", "hello i2", "buy 8 8");
            List<Recorded> own = runs.of(runs.calls, client);
            List<Recorded> whole = runs.of(runs.groups, client);
            assertThat(outcomes(own)).hasSize(6).containsOnly("ok");
            assertThat(outcomes(whole)).containsExactly("ok", "ok", "ok");
            for (int i = 0; i < 3; i++) {
                assertThat(whole.get(i).intended()).isEqualTo(own.get(2 * i).intended());
                assertThat(whole.get(i).end()).isEqualTo(own.get(2 * i + 1).end());
                assertThat(own.get(2 * i + 1).intended())
                        .isGreaterThanOrEqualTo(own.get(2 * i).end());
            }
        }
        assertThat(runs.log).isEmpty();
    }

    @Test
    void aPauseDelaysWhatComesNextAndWhatCodeTakesIsNoCallsTime() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        run(Kinds.ASYNCHRONOUS, script("a", "b"), 1, 1, user -> {
            user.call(FIRST);
            user.think(Duration.ofMillis(30));
            user.call(SECOND);
            // Takes its time.
            assertThat(never.await(40, TimeUnit.MILLISECONDS)).isFalse();
            user.call(SECOND);
        });
        List<Recorded> own = runs.of(runs.calls, 0);
        // A call's time begins when it is intended.
        assertThat(own.get(1).intended() - own.get(0).end()).isGreaterThanOrEqualTo(30 * MS);
        assertThat(own.get(2).intended() - own.get(1).end()).isGreaterThanOrEqualTo(40 * MS);
        assertThat(runs.groups.get(0).latency()).isGreaterThanOrEqualTo(70 * MS);
    }

    @Test
    void aFailedStepEndsTheJourneyUnlessTheCodeGoesOn() throws Exception {
        run(Kinds.ASYNCHRONOUS, script("bad", "good"), 1, 4, user -> {
            if (user.iteration() % 2 == 0) {
                user.call(FIRST);
                user.call(SECOND);
                return;
            }
            try {
                user.call(FIRST);
            } catch (FailedCallException expected) {
                assertThat(expected).hasMessage("first: refused");
                user.call(SECOND);
            }
        });
        assertThat(outcomes(runs.of(runs.groups, 0))).containsExactly("first: refused", "ok", "first: refused", "ok");
        assertThat(runs.texts(0)).containsExactly("bad", "bad", "good", "bad", "bad", "good");
    }

    @Test
    void whatCodeThrowsIsTheOutcomeOfTheJourneyEvenBeforeItsFirstCall() throws Exception {
        run(Kinds.ASYNCHRONOUS, script("a", "b"), 1, 3, user -> {
            if (user.iteration() > 0) {
                user.call(FIRST);
            }
            if (user.iteration() == 1) {
                user.call(JourneyStep.named("third"));
            }
            throw new FailedCallException(org.diperf.core.spi.Failure.ofService("nothing in stock"));
        });
        List<String> outcomes = outcomes(runs.of(runs.groups, 0));
        assertThat(outcomes).hasSize(3);
        assertThat(outcomes.get(0)).isEqualTo("nothing in stock");
        assertThat(outcomes.get(1)).contains("steps [first, second]", "'third'");
        assertThat(outcomes.get(2)).isEqualTo("nothing in stock");
    }

    @Test
    void randomNumbersAreTheSameInEveryRun() throws Exception {
        List<Long> drawn = Collections.synchronizedList(new ArrayList<>());
        Doing draws = user -> {
            drawn.add(user.random().nextLong());
            drawn.add(user.random().nextLong());
            user.call(FIRST);
        };
        run(Kinds.ASYNCHRONOUS, script("a", "b"), 1, 2, draws);
        List<Long> before = List.copyOf(drawn);
        drawn.clear();
        run(Kinds.ASYNCHRONOUS, script("a", "b"), 1, 2, draws);
        assertThat(drawn).isEqualTo(before).doesNotHaveDuplicates();
    }

    @Test
    void anImmediateStopEndsAJourneyThatPausesOnce() throws Exception {
        List<Parameters> parameters = Collections.nCopies(2, Parameters.read(List.of(), Map.of(), 1));
        CallScript script = CallScript.open(
                script("a", "b"),
                parameters,
                Rank.ONLY,
                1,
                type -> () -> new Coding(user -> user.think(Duration.ofDays(1))));
        AsyncClient client = new AsyncClient() {
            @Override
            public void call(Call call) {
                throw new AssertionError("the journey makes none");
            }

            @Override
            public void cancel(Call call) {}
        };
        Stage stage = new Stage(0, JourneysTests.iterations(1, 1), 0);
        HandLoop hand = new HandLoop(HandLoop.plan(false, stage), () -> client, false, false, script);
        hand.start();
        hand.turn();
        // The journey's thread is a real one.
        while (hand.tasks.isEmpty()) {
            Thread.onSpinWait();
        }
        hand.turn();
        assertThat(hand.loop.busy()).isEqualTo(1);
        hand.stop(0);
        hand.turn();
        assertThat(hand.loop.busy()).isZero();
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void codeThatDoesNotEndIsGivenUpWithTheLoad(Kinds kinds) throws Exception {
        CountDownLatch called = new CountDownLatch(2);
        CountDownLatch unwound = new CountDownLatch(2);
        runs.journeys = Map.of(
                "shop",
                () -> new Coding(user -> {
                    user.call(FIRST);
                    called.countDown();
                    try {
                        if (user.client() == 0) {
                            new CountDownLatch(1).await();
                        } else {
                            user.think(Duration.ofDays(1));
                        }
                    } finally {
                        unwound.countDown();
                    }
                }));
        List<Stage> stages = List.of(new Stage(0, JourneysTests.iterations(2, 2), 0));
        try (Engine engine = runs.engine(kinds, script("a", "b"), stages)) {
            engine.prepare();
            engine.start(NanoClock.SYSTEM.nanoTime());
            called.await();
            engine.stop(50 * MS);
            engine.done().get(10, TimeUnit.SECONDS);
        }
        assertThat(outcomes(runs.groups)).containsExactly("unfinished", "unfinished");
        assertThat(unwound.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
