package org.diperf.analyzer.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.SimulatedLoad;
import org.diperf.analyzer.SimulatedService;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.figure.FigureData.Row;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.TesterRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What figures draw of clients, testers, their networks and their clocks. */
@Timeout(120)
final class TesterFigureTests {

    private static final Offset<Double> EXACT = within(1e-9);

    @TempDir
    private Path folder;

    /** Tester 1 is far and its clients make 10 calls a second; of those of tester 2, which is near, one makes 10 and one 5. */
    private Analysis twoTesters() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 3_600_000_000_000L, 10)
                .closed(4, 0, 4000)
                .exchanges(5000)
                .observation(1, "network.rtt", 1000, 50)
                .observation(2, "network.rtt", 1000, 5);
        for (int client = 0; client <= 2; client += 2) {
            new SimulatedLoad(run, SimulatedService.even(1, 99)).think(1).closed(0, client, 1, 0, 0, 4000);
        }
        new SimulatedLoad(run, SimulatedService.even(1, 99))
                .think(1)
                .testers(2, 1)
                .closed(0, 1, 1, 0, 0, 4000);
        new SimulatedLoad(run, SimulatedService.even(1, 199))
                .think(1)
                .testers(2, 1)
                .closed(0, 3, 1, 0, 0, 4000);
        return run.analyze(folder);
    }

    @Test
    void aDotIsAClientInTheOrderOfTesters() throws IOException {
        FigureData served = FigureData.of(twoTesters(), "clients-throughput");

        assertThat(served.domain()).isEqualTo("clients, by tester and start order");
        assertThat(served.range(0)).isEqualTo("ok calls per client (calls/s)");
        Row first = served.row(0, "tester 1 (host-1)");
        assertThat(first.x()).containsExactly(1, 2);
        assertThat(first.y()).containsExactly(new double[] {10, 10}, within(0.01));
        Row second = served.row(0, "tester 2 (host-2)");
        assertThat(second.x()).containsExactly(3, 4);
        assertThat(second.y()).containsExactly(new double[] {10, 5}, within(0.01));
        assertThat(served.limits(0)).as("the mean").containsExactly(new double[] {8.75}, within(0.01));
    }

    @Test
    void utilisationIsTheShareOfOkCallsInPerCent() throws IOException {
        FigureData shares = FigureData.of(twoTesters(), "clients-utilisation");

        assertThat(shares.title()).isEqualTo("Utilisation per client during the peak");
        assertThat(shares.range(0)).isEqualTo("share of ok calls (%)");
        assertThat(shares.row(0, "tester 2 (host-2)").y())
                .containsExactly(new double[] {100 * 40 / 140.0, 100 * 20 / 140.0}, within(0.01));
        assertThat(shares.limits(0)).containsExactly(new double[] {25}, EXACT);
    }

    @Test
    void aBarIsATesterTheNearestFirstWithTheDeviationOfItsClients() throws IOException {
        FigureData testers = FigureData.of(twoTesters(), "testers");

        assertThat(testers.domain()).isEqualTo("testers by number, nearest to the target first");
        Row served = testers.row(0, "calls/s per client");
        assertThat(served.x()).containsExactly(1, 2);
        assertThat(served.y()).containsExactly(new double[] {7.5, 10}, within(0.01));
        Row deviations = testers.row(0, "calls/s per client, deviation");
        assertThat(deviations.low()).containsExactly(new double[] {5, 10}, within(0.01));
        assertThat(deviations.high()).containsExactly(new double[] {10, 10}, within(0.01));
        assertThat(testers.row(1, "mean response time (ms)").y()).containsExactly(new double[] {149, 99}, within(0.01));
    }

    @Test
    void spansStandByHowManyClientsJoined() throws IOException {
        int[] load = {0, 1, 3, 6, 10, 15, 15, 15};
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(8000);
        for (int second = 0; second + 1 < load.length; second++) {
            run.stage(
                    StageRecords.clients(second, 1000 * second, 1000 * second + 1000, load[second], load[second + 1]));
            for (int call = 0; call < 10 * (second + 1); call++) {
                double at = 1000 * second + 10 + 900.0 * call / (10 * (second + 1));
                // All clients that are there by then, in turns.
                int client = call % load[second + 1];
                run.nanos(
                        1,
                        second,
                        client,
                        0,
                        Math.round(at * 1e6),
                        Math.round(at * 1e6),
                        Math.round(at * 1e6) + 5_000_000,
                        "ok",
                        1);
            }
        }
        FigureData joins = FigureData.of(run.analyze(folder.resolve("joins")), "joins");

        assertThat(joins.domain()).isEqualTo("clients joining (1/s)");
        assertThat(joins.range(0)).isEqualTo("throughput (calls/s)");
        assertThat(joins.row(0, "more than two thirds").y()).contains(60);
        assertThat(joins.row(0, "up to a third").x()).contains(1, 2);
        assertThat(joins.row(0, "up to a third").y()).contains(10, 20);
        assertThat(FigureData.names(twoTesters())).as("all at once").doesNotContain("joins");
    }

    /** Client i is on tester i + 1; each of its calls takes 10 (i + 1) ms, behind a round trip of 5 (i + 1) ms. */
    private Analysis fiveTesters() throws IOException {
        RunFixture run = new RunFixture();
        for (int tester = 1; tester <= 5; tester++) {
            run.tester(tester, tester * 1_000_000L, 0);
        }
        run.closed(5, 0, 4000).exchanges(5000);
        for (int client = 0; client < 5; client++) {
            double takes = 10.0 * (client + 1);
            for (int call = 0; call < 10; call++) {
                double at = 100.0 + 300 * call;
                String outcome = call == 0 && client == 4 ? "http 500" : "ok";
                run.call(client + 1, client, 0, at, at, at + takes, outcome, 100_000);
            }
            run.observation(client + 1, "network.rtt", 1000, 4.0 * (client + 1))
                    .observation(client + 1, "network.rtt", 2500, 6.0 * (client + 1))
                    .observation(client + 1, "network.rtt", 2600, 5.0 * (client + 1))
                    .observation(client + 1, "network.bandwidth", 500, 80.0 / (client + 1))
                    .observation(client + 1, "tester.hiccup", 2000, 3.0 + client)
                    .observation(client + 1, "tester.starved", 3000, 0.1)
                    .observation(client + 1, "tester.gc", 3000, 20);
        }
        return run.analyze(folder);
    }

    @Test
    void eachTesterIsADotAgainstItsLatency() throws IOException {
        FigureData latency = FigureData.of(fiveTesters(), "network-latency");

        assertThat(latency.domain()).isEqualTo("network round trip (ms)");
        assertThat(latency.range(0)).isEqualTo("response (ms)");
        assertThat(latency.range(1)).isEqualTo("calls/s a client");
        assertThat(latency.range(2)).isEqualTo("success (%)");
        for (int panel = 0; panel < 3; panel++) {
            assertThat(latency.row(panel, "testers").x()).containsExactly(new double[] {5, 10, 15, 20, 25}, EXACT);
        }
        assertThat(latency.row(0, "testers").y()).containsExactly(new double[] {10, 20, 30, 40, 50}, within(1e-6));
        assertThat(latency.row(1, "testers").y())
                .containsExactly(new double[] {2.5, 2.5, 2.5, 2.5, 2.25}, within(1e-6));
        assertThat(latency.row(2, "testers").y()).containsExactly(new double[] {100, 100, 100, 100, 90}, EXACT);
    }

    @Test
    void bandwidthIsInMegabytesASecond() throws IOException {
        Analysis analysis = fiveTesters();
        FigureData bandwidth = FigureData.of(analysis, "network-bandwidth");

        // Probes found 80 Mbit/s and fractions of it, whatever the calls moved.
        assertThat(bandwidth.domain()).isEqualTo("bandwidth (MB/s)");
        assertThat(bandwidth.row(0, "testers").x())
                .containsExactly(new double[] {10, 5, 10 / 3.0, 2.5, 2}, within(1e-3));

        FigureData bubbles = FigureData.of(analysis, "bubbles");
        assertThat(bubbles.domain()).isEqualTo("network round trip (ms, log scale)");
        assertThat(bubbles.range(0)).isEqualTo("bandwidth, measured separately (MB/s, log scale)");
        assertThat(bubbles.row(0, "testers").x()).containsExactly(new double[] {5, 10, 15, 20, 25}, EXACT);
        assertThat(bubbles.row(0, "testers").y()).containsExactly(new double[] {10, 5, 10 / 3.0, 2.5, 2}, within(1e-3));
    }

    @Test
    void latencyOverTimeIsTheMeanOfEachSpan() throws IOException {
        FigureData time = FigureData.of(fiveTesters(), "network-time");

        assertThat(time.domain()).isEqualTo("time since the start of the run (s)");
        Row third = time.row(0, "tester 3 (host-3)");
        assertThat(third.axis()).isEqualTo("network round trip (ms)");
        assertThat(third.x()).containsExactly(new double[] {1.5, 2.5}, EXACT);
        assertThat(third.y()).containsExactly(new double[] {12, 16.5}, EXACT);
    }

    @Test
    void hiccupsAndSharesOfTheTimeAreThoseOfTheWorstTester() throws IOException {
        FigureData generator = FigureData.of(fiveTesters(), "generator");

        Row stops = generator.row(0, "longest pause of a tester (ms)");
        assertThat(stops.axis()).isEqualTo("time (ms)");
        double nan = Double.NaN;
        assertThat(stops.x()).startsWith(0.5, 1.5, 2.5);
        assertThat(stops.y()).startsWith(new double[] {nan, 7}, within(1e-6));
        assertThat(generator.range(1)).isEqualTo("share of time (%)");
        assertThat(generator.row(1, "load threads waiting for a processor (%)").y()[2])
                .isCloseTo(10, within(1e-6));
        assertThat(generator.row(1, "garbage collection (%)").y()[2]).isCloseTo(2, within(1e-6));
        assertThat(generator.panel(1))
                .extracting(Row::name)
                .as("nothing was stolen and nothing held up")
                .containsExactly("load threads waiting for a processor (%)", "garbage collection (%)");
    }

    @Test
    void clocksAreDrawnWithTheirBounds() throws IOException {
        Analysis analysis = twoTesters();
        FigureData bounds = FigureData.of(analysis, "clock-bounds");

        assertThat(bounds.domain()).isEqualTo("tester");
        assertThat(bounds.range(0)).startsWith("error of global time (µs");
        Row hard = bounds.row(0, "hard bound, maximum over the run");
        assertThat(hard.x()).containsExactly(1, 2);
        assertThat(hard.y())
                .containsExactly(
                        analysis.testers().stream()
                                .mapToDouble(TesterRow::errorBoundMicros)
                                .toArray(),
                        EXACT);
        assertThat(hard.y()[0])
                .as("half a round trip of 20 us, and drift between exchanges")
                .isBetween(9.0, 100.0);

        FigureData clock = FigureData.of(analysis, "clock-tester-2");
        assertThat(clock.title()).isEqualTo("Clock of tester 2 (host-2)");
        assertThat(clock.range(0)).isEqualTo("offset from global time, without drift (µs)");
        Row band = clock.row(0, "within the hard bound");
        Row estimate = clock.row(0, "estimate");
        assertThat(estimate.x()).hasSameSizeAs(band.x());
        assertThat(estimate.x()[estimate.x().length - 1]).isBetween(3.0, 6.0);
        for (int i = 0; i < estimate.x().length; i++) {
            assertThat(estimate.y()[i]).isBetween(-40.0, 40.0);
            assertThat(band.low()[i]).isLessThanOrEqualTo(estimate.y()[i]);
            assertThat(band.high()[i]).isGreaterThanOrEqualTo(estimate.y()[i]);
        }
        assertThat(clock.row(0, "frames").x()).isNotEmpty();
    }
}
