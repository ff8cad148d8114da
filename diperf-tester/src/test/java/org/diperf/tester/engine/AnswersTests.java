package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.Consumer;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.tester.engine.HandLoop.Bounds;
import org.diperf.tester.engine.HandLoop.Sample;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.machine.SocketArrivals;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is recorded of calls whose answers were there before the loop found them. */
@Timeout(30)
class AnswersTests {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    /** How long the loop sleeps on when an answer has come. */
    private static final long WAKING = 70 * MICRO;

    private static final long SERVICE = 5 * MILLI;
    private static final int DESCRIPTOR = 3;

    private @Nullable HandLoop hand;
    private boolean stamped = true;

    /** Tells of the call, when its answer is read. */
    private Consumer<Call> metric = call -> {};

    private HandLoop hand() {
        return requireNonNull(hand, "run sets it before a call is made");
    }

    /** Its answer comes after {@link #SERVICE}, and the loop finds it {@link #WAKING} later. */
    private final class Woken implements AsyncClient {
        private ReceiveTimes.@Nullable Connection connection;

        @Override
        public void call(Call call) {
            ReceiveTimes.Connection kept = connection == null ? hand().looks.connection(DESCRIPTOR) : connection;
            connection = kept;
            hand().in(0, () -> answer(call, kept));
        }

        private void answer(Call call, ReceiveTimes.Connection connection) {
            ReceiveTimes looks = hand().looks;
            looks.begin();
            hand().now += SERVICE + WAKING;
            looks.told(true);
            looks.reads(connection, new StampedAt(hand().now - WAKING), DESCRIPTOR);
            metric.accept(call);
            call.ok();
            looks.hasRead();
            looks.end(1, true);
        }

        @Override
        public void cancel(Call call) {
            throw new AssertionError("no call takes so long");
        }
    }

    private final class StampedAt implements SocketArrivals {
        private final long nanos;

        StampedAt(long nanos) {
            this.nanos = nanos;
        }

        @Override
        public long first(int descriptor) {
            return stamped ? nanos : NONE;
        }

        @Override
        public long last(int descriptor) {
            return first(descriptor);
        }

        @Override
        public boolean look(int descriptor) {
            return true;
        }

        @Override
        public long bytes() {
            return 6;
        }

        @Override
        public int outOfOrder() {
            return 0;
        }
    }

    private HandLoop run(ThinkTime think) {
        ClosedLoad load = new ClosedLoad(1, 0, 60 * MILLI, think, 100 * MILLI);
        HandLoop made = new HandLoop(load, Woken::new);
        hand = made;
        made.start();
        made.runUntil(100 * MILLI);
        assertThat(made.samples).hasSizeGreaterThan(5);
        return made;
    }

    @Test
    void aCallLastsUntilItsAnswerIsThereAndTheClientThinksFromThenOn() {
        HandLoop done = run(new ThinkTime.Fixed(2 * MILLI));
        for (int i = 0; i < done.samples.size(); i++) {
            Sample sample = done.samples.get(i);
            assertThat(sample.lagNanos()).isZero();
            assertThat(sample.latencyNanos()).isBetween(SERVICE, SERVICE + MICRO);
            if (i > 0) {
                Sample before = done.samples.get(i - 1);
                assertThat(sample.intendedNanos())
                        .isEqualTo(before.intendedNanos() + before.latencyNanos() + 2 * MILLI);
            }
        }
    }

    /** What the loop adds to the pause between two calls is lag of the second, so nothing is lost of the client's time. */
    @Test
    void withoutAThinkTimeTheNextCallIsLateByWhatTheLoopTookToWakeUp() {
        HandLoop done = run(new ThinkTime.None());
        for (int i = 1; i < done.samples.size(); i++) {
            Sample sample = done.samples.get(i);
            Sample before = done.samples.get(i - 1);
            assertThat(sample.intendedNanos()).isEqualTo(before.intendedNanos() + before.latencyNanos());
            assertThat(sample.lagNanos()).isBetween(WAKING - MICRO, WAKING);
            assertThat(sample.latencyNanos() - sample.lagNanos()).isBetween(SERVICE, SERVICE + MICRO);
        }
    }

    /** Here nothing takes any time but the loop's waking up, and still no call is known better. */
    @Test
    void noCallIsKnownBetterThanAnInterruptMayTake() {
        for (Bounds each : run(new ThinkTime.Fixed(2 * MILLI)).bounds) {
            assertThat(each.in() + each.out()).isBetween(ReceiveTimes.MIN_NANOS, ReceiveTimes.MIN_NANOS + 2 * MICRO);
        }
    }

    @Test
    void aTimeUntilTheAnswerWasReadEndsWithTheCall() {
        metric = call -> call.metric(HandLoop.FIRST_BYTE, hand().now - SERVICE - WAKING, hand().now);
        assertFirstBytes(SERVICE);
    }

    @Test
    void whatHadEndedBeforeStaysAsItIs() {
        metric = call -> call.metric(HandLoop.FIRST_BYTE, hand().now - SERVICE, hand().now - SERVICE / 2);
        assertFirstBytes(SERVICE / 2);
        metric = call -> call.metric(HandLoop.FIRST_BYTE, (SERVICE + WAKING) / 1e6);
        assertFirstBytes(SERVICE + WAKING);
    }

    /** What is told as a number is no time that ended, even where one was told before. */
    @Test
    void theLastValueCounts() {
        metric = call -> {
            call.metric(HandLoop.FIRST_BYTE, hand().now - SERVICE - WAKING, hand().now);
            call.metric(HandLoop.FIRST_BYTE, 7);
        };
        assertFirstBytes(7 * MILLI);
    }

    @Test
    void whatBeganWhenTheAnswerWasThereTookNoTime() {
        metric = call -> call.metric(HandLoop.FIRST_BYTE, hand().now - MICRO, hand().now);
        assertFirstBytes(0);
    }

    private void assertFirstBytes(long nanos) {
        HandLoop done = run(new ThinkTime.Fixed(2 * MILLI));
        assertThat(done.firstBytes).allSatisfy(each -> assertThat(each * 1e6).isCloseTo(nanos, within(1.0 * MICRO)));
    }

    @Test
    void whereTheKernelDoesNotSayACallLastsUntilItIsFound() {
        stamped = false;
        HandLoop done = run(new ThinkTime.Fixed(2 * MILLI));
        assertThat(done.samples)
                .allSatisfy(sample -> assertThat(sample.latencyNanos()).isEqualTo(SERVICE + WAKING));
        assertThat(done.bounds).allSatisfy(each -> assertThat(each.in()).isGreaterThan(WAKING));
    }
}
