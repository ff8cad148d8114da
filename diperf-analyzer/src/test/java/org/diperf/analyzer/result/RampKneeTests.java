package org.diperf.analyzer.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.jspecify.annotations.Nullable;
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
        assertThat(clients(ExampleRuns.named("open"))).isZero();
        assertThat(clients(ExampleRuns.named("empty"))).isZero();
        assertThat(clients(ExampleRuns.named("all-failed"))).isZero();
        assertThat(clients(ExampleRuns.named("one-call"))).isZero();
        assertThat(clients(ExampleRuns.named("huge"))).isZero();
    }

    /** Asks of a ramp of 64 clients, one every 2 s, and a minute with all of them, one value a second. */
    private static int knee(int seed, double noise, DoubleUnaryOperator throughput) {
        Random random = new Random(seed);
        int clients = 64;
        int ramp = 2 * (clients - 1);
        double[] active = new double[ramp + 60];
        double[] served = new double[active.length];
        for (int i = 0; i < active.length; i++) {
            active[i] = Math.min(clients, i / 2 + 1);
            served[i] = Math.max(0, throughput.applyAsDouble(active[i]) * (1 + noise * random.nextGaussian()));
        }
        Series series = new Series(
                1, active.length, active.length, Map.of(Series.ACTIVE_CLIENTS, active, Series.THROUGHPUT, served));
        return rounded(RampKnee.of(
                new RunFixture().closed(clients, 2000, 60_000).run(),
                series,
                List.of(new MarkedInterval(MarkedInterval.Kind.RAMP, 0, ramp, "clients start"))));
    }

    private static int clients(Analysis analysis) {
        return rounded(RampKnee.of(analysis.run(), analysis.series(), analysis.intervals()));
    }

    private static int rounded(@Nullable SaturationSummary knee) {
        Double clients = knee == null ? null : knee.clients();
        return clients == null ? 0 : (int) Math.round(clients);
    }
}
