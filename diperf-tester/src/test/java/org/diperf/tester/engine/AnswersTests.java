package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Think;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Call;
import org.diperf.tester.engine.HandLoop.Bounds;
import org.diperf.tester.engine.HandLoop.Sample;
import org.diperf.tester.machine.Arrivals;
import org.diperf.tester.machine.Departures;
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
    /** What sending takes, of which the first 5 µs until the request has left. */
    private static final long SENDING = 40 * MICRO;

    private static final long LEAVING = 5 * MICRO;

    private boolean stamped = true;
    private boolean sends;
    private final Device device = new Device();

    private HandLoop hand() {
        return requireNonNull(hand, "run sets it before a call is made");
    }

    /** Its answer comes after {@link #SERVICE}, and the loop finds it {@link #WAKING} later. */
    private final class Woken implements AsyncClient {
        private Looks.@Nullable Connection connection;

        @Override
        public void call(Call call) {
            Looks.Connection kept = connection == null ? hand().looks.connection(DESCRIPTOR) : connection;
            connection = kept;
            if (sends) {
                device.leaves(hand().now + LEAVING);
                hand().now += SENDING;
            }
            hand().in(0, () -> answer(call, kept));
        }

        private void answer(Call call, Looks.Connection connection) {
            Looks looks = hand().looks;
            looks.begin();
            hand().now += SERVICE + WAKING;
            looks.told(true);
            looks.reads(connection, new StampedAt(hand().now - WAKING), DESCRIPTOR);
            call.ok();
            looks.hasRead();
            looks.end(1, true);
        }

        @Override
        public void cancel(Call call) {
            throw new AssertionError("no call takes so long");
        }
    }

    /** Notes when requests leave, if it is to. */
    private static final class Device implements Departures {
        private boolean notes;
        private boolean silent;
        private long last = NONE;
        private int changes;

        void leaves(long nanos) {
            last = notes && !silent ? nanos : last;
        }

        @Override
        public void note(int descriptor, boolean notesNow) {
            assertThat(descriptor).isEqualTo(DESCRIPTOR);
            notes = notesNow;
            changes++;
        }

        @Override
        public long takeLast(int descriptor) {
            long taken = last;
            last = NONE;
            return taken;
        }
    }

    private final class StampedAt implements Arrivals {
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

    private HandLoop run(Think think) {
        HandLoop made = runUntil(100 * MILLI, think);
        assertThat(made.samples).hasSizeGreaterThan(5);
        return made;
    }

    private HandLoop runUntil(long nanos, Think think) {
        ClosedLoad load = new ClosedLoad(1, 0, 60 * MILLI, think, 100 * MILLI);
        HandLoop made = new HandLoop(load, Woken::new);
        hand = made;
        made.looks.asks(device);
        made.start();
        made.runUntil(nanos);
        return made;
    }

    @Test
    void aCallLastsUntilItsAnswerIsThereAndTheClientThinksFromThenOn() {
        HandLoop done = run(new Think.Fixed(2 * MILLI));
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
        HandLoop done = run(new Think.None());
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
        for (Bounds each : run(new Think.Fixed(2 * MILLI)).bounds) {
            assertThat(each.in() + each.out()).isBetween(Looks.LEAST_NANOS, Looks.LEAST_NANOS + 2 * MICRO);
        }
    }

    @Test
    void whereTheKernelDoesNotSayACallLastsUntilItIsFound() {
        stamped = false;
        HandLoop done = run(new Think.Fixed(2 * MILLI));
        assertThat(done.samples)
                .allSatisfy(sample -> assertThat(sample.latencyNanos()).isEqualTo(SERVICE + WAKING));
        assertThat(done.bounds).allSatisfy(each -> assertThat(each.in()).isGreaterThan(WAKING));
    }

    /** The kernel is asked once an answer has come over the connection and the loop has slept, so it says so from the fourth call on. */
    @Test
    void aRequestHasLeftWhenTheKernelSaysAndNotWhenItsSendingReturns() {
        sends = true;
        HandLoop done = run(new Think.Fixed(2 * MILLI));
        for (int i = 0; i < done.bounds.size(); i++) {
            Bounds each = done.bounds.get(i);
            if (i < 3) {
                assertThat(each.out()).isBetween(SENDING, SENDING + 2 * MICRO);
            } else {
                assertThat(each.out()).isBetween(LEAVING, LEAVING + 2 * MICRO);
                assertThat(each.in() + each.out()).isBetween(Looks.LEAST_NANOS, Looks.LEAST_NANOS + 2 * MICRO);
            }
        }
        assertThat(device.changes).isEqualTo(1);
    }

    @Test
    void whereTheKernelDoesNotSayARequestHasLeftWhenItsSendingReturns() {
        sends = true;
        device.silent = true;
        HandLoop done = run(new Think.Fixed(2 * MILLI));
        assertThat(done.bounds).allSatisfy(each -> assertThat(each.out()).isBetween(SENDING, SENDING + 2 * MICRO));
    }

    /** A loop that always has something to do does not ask. */
    @Test
    void withoutTimeNobodyIsAsked() {
        sends = true;
        HandLoop done = runUntil(30 * MILLI, new Think.Fixed(2 * MILLI));
        assertThat(device.changes).isEqualTo(1);
        Looks looks = done.looks;
        for (int i = 0; i < 10; i++) {
            looks.begin();
            done.now += MILLI;
            looks.told(false);
            looks.end(1, true);
        }
        done.runUntil(60 * MILLI);
        assertThat(device.changes).isGreaterThan(1);
    }
}
