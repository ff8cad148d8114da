package org.diperf.analyzer.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.diperf.analyzer.report.SyntheticRuns;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class RampKneeTests {

    static IntStream seeds() {
        return IntStream.rangeClosed(1, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofASaturatedServiceIsRightWithinTwoClients(int seed) {
        assertThat(knee(seed, 0.03, n -> Math.min(16.0 * n, 400)))
                .as("seed %d", seed)
                .isBetween(23, 27);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofAServiceThatGrowsForEverIsNotTold(int seed) {
        assertThat(knee(seed, 0.03, n -> 16 * n)).as("straight, seed %d", seed).isZero();
        assertThat(knee(seed, 0.2, n -> 16 * n))
                .as("straight and noisy, seed %d", seed)
                .isZero();
        assertThat(knee(seed, 0.03, n -> 120 * Math.sqrt(n)))
                .as("root, seed %d", seed)
                .isZero();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isNotFoundInNoise(int seed) {
        assertThat(knee(seed, 0.8, n -> 16 * n)).as("noisy ramp, seed %d", seed).isZero();
    }

    @Test
    void isNotToldOfOpenLoadAndNotOfRunsWithoutACall() {
        assertThat(clients(SyntheticRuns.openWithDrops())).isZero();
        assertThat(clients(SyntheticRuns.empty())).isZero();
        assertThat(clients(SyntheticRuns.allFailed())).isZero();
        assertThat(clients(SyntheticRuns.oneCall())).isZero();
        assertThat(clients(SyntheticRuns.huge())).isZero();
    }

    private static int knee(int seed, double noise, DoubleUnaryOperator throughput) {
        return clients(SyntheticRuns.ramp(new Random(seed), noise, throughput));
    }

    private static int clients(Analysis analysis) {
        SaturationSummary knee = RampKnee.of(analysis.run(), analysis.series(), analysis.intervals());
        Double clients = knee == null ? null : knee.clients();
        return clients == null ? 0 : (int) Math.round(clients);
    }
}
