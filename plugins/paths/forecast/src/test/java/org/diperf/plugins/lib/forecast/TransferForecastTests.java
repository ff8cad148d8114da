package org.diperf.plugins.lib.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On paths whose transfer times are known by a formula. */
@Timeout(30)
class TransferForecastTests {

    private static final long MB = 1_000_000;
    private static final long[] SIZES = {MB / 2, 2 * MB, 7 * MB, 8 * MB};
    /** 100 ms until TCP has its pace, then 10 MB/s. */
    private static final double SET_UP = 0.1;

    private static double seconds(long bytes) {
        return SET_UP + bytes / 10e6;
    }

    private static List<double[]> rounds(int count, DoubleSupplier factor) {
        List<double[]> rounds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double[] round = new double[SIZES.length];
            for (int s = 0; s < round.length; s++) {
                round[s] = seconds(SIZES[s]) * factor.getAsDouble();
            }
            rounds.add(round);
        }
        return rounds;
    }

    @Test
    void aSteadyPathIsToldExactlyAtWithinAndBeyondTheProbes() {
        List<double[]> rounds = rounds(20, () -> 1);
        for (long bytes : new long[] {2 * MB, 5 * MB, 8 * MB, 256 * MB}) {
            TransferForecast told = TransferForecast.of(SIZES, rounds, bytes);
            assertThat(told.reason()).isNull();
            assertThat(told.seconds()).isCloseTo(seconds(bytes), within(1e-9));
            assertThat(told.low()).isCloseTo(0.95 * seconds(bytes), within(1e-6));
            assertThat(told.high()).isCloseTo(1.05 * seconds(bytes), within(1e-6));
        }
        assertThat(TransferForecast.of(SIZES, rounds, 1).seconds()).isEqualTo(seconds(SIZES[0]));
    }

    /** A rate that grows with the size, as TCP's does: the straight line between two sizes is too fast. */
    @Test
    void betweenTwoSizesTheTruthOfACurveIsInTheInterval() {
        between(bytes -> bytes / 10e6 + 0.1 * Math.log(1 + bytes / 1e5), 0.1);
        // Further from the straight line than the least margin.
        between(bytes -> Math.sqrt(bytes / 1e6), 0.2);
    }

    private static void between(LongToDoubleFunction curve, double share) {
        long[] sizes = {MB, 4 * MB, 16 * MB};
        List<double[]> rounds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            rounds.add(LongStream.of(sizes).mapToDouble(curve).toArray());
        }
        for (long bytes : new long[] {2 * MB, 3 * MB, 6 * MB, 8 * MB, 12 * MB}) {
            TransferForecast told = TransferForecast.of(sizes, rounds, bytes);
            double truth = curve.applyAsDouble(bytes);
            assertThat(told.reason()).isNull();
            assertThat(truth).as("%d bytes", bytes).isBetween(told.low(), told.high());
            assertThat(told.seconds()).isCloseTo(truth, within(share * truth));
        }
        assertThat(TransferForecast.of(sizes, rounds, 4 * MB).high())
                .isCloseTo(1.05 * curve.applyAsDouble(4 * MB), within(1e-9));
    }

    @Test
    void onANoisyPathTheIntervalHoldsNineTransfersOfTen() {
        long seed = 31;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int inside = 0;
        int asked = 0;
        for (int i = 0; i < 400; i++) {
            List<double[]> rounds = rounds(40, () -> 1 + 0.03 * random.nextGaussian());
            for (long bytes : new long[] {2 * MB, 64 * MB}) {
                TransferForecast told = TransferForecast.of(SIZES, rounds, bytes);
                if (told.reason() == null) {
                    double truth = seconds(bytes) * (1 + 0.03 * random.nextGaussian());
                    inside += truth >= told.low() && truth <= told.high() ? 1 : 0;
                    asked++;
                }
            }
        }
        assertThat(asked).isGreaterThan(780);
        assertThat(inside / (double) asked).isGreaterThanOrEqualTo(0.88);
    }

    @Test
    void whatCannotBeToldIsSaidWithItsReason() {
        assertThat(TransferForecast.of(SIZES, rounds(19, () -> 1), MB).reason())
                .contains("expected at least 20 rounds");
        int[] count = {0};
        List<double[]> crossed = rounds(40, () -> count[0]++ % 7 < 4 ? 1 : 3);
        assertThat(TransferForecast.of(SIZES, crossed, 8 * MB).reason()).contains("too unstable");
        List<double[]> still = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            still.add(new double[] {0.5, 0.7, 0.8, 0.9});
        }
        assertThat(TransferForecast.of(SIZES, still, 8 * MB).reason()).isNull();
        assertThat(TransferForecast.of(SIZES, still, 80 * MB).reason()).contains("the rate is still changing at the");
        assertThat(TransferForecast.of(new long[] {MB}, List.copyOf(rounds(20, () -> 1)), 2 * MB)
                        .reason())
                .contains("three sizes");
    }
}
