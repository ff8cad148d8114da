package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.compare.ComparisonBuilder;
import org.diperf.analyzer.compare.MeasuredRun;
import org.diperf.analyzer.compare.Settings;
import org.diperf.analyzer.compare.Side;
import org.diperf.analyzer.figure.FigureData.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What figures draw of two runs of four clients: calls of 99 ms every 100 ms, and of 199 ms every 200 ms. */
@Timeout(120)
final class ComparisonFigureTests {

    @TempDir
    private Path folder;

    private Side side(String name, double takes) throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(4, 0, 10_000).exchanges(11_000);
        new SimulatedLoad(run, SimulatedService.even(4, takes)).think(1).closed(0, 0, 4, 0, 0, 10_000);
        return Side.of(name, List.of(MeasuredRun.read(name, run.write(folder.resolve(name)))), true);
    }

    private List<Figure> figures() throws IOException {
        List<Side> sides = List.of(side("fast", 99), side("slow", 199));
        return new ComparisonFigures(ComparisonBuilder.compare(sides, Settings.DEFAULT, List.of(), List.of())).all();
    }

    @Test
    void bothRunsAreOnTheSameAxes() throws IOException {
        List<Figure> figures = figures();
        FigureData time = FigureData.of(figures, "compare-time");

        assertThat(time.range(0)).isEqualTo("throughput (calls/s)");
        assertThat(time.range(1)).isEqualTo("response p50 (ms)");
        assertThat(time.range(2)).isEqualTo("response p99 (ms)");
        double[] all = new double[10];
        Arrays.fill(all, 40);
        assertThat(time.row(0, "fast").y()).containsExactly(all, within(1e-9));
        Arrays.fill(all, 20);
        assertThat(time.row(0, "slow").y()).containsExactly(all, within(1e-9));
        Arrays.fill(all, 99);
        assertThat(time.row(1, "fast").y()).containsExactly(all, within(0.01));
        Arrays.fill(all, 199);
        assertThat(time.row(2, "slow").y()).containsExactly(all, within(0.01));
        assertThat(time.row(2, "slow").x()).startsWith(0.5, 1.5);
        assertThat(time.legend()).containsExactly("fast", "slow");

        FigureData percentiles = FigureData.of(figures, "compare-percentiles");
        assertThat(percentiles.domain()).isEqualTo("percentile of ok calls");
        assertThat(percentiles.range(0)).isEqualTo("response time (ms)");
        assertThat(percentiles.row(0, "slow").y()[10]).isCloseTo(199, within(0.01));

        FigureData ecdf = FigureData.of(figures, "compare-ecdf");
        assertThat(ecdf.domain()).isEqualTo("response time (ms, log scale)");
        assertThat(ecdf.range(0)).isEqualTo("share of ok calls (%)");
        Row fast = ecdf.row(0, "fast");
        assertThat(fast.x()[10]).isCloseTo(99, within(0.01));
        assertThat(fast.y()[fast.y().length - 1]).isEqualTo(100);
    }

    @Test
    void changesAreInPerCentOfTheFirstSide() throws IOException {
        FigureData effects = FigureData.of(figures(), "compare-effects");

        assertThat(effects.title()).isEqualTo("What changed, and how certain it is");
        assertThat(effects.domain()).isEqualTo("change (%; failed calls in percentage points)");
        double[] changes = effects.panel(0).stream()
                .flatMapToDouble(row -> Arrays.stream(row.x()))
                .sorted()
                .toArray();
        assertThat(changes[0]).as("throughput").isCloseTo(-50, within(0.5));
        assertThat(changes[changes.length - 1]).as("response times").isCloseTo(100.0 * 100 / 99, within(0.5));
    }
}
