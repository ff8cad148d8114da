package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.text.Levels;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;
import org.diperf.core.run.Warning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two levels, of one client and of two: the second serves more, but its calls are sent late, so that no finding rests on it. Nor may
 * the peak.
 */
@Timeout(60)
final class DoubtfulLevelTests {

    private static final long MILLI = 1_000_000;

    @TempDir
    private Path folder;

    private final RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(9000);

    /** Calls that take 100 ms each, every so often. */
    private void calls(int stage, int client, long fromMillis, long toMillis, long everyMillis, long lateMillis) {
        for (long at = fromMillis; at + 100 <= toMillis; at += everyMillis) {
            run.nanos(1, stage, client, 0, at * MILLI, (at + lateMillis) * MILLI, (at + 100) * MILLI, "ok", 0);
        }
    }

    private Analysis levels() throws IOException {
        run.stage(StageRecords.level(0, 0, 4000, 1, 1000)).stage(StageRecords.level(1, 4000, 8000, 2, 5000));
        calls(0, 0, 0, 4000, 400, 0);
        calls(1, 0, 4000, 8000, 200, 50);
        calls(1, 1, 4000, 8000, 200, 50);
        return run.analyze(folder);
    }

    @Test
    void thePeakLiesWhereTheFindingRests() throws IOException {
        Analysis analysis = levels();

        List<StageSummary> stages = requireNonNull(analysis.summary().stages());
        assertThat(Levels.isDoubtful(stages.get(0))).isFalse();
        assertThat(Levels.isDoubtful(stages.get(1))).isTrue();
        assertThat(requireNonNull(Levels.best(analysis)).number()).isZero();
        Window peak = requireNonNull(analysis.summary().peak());
        assertThat(peak.fromSeconds()).isEqualTo(1);
        assertThat(peak.toSeconds()).isEqualTo(4);
        assertThat(peak.clients()).isEqualTo(1);
        assertThat(peak.calls().ok()).isEqualTo(7);
        assertThat(analysis.capacity().points()).hasSize(1);
    }

    @Test
    void aLevelAfterALostTesterWasReplacedIsNotInDoubt() throws IOException {
        RunFixture of = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .replacement(3, 2, 3000)
                .exchanges(9000)
                .lost(2, 1500)
                .stage(StageRecords.level(0, 0, 4000, 2, 1000))
                .stage(StageRecords.level(1, 4000, 8000, 2, 5000));
        for (long at = 0; at < 8000; at += 400) {
            int stage = at < 4000 ? 0 : 1;
            of.nanos(1, stage, 0, 0, at * MILLI, at * MILLI, (at + 100) * MILLI, "ok", 0);
            if (at < 1500 || at >= 3200) {
                of.nanos(at < 1500 ? 2 : 3, stage, 1, 0, at * MILLI, at * MILLI, (at + 100) * MILLI, "ok", 0);
            }
        }
        List<StageSummary> stages = requireNonNull(of.analyze(folder).summary().stages());
        assertThat(stages.get(0).warnings()).extracting(Warning::text).contains("tester 2 was lost");
        assertThat(stages.get(1).warnings()).isNull();
    }

    @Test
    void whereEveryLevelIsInDoubtThereIsNoPeakAndTheRunSaysWhy() throws IOException {
        run.stage(StageRecords.level(0, 0, 4000, 1, 1000));
        calls(0, 0, 0, 4000, 400, 50);
        Analysis analysis = run.analyze(folder);

        assertThat(analysis.summary().peak()).isNull();
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .contains("there is no peak: no level was measured reliably; the whole run is measured instead")
                .filteredOn(text -> text.startsWith("there is no peak"))
                .hasSize(1);
    }

    @Test
    void theProbeThatConfirmsWhatASearchFoundIsNoPeakWhereItIsInDoubt() throws IOException {
        run.search(new SearchRecord(
                "clients",
                1,
                4,
                List.of("response.p99 < 1s"),
                List.of(
                        new ProbeRecord(0, 1, "step up", true, "response.p99 100 ms", ""),
                        new ProbeRecord(1, 2, "recheck", true, "response.p99 100 ms", "")),
                2.0,
                2.0,
                null,
                null,
                "2 clients keep the condition"));
        Analysis analysis = levels();

        assertThat(analysis.summary().peak()).isNull();
        assertThat(analysis.summary().warnings())
                .extracting(Warning::text)
                .contains("there is no peak: no level was measured reliably; the whole run is measured instead")
                .filteredOn(text -> text.startsWith("there is no peak"))
                .hasSize(1);
    }
}
