package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * lan: 4 clients on testers 1 and 2, one a second from 0 s, each for 10 s; a call takes 100 ms. wan: 2 clients on tester 3,
 * both from 4 s to 8 s; a call takes 200 ms.
 */
@Timeout(60)
final class GroupsTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .tester(1, 3_600_000_000_000L, 20)
                .tester(2, -5_000_000L, -30)
                .tester(3, 77_000_000_000L, 50)
                .group("lan", 1, 2, 4, 0, 1000, 10_000)
                .group("wan", 3, 1, 2, 4000, 0, 4000)
                .exchanges(15_000);
        for (int client = 0; client < 4; client++) {
            calls(run, client / 2 + 1, 0, client, client * 1000L, client * 1000L + 10_000, 100);
        }
        calls(run, 3, 1, 4, 4000, 8000, 200);
        calls(run, 3, 1, 5, 4000, 8000, 200);
        return run;
    }

    private static void calls(RunFixture run, int tester, int stage, int client, long from, long to, long each) {
        for (long at = from; at + each <= to; at += each) {
            run.nanos(tester, stage, client, 0, at * MILLI, at * MILLI, (at + each) * MILLI - 100_000, "ok", 10);
        }
    }

    private static GroupSummary group(Analysis analysis, String name) {
        return requireNonNull(requireNonNull(analysis.summary().groups()).get(name));
    }

    @Test
    void loadsOfGroupsAddUpAndThePeakIsWhereAllClientsOfAllGroupsAreActive() throws IOException {
        Analysis analysis = run().analyze(folder);
        assertThat(Arrays.copyOf(analysis.series().of(Series.ACTIVE_CLIENTS), 13))
                .containsExactly(new double[] {1, 2, 3, 4, 6, 6, 6, 6, 4, 4, 3, 2, 1}, within(1e-6));
        Summary.Window peak = requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(4);
        assertThat(peak.toSeconds()).isEqualTo(8);
        assertThat(peak.clients()).isEqualTo(6);
        assertThat(analysis.summary().load().clients()).isEqualTo(6);
    }

    @Test
    void throughputOfAStageIsOfItsGroupAloneInEveryQuantum() throws IOException {
        StageSummary wan =
                requireNonNull(run().analyze(folder).summary().stages()).get(1);
        Summary.Throughput own = requireNonNull(wan.throughput());
        assertThat(List.of(
                        own.mean(), requireNonNull(own.median()), requireNonNull(own.min()), requireNonNull(own.max())))
                .containsOnly(10.0);
        StageSummary byHost = requireNonNull(Analyzer.analyze(folder, new Analyzer.Options(null, null, 0, null, "host"))
                        .summary()
                        .stages())
                .get(1);
        Summary.Throughput other = requireNonNull(byHost.throughput());
        assertThat(other.mean()).isEqualTo(10);
        assertThat(other.median()).isNull();
    }

    @Test
    void eachGroupHasNumbersOfItsOwn() throws IOException {
        Analysis analysis = run().analyze(folder);
        GroupSummary lan = group(analysis, "lan");
        GroupSummary wan = group(analysis, "wan");
        assertThat(lan.testers()).isEqualTo(2);
        assertThat(lan.clients()).isEqualTo(4);
        assertThat(wan.startSeconds()).isEqualTo(4);
        assertThat(lan.calls().ok()).isEqualTo(400);
        assertThat(wan.calls().ok()).isEqualTo(40);
        assertThat(lan.numbers().share()).isCloseTo(400 / 440.0, within(1e-9));
        assertThat(requireNonNull(lan.responseTime()).p50()).isCloseTo(100, within(0.5));
        assertThat(requireNonNull(wan.responseTime()).p50()).isCloseTo(200, within(0.5));
        // 4 s of 4 clients at 10 calls a second, next to 2 at 5.
        assertThat(requireNonNull(lan.peak()).calls().ok()).isEqualTo(160);
        assertThat(requireNonNull(wan.peak()).calls().ok()).isEqualTo(40);
        assertThat(lan.peakShare()).isCloseTo(0.8, within(1e-9));
        assertThat(requireNonNull(lan.peak().throughput()).mean()).isCloseTo(40, within(1e-9));
        assertThat(lan.calls().ok() + wan.calls().ok())
                .isEqualTo(analysis.summary().calls().ok());
    }

    @Test
    void fairnessIsSaidWithinGroupsAndBetweenThem() throws IOException {
        Analysis analysis = run().analyze(folder);
        assertThat(requireNonNull(group(analysis, "lan").fairness()).jain()).isCloseTo(1, within(1e-9));
        assertThat(requireNonNull(group(analysis, "lan").fairness()).clients()).isEqualTo(4);
        assertThat(requireNonNull(group(analysis, "wan").fairness()).clients()).isEqualTo(2);
        // A client of lan has 20 % of the calls of the peak, one of wan 10 %: (0.3)^2 / (2 x 0.05).
        assertThat(requireNonNull(analysis.summary().groupFairness()).jain()).isCloseTo(0.9, within(1e-9));
        assertThat(analysis.summary().groupFairness().utilisationStddev()).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void theSeriesOfGroupsAddUpToThatOfTheRun() throws IOException {
        Analysis analysis = run().analyze(folder);
        Breakdown breakdown = requireNonNull(analysis.breakdown());
        assertThat(breakdown.by()).isEqualTo("group");
        for (int i = 0; i < analysis.series().size(); i++) {
            double throughput = 0;
            double active = 0;
            for (Breakdown.Part part : breakdown.parts()) {
                throughput += part.series().of(Series.THROUGHPUT)[i];
                active += part.series().of(Series.ACTIVE_CLIENTS)[i];
            }
            assertThat(throughput).isCloseTo(analysis.series().of(Series.THROUGHPUT)[i], within(1e-9));
            assertThat(active).isCloseTo(analysis.series().of(Series.ACTIVE_CLIENTS)[i], within(1e-9));
        }
        assertThat(breakdown.parts().get(1).series().of(Series.ACTIVE_CLIENTS)[3])
                .isZero();
        assertThat(breakdown.parts().get(1).series().of(Series.ACTIVE_CLIENTS)[5])
                .isCloseTo(2, within(1e-9));
    }

    @Test
    void stagesOfGroupsThatOverlapAreToldApart() throws IOException {
        List<StageSummary> stages =
                requireNonNull(run().analyze(folder).summary().stages());
        assertThat(stages).extracting(StageSummary::group).containsExactly("lan", "wan");
        assertThat(stages.get(0).toSeconds()).isEqualTo(13);
        assertThat(requireNonNull(stages.get(0).throughput()).mean()).isCloseTo(400 / 13.0, within(1e-6));
        assertThat(requireNonNull(stages.get(1).throughput()).mean()).isCloseTo(10, within(1e-6));
    }

    @Test
    void clientsOfAFilledGroupAreOnItsTestersOneAfterAnother() throws IOException {
        Analysis analysis = run().analyze(folder);
        assertThat(analysis.clients()).extracting(ClientRow::tester).containsExactly(1, 1, 2, 2, 3, 3);
        assertThat(analysis.testers()).extracting(TesterRow::clients).containsExactly(2, 2, 2);
    }

    @Test
    void aLostTesterTakesOnlyTheClientsOfItsGroupOutOfThePeak() throws IOException {
        Analysis analysis = run().lost(2, 6000).analyze(folder);
        Summary.Window peak = requireNonNull(analysis.summary().peak());
        assertThat(peak.clients()).isEqualTo(4);
        assertThat(requireNonNull(group(analysis, "lan").fairness()).clients()).isEqualTo(2);
        assertThat(analysis.series().of(Series.ACTIVE_CLIENTS)[6]).isCloseTo(4, within(1e-6));
    }

    @Test
    void groupsAreWrittenToSummaryTablesAndFiles() throws IOException {
        Analysis analysis = run().analyze(folder);
        Analyzer.write(analysis, folder.resolve("out"));
        assertThat(Files.readString(folder.resolve("out/summary.json")))
                .contains("\"groupedBy\" : \"group\"", "\"lan\" : {", "\"groupFairness\"");
        assertThat(Files.readAllLines(folder.resolve("out/groups.csv")))
                .hasSize(3)
                .satisfies(lines -> assertThat(lines.get(1)).startsWith("lan,2,4,0,"));
        assertThat(Files.readAllLines(folder.resolve("out/groups-series.csv")))
                .hasSize(1 + 2 * analysis.series().size());
        assertThat(Files.readAllLines(folder.resolve("out/clients.csv")).get(5)).startsWith("4,3,host-3,wan,");
        assertThat(SummaryTable.render(analysis, TerminalFormat.PLAIN, "r", "a", false))
                .containsPattern("lan +400 ")
                .contains("9.09 % of all ok calls, from 0:04");
    }

    @Test
    void aRunIsToldApartByWhateverIsAsked() throws IOException {
        RunFixture run = run().node(1, "site", "here").node(3, "site", "there");
        run.write(folder);
        Analysis bySite = by("site");
        assertThat(requireNonNull(bySite.breakdown()).parts())
                .extracting(Breakdown.Part::name)
                .containsExactly("here", "(none)", "there");
        assertThat(group(bySite, "here").calls().ok()).isEqualTo(200);
        assertThat(group(bySite, "here").clients()).isEqualTo(2);
        assertThat(group(by("host"), "host-3").calls().ok()).isEqualTo(40);
        assertThat(group(by("tester"), "tester-2").calls().ok()).isEqualTo(200);
        assertThat(group(by("request"), "call").calls().ok()).isEqualTo(440);
        assertThatThrownBy(() -> by("rack"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("got 'rack', which no node of this run has; the labels are [site]");
    }

    private Analysis by(String what) throws IOException {
        return Analyzer.analyze(folder, new Analyzer.Options(null, null, 0, null, what));
    }
}
