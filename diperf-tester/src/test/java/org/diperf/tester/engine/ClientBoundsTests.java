package org.diperf.tester.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Recorder;
import org.diperf.tester.engine.HandLoop.Bounds;
import org.diperf.tester.engine.call.CallScript;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounds that clients know better than the framework; they are recorded as the next power of two. */
@Timeout(30)
class ClientBoundsTests {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final Bounds NONE = new Bounds(CallWriter.UNKNOWN, CallWriter.UNKNOWN);

    private @Nullable HandLoop hand;

    private HandLoop hand() {
        return requireNonNull(hand, "run sets it before a call is made");
    }

    /** Lets one client call every ten milliseconds, five times. */
    private HandLoop run(BlockingClient client) {
        ClosedLoad load = new ClosedLoad(1, 0, 45 * MILLI, new ThinkTime.Fixed(10 * MILLI), 100 * MILLI);
        HandLoop made =
                new HandLoop(HandLoop.plan(false, new Stage(0, load, 0)), () -> client, false, true, CallScript.NONE);
        hand = made;
        made.start();
        made.runUntil(200 * MILLI);
        return made;
    }

    /** Takes a millisecond. */
    private void call(Call call, long leftNanos, long answeredNanos) {
        long sent = hand().now;
        call.tookAtLeast(sent + leftNanos, sent + answeredNanos);
        hand().now += MILLI;
    }

    @Test
    void whatTheClientSaysBoundsBothInstants() {
        HandLoop done = run(call -> call(call, 120 * MICRO, MILLI - 500 * MICRO));
        assertThat(done.bounds).hasSizeGreaterThan(2).containsOnly(new Bounds(500 * MICRO, 120 * MICRO));
    }

    @Test
    void anAnswerThatMayHaveBeenThereBeforeTheRequestHadLeftBoundsAllThatTheCallTook() {
        HandLoop done = run(call -> call(call, 900 * MICRO, -3 * MILLI));
        assertThat(done.bounds).hasSizeGreaterThan(2).containsOnly(new Bounds(MILLI, 900 * MICRO));
    }

    @Test
    void whatTheClientDoesNotKnowOrCannotKnowIsUnknown() {
        assertThat(run(call -> call.tookAtLeast(hand().now, Long.MIN_VALUE)).bounds)
                .hasSizeGreaterThan(2)
                .containsOnly(NONE);
        assertThat(run(call -> call(call, -MICRO, MICRO)).bounds)
                .hasSizeGreaterThan(2)
                .containsOnly(NONE);
        assertThat(run(call -> call(call, 2 * MILLI, MICRO)).bounds)
                .hasSizeGreaterThan(2)
                .containsOnly(NONE);
    }

    @Test
    void oneCallsBoundsAreNotTheNextOnes() {
        HandLoop done = run(call -> {
            if (call.number() == 0) {
                call(call, 120 * MICRO, MILLI - 500 * MICRO);
            }
        });
        assertThat(done.bounds).hasSizeGreaterThan(2).startsWith(new Bounds(500 * MICRO, 120 * MICRO), NONE);
    }

    @Test
    void aFailedCallHasNone() {
        HandLoop done = run(call -> {
            call(call, 120 * MICRO, MILLI - 500 * MICRO);
            call.fail("refused");
        });
        assertThat(done.bounds).hasSizeGreaterThan(2).containsOnly(NONE);
    }

    /** Reports one call of a millisecond with bounds and one without. */
    private static final class Reporting implements BlockingClient {
        private @Nullable Recorder recorder;

        @Override
        public void open(Context context) {
            recorder = context.recorder();
        }

        @Override
        public boolean selfTimed() {
            return true;
        }

        @Override
        public void call(Call call) {
            Recorder into = requireNonNull(recorder, "open sets it");
            into.call(1, 1 + MILLI, 0, null, 70 * MICRO);
            into.call(2, 2 + MILLI, 0, null, 90 * MILLI);
            into.call(3, 3 + MILLI, 0, null);
            into.call(4, 4 + MILLI, 0, "refused", 70 * MICRO);
        }
    }

    @Test
    void whatAProgramWaitedForBoundsTheEndOfItsCall() {
        HandLoop done = run(new Reporting());
        assertThat(done.bounds).containsSequence(new Bounds(70 * MICRO, 1_024), new Bounds(MILLI, 1_024), NONE, NONE);
    }
}
