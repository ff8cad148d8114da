package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.figure.Figure;
import org.diperf.analyzer.figure.Figures;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.GeneratorSymptoms;
import org.diperf.analyzer.result.HeatMap;
import org.diperf.analyzer.result.NetworkImpact;
import org.diperf.analyzer.result.NetworkImpact.Source;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.text.SeriesNames;
import org.diperf.core.run.FigureRecord;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DetailsTests {

    @TempDir
    Path folder;

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
                run.call(client + 1, client, at, at, at + takes, call == 0 && client == 4 ? "http 500" : "ok");
            }
            run.observation(client + 1, "network.rtt", 1000, 4.0 * (client + 1))
                    .observation(client + 1, "network.rtt", 2500, 6.0 * (client + 1))
                    .observation(client + 1, "network.rtt", 2600, 5.0 * (client + 1))
                    .observation(client + 1, "tester.hiccup", 2000, 3.0 + client);
        }
        return run.analyze(folder);
    }

    @Test
    void latencyOfEachTesterIsTheMedianAndItsTrailTheMeansOfQuanta() throws IOException {
        NetworkImpact network = fiveTesters().details().network();

        assertThat(network.testers()).hasSize(5);
        NetworkImpact.Row third = network.testers().get(2);
        assertThat(third.latencyMillis()).isCloseTo(15, within(1e-9));
        assertThat(third.latencySource()).isEqualTo(Source.CLIENTS);
        assertThat(third.bandwidthSource()).isEqualTo(Source.NONE);
        assertThat(third.trailSeconds()).containsExactly(1.5, 2.5);
        assertThat(third.trailMillis()[0]).isCloseTo(12, within(1e-9));
        assertThat(third.trailMillis()[1]).isCloseTo(16.5, within(1e-9));
        assertThat(third.responseMillis()).isCloseTo(30, within(1e-6));
        assertThat(third.perClientPerSecond()).isCloseTo(10 / 4.0, within(1e-6));
        assertThat(network.testers().get(4).successPercent()).isCloseTo(90, within(1e-9));
    }

    @Test
    void bandwidthIsThatOfProbesAndNeverTheRateOfTheCalls() throws IOException {
        RunFixture run = new RunFixture();
        run.tester(1, 1_000_000, 0);
        run.tester(2, 2_000_000, 0);
        run.closed(2, 0, 2000).exchanges(3000);
        for (int client = 0; client < 2; client++) {
            run.call(client + 1, client, 0, 100, 100, 900, "ok", 50_000_000);
        }
        run.observation(2, "network.bandwidth", 50, 80).observation(2, "network.bandwidth", 60, 100);
        NetworkImpact network = run.analyze(folder).details().network();

        assertThat(network.testers()).hasSize(1);
        NetworkImpact.Row probed = network.testers().get(0);
        assertThat(probed.tester()).isEqualTo(2);
        assertThat(probed.bandwidthBytes()).isCloseTo(90e6 / 8, within(1e-6));
        assertThat(probed.bandwidthSource()).isEqualTo(Source.PROBES);
    }

    @Test
    void responseTimeThatRisesWithLatencyIsCorrelated() throws IOException {
        Summary summary = fiveTesters().summary();

        assertThat(summary.networkImpact()).isNotNull();
        Summary.NetworkCorrelation response = summary.networkImpact().get(0);
        assertThat(response.of()).isEqualTo("responseTime");
        assertThat(response.against()).isEqualTo("latency");
        assertThat(response.spearman()).isCloseTo(1, within(1e-9));
        assertThat(response.pearson()).isCloseTo(1, within(1e-6));
        assertThat(SummaryFile.json(summary)).contains("\"networkImpact\"");
    }

    @Test
    void theHeatMapHoldsEveryOkCallInItsColumnAndRow() throws IOException {
        HeatMap heat = fiveTesters().details().heat();

        long all = Arrays.stream(heat.counts()).flatMapToLong(Arrays::stream).sum();
        assertThat(all).isEqualTo(49);
        assertThat(heat.columnSeconds()).isEqualTo(1);
        int row = 0;
        while (heat.edgeMillis(row + 1) <= 50) {
            row++;
        }
        // Calls of client 4 begin at 100, 400, 700, ... ms; the first fails.
        assertThat(heat.counts()[0][row]).isEqualTo(2);
        assertThat(heat.counts()[1][row]).isEqualTo(4);
        assertThat(heat.edgeMillis(0)).isBetween(8.0, 10.0);
        assertThat(heat.edgeMillis(heat.rows())).isGreaterThan(50);
    }

    @Test
    void signsOfTheGeneratorStandInTheirQuanta() throws IOException {
        GeneratorSymptoms signs = fiveTesters().details().signs();

        assertThat(signs.hiccupMillis()[1]).as("ends with the observation").isCloseTo(7, within(1e-6));
        assertThat(Arrays.stream(signs.hiccupMillis()).max().orElse(0)).isCloseTo(7, within(1e-6));
    }

    @Test
    void figuresOfTheNetworkAreThereWhereTestersDifferAndElseAbsent() throws IOException {
        List<String> names =
                Figures.all(fiveTesters()).stream().map(Figure::name).toList();

        assertThat(names).contains("heat", "ecdf", "time-table", "generator", "network-latency", "network-time");
        assertThat(names)
                .as("bandwidth is not known, and one client a tester has no deviation")
                .doesNotContain("network-bandwidth", "bubbles", "testers", "joins");
    }

    @Test
    void testersOnOneMachineTellNothingOfTheNetwork() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .tester(3, 0, 0)
                .closed(3, 0, 2000)
                .exchanges(3000);
        for (int client = 0; client < 3; client++) {
            run.call(client + 1, client, 100, 100, 110 + client, "ok")
                    .observation(client + 1, "network.rtt", 1000, 0.015 + 0.002 * client);
        }

        Analysis analysis = run.analyze(folder);

        assertThat(analysis.summary().networkImpact()).isNull();
        assertThat(Figures.all(analysis).stream().map(Figure::name)).doesNotContain("network-latency");
    }

    @Test
    void bubblesAreAsLargeAsWhatTestersMovedWhileAllWereThere() throws IOException {
        RunFixture run = new RunFixture();
        for (int tester = 1; tester <= 2; tester++) {
            run.tester(tester, 0, 0);
        }
        // Each client stays for 4 s, and the second one comes after 2 s: the peak is from 2 s to 4 s.
        run.closed(2, 2000, 4000).exchanges(7000);
        long bytes = 200_000;
        for (int call = 0; call < 10; call++) {
            run.call(1, 0, 0, 100 + 380 * call, 100 + 380 * call, 110 + 380 * call, "ok", bytes);
            run.call(2, 1, 0, 2100 + 380 * call, 2100 + 380 * call, 2200 + 380 * call, "ok", bytes);
        }
        run.observation(1, "network.rtt", 3000, 5).observation(2, "network.rtt", 3000, 50);
        run.observation(1, "network.bandwidth", 50, 90).observation(2, "network.bandwidth", 50, 9);

        Analysis analysis = run.analyze(folder);

        NetworkImpact.Row first = analysis.details().network().testers().get(0);
        assertThat(first.bytes()).isEqualTo(10 * bytes);
        assertThat(first.peakOk()).isEqualTo(5);
        assertThat(first.peakBytes()).isEqualTo(5 * bytes);
        assertThat(analysis.details().network().testers().get(1).peakOk()).isEqualTo(5);
        assertThat(Figures.all(analysis))
                .extracting(Figure::title)
                .contains("Data transferred during the peak by tester latency and bandwidth");
    }

    @Test
    void figuresThatTheExperimentAsksForAreDrawnAndSayWhatWasNotMeasured() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).closed(1, 0, 4000).exchanges(5000);
        for (int call = 0; call < 10; call++) {
            run.call(1, 0, 100 + 300 * call, 100 + 300 * call, 150 + 300 * call, "ok");
        }
        run.figures(
                new FigureRecord(List.of("load", "response"), List.of("throughput", "server.cpu"), null),
                new FigureRecord(List.of("server.memory"), List.of(), "Memory"),
                new FigureRecord(List.of("response.p50", "response.p99", "response.max"), List.of(), "Times"));

        List<Figure> figures = Figures.all(run.analyze(folder)).stream()
                .filter(figure -> figure.name().startsWith("custom-"))
                .toList();

        assertThat(figures).extracting(Figure::name).containsExactly("custom-1", "custom-3");
        assertThat(figures.get(0).title()).isEqualTo("Active clients, response time, mean and throughput");
        assertThat(figures.get(0).howToRead()).contains("not measured in this run: server.cpu");
        assertThat(figures.get(0).chart().getXYPlot().getRangeAxisCount()).isEqualTo(3);
        assertThat(figures.get(1).title()).isEqualTo("Times");
        assertThat(figures.get(1).chart().getXYPlot().getRangeAxisCount())
                .as("what has the same unit shares an axis")
                .isEqualTo(1);
    }

    @Test
    void bytesOfClientsAndServerShareAnAxisAndTheirDifferenceIsBelow() throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .exchanges(5000)
                .monitor("server", "ganglia");
        for (int call = 0; call < 40; call++) {
            run.call(1, 0, 0, 100 * call, 100 * call, 50 + 100 * call, "ok", 100_000);
        }
        for (int second = 0; second <= 4; second++) {
            run.watched("gauge bytes_out [bytes/sec]", 1000 * second, 1_100_000);
        }
        run.figures(new FigureRecord(List.of("bytes", "server.bytes_out"), List.of("load"), "Data"));

        Analysis analysis = run.analyze(folder);

        assertThat(SeriesNames.find(analysis, "server.bytes_out").orElseThrow().unit())
                .isEqualTo("MB/s");
        assertThat(SeriesNames.find(analysis, "server.bytes_out").orElseThrow().values()[1])
                .isCloseTo(1.1, within(1e-9));
        Figure figure = Figures.all(analysis).stream()
                .filter(each -> each.name().equals("custom-1"))
                .findFirst()
                .orElseThrow();
        CombinedDomainXYPlot both = (CombinedDomainXYPlot) figure.chart().getXYPlot();
        XYPlot above = both.getSubplots().get(0);
        assertThat(above.getRangeAxisCount()).as("data and load").isEqualTo(2);
        XYDataset difference = both.getSubplots().get(1).getDataset(0);
        assertThat(difference.getYValue(0, 1)).isCloseTo(10, within(0.01));
    }

    @Test
    void everyNameOfASeriesCanBeFoundOrIsNotMeasured() throws IOException {
        Analysis analysis = fiveTesters();

        for (String name : SeriesNames.all()) {
            assertThat(SeriesNames.problem(name)).as(name).isEmpty();
            SeriesNames.find(analysis, name)
                    .ifPresent(found -> assertThat(found.values())
                            .as(name)
                            .hasSize(analysis.series().size()));
        }
        assertThat(SeriesNames.find(analysis, "load")).isPresent();
        assertThat(SeriesNames.all()).contains("responseTime.median", "response.p999", "sendLag.p99", "calls.bytes");
        assertThat(SeriesNames.find(analysis, "responseTime.median"))
                .hasValueSatisfying(found -> assertThat(found.values())
                        .isEqualTo(SeriesNames.find(analysis, "response.p50")
                                .orElseThrow()
                                .values()));
        assertThat(SeriesNames.problem("peak.response.p50")).isPresent();
        assertThat(SeriesNames.find(analysis, "network")).isPresent();
        assertThat(SeriesNames.find(analysis, "server.cpu")).isEmpty();
        assertThat(SeriesNames.problem("respnse").orElse("")).contains("Did you mean 'response'?");
        assertThat(SeriesNames.problem("server.cpu")).isEmpty();
    }

    /** Ten calls a second of 30 ms: in the second second one is dropped and two fail, in the third all are sent 5 ms late. */
    @Test
    void everySeriesIsWhatItsNameSays() throws IOException {
        RunFixture run =
                new RunFixture().tester(1, 0, 0).open(10, "constant", 0, 4000).exchanges(5000);
        for (int call = 0; call < 40; call++) {
            double due = 100.0 * call;
            double sent = due + (call / 10 == 2 ? 5 : 0);
            String outcome = call == 11 ? "dropped" : call == 12 || call == 13 ? "http 500" : "ok";
            run.call(1, call % 3, 0, due, sent, outcome.equals("dropped") ? sent : due + 30, outcome, 1_000_000);
        }
        Analysis analysis = run.observation(1, "network.rtt", 1500, 4.0).analyze(folder);

        assertThat(second(analysis, "throughput", 1)).isEqualTo(7);
        assertThat(second(analysis, "failed", 1)).isEqualTo(2);
        assertThat(second(analysis, "dropped", 1)).isEqualTo(1);
        assertThat(second(analysis, "response", 1)).isCloseTo(30, within(0.01));
        assertThat(second(analysis, "responseTime.p99", 1)).isCloseTo(30, within(0.5));
        assertThat(second(analysis, "lag.p99", 1)).isCloseTo(0, within(1e-6));
        assertThat(second(analysis, "lag.p99", 2)).isCloseTo(5, within(0.1));
        assertThat(second(analysis, "inFlight", 1)).isCloseTo(0.27, within(1e-6));
        assertThat(second(analysis, "load", 1)).isEqualTo(second(analysis, "inFlight", 1));
        assertThat(second(analysis, "network", 1)).isCloseTo(4, within(1e-9));
        assertThat(second(analysis, "bytes", 1)).isCloseTo(7, within(1e-9));
    }

    private static double second(Analysis analysis, String name, int quantum) {
        return SeriesNames.find(analysis, name).orElseThrow().values()[quantum];
    }

    @Test
    void filesHaveTheNetworkOfEachTester() throws IOException {
        Analysis analysis = fiveTesters();

        Analyzer.write(analysis, folder.resolve("out"));

        List<String> network = Files.readAllLines(folder.resolve("out/network.csv"));
        assertThat(network.get(0)).isEqualTo("tester,host,node,time_s,latency_mean_ms");
        assertThat(network).contains("3,host-3,,1.5,12").hasSize(11);
        List<String> testers = Files.readAllLines(folder.resolve("out/testers.csv"));
        assertThat(testers.get(0)).endsWith("response_mean_ms,calls_per_client_per_s,success_percent");
        assertThat(testers.get(3)).contains(",15,clients,,,").endsWith(",2.5,100");
    }
}
