package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.result.Analysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What figures draw of 100 calls: 90 of 10 ms, 9 of 100 ms and one of 2 s, of which the last ten were sent 5 ms late. */
@Timeout(120)
final class DistributionFigureTests {

    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    private Path folder;

    private Analysis hundredCalls() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 10_000).exchanges(11_000);
        for (int call = 0; call < 100; call++) {
            double at = 10 + (call < 90 ? 50 * call : 5000 + 200 * (call - 90));
            double took = call < 90 ? 10 : call < 99 ? 100 : 2000;
            run.call(1, 0, at, call < 90 ? at : at + 5, at + took, "ok");
        }
        return run.analyze(folder);
    }

    /** Returns the value of a row at the first place that is not before one. */
    private static double at(Row row, double x) {
        for (int i = 0; i < row.x().length; i++) {
            if (row.x()[i] >= x - 1e-9) {
                return row.y()[i];
            }
        }
        return Double.NaN;
    }

    @Test
    void percentilesStandByTheirNines() throws IOException {
        FigureData percentiles = FigureData.of(hundredCalls(), "percentiles");

        assertThat(percentiles.domain()).isEqualTo("percentile of calls");
        Row response = percentiles.row(0, "response time, from intended start");
        assertThat(response.axis()).isEqualTo("time (ms, log scale)");
        assertThat(at(response, -Math.log10(0.5))).as("p50").isCloseTo(10, EXACT);
        assertThat(at(response, -Math.log10(0.05))).as("p95").isCloseTo(100, EXACT);
        assertThat(response.y()[response.y().length - 1]).as("the slowest").isCloseTo(2000, EXACT);
        assertThat(response.x()[response.x().length - 1]).as("of 100 calls").isCloseTo(2, within(0.01));
        Row service = percentiles.row(0, "service time, from actual start");
        assertThat(at(service, -Math.log10(0.05))).as("p95 from sending").isCloseTo(95, EXACT);
    }

    @Test
    void theShareOfCallsIsInPerCentOverTheirTimes() throws IOException {
        FigureData ecdf = FigureData.of(hundredCalls(), "ecdf");

        assertThat(ecdf.domain()).isEqualTo("time (ms, log scale)");
        Row response = ecdf.row(0, "response time, from intended start");
        assertThat(response.axis()).isEqualTo("share of calls (%)");
        double upTo10 = 0;
        for (int i = 0; i < response.x().length; i++) {
            upTo10 = response.x()[i] < 10.001 ? response.y()[i] : upTo10;
        }
        assertThat(upTo10).isCloseTo(90, within(1.0));
        assertThat(response.y()[response.y().length - 1]).isEqualTo(100);
        assertThat(response.x()[response.x().length - 1]).isCloseTo(2000, EXACT);
        assertThat(ecdf.panel(0))
                .extracting(Row::name)
                .as("most calls were not late")
                .doesNotContain("send lag");
    }

    @Test
    void barsCountTheCallsOfTheirTimes() throws IOException {
        FigureData distribution = FigureData.of(hundredCalls(), "distribution");

        assertThat(distribution.domain()).isEqualTo("response time (ms, log scale)");
        Row bars = distribution.row(0, "ok calls");
        assertThat(bars.axis()).isEqualTo("ok calls per bar");
        assertThat(Arrays.stream(bars.y()).sum()).isCloseTo(100, within(1e-6));
        double around10 = 0;
        for (int i = 0; i < bars.x().length; i++) {
            around10 += bars.x()[i] > 8 && bars.x()[i] < 12 ? bars.y()[i] : 0;
        }
        assertThat(around10).isCloseTo(90, within(1e-6));
        assertThat(distribution.marks(0)).as("median and p99").containsExactly(new double[] {10, 100}, EXACT);
    }

    @Test
    void sendLagIsBesideTheRunAndByPercentileOnOneAxis() throws IOException {
        FigureData lag = FigureData.of(hundredCalls(), "send-lag");

        assertThat(lag.panels()).isEqualTo(2);
        assertThat(lag.domain(0)).isEqualTo("time since the start of the run (s)");
        assertThat(lag.domain(1)).isEqualTo("percentile of calls");
        Row time = lag.row(0, "send lag p99, every 1 s");
        assertThat(time.axis()).isEqualTo("time (ms)");
        assertThat(Arrays.copyOf(time.y(), 7)).containsExactly(new double[] {0, 0, 0, 0, 0, 5, 5}, within(0.05));
        Row calls = lag.row(1, "send lag of all calls by percentile");
        assertThat(at(calls, -Math.log10(0.5))).isCloseTo(0, EXACT);
        assertThat(calls.y()[calls.y().length - 1]).isCloseTo(5, EXACT);
    }

    @Test
    void withoutOkCallsNothingIsDrawnAndOneCallHasNoDistribution() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 2000).exchanges(3000);
        Analysis failed = run.call(1, 0, 100, 100, 110, "refused").analyze(folder.resolve("failed"));

        assertThat(FigureData.of(failed, "percentiles").row(0, "response time").x())
                .isEmpty();
        assertThat(FigureData.names(failed)).doesNotContain("ecdf", "heat", "time-table");

        Analysis one = run.call(1, 0, 300, 300, 310, "ok").analyze(folder.resolve("one"));
        assertThat(FigureData.names(one)).contains("percentiles").doesNotContain("ecdf");
    }

    private Analysis callsOf(String name, int calls, IntToDoubleFunction millis) throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 100_000).exchanges(100_000);
        for (int call = 0; call < calls; call++) {
            double at = 10 + 1000 * call;
            run.call(1, 0, at, at, at + millis.applyAsDouble(call), "ok");
        }
        return run.analyze(folder.resolve(name));
    }

    @Test
    void labelsStandWhereThereIsRoom() throws IOException {
        // 10 ms and few up to a second: the median is at the left edge.
        FigureData left = FigureData.of(callsOf("left", 60, call -> call < 50 ? 10 : 1000), "distribution");
        assertThat(left.labelsToTheRight(0)).as("of the median and of 99 %").containsExactly(true, false);
        // From 10 ms to a second, evenly on the axis: it is in the middle.
        FigureData middle =
                FigureData.of(callsOf("middle", 60, call -> 10 * Math.pow(10, call / 30.0)), "distribution");
        assertThat(middle.labelsToTheRight(0)).containsExactly(false, false);
    }
}
