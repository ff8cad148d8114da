package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.table.StageTable;
import org.diperf.analyzer.text.Finding;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class StagesTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    private static RunFixture fixture() {
        return new RunFixture().tester(1, 3_600_000_000_000L, 20).exchanges(20_000);
    }

    /** Calls of one client, one after another. */
    private static void calls(RunFixture run, int stage, int client, long fromMillis, long toMillis, long eachMillis) {
        for (long at = fromMillis; at + eachMillis <= toMillis; at += eachMillis) {
            run.nanos(1, stage, client, 0, at * MILLI, at * MILLI, (at + eachMillis) * MILLI, "ok", 10);
        }
    }

    private static StageSummary stage(Analysis analysis, int number) {
        return Objects.requireNonNull(analysis.summary().stages()).get(number);
    }

    /** 0 to 4 clients over 4 s, 4 s of all, back to 0 over 4 s: client i begins at i s and ends at 12 - i s. */
    private static RunFixture upAndDown() {
        RunFixture run = fixture()
                .stage(StageRecords.clients(0, 0, 4000, 0, 4))
                .stage(StageRecords.clients(1, 4000, 8000, 4, 4))
                .stage(StageRecords.clients(2, 8000, 12_000, 4, 0));
        for (int client = 0; client < 4; client++) {
            long from = client * 1000L;
            long to = 12_000 - client * 1000L;
            calls(run, 0, client, from, 4000, 100);
            calls(run, 1, client, 4000, 8000, 100);
            calls(run, 2, client, 8000, to, 100);
        }
        return run;
    }

    @Test
    void aClientThatContinuesIntoTheNextStageIsActiveOnce() throws IOException {
        Analysis analysis = upAndDown().analyze(folder);
        assertThat(Arrays.copyOf(analysis.series().of(Series.ACTIVE_CLIENTS), 12))
                .containsExactly(new double[] {1, 2, 3, 4, 4, 4, 4, 4, 4, 3, 2, 1}, within(1e-6));
        ClientRow first = analysis.clients().get(0);
        assertThat(first.fromSeconds()).isEqualTo(0);
        assertThat(first.toSeconds()).isEqualTo(12);
        assertThat(first.calls()).isEqualTo(120);
        ClientRow last = analysis.clients().get(3);
        assertThat(last.fromSeconds()).isEqualTo(3);
        assertThat(last.toSeconds()).isEqualTo(9);
        // While it was active, 4 clients made 10 calls a second each.
        assertThat(last.utilisation()).isCloseTo(0.25, within(0.01));
    }

    @Test
    void thePeakIsTheLongestIntervalInWhichAllClientsAreActiveAcrossStages() throws IOException {
        Analysis analysis = upAndDown().analyze(folder);
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(3);
        assertThat(peak.toSeconds()).isEqualTo(9);
        assertThat(peak.clients()).isEqualTo(4);
        assertThat(Objects.requireNonNull(analysis.summary().fairness()).jain()).isCloseTo(1, within(1e-4));
        assertThat(analysis.intervals())
                .filteredOn(interval -> interval.kind() == Analysis.MarkedInterval.Kind.RAMP)
                .singleElement()
                .satisfies(ramp -> assertThat(ramp.toSeconds()).isEqualTo(4));
    }

    @Test
    void aStageIsCountedByItsOwnCallsAndItsThroughputByTime() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.clients(0, 0, 4000, 1, 1))
                .stage(StageRecords.clients(1, 4000, 8000, 1, 1));
        calls(run, 0, 0, 0, 3500, 100);
        // Begun in the first stage, ended in the second.
        run.nanos(1, 0, 0, 0, 3500 * MILLI, 3500 * MILLI, 4500 * MILLI, "ok", 10);
        calls(run, 1, 0, 4500, 8000, 100);
        Analysis analysis = run.analyze(folder);
        StageSummary first = stage(analysis, 0);
        StageSummary second = stage(analysis, 1);
        assertThat(first.calls().ok()).isEqualTo(36);
        assertThat(Objects.requireNonNull(first.responseTime()).max()).isCloseTo(1000, within(0.1));
        assertThat(Objects.requireNonNull(first.throughput()).mean()).isEqualTo(35 / 4.0);
        assertThat(second.calls().ok()).isEqualTo(35);
        assertThat(Objects.requireNonNull(second.responseTime()).max()).isCloseTo(100, within(0.1));
        // The last call ends with the stage or, by the error of its clock, just behind it.
        assertThat(Objects.requireNonNull(second.throughput()).mean()).isBetween(35 / 4.0, 36 / 4.0);
        assertThat(second.verdict()).isEqualTo("valid");
    }

    @Test
    void aLevelCountsFromItsSettlingAndTheBestOneIsThePeak() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 4000, 1, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, 5990))
                .stage(StageRecords.level(2, 8000, 12_000, 4, 9000));
        calls(run, 0, 0, 0, 4000, 100);
        for (int client = 0; client < 2; client++) {
            calls(run, 1, client, 4000, 6000, 500);
            calls(run, 1, client, 6000, 8000, 100);
        }
        for (int client = 0; client < 4; client++) {
            calls(run, 2, client, 8000, 12_000, 200);
        }
        Analysis analysis = run.analyze(folder);
        StageSummary second = stage(analysis, 1);
        assertThat(second.level()).isEqualTo(2);
        assertThat(second.settledSeconds()).isEqualTo(5.99);
        assertThat(second.calls().ok()).isEqualTo(40);
        assertThat(Objects.requireNonNull(second.responseTime()).max()).isCloseTo(100, within(0.1));
        // 2 and 4 clients both got 20 calls a second: the lower level is the best one.
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(5.99);
        assertThat(peak.toSeconds()).isEqualTo(8);
        assertThat(peak.clients()).isEqualTo(2);
        assertThat(Objects.requireNonNull(analysis.summary().fairness()).clients())
                .isEqualTo(2);
        assertThat(analysis.summary().load().clients()).isEqualTo(4);
    }

    @Test
    void aLevelThatNeverSettledIsNotTheBest() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 4000, 1, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, -1));
        calls(run, 0, 0, 0, 4000, 100);
        calls(run, 1, 0, 4000, 8000, 100);
        calls(run, 1, 1, 4000, 8000, 100);
        Analysis analysis = run.analyze(folder);
        assertThat(Objects.requireNonNull(analysis.summary().peak()).fromSeconds())
                .isEqualTo(1);
        assertThat(stage(analysis, 1).settledSeconds()).isNull();
        assertThat(stage(analysis, 1).calls().ok()).isEqualTo(80);
    }

    @Test
    void aLevelThatWasTakenForSettledTooSoonSaysFromWhenItWas() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 20_000, 2, 1000))
                .stage(StageRecords.level(1, 20_000, 40_000, 2, 21_000));
        for (int client = 0; client < 2; client++) {
            calls(run, 0, client, 0, 20_000, 50);
            calls(run, 1, client, 20_000, 27_000, 500);
            calls(run, 1, client, 27_000, 40_000, 50);
        }
        Analysis analysis = run.analyze(folder);

        List<List<String>> rows = StageTable.of(analysis, "rate", "remark").cells(StageTable.rows(analysis));
        assertThat(rows.get(0).get(rows.get(0).size() - 1)).doesNotContain("steady");
        assertThat(rows.get(1).get(rows.get(1).size() - 1)).contains("! steady from 0:27 only");
    }

    @Test
    void aQuotaEndsAClientWithItsLastCallAndIsWhatWasPlanned() throws IOException {
        RunFixture run = fixture().stage(StageRecords.quota(2, 50)).ended(End.COMPLETE, 9000);
        calls(run, 0, 0, 0, 2500, 100);
        calls(run, 0, 1, 0, 5000, 200);
        Analysis analysis = run.analyze(folder);
        assertThat(analysis.summary().calls().planned()).isEqualTo(50);
        assertThat(analysis.summary().calls().sent()).isEqualTo(50);
        assertThat(analysis.summary().durationSeconds()).isCloseTo(5, within(1e-3));
        assertThat(analysis.series().quantumSeconds()).isEqualTo(1);
        assertThat(analysis.clients().get(0).toSeconds()).isCloseTo(2.5, within(1e-3));
        assertThat(Objects.requireNonNull(analysis.summary().peak()).toSeconds())
                .isCloseTo(2.5, within(1e-3));
        assertThat(analysis.summary().stages()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ok", "reset"})
    void aRunOfOneCallIsThatCall(String outcome) throws IOException {
        RunFixture run = fixture().stage(StageRecords.quota(1, 1)).ended(End.COMPLETE, 9000);
        run.nanos(1, 0, 0, 0, 0, 0, 2500 * MILLI, outcome, 0);
        Analysis analysis = run.thresholds("failed == 0", "response.p99 < 3s").analyze(folder);
        Summary.Window measured = Objects.requireNonNull(analysis.summary().measured());
        assertThat(measured.calls().total()).isEqualTo(1);
        assertThat(measured.toSeconds()).isCloseTo(2.5, within(1e-6));
        assertThat(measured.withLate()).isNull();
        assertThat(analysis.summary().thresholds())
                .extracting(Summary.ThresholdResult::holds)
                .containsExactly(outcome.equals("ok"), outcome.equals("ok"));
        assertThat(analysis.summary().warnings().stream().map(Warning::text))
                .noneMatch(text -> text.contains("due in"));
    }

    @Test
    void theLastCallOfAQuotaIsMeasuredAndItsClientIsOneOfThePeaks() throws IOException {
        RunFixture run = fixture().stage(StageRecords.quota(2, 20)).ended(End.COMPLETE, 9000);
        calls(run, 0, 0, 0, 1000, 100);
        calls(run, 0, 1, 0, 1000, 100);
        Summary summary = run.analyze(folder).summary();
        Summary.Window measured = Objects.requireNonNull(summary.measured());
        assertThat(measured.calls().ok()).isEqualTo(20);
        assertThat(Objects.requireNonNull(measured.throughput()).mean()).isCloseTo(20, within(1e-5));
        assertThat(measured.clients()).isEqualTo(2);
        assertThat(Objects.requireNonNull(summary.fairness()).clients()).isEqualTo(2);
    }

    @Test
    void aRetiredClientIsNotMissedAtThePeak() throws IOException {
        RunFixture run = fixture().stage(StageRecords.retiring(3, 5000));
        calls(run, 0, 0, 0, 5000, 100);
        calls(run, 0, 1, 0, 5000, 100);
        run.nanos(1, 0, 2, 0, 0, 0, 1500 * MILLI, "reset", 0);
        Analysis analysis = run.analyze(folder);
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.clients()).isEqualTo(2);
        assertThat(peak.toSeconds()).isEqualTo(5);
        assertThat(analysis.clients().get(2).toSeconds()).isCloseTo(1.5, within(1e-3));
        assertThat(analysis.series().of(Series.ACTIVE_CLIENTS)[2]).isCloseTo(2, within(1e-6));
    }

    /** 0 to 20/s over 4 s, then 20/s for 4 s, then down to 0 over 4 s: 40, 80 and 40 arrivals. */
    @Test
    void ratesThatMoveArePlannedByTheirIntegral() throws IOException {
        for (String arrivals : List.of("constant", "poisson")) {
            Analysis analysis = fixture()
                    .stage(StageRecords.rate(0, 0, 4000, 4000, 0, 20, arrivals))
                    .stage(StageRecords.rate(1, 4000, 8000, 0, 20, 20, arrivals))
                    .stage(StageRecords.rate(2, 8000, 12_000, 4000, 20, 0, arrivals))
                    .nanos(1, 0, 0, 0, 0, 0, 100 * MILLI, "ok", 10)
                    .analyze(folder.resolve(arrivals));
            long slack = arrivals.equals("constant") ? 1 : 30;
            assertThat(stage(analysis, 0).calls().planned()).isBetween(40 - slack, 40 + slack);
            assertThat(stage(analysis, 1).calls().planned()).isBetween(80 - slack, 80 + slack);
            assertThat(stage(analysis, 2).calls().planned()).isBetween(40 - slack, 40 + slack);
            assertThat(analysis.summary().calls().planned())
                    .isEqualTo(stage(analysis, 0).calls().planned()
                            + stage(analysis, 1).calls().planned()
                            + stage(analysis, 2).calls().planned());
            assertThat(Objects.requireNonNull(analysis.summary().peak()).fromSeconds())
                    .isEqualTo(4);
            assertThat(Objects.requireNonNull(analysis.summary().peak()).toSeconds())
                    .isEqualTo(8);
            assertThat(analysis.summary().load().rate()).isEqualTo(20);
        }
    }

    @Test
    void aRampThatWasCutShortOfferedWhatItHadOfferedByThen() throws IOException {
        // 0 to 20/s over 4 s, ended after 2 s: a quarter of 40 arrivals.
        Analysis analysis = fixture()
                .stage(StageRecords.rate(0, 0, 2000, 4000, 0, 20, "constant"))
                .nanos(1, 0, 0, 0, 0, 0, 100 * MILLI, "ok", 10)
                .ended(End.INTERRUPTED, 2000)
                .analyze(folder);
        assertThat(analysis.summary().calls().planned()).isBetween(10L, 11L);
    }

    @Test
    void aPauseBetweenProbesIsAStageWithoutCallsAndNoFailure() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 4000, 2, 1000))
                .stage(StageRecords.clients(1, 4000, 6000, 0, 0))
                .stage(StageRecords.rate(2, 6000, 7000, 0, 0, 0, "constant"))
                .stage(StageRecords.level(3, 7000, 11_000, 1, 8000));
        calls(run, 0, 0, 0, 4000, 100);
        calls(run, 0, 1, 0, 4000, 100);
        calls(run, 3, 0, 7000, 11_000, 100);
        Analysis analysis = run.analyze(folder);
        assertThat(stage(analysis, 1).calls().sent()).isZero();
        assertThat(stage(analysis, 1).verdict()).isEqualTo("valid");
        assertThat(stage(analysis, 2).calls().planned()).isZero();
        assertThat(Arrays.copyOf(analysis.series().of(Series.ACTIVE_CLIENTS), 11))
                .containsExactly(new double[] {2, 2, 2, 2, 0, 0, 0, 1, 1, 1, 1}, within(1e-6));
        assertThat(StageTable.rows(analysis)).hasSize(2);
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    private static RunFixture searched() {
        return measured()
                .search(new SearchRecord(
                        "rate",
                        1,
                        1000,
                        List.of("response.p99 < 100ms"),
                        List.of(
                                new ProbeRecord(0, 10, "step up", true, "response.p99 10 ms", ""),
                                new ProbeRecord(1, 20, "step up", false, "response.p99 300 ms", "response.p99 300 ms"),
                                new ProbeRecord(2, 15, "recheck", true, "response.p99 20 ms", "")),
                        15.0,
                        14.0,
                        20.5,
                        20.0,
                        "15/s keeps the condition, 20/s does not"));
    }

    /** Three rates, of which the second is too much. */
    private static RunFixture measured() {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 4000, 10.0, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 20.0, 4990))
                .stage(StageRecords.level(2, 8000, 12_000, 15.0, 9000));
        double[] rates = {10, 20, 15};
        long[] took = {10, 300, 20};
        for (int stage = 0; stage < 3; stage++) {
            for (int i = 0; i < 4 * rates[stage]; i++) {
                long at = 4000 * MILLI * stage + Math.round(i * 1e9 / rates[stage]);
                run.nanos(1, stage, i % 50, 0, at, at, at + took[stage] * MILLI, "ok", 10);
            }
        }
        return run;
    }

    @Test
    void thePeakOfASearchIsTheProbeThatConfirmedWhatWasFound() throws IOException {
        Analysis analysis = searched().analyze(folder);
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(9);
        assertThat(peak.toSeconds()).isEqualTo(12);
        Summary.SearchSummary search = Objects.requireNonNull(analysis.summary().search());
        assertThat(search.found()).isEqualTo(15);
        assertThat(search.probes()).hasSize(3);
        assertThat(Objects.requireNonNull(search.probes().get(1).responseTime()).p99())
                .isCloseTo(300, within(0.1));
        Throughput throughput = Objects.requireNonNull(search.probes().get(2).throughput());
        assertThat(throughput.mean()).isCloseTo(15, within(0.4));
        assertThat(search.probes().get(2).calls()).isNotNull();
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
    }

    @Test
    void aValueThatHeldButWasNotConfirmedIsNamedAsSuch() throws IOException {
        Analysis analysis = measured()
                .search(new SearchRecord(
                        "rate",
                        1,
                        1000,
                        List.of("response.p99 < 100ms"),
                        List.of(
                                new ProbeRecord(0, 10, "step up", true, "response.p99 10 ms", ""),
                                new ProbeRecord(1, 20, "step up", true, "response.p99 80 ms", ""),
                                new ProbeRecord(2, 15, "recheck", false, "response.p99 200 ms", "response.p99 200 ms")),
                        null,
                        null,
                        null,
                        15.0,
                        "no value was confirmed"))
                .analyze(folder);
        assertThat(Finding.sentence(analysis))
                .contains("met response.p99 < 100ms at up to 20 calls/s, but the search ended before that was certain")
                .doesNotContain("at no value");
    }

    @Test
    void theSearchIsInTheSummaryAndEveryStageInItsOwnFile(@TempDir Path out) throws IOException {
        Analyzer.write(searched().analyze(folder), out);
        assertThat(Files.readString(out.resolve("summary.json")))
                .contains("\"while\" : [ \"response.p99 < 100ms\" ]", "\"settledSeconds\" : 9")
                .doesNotContain("null");
        List<String> rows = Files.readAllLines(out.resolve("stages.csv"));
        assertThat(rows).hasSize(4);
        assertThat(rows.get(0).split(",", -1)).hasSameSizeAs(rows.get(1).split(",", -1));
        assertThat(rows.get(2)).startsWith("1,open,20,,20,4,8,4.99,60,60,60,0").contains(",valid,");
    }

    @Test
    void aLevelInWhichTheGeneratorWasTheLimitIsMarkedAndTheRunWarnsOfIt() throws IOException {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 4000, 2, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 1, 5000));
        calls(run, 0, 0, 0, 4000, 100);
        calls(run, 0, 1, 0, 4000, 100);
        // 90 ms of each 100 ms pass before the call is sent.
        for (long at = 4000; at < 8000; at += 100) {
            run.nanos(1, 1, 0, 0, at * MILLI, (at + 90) * MILLI, (at + 100) * MILLI, "ok", 10);
        }
        Analysis analysis = run.analyze(folder);
        assertThat(stage(analysis, 0).verdict()).isEqualTo("valid");
        assertThat(stage(analysis, 1).verdict()).isEqualTo("suspect");
        assertThat(Objects.requireNonNull(stage(analysis, 1).warnings()).get(0).text())
                .contains("generator was the limit");
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.startsWith("at 1 the load generator"));
    }

    /** Two levels of 6 s, each settled after a second, of calls of 100 ms. */
    private static RunFixture twoLevels() {
        RunFixture run = fixture()
                .stage(StageRecords.level(0, 0, 6000, 1, 1000))
                .stage(StageRecords.level(1, 6000, 12_000, 1, 7000));
        calls(run, 0, 0, 0, 6000, 100);
        calls(run, 1, 0, 6000, 12_000, 100);
        return run;
    }

    @Test
    void aLevelIsInDoubtByTheRulesForTheRunAndASecondAloneIsAnAccident() throws IOException {
        RunFixture run = twoLevels();
        for (int second : new int[] {3, 8, 10}) {
            run.observation(1, "tester.runqueue", second * 1000 + 500, 0.5)
                    .observation(1, "tester.starved", second * 1000 + 500, 0.9);
        }
        Analysis analysis = run.analyze(folder);
        assertThat(stage(analysis, 0).verdict()).isEqualTo("valid");
        assertThat(stage(analysis, 1).verdict()).isEqualTo("suspect");
        assertThat(Objects.requireNonNull(stage(analysis, 1).warnings()).get(0).text())
                .contains("the load generator was the limit for 40.0 % of the time: the tester waited for a processor");
    }

    @Test
    void aLevelInWhichTheTesterStoodStillForLongIsInDoubtAndOneOfAShortMomentIsNot() throws IOException {
        RunFixture run = twoLevels();
        run.observation(1, "tester.hiccup", 3_500, 80).observation(1, "tester.hiccup", 9_800, 600);
        Analysis analysis = run.analyze(folder);
        assertThat(stage(analysis, 0).verdict()).isEqualTo("valid");
        assertThat(stage(analysis, 1).verdict()).isEqualTo("suspect");
        assertThat(Objects.requireNonNull(stage(analysis, 1).warnings()).get(0).text())
                .isEqualTo("the load generator was the limit: it paused for up to 600 ms");
    }
}
