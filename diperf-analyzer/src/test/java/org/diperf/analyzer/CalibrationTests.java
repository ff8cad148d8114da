package org.diperf.analyzer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.analyzer.files.SummaryFile;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.CalibrationShare;
import org.diperf.analyzer.table.SummaryTable;
import org.diperf.analyzer.text.TerminalFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 90 calls in a second by the tester on host-1, 10 by that on host-2. */
@Timeout(60)
final class CalibrationTests {

    @TempDir
    private Path folder;

    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .tester(2, 0, 0)
                .closed(2, 0, 1000)
                .measure("range", 0, 1000, 0)
                .exchanges(2000);
        for (int i = 0; i < 90; i++) {
            run.call(1, 0, 10 * i, 10 * i, 10 * i + 5, i % 2 == 0 ? "ok" : "http 500");
        }
        for (int i = 0; i < 10; i++) {
            run.call(2, 1, 90 * i, 90 * i, 90 * i + 5, "ok");
        }
        return run;
    }

    private static String table(Analysis analysis) {
        return SummaryTable.render(analysis, TerminalFormat.PLAIN, "report.html", "diperf run again.yml", false);
    }

    @Test
    void aRunSaysHowNearItCameToItsCalibration() throws IOException {
        Analysis analysis = run().calibrated("host-1", 360, null).analyze(folder);

        CalibrationShare nearest =
                requireNonNull(analysis.summary().generator()).calibration();
        assertThat(nearest.host()).isEqualTo("host-1");
        assertThat(nearest.rate()).isEqualTo(360);
        assertThat(nearest.callsPerSecond()).isCloseTo(90, within(1e-9));
        assertThat(nearest.share()).isCloseTo(0.25, within(1e-9));
        assertThat(table(analysis))
                .contains(" testers 90.0 calls/s, 25.0 % of the 360 that a tester on host-1 reached in calibration\n");
        assertThat(Analyzer.summaryJson(analysis).replaceAll("\\s", ""))
                .contains("\"generator\":{\"calibration\":{\"host\":\"host-1\",\"rate\":360.0,\"callsPerSecond\":90.0,"
                        + "\"share\":0.25,\"calibratedAt\":\"2026-11-20T08:00:00Z\"}}");
        Analyzer.write(analysis, folder);
        assertThat(SummaryFile.read(folder.resolve(SummaryFile.NAME)).generator())
                .isEqualTo(analysis.summary().generator());
        Report.write(analysis, folder, "again");
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("90.0 calls/s, 25.0 % of the 360 that a tester on host-1 reached in calibration");
    }

    @Test
    void ofSeveralHostsTheOneThatCameNearestIsTold() throws IOException {
        Analysis analysis = run().calibrated("host-1", 360, null)
                .calibrated("host-2", 20, "while the machine was busy")
                .analyze(folder);

        assertThat(table(analysis))
                .contains("10.0 calls/s, 50.0 % of the 20 that a tester on host-2 reached in calibration (while the "
                        + "machine was busy)\n");
    }

    @Test
    void nothingIsSaidWhereNothingIsKnown() throws IOException {
        Analysis analysis = run().analyze(folder);

        assertThat(analysis.summary().generator()).isNull();
        assertThat(table(analysis)).doesNotContain("calibrated");
        assertThat(Analyzer.summaryJson(analysis)).doesNotContain("calibration", "\"generator\"");
    }

    @Test
    void aRunWithoutCallsHasNoShare() throws IOException {
        Analysis analysis = new RunFixture()
                .tester(1, 0, 0)
                .closed(1, 0, 1000)
                .exchanges(2000)
                .calibrated("host-1", 360, null)
                .analyze(folder);

        assertThat(analysis.summary().generator()).isNull();
    }
}
