package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.wire.TesterStatus;
import org.diperf.tester.engine.HandLoop.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of open load that have connections to open, and what arrivals wait for. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class OpenConnectionsTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    private final Queue<Call> connecting = new ArrayDeque<>();

    private final Queue<Call> calls = new ArrayDeque<>();
    private int connects;

    private final class Connecting implements AsyncClient {
        @Override
        public void connect(Call call) {
            connects++;
            connecting.add(call);
        }

        @Override
        public void call(Call call) {
            calls.add(call);
        }

        @Override
        public void cancel(Call call) {
            connecting.remove(call);
            call.fail("cancelled");
        }
    }

    private static OpenLoad load(double perSecond, int maxInFlight, long timeout) {
        return new OpenLoad(perSecond, OpenLoad.Arrivals.CONSTANT, 0, 2 * S, maxInFlight, timeout);
    }

    private HandLoop hand(OpenLoad load) {
        return new HandLoop(load, Connecting::new);
    }

    /** Lets the connection that was begun first be there after a time. */
    private void connected(HandLoop hand, long afterNanos) {
        hand.now += afterNanos;
        connecting.remove().ok();
        hand.turn();
    }

    @Test
    void connectionsForTwentyMillisecondsAndTwoConnectsOfArrivalsAreOpenedBeforeTheStart() {
        HandLoop hand = hand(load(1_000, 100, S));
        AtomicBoolean ready = new AtomicBoolean();
        hand.loop.connectFirst(() -> ready.set(true));
        for (int i = 1; i <= 3; i++) {
            assertThat(connecting)
                    .as("one after another, to see how far away the service is")
                    .hasSize(1);
            connected(hand, 5 * MS);
        }
        assertThat(connecting).as("at a time").hasSize(16);
        while (!connecting.isEmpty()) {
            assertThat(ready).isFalse();
            connected(hand, 5 * MS);
        }
        assertThat(ready).isTrue();
        assertThat(connects).as("1,000/s for 20 ms and twice 5 ms").isEqualTo(30);
        assertThat(calls).isEmpty();
        assertThat(hand.loop.counters().status()).isEqualTo(new TesterStatus(0, 0, 0, 0, 0, 0));
    }

    @Test
    void aConnectionThatCannotBeOpenedEndsThePreparation() {
        HandLoop hand = hand(load(1_000, 100, S));
        AtomicBoolean ready = new AtomicBoolean();
        hand.loop.connectFirst(() -> ready.set(true));
        connecting.remove().fail("connection refused");
        assertThat(ready).isTrue();
        hand.start();
        hand.runUntil(0);
        assertThat(calls).as("the call meets it").hasSize(1);
    }

    @Test
    void callsGoOverOpenConnectionsAndOpenNone() {
        HandLoop hand = hand(load(100, 100, S));
        hand.loop.connectFirst(() -> {});
        connected(hand, 0);
        connected(hand, 0);
        assertThat(connects).isEqualTo(2);
        hand.now = 0;
        hand.start();
        hand.runUntil(15 * MS);
        assertThat(calls).hasSize(2);
        assertThat(connects).isEqualTo(2);
    }

    @Test
    void anArrivalWaitsForWhicheverConnectionIsFreeFirst() {
        HandLoop hand = hand(load(100, 100, S));
        hand.start();
        hand.runUntil(5 * MS);
        connected(hand, 0);
        assertThat(calls).hasSize(1);
        hand.runUntil(12 * MS);
        assertThat(connects).as("for the second").isEqualTo(2);
        assertThat(calls).hasSize(1);
        assertThat(hand.loop.counters().status().inFlight()).isEqualTo(2);
        calls.remove().ok();
        assertThat(calls).as("it went where the first ended").hasSize(1);
        calls.remove().ok();
        hand.runUntil(15 * MS);
        assertThat(hand.samples).isEmpty();
        hand.stop(0);
        hand.runUntil(S);
        assertThat(hand.samples)
                .as("the wait is the call's time, and no send lag")
                .containsExactly(new Sample(0, 0, 0, 12 * MS, "ok"), new Sample(0, 10 * MS, 0, 2 * MS, "ok"));
    }

    @Test
    void aPileOfArrivalsOpensSixteenConnectionsAtATime() {
        HandLoop hand = hand(load(1_000, 1_000, S));
        hand.loop.connectFirst(() -> {});
        while (!connecting.isEmpty()) {
            connected(hand, 0);
        }
        assertThat(connects).isEqualTo(20);
        hand.start();
        hand.runUntil(500 * MS);
        assertThat(calls).hasSize(20);
        assertThat(connecting).hasSize(16);
        assertThat(hand.loop.counters().status().inFlight()).isEqualTo(501);
        while (!connecting.isEmpty()) {
            connected(hand, 0);
            for (Call call = calls.poll(); call != null; call = calls.poll()) {
                call.ok();
            }
        }
        assertThat(hand.loop.counters().status().ok()).isEqualTo(501);
        assertThat(connects).as("one more in place of the first that was there").isEqualTo(37);
    }

    @Test
    void farAwayAsManyAreOpenedAtATimeAsArriveInTwoConnects() {
        HandLoop hand = hand(load(1_000, 1_000, S));
        hand.start();
        hand.turn();
        connected(hand, 100 * MS);
        hand.runUntil(800 * MS);
        assertThat(connecting).as("16 until it was known, 200 from then on").hasSize(200);
    }

    @Test
    void anArrivalThatWaitedInVainIsTheServicesWhereThatLetNobodyConnect() {
        HandLoop hand = hand(load(10, 100, 100 * MS));
        hand.start();
        hand.runUntil(150 * MS);
        hand.stop(0);
        hand.runUntil(S);
        assertThat(hand.samples).startsWith(new Sample(0, 0, 0, 100 * MS, "timeout"));
    }

    @Test
    void anArrivalThatWaitedInVainIsTheGeneratorsWhereOthersDidConnect() {
        HandLoop hand = hand(load(1_000, 1_000, 100 * MS));
        hand.start();
        hand.runUntil(90 * MS);
        connected(hand, 0);
        hand.runUntil(145 * MS);
        hand.stop(0);
        hand.runUntil(S);
        assertThat(hand.samples.stream().filter(sample -> sample.intendedNanos() == 40 * MS))
                .extracting(Sample::latencyNanos, Sample::outcome)
                .containsExactly(tuple(100 * MS, "no connection became free in time"));
        assertThat(hand.loop.counters().status().failed()).isGreaterThan(0);
    }

    @Test
    void whatWaitsCountsTowardsMaxInFlight() {
        HandLoop hand = hand(load(1_000, 20, S));
        hand.start();
        hand.runUntil(50 * MS);
        assertThat(hand.loop.counters().status()).isEqualTo(new TesterStatus(0, 20, 0, 0, 0, 31));
    }

    @Test
    void whatStillWaitsWhenTheLoadIsStoppedIsUnfinished() {
        HandLoop hand = hand(load(100, 100, S));
        hand.start();
        hand.runUntil(25 * MS);
        hand.stop(0);
        hand.runUntil(2 * S);
        assertThat(hand.done).isTrue();
        assertThat(hand.samples).hasSize(3).allMatch(sample -> sample.outcome().equals(Outcome.UNFINISHED));
        assertThat(hand.loop.counters().status().sent()).isEqualTo(3);
    }

    @Test
    void whatStillWaitsWhenTheNextStageBeginsIsSentThen() {
        OpenLoad first = new OpenLoad(100, 100, OpenLoad.Arrivals.CONSTANT, 0, 25 * MS, 10, OnFailure.CONTINUE, S);
        HandLoop hand = new HandLoop(
                HandLoop.plan(false, new Stage(0, first, 0), new Stage(1, load(10, 10, S), 25 * MS)),
                Connecting::new,
                false);
        hand.start();
        hand.runUntil(24 * MS);
        assertThat(calls).isEmpty();
        hand.runUntil(26 * MS);
        assertThat(calls).hasSize(3);
        assertThat(connecting).as("those that were begun go on").hasSize(3);
    }
}
