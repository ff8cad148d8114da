package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.plan.ClientLifetimes;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.Quota;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends a client before its time: a quota, or a failure; on a loop turned by hand. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class QuotaTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    private final List<Call> open = new ArrayList<>();
    private int lanes = 1;

    private final class Held implements AsyncClient {
        @Override
        public int callsAtOnce() {
            return lanes;
        }

        @Override
        public void call(Call call) {
            open.add(call);
        }

        @Override
        public void cancel(Call call) {}
    }

    private static final class Moving implements AsyncClient {
        private final long bytes;

        Moving(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public void call(Call call) {
            call.bytes(bytes);
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    /** Fails the call with this number of this client. */
    private record FailingAt(int client, long number) implements AsyncClient {
        @Override
        public void call(Call call) {
            if (call.client() == client && call.number() == number) {
                call.fail(call.ticket(), "refused");
            } else {
                call.ok();
            }
        }

        @Override
        public void cancel(Call call) {}
    }

    private static ClosedLoad load(int clients, long runFor, Quota quota, OnFailure onFailure) {
        return new ClosedLoad(
                clients, new ClientLifetimes.Staggered(0, runFor), new ThinkTime.Fixed(100 * MS), quota, onFailure, S);
    }

    private static ClosedLoad calls(int clients, long calls) {
        return load(clients, ClientLifetimes.UNBOUNDED, new Quota(calls, 0), OnFailure.CONTINUE);
    }

    private static Map<Integer, Long> callsByClient(HandLoop hand) {
        return hand.samples.stream().collect(Collectors.groupingBy(HandLoop.Sample::client, Collectors.counting()));
    }

    @Test
    void aQuotaOfCallsIsMadeExactlyAndEndsAnUnboundedRun() {
        HandLoop hand = new HandLoop(calls(3, 8), () -> new Moving(0));
        hand.loop.start(0);
        hand.runUntil(50 * MS);
        assertThat(hand.active()).isEqualTo(3);
        hand.runUntil(150 * MS);
        assertThat(hand.done).isFalse();
        assertThat(hand.active()).isEqualTo(2);
        hand.runUntil(250 * MS);
        assertThat(hand.done).isTrue();
        assertThat(callsByClient(hand)).isEqualTo(Map.of(0, 3L, 1, 3L, 2, 2L));
        assertThat(hand.active()).isZero();
    }

    @Test
    void anUnboundedRunStandsAnyOriginOfTheClock() {
        for (long origin : new long[] {Long.MAX_VALUE - 120 * MS, Long.MIN_VALUE, -50 * MS, Long.MAX_VALUE / 2}) {
            HandLoop hand = new HandLoop(calls(2, 6), () -> new Moving(0));
            hand.now = origin;
            hand.loop.start(origin + 10 * MS);
            for (int i = 0; i < 100 && !hand.done; i++) {
                hand.turn();
                hand.now += 10 * MS;
            }
            assertThat(hand.done).as("done with the clock from %d", origin).isTrue();
            assertThat(hand.samples).hasSize(6);
        }
    }

    @Test
    void aShareOfNothingIsNoCall() {
        HandLoop hand = new HandLoop(calls(3, 1), () -> new Moving(0));
        hand.loop.start(0);
        hand.runUntil(50 * MS);
        assertThat(callsByClient(hand)).isEqualTo(Map.of(0, 1L));
        assertThat(hand.done).isTrue();
    }

    @Test
    void aClientStopsWhenItHasMovedItsShareOfTheBytes() {
        // 1,000 bytes for two clients: 500 each; at 200 a call that is three calls.
        ClosedLoad load = load(2, ClientLifetimes.UNBOUNDED, new Quota(0, 1_000), OnFailure.CONTINUE);
        HandLoop hand = new HandLoop(load, () -> new Moving(200));
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(callsByClient(hand)).isEqualTo(Map.of(0, 3L, 1, 3L));
        assertThat(hand.done).isTrue();
    }

    @Test
    void theLanesOfAClientShareItsQuota() {
        lanes = 4;
        HandLoop hand = new HandLoop(calls(1, 6), Held::new);
        hand.loop.start(0);
        hand.runUntil(10 * MS);
        assertThat(open).hasSize(4);
        assertThat(hand.active()).isEqualTo(1);
        open.get(3).ok();
        open.get(1).ok();
        hand.runUntil(500 * MS);
        assertThat(open).hasSize(6);
        new ArrayList<>(open.subList(4, 6)).forEach(Call::ok);
        open.get(0).ok();
        hand.runUntil(550 * MS);
        assertThat(hand.done).isFalse();
        open.get(2).ok();
        hand.runUntil(560 * MS);
        assertThat(hand.samples).hasSize(6);
        assertThat(hand.done).isTrue();
    }

    @Test
    void theQuotaOfAStageBeginsAnewInTheNext() {
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, load(1, S, new Quota(2, 0), OnFailure.CONTINUE), 0),
                        new Stage(1, calls(1, 3), S)),
                () -> new Moving(0),
                false);
        hand.loop.start(0);
        hand.runUntil(3 * S);
        assertThat(hand.samples)
                .extracting(sample -> sample.intendedNanos() / MS)
                .containsExactly(0L, 100L, 1_000L, 1_100L, 1_200L);
        assertThat(hand.done).isTrue();
    }

    @Test
    void aPlanThatGrowsOutlivesItsQuota() {
        HandLoop hand = new HandLoop(HandLoop.plan(true, new Stage(0, calls(1, 2), 0)), () -> new Moving(0), false);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(hand.done).isFalse();
        hand.append(new Stage(1, calls(1, 1), 2 * S));
        hand.runUntil(3 * S);
        assertThat(hand.samples).hasSize(3);
        assertThat(hand.done).isFalse();
    }

    @Test
    void aClientWhoseCallFailedRetiresForLaterStagesToo() {
        Quota none = Quota.NONE;
        HandLoop hand = new HandLoop(
                HandLoop.plan(
                        false,
                        new Stage(0, load(2, 500 * MS, none, OnFailure.RETIRE_CLIENT), 0),
                        new Stage(1, load(2, 500 * MS, none, OnFailure.CONTINUE), 500 * MS)),
                () -> new FailingAt(1, 2),
                false);
        hand.loop.start(0);
        hand.runUntil(250 * MS);
        assertThat(hand.active()).isEqualTo(1);
        hand.runUntil(2 * S);
        assertThat(callsByClient(hand)).isEqualTo(Map.of(0, 10L, 1, 3L));
        assertThat(hand.done).isTrue();
    }

    @Test
    void aTimeoutRetiresTheClientAndTheLastToRetireEndsTheRun() {
        HandLoop hand =
                new HandLoop(load(1, ClientLifetimes.UNBOUNDED, Quota.NONE, OnFailure.RETIRE_CLIENT), Held::new);
        hand.loop.start(0);
        hand.runUntil(1_500 * MS);
        assertThat(hand.samples).containsExactly(new HandLoop.Sample(0, 0, 0, S, "timeout"));
        open.get(0).ok();
        hand.runUntil(1_600 * MS);
        assertThat(open).hasSize(1);
        assertThat(hand.done).isTrue();
        assertThat(hand.active()).isZero();
    }

    @Test
    void aRetiredClientThatNeverLetsGoIsNotReplaced() {
        HandLoop hand =
                new HandLoop(load(1, ClientLifetimes.UNBOUNDED, Quota.NONE, OnFailure.RETIRE_CLIENT), Held::new);
        hand.loop.start(0);
        hand.runUntil(3 * S);
        assertThat(open).hasSize(1);
        assertThat(hand.done).isTrue();
        assertThat(hand.active()).isZero();
    }

    @Test
    void anAbortStopsTheLoadAtOnceWithTheTimeoutAsGraceAndTellsWhy() {
        List<Long> graces = new ArrayList<>();
        HandLoop hand = new HandLoop(load(3, 10 * S, Quota.NONE, OnFailure.ABORT), () -> new FailingAt(1, 1));
        hand.setup.whenAborted(graces::add);
        hand.loop.start(0);
        hand.runUntil(5 * S);
        assertThat(callsByClient(hand)).isEqualTo(Map.of(0, 2L, 1, 2L, 2, 1L));
        assertThat(hand.done).isTrue();
        assertThat(graces).containsExactly(S);
        assertThat(hand.setup.aborted()).isEqualTo("A call by client 1 failed (on-failure: abort): refused");
    }
}
