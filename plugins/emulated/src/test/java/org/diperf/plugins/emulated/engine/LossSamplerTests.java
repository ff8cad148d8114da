package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.diperf.plugins.emulated.topology.Loss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Losses over a million packets, within four standard deviations. */
@Timeout(60)
class LossSamplerTests {

    private static final int PACKETS = 1_000_000;
    private static final long SEED = 7;

    @ParameterizedTest
    @CsvSource({"0.001,1", "0.05,1", "0.5,1", "0.005,5", "0.1,3"})
    void theShareAndTheBurstsAreThoseThatWereAskedFor(double rate, int burst) {
        LossSampler draw = new LossSampler(new Loss(rate, burst), SEED);
        int lost = 0;
        int bursts = 0;
        int run = 0;
        for (int i = 0; i < PACKETS; i++) {
            if (draw.loses()) {
                lost++;
                run++;
            } else if (run > 0) {
                assertThat(run % burst)
                        .as("whole bursts in a row, seed " + SEED)
                        .isZero();
                bursts += run / burst;
                run = 0;
            }
        }
        // A burst and the gap behind it are b + g packets, g geometric: the number of bursts has this variance at most.
        double deviation = burst * Math.sqrt(PACKETS * rate / burst);
        assertThat((double) lost).as("lost, seed " + SEED).isCloseTo(PACKETS * rate, within(4 * deviation));
        assertThat(Math.abs(lost - bursts * burst)).isLessThanOrEqualTo(burst);
    }

    @Test
    void withoutLossesNothingIsLost() {
        LossSampler draw = new LossSampler(Loss.NONE, SEED);
        for (int i = 0; i < PACKETS; i++) {
            assertThat(draw.loses()).isFalse();
        }
    }

    @Test
    void theSameSeedLosesTheSamePackets() {
        LossSampler one = new LossSampler(new Loss(0.1, 2), SEED);
        LossSampler other = new LossSampler(new Loss(0.1, 2), SEED);
        for (int i = 0; i < 10_000; i++) {
            assertThat(one.loses()).isEqualTo(other.loses());
        }
    }
}
