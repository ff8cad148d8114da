package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a CI job is told of a run that has ended. */
@Timeout(120)
class ReportCommandTests {

    @TempDir
    Path folder;

    @Test
    void aSuspectRunFailsOnlyAStrictReportAndTheXmlSaysSo() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Files.write(run.resolve("samples/000001.dps"), new byte[100], StandardOpenOption.APPEND);
        Path xml = folder.resolve("report.xml");
        Outcome lenient = Outcome.of("report", run.toString(), "--junit", xml.toString());
        assertThat(lenient.code()).as(lenient.err()).isZero();
        assertThat(Files.readString(xml)).contains("<testcase").doesNotContain("<failure");

        Outcome strict = Outcome.of("report", run.toString(), "--junit", xml.toString(), "--strict");
        assertThat(strict.code()).as(strict.err()).isEqualTo(99);
        assertThat(Files.readString(xml)).contains("<failure", "samples are damaged");
        CompareCommandTests.assertValid(xml);
        // The run is the only thing that was measured, and its verdict the only case.
        assertThat(Files.readString(xml)).containsPattern("testcase [^>]* time=\"[89]\\.[0-9]{3}\"");
    }

    @Test
    void aPartBehindTheEndOfTheRunIsRefusedAndTheReportStays() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        assertThat(Outcome.of("report", run.toString()).code()).isZero();
        String before = Files.readString(run.resolve("summary.json"));
        Outcome refused = Outcome.of("report", run.toString(), "--window", "45s..60s");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("--window: expected a part of the run, which lasted", "got one that starts at 45.000 s");
        assertThat(Files.readString(run.resolve("summary.json"))).isEqualTo(before);
    }

    @Test
    void aSoundRunPassesAStrictReport() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Outcome strict = Outcome.of("report", run.toString(), "--strict");
        assertThat(strict.code()).as(strict.out() + strict.err()).isZero();
    }

    @Test
    void aSearchThatFoundNoValueIsNoSuccess() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Path file = run.resolve("run.json");
        ObjectNode record = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
        record.set("search", JsonMapper.shared().readTree("""
                {"of": "rate", "from": 500, "to": 1000, "conditions": ["response.p99 < 1ms"], "found": null, "low": null, "high": null,
                 "failedAt": 500, "probes": [
                 {"stage": 0, "value": 500, "purpose": "step up", "holds": false, "observed": "x", "decidedBy": "x"}],
                 "conclusion": "not even the lowest value, 500/s, meets all conditions"}
                """));
        Files.writeString(file, record.toString());
        Path xml = folder.resolve("report.xml");

        Outcome outcome = Outcome.of("report", run.toString(), "--junit", xml.toString());
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(3);
        assertThat(outcome.out()).as(outcome.err()).contains("FAILED the search found no value");
        assertThat(Files.readString(xml)).contains("<error", "not even the lowest value");
    }

    @Test
    void thePageOfAJobSaysWhatTheTerminalSays() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Analysis analysis = Analyzer.analyze(run, Analyzer.Options.AS_RECORDED);
        Analysis judged = analysis.with(analysis.summary()
                .with(List.of(
                        new ThresholdResult("response.p99 < 1s", true, "19.9 ms"),
                        new ThresholdResult("response.p50 < 1ms", false, "10.0 ms"),
                        ThresholdResult.undecided("failed < 1%", "0 % (0 % to 2 %)", "a longer run"))));
        assertThat(RunMarkdown.of(judged, "diperf run `x`", true))
                .startsWith("### ❌ made: FAILED 1 of 3 · numbers ")
                .contains("\n| threshold |  | seen | range |\n| --- | --- | --- | --- |\n")
                .contains("| <code>response.p99 &#60; 1s</code> | ✅ holds | 19.9 ms | ")
                .contains("| <code>failed &#60; 1%</code> | ❓ undecided | 0 % (0 % to 2 %); what would settle it: a "
                        + "longer run |")
                .contains("| calls | 4,000 |  |\n")
                .containsPattern("\\| response time p50 \\| [0-9.]+ ms \\| [0-9.]+–[0-9.]+ ms \\|\n")
                .contains("Again: <code>diperf run &#96;x&#96;</code>");
        // With -q it is all that is said.
        assertThat(Reports.ending(judged))
                .isEqualTo("FAILED 1 of 3: ✗ response.p50 < 1ms: 10.0 ms · ? failed < 1%: 0 % (0 % to 2 %)");
    }

    @Test
    void aPageThatHasNoPlaceIsRefusedBeforeAnythingIsDone() throws Exception {
        assertThatThrownBy(() -> StepSummary.of(Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "--github-summary: expected the file specified by $GITHUB_STEP_SUMMARY, got none: it is set in "
                                + "the steps of a GitHub Actions job. Elsewhere, drop the option, or set the variable to a file");
        assertThatThrownBy(() -> StepSummary.of(Map.of("GITHUB_STEP_SUMMARY", folder.toString())))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(folder + ", which is not writable");
    }

    @Test
    void aPageTakesWhatGitHubTakesAndNoMore() throws Exception {
        Path file = folder.resolve("summary.md");
        StepSummary page = StepSummary.of(Map.of("GITHUB_STEP_SUMMARY", file.toString()));
        StringWriter err = new StringWriter();
        page.append("### one", new PrintWriter(err));
        page.append("#".repeat(StepSummary.MAX_BYTES - 10), new PrintWriter(err));
        assertThat(Files.readString(file)).startsWith("### one\n####").hasSize(StepSummary.MAX_BYTES - 1);
        assertThat(err.toString()).isEmpty();

        page.append("more", new PrintWriter(err, true));
        assertThat(Files.size(file)).isEqualTo(StepSummary.MAX_BYTES - 1);
        assertThat(err.toString()).contains("nothing was added to it");
    }

    @Test
    void severalRunsHaveNoVerdictOfTheirOwn() throws Exception {
        String one = MadeRun.write(folder.resolve("one"), 10, 1, "").toString();
        String two = MadeRun.write(folder.resolve("two"), 10, 2, "").toString();
        Outcome strict = Outcome.of("report", one, two, "--strict");
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err()).contains("--junit, --strict and --github-summary require a single run");
    }

    /** Its controller died, or the disk failed, between the record of its end and the removal of what must not outlive it. */
    @Test
    void aRunThatLacksNothingButItsTidyingUpIsFinishedByResumingIt() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Path control = Files.createDirectory(run.resolve("control"));
        Files.writeString(control.resolve("journal"), "");
        Outcome resumed = Outcome.of("run", "--resume", run.toString(), "--no-progress");
        assertThat(resumed.code()).as(resumed.out() + resumed.err()).isZero();
        assertThat(run.resolve("report.html")).exists();
        assertThat(control).doesNotExist();

        Outcome again = Outcome.of("run", "--resume", run.toString());
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("got a run in " + run + " that has ended");
    }
}
