package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.experiment.Script;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameters;
import org.diperf.tester.engine.call.CallScript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans of several stages, and plans that grow, on a loop turned by hand. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class StagesTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    private final List<Call> open = new ArrayList<>();
    private int opened;

    private final class Held implements AsyncClient {
        @Override
        public void open(org.diperf.core.spi.Context context) {
            opened++;
        }

        @Override
        public void call(Call call) {
            open.add(call);
        }

        @Override
        public void cancel(Call call) {}
    }

    private final class Prompt implements AsyncClient {
        @Override
        public void open(org.diperf.core.spi.Context context) {
            opened++;
        }

        @Override
        public void call(Call call) {
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private static ClosedLoad ramp(int from, int to, long length, long think) {
        return ramp(from, to, length, think, S);
    }

    private static ClosedLoad ramp(int from, int to, long length, long think, long timeout) {
        return new ClosedLoad(
                Math.max(from, to),
                new ClientLifetimes.Ramp(from, to, length),
                think == 0 ? ThinkTime.NONE : new ThinkTime.Fixed(think),
                Quota.NONE,
                OnFailure.CONTINUE,
                timeout);
    }

    private static OpenLoad rate(double perSecond, long length, int maxInFlight) {
        return new OpenLoad(perSecond, OpenLoad.Arrivals.CONSTANT, 0, length, maxInFlight, S);
    }

    private static List<String> calls(HandLoop hand) {
        List<String> calls = new ArrayList<>();
        for (int i = 0; i < hand.samples.size(); i++) {
            HandLoop.Sample sample = hand.samples.get(i);
            calls.add(hand.stages.get(i) + ":" + sample.client() + "@" + sample.intendedNanos() / MS);
        }
        return calls;
    }

    @Test
    void aClientThatStaysKeepsItsThinkTimeFromStageToStage() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(1, 1, 250 * MS, 100 * MS), 0),
                        new Stage(1, ramp(1, 1, 250 * MS, 40 * MS), 250 * MS)),
                Prompt::new,
                false);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(calls(hand))
                .containsExactly("0:0@0", "0:0@100", "0:0@200", "1:0@300", "1:0@340", "1:0@380", "1:0@420", "1:0@460");
        assertThat(hand.done).isTrue();
    }

    @Test
    void aRampUpStartsEachClientAtItsInstantAndOneDownEndsItThere() {
        // Up from 1 to 3 in 200 ms: client 1 at 0, client 2 at 100 ms. Down from 3 to 1: client 2 ends after 100 ms,
        // client 1 after 200 ms.
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(1, 3, 200 * MS, 50 * MS), 0),
                        new Stage(1, ramp(3, 1, 200 * MS, 50 * MS), 200 * MS)),
                Prompt::new,
                false);
        hand.loop.start(0);
        List<Integer> active = new ArrayList<>();
        for (int at : new int[] {10, 90, 110, 190, 210, 290, 310, 390}) {
            hand.runUntil(at * MS);
            active.add(hand.active());
        }
        hand.runUntil(S);
        assertThat(active).containsExactly(2, 2, 3, 3, 3, 3, 2, 2);
        assertThat(calls(hand).stream().filter(call -> call.contains(":2@")))
                .containsExactly("0:2@100", "0:2@150", "1:2@200", "1:2@250");
        assertThat(calls(hand).stream().filter(call -> call.contains(":1@")))
                .containsExactly("0:1@0", "0:1@50", "0:1@100", "0:1@150", "1:1@200", "1:1@250", "1:1@300", "1:1@350");
        assertThat(hand.done).isTrue();
        assertThat(hand.active()).isZero();
    }

    @Test
    void clientsThatStayAreActiveAllAlong() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(4, 4, 250 * MS, 100 * MS), 0),
                        new Stage(1, ramp(4, 4, 250 * MS, 100 * MS), 250 * MS)),
                Prompt::new,
                false);
        hand.loop.start(0);
        hand.runUntil(1);
        for (int at = 1; at < 500; at++) {
            hand.runUntil(at * MS);
            assertThat(hand.active()).as("active at %d ms", at).isEqualTo(4);
        }
    }

    @Test
    void aCallInFlightAcrossStagesIsRecordedWhereItBeganAndItsClientContinues() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(1, 1, 100 * MS, 0), 0),
                        new Stage(1, ramp(1, 1, 100 * MS, 0), 100 * MS)),
                Held::new,
                false);
        hand.loop.start(0);
        hand.runUntil(150 * MS);
        open.get(0).ok();
        hand.runUntil(180 * MS);
        open.get(1).ok();
        hand.runUntil(250 * MS);
        open.get(2).ok();
        hand.runUntil(S);
        assertThat(calls(hand)).containsExactly("0:0@0", "1:0@150", "1:0@180");
        assertThat(hand.done).isTrue();
    }

    @Test
    void anAppendedStageCutsOffTheOneBeforeAndEndsOnlyByAStop() {
        HandLoop hand = new HandLoop(HandLoop.plan(true, new Stage(0, rate(10, 100 * S, 50), 0)), Prompt::new, false);
        hand.loop.start(0);
        hand.runUntil(150 * MS);
        hand.append(new Stage(1, rate(100, 30 * MS, 50), 300 * MS));
        hand.append(new Stage(1, rate(1, 30 * MS, 50), 200 * MS));
        hand.runUntil(10 * S);
        assertThat(hand.samples)
                .extracting(sample -> sample.intendedNanos() / MS)
                .containsExactly(0L, 100L, 200L, 300L, 310L, 320L);
        assertThat(hand.stages).containsExactly(0, 0, 0, 1, 1, 1);
        assertThat(hand.done).isFalse();
        hand.loop.stop(0);
        hand.runUntil(11 * S);
        assertThat(hand.done).isTrue();
    }

    @Test
    void aStageAppendedLateBeginsAtOnceAndItsArrivalsCountFromTheirInstants() {
        HandLoop hand = new HandLoop(HandLoop.plan(true, new Stage(0, rate(10, 50 * MS, 50), 0)), Prompt::new, false);
        hand.loop.start(0);
        hand.runUntil(400 * MS);
        hand.append(new Stage(1, rate(10, 400 * MS, 50), 200 * MS));
        hand.runUntil(S);
        assertThat(calls(hand)).containsExactly("0:0@0", "1:0@200", "1:0@300", "1:0@400", "1:0@500");
        assertThat(hand.samples.get(1).lagNanos()).isEqualTo(200 * MS);
    }

    @Test
    void theClientsOfAnAppendedStageAreOpenBeforeItsStart() {
        HandLoop hand =
                new HandLoop(HandLoop.plan(true, new Stage(0, ramp(2, 2, 10 * S, 10 * MS), 0)), Prompt::new, false);
        hand.loop.start(0);
        hand.runUntil(100 * MS);
        assertThat(opened).isEqualTo(2);
        hand.append(new Stage(1, ramp(2, 7, S, 10 * MS), 5 * S));
        hand.runUntil(101 * MS);
        for (int i = 0; i < 10; i++) {
            hand.turn();
        }
        assertThat(opened).isEqualTo(7);
        hand.runUntil(5_900 * MS);
        assertThat(hand.active()).isEqualTo(7);
    }

    @Test
    void stagesMayHaveDifferentTimeouts() {
        HandLoop hand =
                new HandLoop(HandLoop.plan(true, new Stage(0, ramp(1, 1, 100 * MS, 0, 2 * S), 0)), Held::new, false);
        hand.loop.start(0);
        hand.runUntil(10 * MS);
        hand.append(new Stage(1, ramp(2, 2, 5 * S, 0, 300 * MS), 100 * MS));
        hand.runUntil(2_150 * MS);
        assertThat(hand.samples)
                .containsExactly(
                        new HandLoop.Sample(1, 100 * MS, 0, 300 * MS, "timeout"),
                        new HandLoop.Sample(1, 1_400 * MS, 0, 300 * MS, "timeout"),
                        new HandLoop.Sample(0, 0, 0, 2 * S, "timeout"));
        assertThat(hand.stages).containsExactly(1, 1, 0);
    }

    @Test
    void betweenStagesOfAPlanThatGrowsNobodyIsActive() {
        HandLoop hand =
                new HandLoop(HandLoop.plan(true, new Stage(0, ramp(3, 3, 100 * MS, 60 * MS), 0)), Prompt::new, false);
        hand.loop.start(0);
        hand.runUntil(99 * MS);
        assertThat(hand.active()).isEqualTo(3);
        hand.runUntil(200 * MS);
        assertThat(hand.active()).isZero();
        hand.append(new Stage(1, ramp(3, 3, 100 * MS, 60 * MS), 300 * MS));
        hand.runUntil(350 * MS);
        assertThat(hand.active()).isEqualTo(3);
        hand.loop.stop(0);
        hand.runUntil(S);
        assertThat(calls(hand).stream().filter(call -> call.contains(":0@")))
                .containsExactly("0:0@0", "0:0@60", "1:0@300");
    }

    @Test
    void onlyAPlanThatGrowsTakesStages() {
        HandLoop hand = new HandLoop(rate(10, S, 1), Prompt::new);
        assertThatThrownBy(() -> hand.append(new Stage(1, rate(10, S, 1), S)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closedLoadMayFollowOpenLoadAndTheOtherWayRound() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, rate(20, 100 * MS, 3), 0),
                        new Stage(1, ramp(2, 2, 100 * MS, 60 * MS), 100 * MS),
                        new Stage(2, rate(20, 100 * MS, 3), 200 * MS)),
                Prompt::new,
                false);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(hand.samples)
                .extracting(sample -> sample.intendedNanos() / MS)
                .containsExactly(0L, 50L, 100L, 100L, 160L, 160L, 200L, 250L);
        assertThat(hand.done).isTrue();
        assertThat(hand.active()).isZero();
    }

    @Test
    void openLoadOpensClientsBeyondTheFirstOnlyWhenItNeedsThem() {
        HandLoop hand = new HandLoop(rate(1_000, 400 * MS, 1_000), Held::new);
        assertThat(opened).isEqualTo(Engine.OPEN_FIRST);
        hand.loop.start(0);
        hand.runUntil(255 * MS);
        assertThat(opened).isEqualTo(Engine.OPEN_FIRST);
        hand.runUntil(399 * MS);
        assertThat(opened).isEqualTo(400);
        assertThat(open.stream().map(Call::client).distinct()).hasSize(400);
        assertThat(hand.loop.counters().status().dropped()).isZero();
    }

    @Test
    void aLaterStopMayShortenTheGraceButNotLengthenIt() {
        HandLoop hand = new HandLoop(ramp(1, 1, 10 * S, 0, 10 * S), Held::new);
        hand.loop.start(0);
        hand.runUntil(100 * MS);
        hand.loop.stop(2 * S);
        hand.loop.stop(3 * S);
        hand.runUntil(200 * MS);
        hand.loop.stop(300 * MS);
        hand.runUntil(5 * S);
        hand.loop.stop(S);
        assertThat(hand.samples).containsExactly(new HandLoop.Sample(0, 0, 0, 500 * MS, "unfinished"));
        assertThat(hand.done).isTrue();
    }

    @Test
    void aTesterThatJoinsLaterBeginsItsClientsThenAndMakesUpForNothing() {
        // Planned starts at 0, 100 and 200 ms; it joins at 150 ms.
        ClosedLoad load = new ClosedLoad(3, 100 * MS, 300 * MS, new ThinkTime.Fixed(100 * MS), S);
        HandLoop hand = new HandLoop(HandLoop.plan(false, new Stage(0, load, 0)), Prompt::new, false);
        hand.setup.joinAt(150 * MS);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(calls(hand))
                .containsExactlyInAnyOrder(
                        "0:0@150", "0:0@250", "0:1@150", "0:1@250", "0:1@350", "0:2@200", "0:2@300", "0:2@400");
        assertThat(hand.done).isTrue();
    }

    @Test
    void aTesterThatJoinsLaterLeavesOutTheArrivalsBefore() {
        HandLoop hand = new HandLoop(HandLoop.plan(false, new Stage(0, rate(10, S, 4), 0)), Prompt::new, false);
        hand.setup.joinAt(650 * MS);
        hand.loop.start(0);
        hand.runUntil(2 * S);
        assertThat(calls(hand)).containsExactly("0:0@700", "0:0@800", "0:0@900");
        assertThat(hand.done).isTrue();
    }

    @Test
    void aTesterThatJoinsLaterBeginsWithTheStageAtHand() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(1, 1, 200 * MS, 50 * MS), 0),
                        new Stage(1, rate(10, 200 * MS, 4), 200 * MS),
                        new Stage(2, ramp(1, 1, 200 * MS, 50 * MS), 400 * MS)),
                Prompt::new,
                false);
        hand.setup.joinAt(290 * MS);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(calls(hand)).containsExactly("1:0@300", "2:0@400", "2:0@450", "2:0@500", "2:0@550");
        assertThat(hand.done).isTrue();
    }

    @Test
    void aClientThatComesBackNumbersItsCallsTogetherWithTheOneBeforeItThatIsStillOnItsWay() throws Exception {
        // The second client is away from 100 to 200 ms, in the middle of a journey of two calls 300 ms apart.
        Script script = JourneysTests.script(
                List.of(JourneysTests.request("a", "a")),
                new Move.Request(0),
                new Move.Pause(new ThinkTime.Fixed(300 * MS)),
                new Move.Request(0));
        List<Parameters> parameters = List.of(Parameters.read(List.of(), Map.of(), 1));
        List<String> numbers = new ArrayList<>();
        HandLoop[] hand = new HandLoop[1];
        AsyncClient noting = new AsyncClient() {
            @Override
            public void call(Call call) {
                if (call.client() == 1) {
                    numbers.add(call.iteration() + ":" + call.number() + "@" + hand[0].now / MS);
                }
                call.ok();
            }

            @Override
            public void cancel(Call call) {}
        };
        hand[0] = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, ramp(2, 2, 100 * MS, 0), 0),
                        new Stage(1, ramp(1, 1, 100 * MS, 0), 100 * MS),
                        new Stage(2, ramp(2, 2, 400 * MS, 0), 200 * MS)),
                () -> noting,
                false,
                false,
                CallScript.open(script, parameters, Rank.ONLY, 1));
        hand[0].loop.start(0);
        hand[0].runUntil(S);
        // The one that came back begins its second journey at 500 ms.
        assertThat(numbers).containsExactly("0:0@0", "1:1@200", "0:2@300", "1:3@500", "2:4@500", "2:5@800");
        assertThat(hand[0].done).isTrue();
    }
}
