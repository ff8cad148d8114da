package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.measure.Measures;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.ServerText;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What monitors saw, on the time axis of the run. */
@Timeout(60)
class ServerAnalyzerTests {

    @TempDir
    Path folder;

    /** Two clients for four seconds, a call of each every second. */
    private static RunFixture run() {
        RunFixture run = new RunFixture().tester(1, 3_600_000_000_000L, 20).exchanges(4_000);
        run.closed(2, 0, 4_000);
        for (int client = 0; client < 2; client++) {
            for (int i = 0; i < 4; i++) {
                run.call(1, client, i * 1_000, i * 1_000, i * 1_000 + 500, "ok");
            }
        }
        return run;
    }

    @Test
    void aRateHoldsSinceTheSampleBeforeIt() throws Exception {
        Analysis analysis = run().monitor("server", "process")
                .watched("rate cpu [cores]", -500, Double.NaN)
                .watched("rate cpu [cores]", 500, 1)
                .watched("rate cpu [cores]", 1_500, 3)
                .watched("rate cpu [cores]", 4_500, 2)
                .analyze(folder);
        MonitoredMetric cpu = analysis.server().find("server.cpu").orElseThrow();
        assertThat(cpu.unit()).isEqualTo("cores");
        assertThat(cpu.values()[0]).isCloseTo((0.5 * 1 + 0.5 * 3), within(1e-9));
        assertThat(cpu.values()[1]).isCloseTo((0.5 * 3 + 0.5 * 2), within(1e-9));
        assertThat(cpu.values()[2]).isCloseTo(2, within(1e-9));
        assertThat(cpu.mean()).isCloseTo((0.5 * 1 + 1 * 3 + 2.5 * 2) / 4, within(1e-9));
        assertThat(cpu.max()).isEqualTo(3);
    }

    @Test
    void aValueChangesEvenlyFromSampleToSample() throws Exception {
        Analysis analysis = run().monitor("server", "process")
                .watched("gauge memory [bytes]", 0, 0)
                .watched("gauge memory [bytes]", 2_000, 200)
                .watched("gauge memory [bytes]", 4_000, 200)
                .analyze(folder);
        MonitoredMetric memory = analysis.server().find("server.memory").orElseThrow();
        assertThat(memory.values()[0]).isCloseTo(50, within(1e-9));
        assertThat(memory.values()[1]).isCloseTo(150, within(1e-9));
        assertThat(memory.values()[3]).isCloseTo(200, within(1e-9));
        assertThat(memory.mean()).isCloseTo((100 * 2 + 200 * 2) / 4.0, within(1e-9));
    }

    @Test
    void whereAMonitorWasSilentThereIsNoValue() throws Exception {
        Analysis analysis = run().monitor("server", "process")
                .watched("gauge memory [bytes]", -20_000, 7)
                .watched("gauge memory [bytes]", -19_000, Double.NaN)
                .watched("gauge memory [bytes]", 2_000, 5)
                .watched("gauge memory [bytes]", 3_000, 5)
                .analyze(folder);
        MonitoredMetric memory = analysis.server().find("server.memory").orElseThrow();
        assertThat(memory.values()[0]).isNaN();
        assertThat(memory.values()[1]).isNaN();
        assertThat(memory.values()[2]).isCloseTo(5, within(1e-9));
    }

    @Test
    void summaryAndSeriesHaveTheMetricsWithTheirUnits() throws Exception {
        Analysis analysis = run().monitor("server", "process")
                .watched("gauge memory [bytes]", 0, 100)
                .watched("gauge memory [bytes]", 4_000, 100)
                .monitor("host", "host")
                .watched("rate network.in [bytes/s]", 0, Double.NaN)
                .watched("rate network.in [bytes/s]", 4_000, 9)
                .analyze(folder);
        assertThat(analysis.summary()
                        .serverSide()
                        .server()
                        .get("host")
                        .get("network.in")
                        .mean())
                .isCloseTo(9, within(1e-9));
        String json = SummaryFile.json(analysis.summary());
        assertThat(json).contains("\"server\" : {").doesNotContain("serverSide").contains("\"unit\" : \"bytes/s\"");
        Analyzer.write(analysis, folder.resolve("out"));
        List<String> series = Files.readAllLines(folder.resolve("out/series.csv"));
        assertThat(series.get(0)).endsWith(",server.memory_bytes,server.host.network.in_bytes_per_s");
        List<String> names = List.of(series.get(0).split(","));
        List<String> first = List.of(series.get(1).split(",", -1));
        assertThat(first.get(names.indexOf("server.memory_bytes"))).isEqualTo("100");
        assertThat(first.get(names.indexOf("server.host.network.in_bytes_per_s")))
                .isEqualTo("9");
        Summary summary = analysis.summary();
        assertThat(Measures.raw(summary, "server.memory.max")).isEqualTo(100.0);
        assertThat(Measures.raw(summary, "server.host.network.in.mean"))
                .isEqualTo(Measures.raw(summary, "server.network.in.mean"));
        assertThat(Measures.raw(summary, "server.nothing.mean")).isNull();
        assertThat(Measures.find("server.memory.max")).isPresent();
    }

    @Test
    void theServicesLogIsCountedByTheQuantumInWhichRequestsEnded() throws Exception {
        Analysis analysis = run().monitor("log", "log")
                .served(500, 500, "ok", 10)
                .served(900, 100, "status-503", 5)
                .served(1_500, 1_000, "ok", 10)
                .served(-10, 5, "ok", 10)
                .served(9_000, 5, "ok", 10)
                .analyze(folder);
        var log = analysis.server().logs().get(0);
        assertThat(log.requests()).isEqualTo(3);
        assertThat(log.ok()).isEqualTo(2);
        assertThat(log.bytes()).isEqualTo(25);
        assertThat(log.throughput()[0]).isEqualTo(1);
        assertThat(log.throughput()[1]).isEqualTo(1);
        assertThat(log.responseMs()[1]).isEqualTo(1_000);
        assertThat(log.load()[0]).isCloseTo(0.5 + 0.1 + 0.5, within(1e-9));
        assertThat(log.load()[1]).isCloseTo(0.5, within(1e-9));
        assertThat(log.measuredMs()).isEqualTo(750);
        var summary = analysis.summary().serverSide().serverLog().get("log");
        assertThat(summary.missing()).isEqualTo(8 - 3);
        assertThat(summary.responseDifferenceMillis()).isCloseTo(500 - 750, within(0.05));
        // Clients saw 2 calls in each of the four seconds, the log 1, 1, 0 and 0.
        assertThat(summary.throughputDifferencePercent()).isCloseTo((50 + 50 + 100 + 100) / 4.0, within(1e-9));
        assertThat(summary.throughputWorstDifferencePercent()).isCloseTo(100, within(1e-9));
    }

    /** Says what is warned of the service when its log has so many requests, and the testers report 800 ok calls and 10 others. */
    private List<String> warned(int... requests) throws Exception {
        Path runDir = Files.createTempDirectory(folder, "run");
        RunFixture run = new RunFixture().tester(1, 3_600_000_000_000L, 20).exchanges(4_000);
        run.closed(2, 0, 4_000);
        for (int i = 0; i < 400; i++) {
            run.call(1, 0, 10 * i, 10 * i, 10 * i + 0.5, "ok");
            run.call(1, 1, 10 * i, 10 * i, 10 * i + 0.5, "ok");
        }
        for (int i = 0; i < 10; i++) {
            run.call(1, 1, 3_990, 3_990, 3_995, i < 4 ? "unfinished" : "timeout");
        }
        for (int log = 0; log < requests.length; log++) {
            run.monitor("log-" + log, "log");
            for (int i = 0; i < requests[log]; i++) {
                run.served(4_000L * i / requests[log], 1, "ok", 10);
            }
        }
        Summary summary = run.analyze(runDir).summary();
        return summary.warnings().stream()
                .map(Warning::text)
                .filter(text -> text.startsWith("the service's own log"))
                .toList();
    }

    @Test
    void totalsThatDoNotAgreeWithTheServicesOwnCountAreSaid() throws Exception {
        for (int agrees : new int[] {800, 806, 812, 798}) {
            assertThat(warned(agrees)).as("%d requests", agrees).isEmpty();
        }
        assertThat(warned(797))
                .singleElement()
                .asString()
                .startsWith(
                        "the service's own log has 797 requests, fewer than the 800 calls that testers report as ok:")
                .contains("testers report calls that they did not make");
        assertThat(warned(813))
                .singleElement()
                .asString()
                .startsWith("the service's own log has 813 requests, more than the 810 calls that testers report:");
    }

    @Test
    void severalLogsAgreeTogetherOrWhereOneOfThemSawEverything() throws Exception {
        assertThat(warned(300, 500)).isEmpty();
        assertThat(warned(800, 500)).isEmpty();
        assertThat(warned(300, 300)).singleElement().asString().contains("has 600 requests, fewer");
    }

    @Test
    void whatACallAndAClientCostIsFoundWhileLoadGrows() throws Exception {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(20_000);
        run.closed(10, 1_000, 11_000);
        for (int client = 0; client < 10; client++) {
            for (int at = client * 1_000; at < client * 1_000 + 11_000; at += 1_000) {
                run.call(1, client, at, at, at + 500, "ok");
            }
        }
        run.monitor("server", "process")
                .watched("gauge cores [count]", 0, 2)
                .watched("rate cpu [cores]", 0, Double.NaN);
        for (int second = 0; second < 20; second++) {
            int calls = Math.min(Math.min(second + 1, 10), 20 - second);
            run.watched("rate cpu [cores]", 1_000 * second + 1_000, 0.1 + 0.05 * calls);
            // In the middle of each second memory is what its clients have taken; it is kept when they leave.
            run.watched("gauge memory [bytes]", 1_000 * second + 500, 1e6 + 2e5 * Math.min(second + 1, 10));
        }
        run.watched("gauge cores [count]", 20_000, 2);
        Analysis analysis = run.analyze(folder);
        var demand = analysis.summary().serverSide().demand().get("server");
        assertThat(demand.cpuMillisPerCall().value()).isCloseTo(50, within(1e-6));
        assertThat(demand.cpuIdleCores()).isCloseTo(0.1, within(1e-9));
        assertThat(demand.cpuFullAtPerSecond()).isCloseTo(38, within(1e-6));
        assertThat(demand.memoryBytesPerClient().value()).isCloseTo(2e5, within(1e4));
        assertThat(demand.cores()).isEqualTo(2);
        assertThat(ServerText.demands(analysis))
                .singleElement()
                .asString()
                .contains(
                        "a call takes 50.0 ms (50.0 to 50.0) of processor time",
                        "each client takes 0.197 MB of memory (");
    }

    @Test
    void whatACallTakesIsSaidOfEachLevelFromItsSettlingOn() throws Exception {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(20_000);
        run.stage(StageRecords.level(0, 0, 10_000, 1, 1_000));
        run.stage(StageRecords.level(1, 10_000, 20_000, 2, 14_000));
        for (int level = 0; level < 2; level++) {
            for (int client = 0; client <= level; client++) {
                for (long at = 10_000L * level; at < 10_000L * (level + 1); at += 100) {
                    run.nanos(1, level, client, 0, at * 1_000_000, at * 1_000_000, (at + 50) * 1_000_000, "ok", 1);
                }
            }
        }
        run.monitor("server", "process")
                .watched("gauge cores [count]", 0, 4)
                .watched("gauge cores [count]", 20_000, 4)
                .watched("rate cpu [cores]", 0, Double.NaN)
                // Ten calls a second take 20 ms each; twenty take 30 ms each, and more before they settled.
                .watched("rate cpu [cores]", 10_000, 0.2)
                .watched("rate cpu [cores]", 14_000, 3)
                .watched("rate cpu [cores]", 20_000, 0.6)
                .watched("gauge memory [bytes]", 0, 1e6)
                .watched("gauge memory [bytes]", 14_000, 1e6)
                .watched("gauge memory [bytes]", 14_001, 3e6)
                .watched("gauge memory [bytes]", 20_000, 3e6);
        Analysis analysis = run.analyze(folder);
        var levels = analysis.summary().serverSide().demand().get("server").levels();
        assertThat(levels).hasSize(2);
        assertThat(levels.get(0).level()).isEqualTo(1);
        assertThat(levels.get(0).perSecond()).isCloseTo(10, within(1e-6));
        assertThat(levels.get(0).demandMillis()).isCloseTo(20, within(1e-6));
        assertThat(levels.get(0).demandInterval().low())
                .isLessThanOrEqualTo(levels.get(0).demandMillis());
        assertThat(levels.get(0).utilisationPercent()).isCloseTo(5, within(1e-6));
        assertThat(levels.get(1).busyCores()).isCloseTo(0.6, within(1e-6));
        assertThat(levels.get(1).demandMillis()).isCloseTo(30, within(1e-6));
        // Six quanta are too few for an interval.
        assertThat(levels.get(1).demandInterval()).isNull();
        assertThat(levels.get(1).memoryBytes()).isCloseTo(3e6, within(1e3));
        Report.write(analysis, folder.resolve("out"));
        assertThat(folder.resolve("out/figures/server-levels-server.svg")).exists();
        assertThat(Files.readString(folder.resolve("out/report.html")))
                .contains("at each level after it settled", "MB of memory (");
        assertThat(SummaryTable.render(analysis, TerminalFormat.PLAIN, "", "", false))
                .contains(" server  server: CPU ");
    }
}
