package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.NetworkSummary;
import org.diperf.analyzer.table.FinalTable;
import org.diperf.analyzer.text.Screen;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.spi.Testbed.Network;
import org.diperf.core.spi.Testbed.Network.Carried;
import org.diperf.core.spi.Testbed.Network.Link;
import org.diperf.core.spi.Testbed.Network.Node;
import org.diperf.core.spi.Testbed.Network.Rerouting;
import org.diperf.core.spi.Testbed.Network.Role;
import org.diperf.core.spi.Testbed.Network.Times;
import org.diperf.core.spi.Testbed.Network.Way;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run of four seconds over a network with a round trip of 10 ms, whose testbed says what it carried. */
@Timeout(120)
final class CarriedNetworkTests {

    private static final long MILLI = 1_000_000L;

    @TempDir
    private Path folder;

    private int runs;

    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 4000)
                .measure("range", 0, 4000, 0)
                .exchanges(5000);
        for (int i = 0; i < 40; i++) {
            run.call(1, 0, 100 * i, 100 * i, 100 * i + 20, "ok");
        }
        return run;
    }

    private static Carried carried(long lateMicros, long droppedBefore, long refused) {
        return new Carried(
                "tun",
                1000,
                new Times(20_000, 1000 * lateMicros, 5 * MILLI),
                null,
                new Times(10_000, 100_000, MILLI),
                droppedBefore,
                refused,
                7);
    }

    private static Way way(double rate, String... parts) {
        return new Way("words", rate, 5 * MILLI, List.of(parts), 40, 4000, 1, 2);
    }

    private static Network network(long roundTripMillis, @Nullable Carried carried) {
        return new Network(
                List.of(new Node("user", 2, "wan", Role.TESTERS), new Node("server", 1, "", Role.SERVICE)),
                List.of(new Link(
                        "bone",
                        2,
                        "user",
                        "server",
                        way(8000, "bone-1.there", "bone-2.there"),
                        way(0, "bone-1.back", "bone-2.back"))),
                roundTripMillis * MILLI,
                0,
                carried);
    }

    private List<String> suspects(Network network) throws IOException {
        Analysis analysis = run().network(network).analyze(folder.resolve("run-" + runs++));
        List<String> found = analysis.summary().warnings().stream()
                .filter(warning -> warning.isSuspect())
                .map(warning -> warning.text())
                .toList();
        assertThat(analysis.summary().verdict()).isEqualTo(found.isEmpty() ? "valid" : "suspect");
        return found;
    }

    @Test
    void latenessBeyondATenthOfTheRoundTripIsSuspect() throws IOException {
        assertThat(suspects(network(10, carried(1000, 0, 0)))).isEmpty();
        assertThat(suspects(network(10, carried(1001, 0, 0))))
                .singleElement()
                .asString()
                .contains("packets late, by 1.00 ms (p99)", "shortest round trip of 10.00 ms", "offer less load");
    }

    @Test
    void withoutADeclaredRoundTripThereIsNoLimit() throws IOException {
        assertThat(suspects(network(0, carried(100_000, 0, 0)))).isEmpty();
    }

    @Test
    void packetsThatNoLinkHadToDropAreSuspect() throws IOException {
        assertThat(suspects(network(10, carried(10, 1, 0))))
                .singleElement()
                .asString()
                .contains("1 packet of hosts");
        assertThat(suspects(network(10, carried(10, 0, 3))))
                .singleElement()
                .asString()
                .contains("3 packets that");
    }

    @Test
    void ofAKilledRunOnlyTheLinksAreKnown() throws IOException {
        Analysis analysis = run().network(network(10, null)).analyze(folder);
        NetworkSummary network = requireNonNull(analysis.summary().network());
        assertThat(network.lateness()).isNull();
        assertThat(network.links()).hasSize(1);
        assertThat(network.links().get(0).there().use()).as("no monitor").isNull();
        assertThat(Analyzer.summaryJson(analysis)).doesNotContain("lateness", "droppedBefore");
    }

    /** Of two alike links one carries 80 and 40 % in two of four seconds, the other nothing. */
    private static RunFixture watched() {
        RunFixture run = run().network(network(10, carried(61, 0, 0))).monitor("server", "process");
        run.watched("gauge cpu [cores]", 0, 1).watched("gauge cpu [cores]", 4000, 1);
        run.monitor("network", Network.MONITOR);
        double[] use = {80, 40, 0, 0};
        for (String metric : List.of("rate bone-1.there.use [percent]", "rate bone-1.there.rate [bit/s]")) {
            run.watched(metric, 0, Double.NaN);
            for (int i = 0; i < use.length; i++) {
                run.watched(metric, 1000 * (i + 1), metric.contains("use") ? use[i] : 80 * use[i]);
            }
        }
        return run.watched("gauge bone-1.there.queue.most [packets]", 0, 0)
                .watched("gauge bone-1.there.queue.most [packets]", 4000, 9);
    }

    @Test
    void useIsTheMeanOfAlikeLinksAndWhatIsSentTheirSum() throws IOException {
        Analysis analysis = watched().analyze(folder);
        NetworkSummary network = requireNonNull(analysis.summary().network());
        NetworkSummary.WayUse there = network.links().get(0).there();
        assertThat(requireNonNull(there.use()).mean()).isCloseTo(15, within(1e-9));
        assertThat(there.use().max()).isEqualTo(80);
        assertThat(requireNonNull(there.sent()).mean()).isCloseTo(80 * 30, within(1e-9));
        assertThat(there.longestQueue()).isEqualTo(9);
        assertThat(network.links().get(0).back().use()).as("any rate").isNull();
        assertThat(requireNonNull(network.links().get(0).back().sent()).max()).isZero();
        assertThat(network.lateness()).isEqualTo(new NetworkSummary.Times(0.02, 0.061, 5));
        assertThat(network.shortestRoundTrip()).isEqualTo(10);
        Analyzer.write(analysis, folder);
        assertThat(SummaryFile.read(folder.resolve(SummaryFile.NAME)).network()).isEqualTo(network);
    }

    @Test
    void ofMoreMetricsThanAreKeptWhatIsMissingIsUnknownAndNotZero() throws IOException {
        RunFixture run = watched();
        int own = 3;
        for (int i = own; i < MonitorRecord.mostMetrics(Network.MONITOR); i++) {
            run.watched("gauge other-" + i + ".there.queue [packets]", 0, 1);
        }
        Analysis analysis = run.analyze(folder);
        NetworkSummary.LinkUse bone =
                requireNonNull(analysis.summary().network()).links().get(0);
        assertThat(bone.there().use()).as("of one of two").isNull();
        assertThat(bone.there().sent()).isNull();
        assertThat(bone.there().longestQueue()).isNull();
        assertThat(bone.back().sent()).isNull();
        assertThat(bone.there().packets()).isEqualTo(40);
        Report.write(analysis, folder, "again");
        assertThat(Files.readString(folder.resolve("report.html"))).contains("<svg role=\"img\"");
    }

    @Test
    void terminalAndReportSayHowLateItWasAndShowTheLinks() throws IOException {
        Analysis analysis = watched().analyze(folder);
        assertThat(FinalTable.render(analysis, Screen.PLAIN, "report.html", "again"))
                .contains(" network packets late by 20.0 µs (p50), 61.0 µs (p99), 5.00 ms (at most)");
        Report.write(analysis, folder, "again");
        String report = Files.readString(folder.resolve("report.html"));
        assertThat(report)
                .contains("<svg role=\"img\"", "×2 testers · wan", "2 × bone, 8 kbit/s | any rate, 5.00 ms")
                .contains("→ 15 / 80 % · ← 0 bit/s")
                .contains("id=\"server\"");
        String server = report.substring(report.indexOf("id=\"server\""), report.indexOf("id=\"topology\""));
        assertThat(server).as("the service's own view is not the network's").doesNotContain("bone");
        assertThat(Files.readString(folder.resolve("figures/links.svg"))).contains("svg");
    }

    @Test
    void latenessOfProbesIsNotTakenForThatOfPackets() throws IOException {
        Carried kernel = new Carried("netem", 1000, new Times(3_000, 61_000, 5 * MILLI), 12_345L, null, 0L, 0, 0);
        Analysis analysis = run().network(network(10, kernel)).analyze(folder);
        assertThat(FinalTable.render(analysis, Screen.PLAIN, "report.html", "again"))
                .contains(
                        " network 12,345 probes late by 3.00 µs (p50), 61.0 µs (p99), 5.00 ms (at most), sent by netem");
        NetworkSummary summary = requireNonNull(analysis.summary().network());
        assertThat(summary.engine()).isEqualTo("netem");
        assertThat(summary.turns()).isNull();
        Analyzer.write(analysis, folder);
        assertThat(SummaryFile.read(folder.resolve(SummaryFile.NAME)).network()).isEqualTo(summary);
    }

    @Test
    void theOutageOfClientsStandsBesideTheTimeThatRoutersTake() throws IOException {
        Network still = network(10, carried(61, 0, 0));
        Network made = new Network(
                still.nodes(),
                still.links(),
                10 * MILLI,
                still.shortestWayNanos(),
                still.carried(),
                List.of(
                        new Rerouting("link bone: down", 1050 * MILLI, true, 1710 * MILLI, 1800 * MILLI),
                        new Rerouting("link bone: up", 2500 * MILLI, false, null, null)));
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(2, 0, 4000)
                .measure("range", 0, 4000, 0)
                .exchanges(5000)
                .network(made);
        for (int i = 0; i < 40; i++) {
            boolean isOut = i >= 10 && i < 17;
            run.call(1, 0, 100 * i, 100 * i, 100 * i + 20, isOut ? "timeout" : "ok");
            run.call(2, 0, 100 * i, 100 * i, 100 * i + 20, "ok");
        }
        Analysis analysis = run.analyze(folder);
        // The last answer came at 920 ms, the next at 1720.
        assertThat(requireNonNull(analysis.summary().network()).reroutings())
                .containsExactly(
                        new NetworkSummary.Rerouting("link bone: down", 1050, 670.0, 100.0, true, 660.0, 750.0),
                        new NetworkSummary.Rerouting("link bone: up", 2500, 100.0, null, false, null, null));
        assertThat(FinalTable.render(analysis, Screen.PLAIN, "report.html", "again"))
                .contains(
                        "link bone: down at 1.05 s: clients without an answer for 670 ms at most (before 100 ms); routes"
                                + " restored after 660 ms, last route changed after 750 ms")
                .contains("link bone: up at 2.50 s: clients without an answer for 100 ms at most; the routes"
                        + " stayed intact");
        Report.write(analysis, folder, "again");
        assertThat(Files.readString(folder.resolve("report.html"))).contains("Routing: link bone: down at 1.05 s");
        Analyzer.write(analysis, folder);
        assertThat(SummaryFile.read(folder.resolve(SummaryFile.NAME)).network())
                .isEqualTo(analysis.summary().network());
    }

    @Test
    void runsWithoutSuchANetworkSayNothingOfIt() throws IOException {
        Analysis analysis = run().analyze(folder);
        assertThat(analysis.summary().network()).isNull();
        Report.write(analysis, folder, "again");
        assertThat(Files.readString(folder.resolve("report.html"))).doesNotContain("emulated network", "<svg");
    }

    @Test
    void everyNumberOfHostsIsDrawn() throws IOException {
        for (int hosts : new int[] {3, 50}) {
            List<Node> nodes = new ArrayList<>(
                    List.of(new Node("server", 1, "", Role.SERVICE), new Node("r", 1, "", Role.ROUTER)));
            List<Link> links = new ArrayList<>(
                    List.of(new Link("r-server", 1, "r", "server", way(0, "x.there"), way(0, "x.back"))));
            for (int i = 0; i < hosts; i++) {
                nodes.add(new Node("host-of-many-others-" + i, 1, "", Role.TESTERS));
                links.add(new Link(
                        "l" + i, 1, "r", "host-of-many-others-" + i, way(0, i + ".there"), way(0, i + ".back")));
            }
            Analysis analysis =
                    run().network(new Network(nodes, links, 0, 0, null)).analyze(folder.resolve("n" + hosts));
            Report.write(analysis, folder, "again");
            assertThat(Files.readString(folder.resolve("report.html")).split("<rect"))
                    .hasSize(hosts + 2 + 1);
            assertThat(Files.readString(folder.resolve("report.html"))).contains(">host-of-m…hers-2<");
        }
    }
}
