package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.BlockWriter;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.core.wire.TesterStatus;
import org.diperf.tester.engine.HandLoop.Sample;
import org.diperf.tester.engine.call.BlockSink;
import org.diperf.tester.engine.call.SampleStream;
import org.diperf.tester.engine.loop.CallLoop;
import org.diperf.tester.engine.loop.LoopShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
class CallLoopTests {

    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    private final List<Call> open = new ArrayList<>();
    private int cancels;

    private final class Held implements AsyncClient {
        @Override
        public void call(Call call) {
            open.add(call);
        }

        @Override
        public void cancel(Call call) {
            cancels++;
        }
    }

    private static class Prompt implements AsyncClient {
        @Override
        public void call(Call call) {
            call.ok();
        }

        @Override
        public void cancel(Call call) {}
    }

    private static OpenLoad tenPerSecond(int maxInFlight) {
        return new OpenLoad(10, OpenLoad.Arrivals.CONSTANT, 0, 2 * S, maxInFlight, S);
    }

    private static ClosedLoad closed(int clients, long every, long runFor, long think) {
        return new ClosedLoad(clients, every, runFor, think == 0 ? ThinkTime.NONE : new ThinkTime.Fixed(think), S);
    }

    @Test
    void aStallOfOneSecondAtTenPerSecondDelaysTheTenCallsPlannedInIt() {
        HandLoop hand = new HandLoop(tenPerSecond(100), Prompt::new);
        hand.loop.start(0);
        hand.runUntil(450 * MS);
        hand.now = 1_450 * MS;
        hand.runUntil(3 * S);
        assertThat(hand.done).isTrue();
        assertThat(hand.samples).hasSize(20);
        List<Sample> late =
                hand.samples.stream().filter(sample -> sample.lagNanos() > 0).toList();
        assertThat(late).hasSize(10);
        assertThat(late.get(0)).isEqualTo(new Sample(late.get(0).client(), 500 * MS, 950 * MS, 950 * MS, "ok"));
        assertThat(late.get(9).latencyNanos()).isEqualTo(50 * MS);
    }

    @Test
    void arrivalsBeyondMaxInFlightAreDropped() {
        HandLoop hand = new HandLoop(tenPerSecond(3), Held::new);
        hand.loop.start(0);
        hand.runUntil(950 * MS);
        assertThat(hand.loop.counters().status()).isEqualTo(new TesterStatus(0, 3, 3, 0, 0, 7));
    }

    @Test
    void clientsStartOneAfterAnotherAndThinkBetweenCalls() {
        HandLoop hand = new HandLoop(closed(2, 50 * MS, 250 * MS, 100 * MS), Prompt::new);
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(hand.samples)
                .extracting(sample -> sample.client() + "@" + sample.intendedNanos() / MS)
                .containsExactly("0@0", "1@50", "0@100", "1@150", "0@200", "1@250");
        assertThat(hand.done).isTrue();
    }

    @Test
    void aSuccessAfterTheTimeoutIsLateAndFreesTheClient() {
        HandLoop hand = new HandLoop(closed(1, 0, 5 * S, 0), Held::new);
        hand.loop.start(0);
        hand.runUntil(1_500 * MS);
        assertThat(cancels).isEqualTo(1);
        assertThat(hand.samples).containsExactly(new Sample(0, 0, 0, S, "timeout"));
        Call call = open.get(0);
        long ticket = call.ticket();
        call.ok(ticket);
        call.ok(ticket);
        hand.turn();
        assertThat(hand.loop.counters().lateEnds()).isEqualTo(2);
        assertThat(open).hasSize(2);
    }

    @Test
    void anAnswerThatIsThereWhenALateLoopLooksIsNoTimeout() {
        HandLoop hand = new HandLoop(closed(1, 0, 5 * S, 0), Held::new);
        hand.loop.start(0);
        hand.runUntil(500 * MS);
        hand.now = 1_500 * MS;
        assertThat(hand.loop.runDue())
                .as("it looks before it gives the call up")
                .isZero();
        open.get(0).ok();
        hand.stop(0);
        hand.runUntil(2 * S);
        assertThat(hand.samples).startsWith(new Sample(0, 0, 0, 1_500 * MS, "ok"));
        assertThat(cancels).isZero();
    }

    @Test
    void aClientThatNeverLetsGoIsReplaced() {
        HandLoop hand = new HandLoop(closed(1, 0, 5 * S, 0), Held::new);
        hand.loop.start(0);
        hand.runUntil(2_100 * MS);
        assertThat(hand.setup.stuckClients()).isEqualTo(1);
        assertThat(open).hasSize(2);
        assertThat(open.get(1)).isNotSameAs(open.get(0));
        assertThat(hand.loop.busy()).isEqualTo(1);
    }

    @Test
    void whatIsInFlightAfterTheGraceOfAStopIsUnfinished() {
        HandLoop hand = new HandLoop(closed(2, 0, 5 * S, 0), Held::new);
        hand.loop.start(0);
        hand.runUntil(300 * MS);
        hand.loop.stop(100 * MS);
        hand.runUntil(S);
        assertThat(hand.done).isTrue();
        assertThat(cancels).isEqualTo(2);
        assertThat(hand.samples)
                .containsExactly(
                        new Sample(0, 0, 0, 400 * MS, "unfinished"), new Sample(1, 0, 0, 400 * MS, "unfinished"));
    }

    @Test
    void withDebugNothingTimesOut() {
        HandLoop hand = new HandLoop(closed(1, 0, S, 0), Held::new, true);
        hand.loop.start(0);
        hand.runUntil(60 * S);
        assertThat(hand.samples).isEmpty();
        assertThat(hand.done).isFalse();
    }

    @Test
    void whatHasToBeSentLeavesOnceTheCallsThatAreDueHaveBegun() {
        List<Integer> begunBefore = new ArrayList<>();
        HandLoop[] hands = new HandLoop[1];
        class Batching extends Prompt {
            @Override
            public void call(Call call) {
                open.add(call);
                if (open.size() % 3 == 1) {
                    hands[0].loop.afterCalls(() -> {
                        begunBefore.add(open.size());
                        // Clients that all call again once they are answered.
                        List.copyOf(open).forEach(Call::ok);
                    });
                }
            }
        }
        hands[0] = new HandLoop(closed(3, 0, 10 * MS, 5 * MS), Batching::new);
        hands[0].loop.start(0);
        hands[0].runUntil(20 * MS);
        assertThat(begunBefore).startsWith(3, 6).allMatch(count -> count % 3 == 0);
        assertThat(hands[0].samples).hasSize(open.size());
    }

    @Test
    void anExceptionIsAFailureWithItsReason() {
        HandLoop hand = new HandLoop(closed(1, 0, 250 * MS, 100 * MS), () -> new AsyncClient() {
            @Override
            public void call(Call call) throws Exception {
                throw new java.net.ConnectException("Connection refused: here/127.0.0.1:1");
            }

            @Override
            public void cancel(Call call) {}
        });
        hand.loop.start(0);
        hand.runUntil(S);
        assertThat(hand.samples).hasSize(3).allMatch(sample -> sample.outcome().equals("connection refused"));
    }

    @Test
    void aBrokenClientFailsTenTimesASecondAndNoMore() {
        HandLoop hand = new HandLoop(closed(1, 0, S, 0), () -> {
            throw new IllegalStateException("no key");
        });
        hand.loop.start(0);
        hand.runUntil(2 * S);
        assertThat(hand.samples)
                .hasSize(10)
                .allMatch(sample -> sample.outcome().equals("IllegalStateException: no key"));
    }

    @Test
    void anEndOnAnotherThreadCountsFromWhenItHappened() throws InterruptedException {
        HandLoop hand = new HandLoop(closed(1, 0, 5 * S, 0), Held::new);
        hand.loop.start(0);
        hand.runUntil(100 * MS);
        Thread other = new Thread(() -> open.get(0).ok());
        other.start();
        other.join();
        hand.now = 200 * MS;
        hand.turn();
        hand.runUntil(400 * MS);
        assertThat(hand.samples).containsExactly(new Sample(0, 0, 0, 100 * MS, "ok"));
        assertThat(open).hasSize(2);
    }

    @Test
    void callsThatEndAtOnceAllocateNothing() {
        HandLoop hand = new HandLoop(closed(4, 0, 1_000_000 * S, 0), Prompt::new);
        hand.loop.start(0);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        // The clock stands still, so that no block grows old; blocks are taken out of the count by their own test sink.
        CountingSink sink = new CountingSink();
        SampleStream samples = new SampleStream(1, 0, sink);
        CallLoop loop = new CallLoop(
                hand.setup, new LoopShare(0, 1), () -> 0, hand, new PlanRules(hand.setup), hand, samples, () -> {});
        loop.openFirst(4);
        loop.start(0);
        while (loop.counters().status().ok() < 50_000) {
            loop.runDue();
        }
        long id = Thread.currentThread().getId();
        long calls = loop.counters().status().ok();
        sink.bytes = 0;
        long before = threads.getThreadAllocatedBytes(id);
        while (loop.counters().status().ok() < calls + 100_000) {
            loop.runDue();
        }
        long allocated = threads.getThreadAllocatedBytes(id) - before - sink.bytes;
        assertThat(allocated).isLessThan(100_000);
    }

    private static final class CountingSink implements BlockSink {
        private final com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        private final java.nio.ByteBuffer to = java.nio.ByteBuffer.allocate(1 << 20);
        private long blocks;
        long bytes;

        @Override
        public void write(BlockWriter block) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            block.encode(to.clear(), ++blocks);
            bytes += threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
    }
}
