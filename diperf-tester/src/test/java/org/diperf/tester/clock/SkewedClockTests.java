package org.diperf.tester.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.diperf.core.clock.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class SkewedClockTests {

    private static final long SECOND = 1_000_000_000;

    private long now;
    private final NanoClock truth = () -> now;

    private SkewedClock parse(String text) {
        return (SkewedClock) SkewedClock.parse(text, 1, truth);
    }

    @Test
    void anOffsetADriftAStepAndASlewAddUp() {
        now = 7 * SECOND;
        SkewedClock clock = parse("offset=3h,ppm=100,step=5ms@10s,slew=20ppm@5s..15s");
        now += 20 * SECOND;
        long drift = 20 * 100_000;
        long slewed = 10 * 20_000;
        assertThat(clock.nanoTime() - now).isEqualTo(3 * 3_600 * SECOND + drift + 5_000_000 + slewed);
    }

    @Test
    void beforeItsTimeAStepIsNotSeen() {
        SkewedClock clock = parse("base=1000,step=-5ms@10s,offset=-2s");
        assertThat(clock.localNanos(1_000 + 10 * SECOND - 1)).isEqualTo(1_000 + 8 * SECOND - 1);
        assertThat(clock.localNanos(1_000 + 10 * SECOND)).isEqualTo(1_000 + 8 * SECOND - 5_000_000);
    }

    @Test
    void eachTesterHasItsOwnAndOthersHaveTheTrueOne() {
        String text = "tester=1:offset=1s;tester=2:offset=2s";
        assertThat(SkewedClock.parse(text, 2, truth).nanoTime()).isEqualTo(2 * SECOND);
        assertThat(SkewedClock.parse(text, 3, truth)).isSameAs(truth);
        assertThat(SkewedClock.parse("", 1, truth)).isSameAs(truth);
    }

    @Test
    void whatItShowsLeadsBackToTheTruth() {
        SkewedClock clock = parse("base=0,offset=-3h,ppm=-100,step=5ms@10s,slew=20ppm@5s..15s");
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 1_000; i++) {
            long instant = random.nextLong(1_000 * SECOND);
            assertThat(clock.trueNanos(clock.localNanos(instant))).isBetween(instant - 1, instant + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ofset=1s",
                "offset=1",
                "ppm=many",
                "step=5ms",
                "slew=20ppm@5s",
                "tester=2 offset=1s",
                "tester=x:ppm=1"
            })
    void whatIsNoClockIsNamed(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Ddiperf.clock")
                .hasMessageContaining("in '" + text + "'");
    }
}
