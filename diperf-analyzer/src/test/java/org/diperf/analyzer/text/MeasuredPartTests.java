package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.SummaryTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of several parts of a run, side by side, say which part they are of. */
@Timeout(60)
class MeasuredPartTests {

    @TempDir
    private Path folder;

    private Analysis run(boolean inPart) throws IOException {
        RunFixture run = new RunFixture()
                .tester(1, 0, 0)
                .exchanges(12_000)
                .closed(1, 0, 10_000)
                .requests("browse", "order")
                .thresholds(
                        "failed < 1%",
                        "requests.order.failed < 1%",
                        "whole.failed < 1%",
                        "peak.failed < 1%",
                        "testers.lost < 1",
                        "failed < 1% && requests.order.total > 1");
        if (inPart) {
            run.measure("range", 2_000, 8_000, 0);
        }
        for (int i = 0; i < 100; i++) {
            long at = i * 100_000_000L;
            run.nanos(1, 0, 0, i % 2, at, at, at + 5_000_000, "ok", 10);
        }
        return run.analyze(folder.resolve(inPart ? "part" : "whole"));
    }

    @Test
    void thresholdsSayOverWhichPartTheyLooked() throws IOException {
        Analysis analysis = run(true);
        assertThat(analysis.summary().thresholds().stream()
                        .map(threshold -> MeasuredPart.observed(analysis.summary(), threshold)
                                .replaceFirst("^.*\\(", "("))
                        .toList())
                .containsExactly("0%", "(whole run)", "(whole run)", "(peak)", "0", "(0:02–0:08 and whole run)");
    }

    private static String table(Analysis analysis) {
        return SummaryTable.render(analysis, TerminalFormat.PLAIN, "r", "a", false);
    }

    private static long calls(String table, String row) {
        return table.lines()
                .filter(line -> line.startsWith(" " + row + " "))
                .map(line -> line.substring(row.length() + 1).strip().split(" +", 2)[0])
                .mapToLong(calls -> Long.parseLong(calls.replace(",", "")))
                .sum();
    }

    /** The kinds were of the whole run next to a row of the measured part: 47,819 calls in the table, 47,815 in the sentence. */
    @Test
    void allRowsOfTheTableAreOfTheMeasuredPart() throws IOException {
        String table = table(run(true));
        assertThat(table).contains(" all 0:02–0:08 ").doesNotContain(" whole run ");
        assertThat(calls(table, "all 0:02–0:08")).isPositive().isLessThan(calls(table(run(false)), "whole run"));
        assertThat(calls(table, "browse") + calls(table, "order")).isEqualTo(calls(table, "all 0:02–0:08"));
    }

    @Test
    void whereAllIsMeasuredNothingIsAdded() throws IOException {
        Analysis analysis = run(false);
        assertThat(MeasuredPart.of(analysis.summary())).isNull();
        assertThat(table(analysis)).contains("\n browse ", "\n order ").doesNotContain("whole run: ", "(whole run)");
    }
}
