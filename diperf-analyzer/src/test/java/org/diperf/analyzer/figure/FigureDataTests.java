package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.result.Analysis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What figures draw, of runs that were written by the sample writer and read by the analyzer. The numbers are worked out by hand:
 * client 0 makes two calls of 100 ms a second, client 1 one of 400 ms, for 4 s; the last one of client 1 fails.
 */
@Timeout(120)
final class FigureDataTests {

    private static final long MILLI = 1_000_000;
    private static final double[] MIDDLES = {0.5, 1.5, 2.5, 3.5};
    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    private Path folder;

    private Analysis twoClients() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(2, 0, 4000).exchanges(5000);
        for (int second = 0; second < 4; second++) {
            long at = 1000L * second;
            run.call(1, 0, at + 100, at + 100, at + 200, "ok");
            run.call(1, 0, at + 600, at + 600, at + 700, "ok");
            run.call(1, 1, at + 300, at + 300, at + 700, second == 3 ? "refused" : "ok");
        }
        return run.analyze(folder);
    }

    /** A call that ends after all others makes a fifth second of a few ms, in which everything would fall to nothing. */
    @Test
    void aLastQuantumThatTheEndOfTheRunCutsOffHasNoPoint() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 4000).exchanges(5000);
        for (int second = 0; second < 4; second++) {
            run.call(1, 0, 1000L * second, 1000L * second, 1000L * second + 100, "ok");
        }
        Analysis analysis = run.call(1, 0, 3900, 3900, 4003, "ok").analyze(folder);

        assertThat(analysis.series().size()).isEqualTo(5);
        for (String name : FigureData.names(analysis)) {
            if (name.equals("main") || name.startsWith("load-throughput")) {
                assertThat(FigureData.of(analysis, name).panel(0))
                        .filteredOn(row -> !row.name().startsWith("single calls"))
                        .isNotEmpty()
                        .allSatisfy(row -> assertThat(row.x()).as(row.name()).containsExactly(MIDDLES, EXACT));
            }
        }
    }

    /** Ten clients of which each makes a call of 99 ms every 100 ms: a hundred calls a second. */
    private static RunFixture tenClients() {
        RunFixture run = new RunFixture()
                .tester(1, 3_600_000_000_000L, 20)
                .closed(10, 0, 10_000)
                .exchanges(11_000);
        new SimulatedLoad(run, SimulatedService.even(10, 99)).think(1).closed(0, 0, 10, 0, 0, 10_000);
        return run;
    }

    /** The same value in each of ten seconds. */
    private static double[] ten(double value) {
        double[] all = new double[10];
        Arrays.fill(all, value);
        return all;
    }

    @Test
    void tenClientsOfAHundredMillisecondsAreAHundredCallsASecond() throws IOException {
        Analysis analysis = tenClients().analyze(folder);

        FigureData main = FigureData.of(analysis, "main");
        assertThat(main.row(0, "throughput (calls/s)").y()).containsExactly(ten(100), EXACT);
        assertThat(main.row(0, "active clients").y()).containsExactly(ten(10), within(0.01));
        assertThat(main.row(1, "response p99 (ms)").y()).containsExactly(ten(99), within(0.01));

        FigureData load = FigureData.of(analysis, "load-throughput");
        assertThat(load.panel(0))
                .extracting(Row::name)
                .containsExactly("throughput, every 1 s", "active clients", "throughput, 1 s average");
        assertThat(load.panel(0))
                .extracting(Row::axis)
                .containsExactly("throughput (calls/s)", "load (active clients)", "throughput (calls/s)");
        assertThat(load.row(0, "throughput, 1 s average").y()).containsExactly(ten(100), EXACT);

        FigureData table = FigureData.of(analysis, "time-table");
        assertThat(table.panel(0))
                .extracting(Row::name)
                .as("no tester observed its network")
                .containsExactly("active clients", "throughput, 1 s average", "response time, 1 s average");
        assertThat(table.row(0, "response time, 1 s average").axis()).isEqualTo("time (ms)");
        assertThat(table.row(0, "response time, 1 s average").y()).containsExactly(ten(99), within(0.01));
        assertThat(FigureData.names(analysis))
                .as("nothing failed, nobody watched, and all clients joined at once")
                .doesNotContain(
                        "failures", "generator", "joins", "network-time", "testers", "levels", "groups", "search")
                .noneMatch(name -> name.startsWith("server-") || name.startsWith("custom-"));
    }

    @Test
    void ratesAreByTheMinuteWhereTheExperimentAsksForThat() throws IOException {
        FigureData main = FigureData.of(tenClients().perMinute().analyze(folder), "main");

        assertThat(main.row(0, "throughput (calls/min)").axis()).isEqualTo("throughput (calls/min)");
        assertThat(main.row(0, "throughput (calls/min)").y()).containsExactly(ten(6000), within(1e-6));
    }

    @Test
    void theNetworkIsInTheTableOfTimesWhereItWasObserved() throws IOException {
        RunFixture run = tenClients();
        for (int second = 1; second < 10; second++) {
            run.observation(1, "network.rtt", 1000 * second - 500, 5 + second);
        }
        Row network = FigureData.of(run.analyze(folder), "time-table").row(0, "network round trip, 1 s average");

        assertThat(network.axis()).isEqualTo("time (ms)");
        assertThat(network.y())
                .containsExactly(new double[] {6, 7, 8, 9, 10, 11, 12, 13, 14, Double.NaN}, within(0.05));
    }

    @Test
    void theHeatMapSpansTheRunAndItsResponseTimes() throws IOException {
        FigureData heat = FigureData.of(tenClients().analyze(folder), "heat");
        Row corners = heat.row(0, "calls");

        assertThat(corners.axis()).isEqualTo("response time (ms, log scale)");
        assertThat(heat.domain()).isEqualTo("time since the start of the run (s)");
        assertThat(corners.x()).containsExactly(new double[] {0, 10}, within(0.01));
        assertThat(corners.y()[0]).isBetween(70.0, 99.1);
        assertThat(corners.y()[1]).isBetween(98.9, 140.0);
    }

    @Test
    void droppedCallsAreShownWhenTheyWereDue() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .open(2, "constant", 0, 4000)
                .exchanges(5000)
                .call(1, 0, 500, 500, 900, "ok")
                .call(1, 0, 1500, 1500, 3900, "refused")
                .call(1, 1, 2500, 2500, 2500, "dropped")
                .call(1, 1, 2600, 2600, 2600, "dropped");
        Analysis analysis = run.analyze(folder);
        FigureData failures = FigureData.of(analysis, "failures");

        assertThat(failures.title()).isEqualTo("Failed and dropped calls");
        assertThat(failures.row(0, "dropped, never sent").y()).containsExactly(new double[] {0, 0, 2, 0}, EXACT);
        assertThat(failures.row(0, "failed").y()).containsExactly(new double[] {0, 0, 0, 1}, EXACT);
        FigureData main = FigureData.of(analysis, "main");
        assertThat(main.row(0, "calls in flight").axis()).isEqualTo("load (calls in flight)");
        assertThat(main.row(0, "calls in flight").y()).containsExactly(new double[] {0.4, 0.5, 1, 0.9}, within(1e-3));
    }

    @Test
    void timesOfMoreThanTwoDecadesAreOnALogarithmicAxisInMilliseconds() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .exchanges(5000)
                .call(1, 0, 100, 100, 105, "ok")
                .call(1, 0, 1100, 1100, 3100, "ok");
        FigureData main = FigureData.of(run.analyze(folder), "main");

        assertThat(main.range(1)).isEqualTo("response time (ms, log scale)");
        double nan = Double.NaN;
        assertThat(main.row(1, "response p99 (ms)").y()).containsExactly(new double[] {5, nan, nan, 2000}, EXACT);
        assertThat(main.rangeAxis(1).getLowerBound()).isBetween(3.0, 5.0);
        assertThat(main.rangeAxis(1).getUpperBound()).isBetween(2000.0, 3000.0);
    }

    @Test
    void theMainFigureShowsLoadAndThroughputAboveAndResponseTimesBelow() throws IOException {
        FigureData main = FigureData.of(twoClients(), "main");

        assertThat(main.domain()).isEqualTo("time since the start of the run (s)");
        assertThat(main.panel(0)).extracting(Row::name).containsExactly("active clients", "throughput (calls/s)");
        assertThat(main.panel(0))
                .extracting(Row::axis)
                .containsExactly("load (active clients)", "throughput (calls/s)");
        assertThat(main.row(0, "active clients").x()).containsExactly(MIDDLES, EXACT);
        assertThat(main.row(0, "active clients").y()).containsExactly(new double[] {2, 2, 2, 2}, within(0.3));
        assertThat(main.row(0, "throughput (calls/s)").y()).containsExactly(new double[] {3, 3, 3, 2}, EXACT);
        assertThat(main.panel(1)).extracting(Row::axis).containsOnly("response time (ms)");
        assertThat(main.row(1, "response p99 (ms)").y()).containsExactly(new double[] {400, 400, 400, 100}, EXACT);
        assertThat(main.row(1, "response p50 (ms)").y()).containsExactly(new double[] {100, 100, 100, 100}, EXACT);
        assertThat(main.legend())
                .startsWith("active clients", "throughput (calls/s)", "response p99 (ms)", "response p50 (ms)");
    }

    @Test
    void everyOkCallIsADotAtItsEnd() throws IOException {
        Row dots = FigureData.of(twoClients(), "load-throughput-response").row(0, "single calls (ms)");

        assertThat(dots.axis()).isEqualTo("response time (ms)");
        double[] ends = {0.2, 0.7, 0.7, 1.2, 1.7, 1.7, 2.2, 2.7, 2.7, 3.2, 3.7};
        assertThat(dots.x()).hasSize(ends.length);
        assertThat(Arrays.stream(dots.x()).sorted().toArray()).containsExactly(ends, EXACT);
        assertThat(Arrays.stream(dots.y()).filter(millis -> millis > 200))
                .hasSize(3)
                .allMatch(millis -> millis == 400);
    }

    @Test
    void failedCallsHaveAFigureOfTheirOwnOnlyWhereThereAreAny() throws IOException {
        FigureData failures = FigureData.of(twoClients(), "failures");

        assertThat(failures.panel(0)).extracting(Row::name).containsExactly("failed");
        assertThat(failures.row(0, "failed").axis()).isEqualTo("rate (calls/s)");
        assertThat(failures.row(0, "failed").x()).containsExactly(MIDDLES, EXACT);
        assertThat(failures.row(0, "failed").y()).containsExactly(new double[] {0, 0, 0, 1}, EXACT);
    }

    @Test
    void aFigureOfLevelsHasAPointForEachAtWhatItServed() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(13_000)
                .stage(StageRecords.level(0, 0, 4000, 1, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, 5000))
                .stage(StageRecords.level(2, 8000, 12_000, 4, 9000));
        int[] clients = {1, 2, 4};
        long[] took = {100, 100, 200};
        for (int stage = 0; stage < 3; stage++) {
            for (int client = 0; client < clients[stage]; client++) {
                for (long at = 4000L * stage; at + took[stage] <= 4000L * (stage + 1); at += took[stage]) {
                    run.nanos(1, stage, client, 0, at * MILLI, at * MILLI, (at + took[stage]) * MILLI - 1, "ok", 0);
                }
            }
        }
        FigureData levels = FigureData.of(run.analyze(folder), "levels");

        // Levels that span less than a decade are drawn on linear scales: 10, 20 and 20 calls a second.
        assertThat(levels.domain()).isEqualTo("load (concurrent clients)");
        Row served = levels.row(0, "throughput");
        assertThat(served.axis()).isEqualTo("throughput (ok calls/s)");
        assertThat(served.x()).containsExactly(new double[] {1, 2, 4}, EXACT);
        assertThat(served.y()).containsExactly(new double[] {10, 20, 20}, within(0.5));
        assertThat(levels.row(1, "response p50").y()).containsExactly(new double[] {100, 100, 200}, within(0.1));
        assertThat(levels.legend()).contains("best level").doesNotContain("generator was the limit");
    }

    @Test
    void whatAMonitorSawStandsBesideWhatClientsAskedFor() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .exchanges(5000)
                .monitor("server", "process");
        for (int call = 0; call < 40; call++) {
            run.call(1, 0, 100 * call, 100 * call, 50 + 100 * call, "ok");
        }
        for (int second = 0; second <= 4; second++) {
            run.watched("gauge cpu [cores]", 1000 * second, 0.5).watched("gauge memory [bytes]", 1000 * second, 64e6);
        }
        FigureData server = FigureData.of(run.analyze(folder), "server-server");

        assertThat(server.row(0, "server memory (MB)").y()).containsExactly(new double[] {64, 64, 64, 64}, EXACT);
        assertThat(server.row(0, "server memory (MB)").axis()).isEqualTo("server memory (MB)");
        assertThat(server.row(1, "server CPU (cores)").y()).containsExactly(new double[] {0.5, 0.5, 0.5, 0.5}, EXACT);
        assertThat(server.row(1, "throughput (calls/s)").y()).containsExactly(new double[] {10, 10, 10, 10}, EXACT);
        assertThat(server.legend())
                .startsWith("active clients", "server memory (MB)", "throughput (calls/s)", "server CPU (cores)");
    }
}
