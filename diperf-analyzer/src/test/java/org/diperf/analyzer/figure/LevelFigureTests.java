package org.diperf.analyzer.figure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What figures draw of levels, of probes and of the model: a service of 8 servers of 20 ms, which answers 400 calls a second. */
@Timeout(120)
final class LevelFigureTests {

    private static final Offset<Double> EXACT = within(1e-9);

    private static List<StageSummary> stages(Analysis analysis) {
        return requireNonNull(analysis.summary().stages());
    }

    @Test
    void levelsOfMoreThanADecadeAreOnLogarithmicAxesAtTheirValues() {
        Analysis analysis = ExampleRuns.named("levels");
        FigureData levels = FigureData.of(analysis, "levels");

        assertThat(levels.domain()).isEqualTo("load (concurrent clients, log scale)");
        Row served = levels.row(0, "throughput");
        assertThat(served.axis()).isEqualTo("throughput (ok calls/s, log scale)");
        assertThat(served.x()).containsExactly(new double[] {1, 2, 4, 8, 16, 32, 64, 128}, EXACT);
        assertThat(served.y())
                .containsExactly(
                        stages(analysis).stream()
                                .mapToDouble(stage ->
                                        requireNonNull(stage.throughput()).mean())
                                .toArray(),
                        EXACT);
        assertThat(served.y()[0]).as("one client").isBetween(40.0, 60.0);
        assertThat(served.y()[6]).as("more clients than servers").isBetween(380.0, 420.0);
        Row slow = levels.row(1, "response p99");
        assertThat(slow.axis()).isEqualTo("response time (ms, log scale)");
        assertThat(slow.y())
                .containsExactly(
                        stages(analysis).stream()
                                .mapToDouble(stage ->
                                        requireNonNull(stage.responseTime()).p99())
                                .toArray(),
                        EXACT);
        assertThat(levels.row(1, "response p50").y()[6])
                .as("64 clients at 400/s")
                .isBetween(150.0, 170.0);
        assertThat(levels.legend())
                .containsExactly("throughput", "response p99", "response p50", "best level", "generator was the limit");
        assertThat(levels.marks(0)).containsExactly(32);
    }

    @Test
    void theModelIsDrawnThroughTheSoundLevels() {
        FigureData model = FigureData.of(ExampleRuns.named("levels"), "model");

        assertThat(model.domain()).isEqualTo("load (concurrent clients)");
        assertThat(model.range(0)).isEqualTo("throughput (ok calls/s)");
        assertThat(model.range(1)).isEqualTo("mean response time (ms)");
        Row measured = model.row(0, "measured");
        assertThat(measured.x()).as("the load generator was the limit at 128").containsExactly(1, 2, 4, 8, 16, 32, 64);
        Row response = model.row(1, "measured");
        for (int i = 0; i < measured.x().length; i++) {
            assertThat(measured.y()[i] * response.y()[i] / 1e3)
                    .as("clients by Little's law")
                    .isCloseTo(measured.x()[i], within(0.1 * measured.x()[i]));
        }
        Row said = model.row(0, "model");
        assertThat(said.x()).hasSize(241);
        assertThat(said.x()[0]).isEqualTo(1);
        for (int i = 0; i < said.x().length; i++) {
            assertThat(said.y()[i]).isBetween(said.low()[i], said.high()[i]);
        }
        assertThat(said.y()[0]).isBetween(40.0, 60.0);
        assertThat(said.y()[240]).isBetween(350.0, 450.0);
        assertThat(model.legend()).contains("model, with 95 % band", "knee, 95 % interval");
    }

    @Test
    void aModelThatGrowsWithoutEndDoesNotFlattenWhatWasMeasured(@TempDir Path folder) throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 5).exchanges(40_000);
        SimulatedLoad load = new SimulatedLoad(run, SimulatedService.exponential(1, 5, 3));
        for (int level = 0; level < 9; level++) {
            long from = 6000L * level;
            double rate = 25 * (level + 1);
            Random random = new Random(level);
            run.stage(StageRecords.level(level, from, from + 6000, rate, from + 500));
            load.open(level, from, from + 6000, () -> -1000 / rate * Math.log(1 - random.nextDouble()), 1000);
        }
        FigureData model = FigureData.of(run.analyze(folder), "model");

        double measured = Arrays.stream(model.row(1, "measured").y()).max().orElseThrow();
        assertThat(Arrays.stream(model.row(1, "model").y()).max().orElseThrow())
                .as("near the pole")
                .isGreaterThan(3 * measured);
        assertThat(model.rangeAxis(1).getUpperBound()).isBetween(measured, 2 * measured);
    }

    @Test
    void probesStandAtWhatWasTriedByWhatBecameOfThem() {
        Analysis analysis = ExampleRuns.named("search");
        FigureData search = FigureData.of(analysis, "search");

        assertThat(search.domain()).isEqualTo("tried (calls/s)");
        assertThat(search.range(0)).isEqualTo("response.p99 (ms)");
        assertThat(search.range(1)).isEqualTo("failed (%)");
        Row holds = search.row(0, "conditions hold");
        assertThat(holds.x()).containsExactly(new double[] {50, 100, 200, 300, 350, 350}, EXACT);
        Row breaks = search.row(0, "a condition breaks");
        assertThat(breaks.x()).containsExactly(new double[] {400, 375}, EXACT);
        assertThat(breaks.y())
                .containsExactly(
                        new double[] {
                            requireNonNull(stages(analysis).get(3).responseTime())
                                    .p99(),
                            requireNonNull(stages(analysis).get(6).responseTime())
                                    .p99()
                        },
                        EXACT);
        assertThat(Math.min(breaks.y()[0], breaks.y()[1])).isGreaterThan(111);
        assertThat(search.row(1, "conditions hold").y()).containsOnly(0);
        assertThat(search.limits(0)).containsExactly(111);
        assertThat(search.limits(1)).containsExactly(1);
        assertThat(search.marks(0)).containsExactly(350);
        assertThat(search.legend()).containsExactly("conditions hold", "a condition breaks", "limit");
    }

    @Test
    void whatALevelTakesOfTheServerIsInShareOfItsCoresAndInMillisecondsACall() {
        Analysis analysis = ExampleRuns.named("monitored");
        FigureData server = FigureData.of(analysis, "server-levels-server");

        assertThat(server.domain()).isEqualTo("load (concurrent clients)");
        Row use = server.row(0, "utilisation");
        assertThat(use.axis()).isEqualTo("core utilisation (%)");
        assertThat(use.x()).containsExactly(new double[] {1, 2}, EXACT);
        assertThat(use.y()).as("0.2 and 0.6 of 4 cores").containsExactly(new double[] {5, 15}, within(1e-6));
        Row cost = server.row(1, "CPU per call, with 95 % interval");
        assertThat(cost.axis()).isEqualTo("CPU per call (ms)");
        assertThat(cost.y()).containsExactly(new double[] {20, 30}, within(1e-3));
        assertThat(cost.low()[0]).isLessThanOrEqualTo(cost.y()[0]);
        assertThat(FigureData.names(ExampleRuns.named("levels"))).doesNotContain("server-levels-server", "search");
    }
}
