package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose numbers are to be doubted, and the reasons that are given. */
@Timeout(60)
final class DoubtfulRunTests {

    @TempDir
    private Path folder;

    private static RunFixture oneClient() {
        return new RunFixture()
                .tester(1, 1_000_000_000L, 0)
                .closed(1, 0, 10_000)
                .exchanges(11_000);
    }

    @Test
    void theVerdictGoesByHowGraveAWarningIsAndNotByItsText() throws IOException {
        Summary noted = oneClient()
                .call(1, 0, 0, 0, 100, "ok")
                .warning(Warning.note(Subject.SERVICE, "suspect: not a word that counts"))
                .analyze(folder.resolve("noted"))
                .summary();
        assertThat(noted.verdict()).isEqualTo("valid");
        assertThat(noted.warnings()).extracting(Warning::text).containsExactly("suspect: not a word that counts");
        Summary doubted = oneClient()
                .call(1, 0, 0, 0, 100, "ok")
                .warning(Warning.suspect(Subject.RUN, "a debugger was attached"))
                .analyze(folder.resolve("doubted"))
                .summary();
        assertThat(doubted.verdict()).isEqualTo("suspect");
        assertThat(SummaryFile.json(doubted)).contains("\"warnings\" : [ \"a debugger was attached\" ]");
    }

    @Test
    void aBlockThatCameTwiceIsCountedOnce() throws IOException {
        Summary summary =
                oneClient().call(1, 0, 0, 0, 100, "ok").again(1).analyze(folder).summary();
        assertThat(summary.calls().ok()).isEqualTo(1);
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .contains("arrived twice");
    }

    @Test
    void aGapInTheNumbersOfBlocksMakesTheRunSuspect() throws IOException {
        Summary summary = oneClient()
                .call(1, 0, 0, 0, 100, "ok")
                .gap(1)
                .call(1, 0, 200, 200, 300, "ok")
                .analyze(folder)
                .summary();
        assertThat(summary.calls().ok()).isEqualTo(2);
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .singleElement()
                .asString()
                .contains("1 block of samples of tester 1");
    }

    @Test
    void aDamagedBlockMakesTheRunSuspectAndTheOthersCount() throws IOException {
        Summary summary = oneClient()
                .call(1, 0, 0, 0, 100, "ok")
                .damage(1)
                .call(1, 0, 200, 200, 300, "ok")
                .analyze(folder)
                .summary();
        assertThat(summary.calls().ok()).isEqualTo(1);
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.contains("damaged in 1 place,"));
    }

    @Test
    void aTesterThatLiesAboutItsCountsIsNamed() throws IOException {
        for (long said : new long[] {1, 3}) {
            Summary summary = oneClient()
                    .call(1, 0, 0, 0, 100, "ok")
                    .call(1, 0, 200, 200, 300, "ok")
                    .says(1, said)
                    .analyze(folder.resolve("said-" + said))
                    .summary();
            assertThat(summary.verdict()).isEqualTo("suspect");
            assertThat(summary.warnings())
                    .extracting(Warning::text)
                    .anyMatch(warning -> warning.contains("tester 1 reported sending " + said + " call"));
        }
    }

    @Test
    void withoutExchangesTheClockIsUnknownAndTheStartInstantServes() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 5_000_000_000L, 0)
                .closed(1, 0, 10_000)
                .call(1, 0, 2000, 2000, 2100, "ok")
                .analyze(folder);
        assertThat(analysis.series().of(Series.THROUGHPUT)[2]).isEqualTo(1);
        assertThat(analysis.summary().clock()).isNull();
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
    }

    @Test
    void droppedArrivalsAreCountedApartAndMakeOpenLoadSuspect() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .open(10, "constant", 2000, 8000)
                .exchanges(11_000)
                .call(1, 0, 3000, 3000, 3100, "ok")
                .call(1, 0, 4000, 4000, 4000, "dropped")
                .analyze(folder);
        Summary summary = analysis.summary();
        // 10/s for 8 s and half of that for the 2 s of the ramp.
        assertThat(summary.calls().planned()).isEqualTo(90);
        assertThat(summary.calls().sent()).isEqualTo(1);
        assertThat(summary.calls().dropped()).isEqualTo(1);
        assertThat(summary.calls().failed()).isZero();
        assertThat(summary.verdict()).isEqualTo("suspect");
        assertThat(summary.fairness()).isNull();
        Summary.Window peak = Objects.requireNonNull(summary.peak());
        assertThat(peak.fromSeconds()).isEqualTo(2);
        assertThat(peak.calls().planned()).isEqualTo(80);
        assertThat(analysis.series().of(Series.ACTIVE_CLIENTS)).containsOnly(Double.NaN);
    }

    @Test
    void withoutAPeakTheWholeRunIsMeasuredWithAWarning() throws IOException {
        Summary summary = new RunFixture()
                .tester(1, 0, 0)
                .closed(3, 5000, 4000)
                .exchanges(15_000)
                .call(1, 0, 0, 0, 100, "ok")
                .analyze(folder)
                .summary();
        assertThat(summary.peak()).isNull();
        assertThat(summary.fairness()).isNull();
        assertThat(Objects.requireNonNull(summary.measured()).fromSeconds()).isZero();
        assertThat(summary.warnings()).extracting(Warning::text).anyMatch(warning -> warning.contains("no peak"));
    }

    @Test
    void aRunCutShortEndsWhereItWasCut() throws IOException {
        Analysis analysis = oneClient()
                .call(1, 0, 0, 0, 100, "ok")
                .call(1, 0, 3900, 3900, 4000, "unfinished")
                .ended(End.INTERRUPTED, 4000)
                .analyze(folder);
        Summary summary = analysis.summary();
        assertThat(summary.durationSeconds()).isCloseTo(4, within(1e-4));
        assertThat(Objects.requireNonNull(summary.peak()).toSeconds()).isEqualTo(4);
        assertThat(summary.calls().unfinished()).isEqualTo(1);
        assertThat(summary.verdict()).isEqualTo("valid");
        assertThat(summary.warnings()).extracting(Warning::text).anyMatch(warning -> warning.contains("cut short"));
    }

    @Test
    void aRunWhoseControllerWasKilledEndsWithItsLastCall() throws IOException {
        Summary summary = oneClient()
                .call(1, 0, 0, 0, 2500, "ok")
                .killed()
                .analyze(folder)
                .summary();
        assertThat(summary.durationSeconds()).isCloseTo(2.5, within(1e-4));
        assertThat(summary.calls().ok()).isEqualTo(1);
    }

    @Test
    void aLostTesterEndsItsClientsAndLeavesThePeakToTheOthers() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(2, 1000, 9000)
                .exchanges(11_000)
                .lost(2, 5000)
                .call(1, 0, 0, 0, 100, "ok")
                .call(2, 1, 2000, 2000, 2100, "ok")
                .analyze(folder);
        assertThat(analysis.series().of(Series.ACTIVE_CLIENTS)).startsWith(1, 2, 2, 2, 2, 1);
        Summary.Window peak = Objects.requireNonNull(analysis.summary().peak());
        assertThat(peak.clients()).isEqualTo(1);
        assertThat(peak.fromSeconds()).isZero();
        assertThat(peak.toSeconds()).isEqualTo(9);
        assertThat(analysis.summary().verdict()).isEqualTo("suspect");
        assertThat(analysis.intervals())
                .anyMatch(interval -> interval.kind() == Analysis.MarkedInterval.Kind.TESTER_LOST
                        && interval.fromSeconds() == 5
                        && interval.toSeconds() == 10);
    }

    @Test
    void aChangeOfTheTestbedIsMarkedAndDoubtsNothing() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 10_000)
                .exchanges(11_000)
                .changed(4000, "link bone: down")
                .call(1, 0, 0, 0, 100, "ok")
                .analyze(folder);
        assertThat(analysis.intervals())
                .contains(new Analysis.MarkedInterval(Analysis.MarkedInterval.Kind.CHANGE, 4, 4, "link bone: down"));
        assertThat(analysis.summary().verdict()).isEqualTo("valid");
        RunJson.write(folder.resolve("other.json"), analysis.run());
        assertThat(RunJson.read(folder.resolve("other.json")).events())
                .containsExactly(new RunRecord.Event(4_000_000_000L, "link bone: down", true));
    }

    @Test
    void aReplacementMakesTheClientsOfALostTesterActiveAgain() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .replacement(3, 2, 7000)
                .closed(4, 0, 10_000)
                .exchanges(11_000)
                .lost(2, 5000)
                .call(1, 0, 0, 0, 100, "ok")
                .call(2, 1, 2000, 2000, 2100, "ok")
                .call(3, 1, 7500, 7500, 7600, "ok")
                .analyze(folder);

        assertThat(analysis.series().of(Series.ACTIVE_CLIENTS)).containsExactly(4, 4, 4, 4, 4, 2, 2, 4, 4, 4);
        Summary summary = analysis.summary();
        assertThat(summary.testers()).isEqualTo(new Summary.TesterCounts(2, 2, 1, 1));
        assertThat(summary.warnings())
                .extracting(Warning::text)
                .anyMatch(warning -> warning.contains("tester 2 was lost at 5.0 s")
                        && warning.contains("another tester took over its share of the load from 7.0 s on"));
        Summary.Window peak = Objects.requireNonNull(summary.peak());
        assertThat(peak.clients()).isEqualTo(4);
        assertThat(peak.toSeconds()).isEqualTo(5);
        assertThat(analysis.clients().get(1).tester()).isEqualTo(3);
        assertThat(analysis.clients().get(1).ok()).isEqualTo(2);
        assertThat(analysis.testers().get(2).clients()).isEqualTo(2);
        assertThat(analysis.intervals())
                .anyMatch(interval -> interval.kind() == Analysis.MarkedInterval.Kind.TESTER_LOST
                        && interval.fromSeconds() == 5
                        && interval.toSeconds() == 7);
    }

    @Test
    void aRunWithoutASuccessFailed() throws IOException {
        Summary summary =
                oneClient().call(1, 0, 0, 0, 100, "refused").analyze(folder).summary();
        assertThat(summary.verdict()).isEqualTo("failed");
        assertThat(summary.responseTime()).isNull();
    }
}
