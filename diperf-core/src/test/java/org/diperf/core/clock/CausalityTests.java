package org.diperf.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CausalityTests {

    private static final long MICRO = ClockWorld.MICRO;
    private static final long SECOND = ClockWorld.SECOND;
    private static final long SEED = 20261121;

    private final ClockWorld world =
            new ClockWorld(SEED, 120).skew(-70).wander().path(ClockWorld.lan());
    private final Corridor corridor = Corridor.of(world.probe()).orElseThrow();
    private final Causality causality = new Causality(corridor);

    /** A call that takes 40 us there, 100 us on the server and 40 us back, with the server's record off by so much. */
    private boolean call(long at, long offNanos) {
        long arrived = at + 40 * MICRO;
        long departed = arrived + 100 * MICRO;
        return causality.check(
                world.client(at),
                world.client(departed + 40 * MICRO),
                arrived + ClockWorld.BOOT + offNanos,
                departed + ClockWorld.BOOT + offNanos);
    }

    @Test
    void callsContainWhatTheServerRecorded() {
        for (long at = 0; at < 120 * SECOND; at += SECOND / 100) {
            assertThat(call(at, 0)).isTrue();
        }
        assertThat(causality.checked()).isEqualTo(12_000);
        assertThat(causality.violated()).isZero();
        assertThat(causality.worstNanos()).isNegative();
    }

    @Test
    void aServersRecordOutsideTheCallIsSeen() {
        long bound = corridor.boundNanos(world.client(60 * SECOND));
        assertThat(call(60 * SECOND, -bound - 100 * MICRO)).isFalse();
        assertThat(call(60 * SECOND, bound + 100 * MICRO)).isFalse();
        assertThat(causality.violated()).isEqualTo(2);
        assertThat(causality.worstNanos()).isBetween(30 * MICRO, 90 * MICRO);
    }
}
