package org.diperf.junit;

import java.nio.file.Path;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.RangeText;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.Verdict;
import org.diperf.analyzer.text.Verdict.Trust;
import org.opentest4j.AssertionFailedError;

/**
 * Whether an experiment passes as a test.
 *
 * @param passes whether it does
 * @param words why it does not: each threshold that does not hold with its value and range, and where to read on
 */
record Judgement(boolean passes, String words) {

    /** @param strict whether it fails where the numbers are suspect */
    static Judgement of(Analysis analysis, Path folder, boolean strict) {
        Verdict verdict = Verdict.of(analysis);
        boolean suspect = verdict.trust() != Trust.VALID;
        Summary summary = analysis.summary();
        StringBuilder words = new StringBuilder(RunText.clean(summary.experiment()))
                .append(": ")
                .append(verdict.result());
        for (ThresholdResult threshold : summary.thresholds()) {
            if (!threshold.holds()) {
                line(words, threshold.open() ? "undecided" : "failed", seen(summary, threshold));
            }
        }
        if (suspect) {
            verdict.reasons().forEach(reason -> line(words, "suspect", reason));
        }
        line(words, "run directory", folder.toAbsolutePath().toString());
        line(words, "report", folder.resolve("report.html").toAbsolutePath().toString());
        return new Judgement(verdict.good() && !(strict && suspect), words.toString());
    }

    private static String seen(Summary summary, ThresholdResult threshold) {
        return RunText.clean(threshold.expression()) + ": seen " + MeasuredPart.observed(summary, threshold)
                + RangeText.behind(summary, threshold);
    }

    private static void line(StringBuilder words, String what, String text) {
        words.append("\n  ").append(what).append("  ").append(text);
    }

    /** @throws AssertionFailedError when it does not pass */
    void check() {
        if (!passes) {
            throw new AssertionFailedError(words);
        }
    }
}
