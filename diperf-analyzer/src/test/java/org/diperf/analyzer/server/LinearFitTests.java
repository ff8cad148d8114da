package org.diperf.analyzer.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines through points that follow one another in time. */
@Timeout(60)
class LinearFitTests {

    private static final int TRIALS = 400;
    private static final long SEED = 20_261_121;

    @Test
    void aLineThroughPointsOnALineIsThatLine() {
        double[] x = new double[20];
        double[] y = new double[20];
        for (int i = 0; i < 20; i++) {
            x[i] = i;
            y[i] = 5 + 0.25 * i;
        }
        LinearFit line = requireNonNull(LinearFit.of(x, y));
        assertThat(line.perUnit()).isCloseTo(0.25, within(1e-12));
        assertThat(line.base()).isCloseTo(5, within(1e-12));
        assertThat(line.high() - line.low()).isCloseTo(0, within(1e-9));
    }

    @Test
    void whereXIsTheSameThereIsNoLineButARatio() {
        double[] x = {10, 10, 11, 10, 10, 9, 10, 10};
        double[] y = {1, 1, 1, 1, 1, 1, 1, 1};
        assertThat(LinearFit.of(x, y)).isNull();
        assertThat(requireNonNull(LinearFit.ratio(x, y)).perUnit()).isCloseTo(0.1, within(1e-12));
        assertThat(LinearFit.ratio(new double[] {1, 2}, new double[] {1, 2})).isNull();
    }

    /** As a ramp of load with a server whose noise lasts for several samples. */
    private static double coverage(double memory, boolean ratio) {
        Random random = new Random(SEED);
        int covered = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            int n = 120;
            double[] x = new double[n];
            double[] y = new double[n];
            double noise = random.nextGaussian() / Math.sqrt(1 - memory * memory);
            for (int i = 0; i < n; i++) {
                noise = memory * noise + random.nextGaussian();
                x[i] = ratio ? 100 + random.nextGaussian() : i;
                y[i] = 0.5 * x[i] + (ratio ? 0 : 3) + noise;
            }
            LinearFit line = requireNonNull(ratio ? LinearFit.ratio(x, y) : LinearFit.of(x, y));
            covered += line.low() <= 0.5 && 0.5 <= line.high() ? 1 : 0;
        }
        return 100.0 * covered / TRIALS;
    }

    @Test
    void theIntervalHoldsTheTruthAsOftenAsItSays() {
        assertThat(coverage(0, false)).as("seed %d", SEED).isBetween(93.0, 99.0);
        assertThat(coverage(0, true)).as("seed %d", SEED).isBetween(93.0, 99.0);
    }

    @Test
    void noiseThatLastsDoesNotMakeTheIntervalLie() {
        assertThat(coverage(0.6, false)).as("seed %d", SEED).isBetween(91.0, 99.0);
        assertThat(coverage(0.6, true)).as("seed %d", SEED).isBetween(91.0, 99.0);
    }
}
