package org.diperf.controller.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.diperf.analyzer.live.StageSeries.Quantum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class SettlingCheckTests {

    private static final long QUARTER = 250_000_000L;

    private static List<Quantum> quanta(int count, IntToDoubleFunction ended, IntToDoubleFunction millis) {
        List<Quantum> quanta = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            quanta.add(new Quantum(Math.round(ended.applyAsDouble(i)), 0, millis.applyAsDouble(i)));
        }
        return quanta;
    }

    @Test
    void aSteadyLoadHasSettledAfterEightQuanta() {
        assertThat(SettlingCheck.judge(quanta(7, i -> 100, i -> 20), QUARTER)).isNull();
        assertThat(SettlingCheck.judge(quanta(8, i -> 100, i -> 20), QUARTER))
                .isEqualTo("no trend in the last 2.0 s: 400/s, mean response 20.0 ms");
    }

    @Test
    void aResponseTimeThatGrowsHasNotSettled() {
        assertThat(SettlingCheck.judge(quanta(40, i -> 100, i -> 20 + i), QUARTER))
                .isNull();
    }

    @Test
    void aThroughputThatGrowsHasNotSettled() {
        assertThat(SettlingCheck.judge(quanta(40, i -> 100 + 3 * i, i -> 20), QUARTER))
                .isNull();
    }

    @Test
    void whatHappenedAtTheBeginIsForgotten() {
        assertThat(SettlingCheck.judge(quanta(9, i -> i < 8 ? 10 * i : 80, i -> 20), QUARTER))
                .isNull();
        assertThat(SettlingCheck.judge(quanta(24, i -> Math.min(80, 10 * i), i -> 20), QUARTER))
                .isNotNull();
    }

    @Test
    void nothingToSeeIsNotSettled() {
        assertThat(SettlingCheck.judge(quanta(40, i -> 0, i -> Double.NaN), QUARTER))
                .isNull();
    }

    @Test
    void noiseWithoutATrendIsMostlyTakenForSettled() {
        Random random = new Random(3);
        int settled = 0;
        for (int round = 0; round < 200; round++) {
            List<Quantum> noise =
                    quanta(16, i -> 100 + 10 * random.nextGaussian(), i -> 20 + 4 * random.nextGaussian());
            settled += SettlingCheck.judge(noise, QUARTER) == null ? 0 : 1;
        }
        assertThat(settled).isGreaterThan(150);
    }

    @Test
    void aTrendIsFittedByLeastSquares() {
        Trend trend = Trend.of(new double[] {1, 3, Double.NaN, 7, 9});
        assertThat(trend.slope()).isCloseTo(2, within(1e-12));
        assertThat(trend.mean()).isEqualTo(5);
        assertThat(trend.slopeError()).isCloseTo(0, within(1e-9));
        assertThat(Trend.of(new double[] {1, 2}).slopeError()).isInfinite();
    }
}
