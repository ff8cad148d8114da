package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.DataSettings.Give;
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
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Recorder;
import org.diperf.tester.engine.call.CallScript;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the engine promises of every kind of client, to the same values; time, loop and threads are turned by hand. Clients
 * that time their calls themselves have no think time, quota, timeout or lag of the engine's, so they stand aside there.
 */
@Timeout(30)
class EngineContractTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;
    private static final long FOREVER = Long.MAX_VALUE;

    enum Kind {
        ASYNCHRONOUS,
        BLOCKING,
        SELF_TIMED
    }

    /** How the service answers a call, and whether a client that is told to give up does so. */
    private record Answer(long nanos, @Nullable String failure, long bytes, boolean letsGo) {

        static Answer after(long millis) {
            return new Answer(millis * MS, null, 0, true);
        }

        static Answer failing(long millis) {
            return new Answer(millis * MS, "refused", 0, true);
        }
    }

    private interface Service {
        Answer answer(int client, long number, boolean step);
    }

    @TempDir
    Path folder;

    private Service service = (client, number, step) -> Answer.after(50);
    private Set<Integer> broken = Set.of();
    private long openingNanos;
    private long closingNanos;
    private CallScript script = CallScript.NONE;
    private @Nullable Parameters parameters;
    private @Nullable HandLoop made;
    private final List<String> opened = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    /** What was sent: {@code client#number@instant}, a step with {@code s} for its number. */
    private final List<String> sent = new ArrayList<>();

    private final List<String> values = new ArrayList<>();

    // ---- clients of the three kinds, with the same behaviour ----

    private long millis() {
        return made == null ? 0 : made.now / MS;
    }

    private HandLoop hand() {
        return requireNonNull(made, "run makes it");
    }

    private Answer ask(Call call) {
        boolean step = call.request() > 0;
        sent.add(call.client() + "#" + (step ? "s" : String.valueOf(call.number())) + "@" + millis());
        if (parameters != null) {
            values.add(call.client() + ":" + parameters.text("text").of(call));
        }
        return service.answer(call.client(), call.number(), step);
    }

    private void open(int client) {
        opened.add(client + "@" + millis());
        if (broken.contains(client)) {
            throw new IllegalStateException("no key");
        }
    }

    private Client make(Kind kind) {
        return switch (kind) {
            case ASYNCHRONOUS -> new Asynchronous();
            case BLOCKING -> new Blocking();
            case SELF_TIMED -> new SelfTiming();
        };
    }

    private final class Asynchronous implements AsyncClient {
        private int client;
        private long ended;
        private @Nullable Answer answer;

        @Override
        public void open(Context context) {
            client = context.client();
            EngineContractTests.this.open(client);
        }

        @Override
        public void call(Call call) {
            Answer due = ask(call);
            answer = due;
            call.bytes(due.bytes());
            long ticket = call.ticket();
            if (due.nanos() != FOREVER) {
                hand().in(due.nanos(), () -> end(call, ticket, due.failure()));
            }
        }

        private void end(Call call, long ticket, @Nullable String failure) {
            if (ended == ticket) {
                return;
            }
            ended = ticket;
            if (failure == null) {
                call.ok(ticket);
            } else {
                call.fail(ticket, failure);
            }
        }

        @Override
        public void cancel(Call call) {
            if (requireNonNull(answer).letsGo()) {
                end(call, call.ticket(), "cancelled");
            }
        }

        @Override
        public void close() {
            closed.add(client + "@" + millis());
        }
    }

    private class Blocking implements BlockingClient {
        int client;

        @Override
        public void open(Context context) throws InterruptedException {
            client = context.client();
            if (openingNanos > 0) {
                hand().threads.sleep(openingNanos);
            }
            EngineContractTests.this.open(client);
        }

        @Override
        public void call(Call call) throws InterruptedException {
            Answer due = ask(call);
            call.bytes(due.bytes());
            sleep(due);
            if (due.failure() != null) {
                call.fail(due.failure());
            }
        }

        final void sleep(Answer due) throws InterruptedException {
            long until = due.nanos() == FOREVER ? FOREVER : hand().now + due.nanos();
            while (hand().now < until) {
                try {
                    hand().threads.sleep(until == FOREVER ? FOREVER : until - hand().now);
                } catch (InterruptedException e) {
                    if (due.letsGo()) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public void close() throws InterruptedException {
            if (closingNanos > 0) {
                hand().threads.sleep(closingNanos);
            }
            closed.add(client + "@" + millis());
        }
    }

    /** Makes one call after another in its one invocation, and reports them. */
    private final class SelfTiming extends Blocking {
        private @Nullable Recorder recorder;

        @Override
        public void open(Context context) throws InterruptedException {
            recorder = context.recorder();
            super.open(context);
        }

        @Override
        public boolean selfTimed() {
            return true;
        }

        @Override
        public void call(Call call) throws InterruptedException {
            for (long number = 0; ; number++) {
                long began = hand().now;
                Answer due = service.answer(client, number, false);
                sleep(due);
                requireNonNull(recorder).call(began, hand().now, due.bytes(), due.failure());
            }
        }
    }

    // ---- plans ----

    private static ClosedLoad closed(int clients, ClientLifetimes lives, long thinkMillis) {
        return closed(clients, lives, thinkMillis, Quota.NONE, OnFailure.CONTINUE);
    }

    private static ClosedLoad closed(
            int clients, ClientLifetimes lives, long thinkMillis, Quota quota, OnFailure onFailure) {
        ThinkTime think = thinkMillis == 0 ? ThinkTime.NONE : new ThinkTime.Fixed(thinkMillis * MS);
        return new ClosedLoad(clients, lives, think, quota, onFailure, S);
    }

    private static ClientLifetimes staggered(long everyMillis, long forMillis) {
        return new ClientLifetimes.Staggered(everyMillis * MS, forMillis * MS);
    }

    private static ClientLifetimes unbounded() {
        return new ClientLifetimes.Staggered(0, ClientLifetimes.UNBOUNDED);
    }

    private static ClosedLoad hold(int clients, long forMillis) {
        return closed(Math.max(1, clients), new ClientLifetimes.Ramp(clients, clients, forMillis * MS), 50);
    }

    private static OpenLoad open(double perSecond, long forMillis, int maxInFlight) {
        return new OpenLoad(perSecond, OpenLoad.Arrivals.CONSTANT, 0, forMillis * MS, maxInFlight, S);
    }

    private static Plan plan(Load... loads) {
        Stage[] stages = new Stage[loads.length];
        long at = 0;
        for (int i = 0; i < loads.length; i++) {
            stages[i] = new Stage(i, loads[i], at);
            at += loads[i].lengthNanos();
        }
        return HandLoop.plan(false, stages);
    }

    /** Has every client log in before its first call. */
    private void logIn() throws Exception {
        Script asked = new Script(
                List.of(),
                List.of(new RequestSettings("login", 0, Map.of(), Map.of())),
                List.of(),
                List.of(),
                Secrets.NONE);
        script = CallScript.open(asked, asked.parameters("", id -> List.of(), Map.of(), 1), Rank.ONLY, 1);
    }

    private HandLoop prepared(Kind kind, Plan plan) {
        HandLoop hand = new HandLoop(plan, () -> make(kind), false, kind != Kind.ASYNCHRONOUS, script);
        made = hand;
        hand.setup.whenAborted(grace -> hand.execute(() -> hand.loop.stop(grace)));
        return hand;
    }

    private HandLoop run(Kind kind, Plan plan, long millis) {
        HandLoop hand = prepared(kind, plan);
        hand.start();
        hand.runUntil(millis * MS);
        return hand;
    }

    /** Lists what was recorded: {@code client@intended lag+latency outcome}, in milliseconds. */
    private List<String> recorded() {
        return hand().samples.stream()
                .map(sample -> sample.client() + "@" + sample.intendedNanos() / MS + " " + sample.lagNanos() / MS + "+"
                        + sample.latencyNanos() / MS + " " + sample.outcome())
                .toList();
    }

    private Map<Integer, Integer> callsByClient() {
        Map<Integer, Integer> calls = new TreeMap<>();
        hand().samples.forEach(sample -> calls.merge(sample.client(), 1, Integer::sum));
        return calls;
    }

    // ---- lag and the first call ----

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void lagCountsFromTheInstantAtWhichACallWasDue(Kind kind) {
        service = (client, number, step) -> Answer.after(10);
        HandLoop hand = run(kind, plan(open(10, 600, 100)), 250);
        hand.now = 450 * MS;
        hand.runUntil(S);
        assertThat(recorded())
                .extracting(each -> each.substring(2))
                .containsExactlyInAnyOrder(
                        "0 0+10 ok", "100 0+10 ok", "200 0+10 ok", "300 150+160 ok", "400 50+60 ok", "500 0+10 ok");
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aCallAfterAStepIsDueWhenTheStepHasEnded(Kind kind) throws Exception {
        logIn();
        service = (client, number, step) -> Answer.after(step ? 30 : 10);
        HandLoop hand = prepared(kind, plan(open(10, 300, 1)));
        hand.start();
        hand.now = 5 * MS;
        hand.runUntil(S);
        assertThat(recorded()).containsExactly("0@0 5+35 ok", "0@35 0+10 ok", "0@100 0+10 ok", "0@200 0+10 ok");
        assertThat(hand.loop.counters().firstCallNanos()).isEqualTo(5 * MS);
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void theFirstCallIsTheFirstThatWasSent(Kind kind) {
        broken = Set.of(0);
        HandLoop hand = run(kind, plan(closed(2, staggered(70, 150), 0)), 1_000);
        assertThat(hand.loop.counters().firstCallNanos()).isEqualTo(70 * MS);
        assertThat(recorded())
                .containsExactlyInAnyOrder(
                        "0@0 0+0 IllegalStateException: no key",
                        "0@100 0+0 IllegalStateException: no key",
                        "1@70 0+50 ok",
                        "1@120 0+50 ok",
                        "1@170 0+50 ok");
        assertThat(hand.loop.counters().status().sent()).isEqualTo(5);
    }

    @Test
    void anArrivalWhoseClientIsStillBeingOpenedAtTheStopWasNeverSent() {
        service = (client, number, step) -> new Answer(FOREVER, null, 0, true);
        HandLoop hand = prepared(Kind.BLOCKING, plan(open(400, 10_000, 1_000)));
        assertThat(opened).hasSize(Engine.OPEN_FIRST);
        openingNanos = 60 * S;
        hand.start();
        hand.runUntil(700 * MS);
        hand.stop(0);
        hand.runUntil(S);
        // An arrival every 2.5 ms; the first 256 had a client that was open.
        assertThat(sent).hasSize(256);
        assertThat(recorded()).hasSize(281);
        assertThat(recorded())
                .filteredOn(each -> each.endsWith(" 0+0 unfinished"))
                .hasSize(25);
        assertThat(hand.loop.counters().status().sent()).isEqualTo(281);
        assertThat(hand.done).isFalse();
        hand.runUntil(2 * S);
        assertThat(hand.done).isTrue();
    }

    // ---- when the next iteration is due ----

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientThinksBetweenTheEndOfACallAndTheNext(Kind kind) {
        service = (client, number, step) -> Answer.after(20);
        HandLoop hand = run(kind, plan(closed(2, staggered(50, 250), 100)), 1_000);
        assertThat(recorded())
                .containsExactlyInAnyOrder(
                        "0@0 0+20 ok",
                        "1@50 0+20 ok",
                        "0@120 0+20 ok",
                        "1@170 0+20 ok",
                        "0@240 0+20 ok",
                        "1@290 0+20 ok");
        assertThat(hand.done).isTrue();
    }

    /** Its calls are due at multiples of the pace; one that takes longer is followed at once, and the pace counts from there. */
    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientKeepsItsPaceWhateverACallTakes(Kind kind) {
        service = (client, number, step) -> Answer.after(number == 2 ? 150 : 20);
        ThinkTime pace = new ThinkTime.Pace(100 * MS);
        Load load = new ClosedLoad(1, staggered(0, 500), pace, Quota.NONE, OnFailure.CONTINUE, S);
        run(kind, plan(load), 1_000);
        assertThat(recorded())
                .containsExactly("0@0 0+20 ok", "0@100 0+20 ok", "0@200 0+150 ok", "0@350 0+20 ok", "0@450 0+20 ok");
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatStartOneAfterAnotherMayEndTogether(Kind kind) {
        run(kind, plan(closed(3, new ClientLifetimes.Staggered(100 * MS, 250 * MS, 0), 0)), 1_000);
        assertThat(callsByClient()).isEqualTo(Map.of(0, 5, 1, 3, 2, 1));
        assertThat(closed).containsExactlyInAnyOrder("0@250", "1@250", "2@250");
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatStartTogetherMayEndOneAfterAnother(Kind kind) {
        run(kind, plan(closed(3, new ClientLifetimes.Staggered(0, 100 * MS, 200 * MS), 0)), 1_000);
        assertThat(callsByClient()).isEqualTo(Map.of(0, 2, 1, 6, 2, 10));
        assertThat(closed).containsExactly("0@100", "1@300", "2@500");
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatCannotBeOpenedFailsTenTimesASecond(Kind kind) {
        broken = Set.of(0);
        HandLoop hand = run(kind, plan(closed(1, staggered(0, 450), 0)), 1_000);
        assertThat(recorded())
                .extracting(each -> each.replace(" 0+0 IllegalStateException: no key", ""))
                .containsExactly("0@0", "0@100", "0@200", "0@300", "0@400");
        assertThat(hand.loop.counters().firstCallNanos()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientThatStaysFinishesItsThinkTimeInTheNextStage(Kind kind) {
        HandLoop hand = run(kind, plan(hold(1, 120), hold(1, 120)), 1_000);
        assertThat(recorded()).containsExactly("0@0 0+50 ok", "0@100 0+50 ok", "0@200 0+50 ok");
        assertThat(hand.stages).containsExactly(0, 0, 1);
        assertThat(opened).containsExactly("0@0");
        assertThat(closed).containsExactly("0@250");
    }

    // ---- quota, life, failures ----

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aQuotaOfCallsIsMadeExactlyAndEndsTheRun(Kind kind) {
        ClosedLoad load = closed(3, unbounded(), 0, new Quota(8, 0), OnFailure.CONTINUE);
        HandLoop hand = run(kind, plan(load), 149);
        assertThat(hand.done).isFalse();
        hand.runUntil(151 * MS);
        assertThat(hand.done).isTrue();
        assertThat(callsByClient()).isEqualTo(Map.of(0, 3, 1, 3, 2, 2));
        assertThat(closed).containsExactlyInAnyOrder("2@100", "0@150", "1@150");
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientStopsWhenItHasMovedItsShareOfTheBytes(Kind kind) {
        service = (client, number, step) -> new Answer(10 * MS, null, 200, true);
        ClosedLoad load = closed(2, unbounded(), 0, new Quota(0, 1_000), OnFailure.CONTINUE);
        HandLoop hand = run(kind, plan(load), 500);
        assertThat(callsByClient()).isEqualTo(Map.of(0, 3, 1, 3));
        assertThat(hand.done).isTrue();
        assertThat(closed).containsExactlyInAnyOrder("0@30", "1@30");
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void stepsAndFailedStepsCountForTheQuotaAsOneCallEach(Kind kind) throws Exception {
        logIn();
        service = (client, number, step) -> step && number == 0 ? Answer.failing(20) : Answer.after(20);
        ClosedLoad load = closed(1, unbounded(), 0, new Quota(3, 0), OnFailure.CONTINUE);
        run(kind, plan(load), 500);
        assertThat(recorded())
                .containsExactly(
                        "0@0 0+20 refused", "0@20 0+0 login: refused", "0@20 0+20 ok", "0@40 0+20 ok", "0@60 0+20 ok");
    }

    @ParameterizedTest
    @EnumSource
    void aClientLivesFromItsStartToItsEndAndIsClosedThen(Kind kind) {
        HandLoop hand = prepared(kind, plan(closed(3, staggered(100, 250), 0)));
        hand.start();
        List<Integer> active = new ArrayList<>();
        for (long at = 40; at < 500; at += 100) {
            hand.runUntil(at * MS);
            active.add(hand.active());
        }
        hand.runUntil(S);
        assertThat(active).containsExactly(1, 2, 3, 2, 1);
        assertThat(recorded())
                .extracting(each -> each.replace(" 0+50 ok", ""))
                .containsExactlyInAnyOrder(
                        "0@0", "0@50", "0@100", "0@150", "0@200", "1@100", "1@150", "1@200", "1@250", "1@300", "2@200",
                        "2@250", "2@300", "2@350", "2@400");
        assertThat(closed).containsExactly("0@250", "1@350", "2@450");
        assertThat(hand.done).isTrue();
        assertThat(hand.threads.living()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void anIterationThatBeganInItsLifeIsCarriedThrough(Kind kind) throws Exception {
        logIn();
        service = (client, number, step) -> Answer.after(80);
        run(kind, plan(closed(1, staggered(0, 60), 0)), 1_000);
        assertThat(recorded()).containsExactly("0@0 0+80 ok", "0@80 0+80 ok");
        assertThat(closed).containsExactly("0@160");
    }

    @ParameterizedTest
    @EnumSource
    void aClientWhoseCallFailedRetiresForGood(Kind kind) {
        service = (client, number, step) -> client == 1 && number == 2 ? Answer.failing(50) : Answer.after(50);
        ClientLifetimes lives = new ClientLifetimes.Ramp(2, 2, 250 * MS);
        HandLoop hand = run(
                kind,
                plan(
                        closed(2, lives, 0, Quota.NONE, OnFailure.RETIRE_CLIENT),
                        closed(2, lives, 0, Quota.NONE, OnFailure.CONTINUE)),
                1_000);
        assertThat(callsByClient()).isEqualTo(Map.of(0, 10, 1, 3));
        assertThat(closed).containsExactly("1@150", "0@500");
        assertThat(opened).containsExactly("0@0", "1@0");
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anAbortLetsCallsInFlightEndAndBeginsNoMore(Kind kind) {
        service = (client, number, step) ->
                client == 1 && number == 1 ? Answer.failing(50) : Answer.after(client == 1 ? 50 : 80);
        HandLoop hand = run(kind, plan(closed(2, staggered(0, 5_000), 0, Quota.NONE, OnFailure.ABORT)), 3_000);
        List<String> expected = new ArrayList<>(List.of("0@0 0+80 ok", "1@0 0+50 ok", "1@50 0+50 refused"));
        if (kind != Kind.SELF_TIMED) {
            // Such a client is told to end at once; it has no call in flight that the engine knows of.
            expected.add("0@80 0+80 ok");
        }
        assertThat(recorded()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(hand.setup.aborted()).isEqualTo("A call by client 1 failed (on-failure: abort): refused");
        assertThat(hand.done).isTrue();
    }

    // ---- timeouts and stops ----

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aCallIsRecordedAtItsTimeoutAndHoldsItsClientUntilItLetsGo(Kind kind) {
        service = (client, number, step) -> number > 0
                ? Answer.after(50)
                : client == 0 ? new Answer(1_500 * MS, null, 0, false) : new Answer(FOREVER, null, 0, true);
        HandLoop hand = run(kind, plan(closed(2, staggered(0, 1_550), 0)), 3_000);
        assertThat(recorded())
                .filteredOn(each -> each.startsWith("0"))
                .containsExactly("0@0 0+1000 timeout", "0@1500 0+50 ok");
        assertThat(recorded())
                .filteredOn(each -> each.startsWith("1"))
                .hasSize(12)
                .startsWith("1@0 0+1000 timeout", "1@1000 0+50 ok");
        assertThat(hand.loop.counters().lateEnds()).isEqualTo(1);
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientThatNeverLetsGoIsReplacedByOneThatResumesItsQuota(Kind kind) {
        service = (client, number, step) -> number == 1 ? new Answer(FOREVER, null, 0, false) : Answer.after(50);
        ClosedLoad load = closed(1, unbounded(), 0, new Quota(4, 0), OnFailure.CONTINUE);
        HandLoop hand = run(kind, plan(load), 4_000);
        assertThat(recorded())
                .containsExactly("0@0 0+50 ok", "0@50 0+1000 timeout", "0@2050 0+50 ok", "0@2100 0+50 ok");
        assertThat(sent).containsExactly("0#0@0", "0#1@50", "0#2@2050", "0#3@2100");
        assertThat(hand.setup.stuckClients()).isEqualTo(1);
        assertThat(opened).containsExactly("0@0", "0@2050");
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void whatIsInFlightAfterTheGraceOfAStopIsUnfinished(Kind kind) {
        service = (client, number, step) -> client == 0 ? new Answer(FOREVER, null, 0, true) : Answer.after(150);
        HandLoop hand = run(kind, plan(closed(2, staggered(0, 5_000), 0)), 200);
        hand.stop(120 * MS);
        hand.runUntil(S);
        assertThat(recorded()).containsExactly("1@0 0+150 ok", "1@150 0+150 ok", "0@0 0+320 unfinished");
        assertThat(closed).containsExactly("1@300", "0@320");
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void anArrivalWhoseClientIsNotReadyAtTheStopIsUnfinishedAndHasNoTimes(Kind kind) throws Exception {
        logIn();
        service = (client, number, step) -> client == 0 ? Answer.after(250) : new Answer(FOREVER, null, 0, true);
        HandLoop hand = run(kind, plan(open(10, 5_000, 2)), 150);
        hand.stop(200 * MS);
        hand.runUntil(S);
        assertThat(recorded())
                .containsExactlyInAnyOrder(
                        "0@0 0+250 ok", "0@0 0+0 unfinished", "1@100 0+250 unfinished", "1@100 0+0 unfinished");
        assertThat(hand.loop.counters().status().sent()).isEqualTo(4);
        assertThat(hand.done).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void placesInFlightAreTakenByIterations(Kind kind) throws Exception {
        logIn();
        service = (client, number, step) -> Answer.after(step ? 120 : 30);
        HandLoop hand = run(kind, plan(open(10, 300, 1)), 1_000);
        assertThat(recorded())
                .containsExactlyInAnyOrder("0@0 0+120 ok", "0@100 0+0 dropped", "0@120 0+30 ok", "0@200 0+30 ok");
        assertThat(hand.loop.counters().status().dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void whatAnEarlierStageHasInFlightTakesPlacesToo(Kind kind) {
        service = (client, number, step) -> Answer.after(number > 0 ? 10 : client == 0 ? 250 : 450);
        run(kind, plan(hold(2, 200), open(10, 400, 1)), 1_000);
        assertThat(recorded())
                .containsExactlyInAnyOrder(
                        "0@0 0+250 ok",
                        "1@0 0+450 ok",
                        "0@200 0+0 dropped",
                        "0@300 0+0 dropped",
                        "0@400 0+0 dropped",
                        "0@500 0+10 ok");
    }

    @Test
    void aStopTellsClientsThatTimeTheirCallsThemselvesToEndAtOnce() {
        HandLoop hand = run(Kind.SELF_TIMED, plan(closed(1, staggered(0, 5_000), 0)), 120);
        hand.stop(60 * S);
        hand.runUntil(130 * MS);
        assertThat(recorded()).containsExactly("0@0 0+50 ok", "0@50 0+50 ok");
        assertThat(hand.done).isTrue();
    }

    // ---- the end of a client's life, and the next client of its number ----

    @ParameterizedTest
    @EnumSource
    void stagesWithoutAClientCloseItAndANewOneIsOpenBeforeItIsDue(Kind kind) {
        run(kind, plan(hold(2, 300), hold(0, 400), hold(2, 300)), 1_100);
        assertThat(opened).containsExactlyInAnyOrder("0@0", "1@0", "0@500", "1@500");
        List<String> ends = List.copyOf(closed);
        assertThat(ends.subList(0, 2)).containsExactlyInAnyOrder("0@300", "1@300");
        assertThat(ends).hasSize(4);
        assertThat(recorded()).contains("0@700 0+50 ok", "1@700 0+50 ok");
        assertThat(recorded()).noneMatch(each -> each.matches(".@[3456].. .*"));
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aClientIsOpenedAgainASecondBeforeItIsDue(Kind kind) {
        run(kind, plan(hold(1, 300), hold(0, 5_000), hold(1, 300)), 7_000);
        assertThat(opened).containsExactly("0@0", "0@4300");
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aNewClientDoesItsStepsAgainAndHasTheRowOfItsNumber(Kind kind) throws Exception {
        Path file = Files.writeString(folder.resolve("users.csv"), "name\nann\nbob\n");
        Script asked = new Script(
                List.of(),
                List.of(new RequestSettings("login", 0, Map.of("text", "login ${users.name}"), Map.of())),
                List.of(new DataSettings("users", file.toString(), Give.ONE_PER_CLIENT, false)),
                List.of("users.name"),
                Secrets.NONE);
        List<Parameters> read = asked.parameters(
                "",
                id -> List.of(Parameter.required("text", Parameter.Type.TEXT, "what to say")),
                Map.of("text", "${users.name}"),
                1);
        script = CallScript.open(asked, read, Rank.ONLY, 1);
        parameters = read.get(0);
        service = (client, number, step) -> Answer.after(100);
        run(kind, plan(hold(2, 180), hold(0, 400), hold(2, 180)), 2_000);
        assertThat(sent)
                .containsExactlyInAnyOrder(
                        "0#s@0", "1#s@0", "0#0@100", "1#0@100", "0#s@580", "1#s@580", "0#1@680", "1#1@680");
        assertThat(values).contains("0:ann", "1:bob").doesNotContain("0:bob", "1:ann");
    }

    @ParameterizedTest
    @EnumSource
    void aStageThatKeepsItsClientsKeepsThemOpen(Kind kind) {
        run(kind, plan(hold(3, 300), hold(2, 300), hold(4, 300)), 1_000);
        // The fourth was open before the start; the third is a new one.
        assertThat(opened).containsExactlyInAnyOrder("0@0", "1@0", "2@0", "3@0", "2@450");
        assertThat(closed.get(0)).isIn("2@300", "2@350");
        assertThat(closed).hasSize(5);
        assertThat(closed.subList(1, 5)).allMatch(each -> Integer.parseInt(each.substring(2)) >= 900);
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void openAndClosedStagesKeepTheClientsTheyShare(Kind kind) {
        run(kind, plan(hold(3, 300), open(10, 300, 2), hold(1, 300)), 1_200);
        assertThat(opened).containsExactly("0@0", "1@0", "2@0");
        assertThat(closed.stream().map(each -> each.substring(0, 1))).containsExactly("2", "1", "0");
        assertThat(closed.get(0)).isEqualTo("2@300");
    }

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "SELF_TIMED")
    void aCallInFlightWhenItsClientsLifeEndsIsWaitedFor(Kind kind) {
        service = (client, number, step) -> Answer.after(400);
        run(kind, plan(hold(2, 300), hold(1, 700)), 2_000);
        assertThat(closed.get(0)).isEqualTo("1@400");
        assertThat(recorded()).contains("1@0 0+400 ok");
    }

    @Test
    void aClientThatTakesLongToCloseHoldsUpNobody() {
        closingNanos = 700 * MS;
        HandLoop hand = run(Kind.BLOCKING, plan(closed(3, staggered(100, 250), 0)), 449);
        assertThat(recorded()).allMatch(each -> each.endsWith(" 0+50 ok"));
        hand.runUntil(1_149 * MS);
        assertThat(hand.done).isFalse();
        hand.runUntil(1_151 * MS);
        assertThat(hand.done).isTrue();
        assertThat(closed).containsExactly("0@950", "1@1050", "2@1150");
    }

    @Test
    void aClientThatNeverClosesIsLeftBehindAfterTheTimeout() {
        closingNanos = FOREVER;
        HandLoop hand = run(Kind.BLOCKING, plan(closed(1, staggered(0, 250), 0)), 1_200);
        assertThat(hand.done).isFalse();
        hand.runUntil(1_251 * MS);
        assertThat(hand.done).isTrue();
        assertThat(hand.log).contains("Client 0 took too long to close and was abandoned");
        assertThat(hand.threads.living()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void manyClientsAreClosedAndOpenedOneATurn(Kind kind) {
        HandLoop hand = run(kind, plan(hold(100, 300), hold(0, 400), hold(100, 300)), 299);
        hand.now = 350 * MS;
        hand.turn();
        assertThat(closed.size()).isLessThanOrEqualTo(2);
        hand.runUntil(690 * MS);
        assertThat(closed).hasSize(100);
        assertThat(opened).hasSize(200);
    }
}
