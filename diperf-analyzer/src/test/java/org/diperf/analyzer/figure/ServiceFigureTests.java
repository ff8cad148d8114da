package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.core.run.FigureRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What figures draw of the parts of a run, of the service's own view, and of what an experiment asks for. */
@Timeout(120)
final class ServiceFigureTests {

    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    private Path folder;

    @Test
    void groupsStandBesideOneAnotherAndTogether() {
        FigureData groups = FigureData.of(ExampleRuns.named("groups"), "groups");

        assertThat(groups.title()).isEqualTo("Throughput, load and share by group");
        assertThat(groups.range(0)).isEqualTo("throughput (calls/s)");
        assertThat(groups.range(1)).isEqualTo("active clients");
        assertThat(groups.range(2)).isEqualTo("share of throughput (%)");
        // At 5 s four clients of 10 calls a second and two of 5.
        int five = 5;
        assertThat(groups.row(0, "together").y()[five]).isCloseTo(50, EXACT);
        assertThat(groups.row(0, "lan").y()[five]).isCloseTo(40, EXACT);
        assertThat(groups.row(0, "wan").y()[five]).isCloseTo(10, EXACT);
        assertThat(groups.row(1, "lan").y()[five]).isCloseTo(4, within(0.01));
        assertThat(groups.row(1, "wan").y()[five]).isCloseTo(2, within(0.01));
        assertThat(groups.row(2, "lan").y()[five]).isCloseTo(80, EXACT);
        assertThat(groups.row(2, "wan").y()[five]).isCloseTo(20, EXACT);
        assertThat(groups.row(0, "wan").y()).startsWith(new double[] {0, 0, 0, 0, 10}, EXACT);
        assertThat(groups.legend()).startsWith("together", "lan", "wan");
    }

    @Test
    void responseTimesOfGroupsAreToldApart() {
        FigureData response = FigureData.of(ExampleRuns.named("groups"), "groups-response");

        assertThat(response.panel(0)).extracting(Row::name).containsExactly("lan p50", "lan p99", "wan p50", "wan p99");
        assertThat(response.range(0)).isEqualTo("response time (ms)");
        assertThat(response.row(0, "lan p50").y()[5]).isCloseTo(99, within(0.01));
        assertThat(response.row(0, "wan p99").y()[5]).isCloseTo(199, within(0.01));
        assertThat(response.row(0, "wan p99").y()[2])
                .as("before its clients come")
                .isNaN();
    }

    @Test
    void theServersLogLiesOverTheClientsView() {
        FigureData views = FigureData.of(ExampleRuns.named("monitored"), "client-server-log");

        assertThat(views.range(0)).isEqualTo("throughput (calls/s)");
        assertThat(views.range(1)).isEqualTo("calls in flight");
        assertThat(views.range(2)).isEqualTo("difference (%)");
        double[] rates = new double[20];
        Arrays.fill(rates, 0, 10, 10);
        Arrays.fill(rates, 10, 20, 20);
        assertThat(views.row(0, "throughput, clients' view").y()).containsExactly(rates, EXACT);
        assertThat(views.row(0, "throughput, server's log").y()).containsExactly(rates, EXACT);
        // Ten calls a second of 99 ms, of which the server knows 98.
        assertThat(views.row(1, "in flight, clients' view").y()[3]).isCloseTo(0.99, within(1e-3));
        assertThat(views.row(1, "in flight, server's log").y()[3]).isCloseTo(0.98, within(1e-3));
        assertThat(views.row(2, "difference in throughput (%)").y()[3]).isZero();
        assertThat(views.row(2, "difference in calls in flight (%)").y()[3]).isCloseTo(-100 / 99.0, within(0.1));
    }

    @Test
    void whatAnExperimentAsksForHasAnAxisForEachUnit() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(2, 0, 4000)
                .exchanges(5000)
                .figures(new FigureRecord(List.of("load", "response"), List.of("throughput"), "Mine"));
        new SimulatedLoad(run, SimulatedService.even(2, 99)).think(1).closed(0, 0, 2, 0, 0, 4000);
        FigureData mine = FigureData.of(run.analyze(folder), "custom-1");

        assertThat(mine.title()).isEqualTo("Mine");
        assertThat(mine.panel(0))
                .extracting(Row::name)
                .containsExactly("active clients", "response time, mean (ms)", "throughput (calls/s)");
        assertThat(mine.panel(0))
                .extracting(Row::axis)
                .containsExactly("active clients", "response time, mean (ms)", "throughput (calls/s)");
        assertThat(mine.row(0, "active clients").y()).containsExactly(new double[] {2, 2, 2, 2}, within(0.01));
        assertThat(mine.row(0, "response time, mean (ms)").y())
                .containsExactly(new double[] {99, 99, 99, 99}, within(0.01));
        assertThat(mine.row(0, "throughput (calls/s)").y()).containsExactly(new double[] {20, 20, 20, 20}, EXACT);
    }
}
