package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.expression.Expression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three clients start at 0, 1 and 2 s and live 4 s: the plan is 6 s, the peak [2 s, 4 s). Clients 0 and 2 are on tester 1,
 * client 1 on tester 2, whose clocks are hours apart and drift against each other.
 */
@Timeout(60)
final class HandSolvedRunTests {

    @TempDir
    private Path folder;

    private static RunFixture run() {
        return new RunFixture()
                .tester(1, 7_200_000_000_000L, 50)
                .tester(2, -3_600_000_000_000L, -80)
                .closed(3, 1000, 4000)
                .exchanges(7000)
                // Client 0: 100, 200, 300, 400 ms, then one that fails, then two in the peak, then one behind its end.
                .call(1, 0, 0, 0, 100, "ok")
                .call(1, 0, 500, 500, 700, "ok")
                .call(1, 0, 1000, 1000, 1300, "ok")
                .call(1, 0, 1500, 1510, 1910, "http 500")
                .call(1, 0, 2100, 2100, 2200, "ok")
                .call(1, 0, 3100, 3100, 3200, "ok")
                .call(1, 0, 3900, 3900, 4100, "ok")
                // Client 1: one long call over two boundaries of quanta, one in the peak, one that never ended.
                .call(2, 1, 1200, 1200, 3700, "ok")
                .call(2, 1, 3700, 3700, 3950, "ok")
                .call(2, 1, 4500, 4500, 5500, "timeout")
                .call(2, 1, 5600, 5600, 6000, "unfinished")
                // Client 2.
                .call(1, 2, 2000, 2000, 2250, "ok")
                .call(1, 2, 5000, 5000, 5250, "ok")
                .observation(1, "network.rtt", 1000, 1.0)
                .observation(1, "network.rtt", 2000, 3.0)
                .observation(1, "network.rtt", 2500, 2.0)
                .observation(2, "network.rtt", 2500, 0.5)
                .observation(1, "tester.cpu", 3000, 0.2)
                .observation(1, "tester.cpu", 4000, 0.4)
                .observation(2, "tester.hiccup", 2000, 4.0);
    }

    @Test
    void everyCallIsCountedByHowItEnded() throws IOException {
        Summary summary = run().analyze(folder).summary();
        assertThat(summary.durationSeconds()).isCloseTo(6, within(1e-4));
        assertThat(summary.calls().planned()).isEqualTo(13);
        assertThat(summary.calls().sent()).isEqualTo(13);
        assertThat(summary.calls().total()).isEqualTo(12);
        assertThat(summary.calls().ok()).isEqualTo(10);
        assertThat(summary.calls().failed()).isEqualTo(2);
        assertThat(summary.calls().timedOut()).isEqualTo(1);
        assertThat(summary.calls().unfinished()).isEqualTo(1);
        assertThat(summary.calls().bytes()).isEqualTo(1000);
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.warnings()).isEmpty();
    }

    @Test
    void timesAreOrderStatisticsOfOkCalls() throws IOException {
        Summary summary = run().analyze(folder).summary();
        Statistics times = Objects.requireNonNull(summary.responseTime());
        assertThat(times.mean()).isCloseTo(425, within(0.3));
        assertThat(times.p50()).isCloseTo(200, within(0.1));
        assertThat(times.p90()).isCloseTo(300, within(0.1));
        assertThat(times.max()).isCloseTo(2500, within(0.3));
        // Round trips of 2 ms on tester 1 (8 calls) and 0.5 ms on tester 2 (2 calls).
        assertThat(Objects.requireNonNull(summary.processingTime()).mean()).isCloseTo(423.3, within(0.3));
    }

    @Test
    void theSeriesIsWeightedByTime() throws IOException {
        Series series = run().analyze(folder).series();
        assertThat(series.of(Series.THROUGHPUT)).startsWith(2, 1, 2, 3, 1, 1);
        assertThat(Arrays.copyOf(series.of(Series.ACTIVE_CLIENTS), 6))
                .containsExactly(new double[] {1, 2, 3, 3, 2, 1}, within(1e-4));
        assertThat(Arrays.copyOf(series.of(Series.IN_FLIGHT), 6))
                .containsExactly(new double[] {0.3, 1.5, 1.35, 1.15, 0.6, 1.15}, within(1e-3));
    }

    @Test
    void peakFairnessAndUtilisationAreThoseOfThePaper() throws IOException {
        Analysis analysis = run().analyze(folder);
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(2);
        assertThat(peak.toSeconds()).isEqualTo(4);
        assertThat(peak.clients()).isEqualTo(3);
        assertThat(peak.calls().ok()).isEqualTo(5);
        Summary.Fairness fairness = Objects.requireNonNull(analysis.summary().fairness());
        assertThat(fairness.utilisationStddev()).isCloseTo(0.0942809, within(1e-6));
        assertThat(fairness.jain()).isCloseTo(1 / 1.08, within(1e-9));
        assertThat(analysis.clients().get(0).utilisation()).isEqualTo(5.0 / 8);
        assertThat(analysis.clients().get(1).utilisation()).isEqualTo(2.0 / 7);
        assertThat(analysis.clients().get(2).utilisation()).isEqualTo(2.0 / 7);
        assertThat(analysis.clients().get(2).peakUtilisation()).isEqualTo(0.2);
    }

    @Test
    void clocksHoursApartAreReconciled() throws IOException {
        TesterRow tester = run().analyze(folder).testers().get(0);
        assertThat(tester.offsetMillis()).isCloseTo(7_200_000, within(0.02));
        assertThat(tester.driftPpm()).isCloseTo(50, within(1.0));
        assertThat(tester.errorBoundMicros()).isBetween(9.0, 60.0);
        assertThat(tester.watch().cpuPercent()).isCloseTo(30, within(1e-9));
    }

    @Test
    void thresholdsFindTheirValues() throws IOException {
        Summary summary = run().analyze(folder).summary();
        assertThat(requireNonNull(requireNonNull(summary.measured()).responseTime())
                        .p999())
                .isCloseTo(2500, within(0.3));
        assertThat(Measures.raw(summary, "failed")).isEqualTo(0.0);
        assertThat(Measures.raw(summary, "whole.failed.share")).isEqualTo(2.0 / 12);
        // The clocks may have put a call that ended at either end of the part to its other side.
        Summary.Window measured = requireNonNull(summary.measured());
        double most = requireNonNull(requireNonNull(measured.throughput()).max());
        double edges = 2 * most * requireNonNull(summary.clock()).maxErrorBoundMicros() / 1e6;
        double calls = edges / (measured.toSeconds() - measured.fromSeconds());
        assertThat(Measures.raw(summary, "throughput")).isInstanceOfSatisfying(Expression.Ranged.class, range -> {
            assertThat(range.value()).isEqualTo(2.5);
            assertThat(range.low()).isCloseTo(2.5 - calls, within(1e-12));
            assertThat(range.high()).isCloseTo(2.5 + calls, within(1e-12));
        });
        assertThat(Measures.raw(summary, "verdict")).isEqualTo("valid");
        assertThat(Measures.raw(summary, "nothing.known")).isNull();
    }

    @Test
    void whatWasNotMeasuredIsAbsentFromTheFiles(@TempDir Path out) throws IOException {
        Analyzer.write(run().analyze(folder), out);
        String json = Files.readString(out.resolve("summary.json"));
        assertThat(json)
                .contains("\"verdict\" : \"valid\"")
                .doesNotContain("NaN")
                .doesNotContain("null");
        assertThat(json.indexOf("\"format\"")).isLessThan(json.indexOf("\"experiment\""));
        assertThat(Files.readAllLines(out.resolve("clients.csv"))).hasSize(4);
        assertThat(Files.readAllLines(out.resolve("series.csv")).get(1)).startsWith("0,1,0.3");
    }
}
