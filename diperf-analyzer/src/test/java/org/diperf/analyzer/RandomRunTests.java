package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.stats.Statistics;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls, and their numbers as somebody would work them out who has all of them in a list. Statistics are ms. */
@Timeout(60)
class RandomRunTests {

    private static final int CLIENTS = 4;
    private static final int QUANTUM = 500;
    private static final int START_EVERY = 1000;
    private static final int RUN_FOR = 9000;
    private static final int PLANNED = RUN_FOR + (CLIENTS - 1) * START_EVERY;

    @TempDir
    Path folder;

    private record Made(int client, double intended, double sent, double ended, boolean ok) {}

    private static List<Made> calls(SplittableRandom random) {
        List<Made> calls = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            double at = client * START_EVERY + random.nextDouble(1, 20);
            double until = client * START_EVERY + RUN_FOR;
            while (at < until) {
                double sent = at + random.nextDouble(0, 2);
                double ended = sent + Math.pow(10, random.nextDouble(0, 2.5));
                // Clocks are known to some microseconds: no call ends where one quantum meets the next.
                double past = ended % QUANTUM;
                ended += past < 1 ? 2 : past > QUANTUM - 1 ? 4 : 0;
                calls.add(new Made(client, at, sent, ended, random.nextInt(10) != 0));
                at = ended + random.nextDouble(1, 50);
            }
        }
        return calls;
    }

    private static List<Double> responses(List<Made> calls, Predicate<Made> which) {
        return calls.stream()
                .filter(which.and(Made::ok))
                .map(call -> call.ended - call.intended)
                .sorted()
                .toList();
    }

    private static double quantile(List<Double> sorted, double q) {
        return sorted.get((int) Math.ceil(q * sorted.size()) - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20061126, 987654321})
    void theAnalysisAgreesWithAList(long seed) throws IOException {
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Made> calls = calls(random);
        RunFixture fixture = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L), 0)
                .closed(CLIENTS, START_EVERY, RUN_FOR)
                .quantumMillis(QUANTUM)
                .exchanges(PLANNED + 2000);
        calls.forEach(call -> fixture.call(
                call.client % 2 + 1, call.client, call.intended, call.sent, call.ended, call.ok ? "ok" : "refused"));

        Analysis analysis = fixture.analyze(folder);

        Summary summary = analysis.summary();
        List<Double> all = responses(calls, call -> true);
        assertThat(summary.calls().total()).isEqualTo(calls.size());
        assertThat(summary.calls().ok()).isEqualTo(all.size());
        assertThat(summary.calls().failed()).isEqualTo(calls.size() - all.size());
        agree(Objects.requireNonNull(summary.responseTime()), all);

        double peakFrom = (CLIENTS - 1) * START_EVERY;
        Summary.Window peak = Objects.requireNonNull(summary.peak());
        assertThat(peak.fromSeconds()).isCloseTo(peakFrom / 1000, within(1e-9));
        assertThat(peak.toSeconds()).isCloseTo(RUN_FOR / 1000.0, within(1e-9));
        agree(
                Objects.requireNonNull(peak.responseTime()),
                responses(calls, call -> call.ended >= peakFrom && call.ended < RUN_FOR));
        agree(analysis.series(), calls);
        for (ClientRow row : analysis.clients()) {
            double from = row.client() * START_EVERY;
            Predicate<Made> active = call -> call.ended >= from && call.ended < from + RUN_FOR;
            double own = responses(calls, active.and(call -> call.client == row.client()))
                    .size();
            assertThat(row.utilisation())
                    .isCloseTo(own / responses(calls, active).size(), within(1e-9));
        }
    }

    private static void agree(Statistics times, List<Double> sorted) {
        assertThat(times.count()).isEqualTo(sorted.size());
        assertThat(times.min()).isCloseTo(sorted.get(0), within(1e-5));
        assertThat(times.max()).isCloseTo(sorted.get(sorted.size() - 1), within(1e-5));
        assertThat(times.mean())
                .isCloseTo(sorted.stream().mapToDouble(each -> each).average().orElseThrow(), within(1e-5));
        assertThat(times.p50()).isCloseTo(quantile(sorted, 0.5), within(1e-5));
        assertThat(times.p90()).isCloseTo(quantile(sorted, 0.9), within(1e-5));
        assertThat(times.p99()).isCloseTo(quantile(sorted, 0.99), within(1e-5));
        assertThat(times.p999()).isCloseTo(quantile(sorted, 0.999), within(1e-5));
    }

    private static void agree(Series series, List<Made> calls) {
        assertThat(series.size()).isGreaterThanOrEqualTo(PLANNED / QUANTUM);
        for (int i = 0; i < PLANNED / QUANTUM; i++) {
            double from = i * QUANTUM;
            double to = from + QUANTUM;
            assertThat(series.of(Series.THROUGHPUT)[i])
                    .as("quantum %d", i)
                    .isCloseTo(
                            responses(calls, call -> call.ended >= from && call.ended < to)
                                            .size()
                                    * 1000.0
                                    / QUANTUM,
                            within(1e-9));
            double busy = calls.stream()
                    .mapToDouble(call -> Math.max(0, Math.min(to, call.ended) - Math.max(from, call.sent)))
                    .sum();
            // Within what the clocks are known to.
            assertThat(series.of(Series.IN_FLIGHT)[i]).as("quantum %d", i).isCloseTo(busy / QUANTUM, within(1e-3));
        }
    }
}
