package org.diperf.analyzer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.ExampleRuns;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.Finding;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.analyzer.text.Verdict;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SummaryTableTests {

    /** What was rendered is left in {@code target/golden}: after a wanted change, look at it and copy it. */
    @ParameterizedTest
    @MethodSource("org.diperf.analyzer.ExampleRuns#names")
    void looksAsInItsGoldenFile(String name) throws IOException {
        String table = SummaryTable.render(
                ExampleRuns.named(name),
                TerminalFormat.PLAIN,
                "runs/latest/report.html",
                "diperf run runs/latest/experiment.yml",
                false);

        Path folder = Files.createDirectories(Path.of("target", "golden"));
        Files.writeString(folder.resolve(name + ".txt"), table);
        assertThat(table).isEqualTo(golden(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"saturation", "open", "all-failed"})
    void thePageOnResultsShowsWhatIsPrinted(String name) throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "result.md"))).contains("```\n" + golden(name) + "```\n");
    }

    @Test
    void coloursChangeNoWord() {
        String plain = SummaryTable.render(ExampleRuns.named("saturation"), TerminalFormat.PLAIN, "r", "a", false);
        String coloured = SummaryTable.render(
                ExampleRuns.named("saturation"), new TerminalFormat(true, Integer.MAX_VALUE), "r", "a", false);

        String shown = coloured.replace(SecretMask.ESCAPE, "\u001b");
        assertThat(shown).contains("\u001b[31mFAILED\u001b[0m", "\u001b[32m✓\u001b[0m", "\u001b[31m✗\u001b[0m");
        assertThat(shown.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain);
    }

    /** Whether a probe held, and why a level is in doubt, stands in no other column. */
    @Test
    void onANarrowTerminalWhatARemarkSaysStandsBelowItsRow() {
        TerminalFormat narrow = new TerminalFormat(false, 80);
        assertThat(SummaryTable.render(ExampleRuns.named("search"), narrow, "r", "a", false)
                        .lines())
                .anyMatch(line -> line.matches("    bisect: breaks \\(response\\.p99 above 111 ms\\).*"))
                .allMatch(line -> line.codePointCount(0, line.length()) <= 80);
        assertThat(SummaryTable.render(ExampleRuns.named("levels"), narrow, "r", "a", false)
                        .lines())
                .contains("    ! generator was the limit")
                .anyMatch(line -> line.startsWith("   ! 128 clients: the load generator was the limit: more than 5 %"));
    }

    @Test
    void onANarrowTerminalSentencesAreBrokenAndRemarksCut() {
        for (String name : ExampleRuns.names().toList()) {
            String wide = SummaryTable.render(ExampleRuns.named(name), TerminalFormat.PLAIN, "r", "a", false);
            String narrow =
                    SummaryTable.render(ExampleRuns.named(name), new TerminalFormat(false, 80), "r", "a", false);

            assertThat(narrow.lines().filter(line -> line.matches("   ([!✓✗?]).*| (note|testers|failures) .*")))
                    .as(name)
                    .allMatch(line -> line.codePointCount(0, line.length()) <= 80);
            assertThat(words(narrow)).as(name).contains(words(Finding.sentence(ExampleRuns.named(name))));
            assertThat(wide.lines().count())
                    .as(name)
                    .isLessThanOrEqualTo(narrow.lines().count());
        }
    }

    /** Numbers that can be trusted have notes in the report that somebody on a terminal would not look for there. */
    @Test
    void ofValidNumbersTheFirstNotesOfTheReportAreShown() throws IOException {
        String name = ExampleRuns.names()
                .filter(each -> Verdict.of(ExampleRuns.named(each)).trust() == Verdict.Trust.VALID)
                .filter(each -> !Verdict.of(ExampleRuns.named(each)).notes().isEmpty())
                .findFirst()
                .orElseThrow();

        assertThat(SummaryTable.render(ExampleRuns.named(name), TerminalFormat.PLAIN, "r", "a", false))
                .contains(" note    "
                        + Verdict.of(ExampleRuns.named(name)).notes().get(0) + "\n");
    }

    /** The cause stood last among notes that valid runs have too, and looked like one of them. */
    @Test
    void whatMakesARunSuspectIsMarkedAndComesBeforeItsNotes() throws IOException {
        Analysis valid = ExampleRuns.named("one-call");
        List<Warning> warnings =
                List.of(Warning.note(Subject.LOAD, "a note"), Warning.suspect(Subject.GENERATOR, "the cause"));
        Analysis suspect = valid.with(valid.summary().with(List.of(), "suspect", warnings));

        assertThat(SummaryTable.render(suspect, TerminalFormat.PLAIN, "r", "a", false))
                .contains("\n   ! the cause\n")
                .contains("\n note    a note\n")
                .doesNotContain("! a note");
    }

    /** Ten calls, of which so many fail by a cause about which something can be done. */
    private static String failing(int failed, Path folder) throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(2_000).closed(1, 0, 1_000);
        run.warning(Warning.suspect(Subject.GENERATOR, "a doubt"));
        String word = Outcome.ofFailure(Failure.ofService("status 401").remedied("send credentials"));
        for (int i = 0; i < 10; i++) {
            long at = i * 100_000_000L;
            run.nanos(1, 0, 0, 0, at, at, at + 1_000_000, i < failed ? word : "ok", 0);
        }
        return SummaryTable.render(run.analyze(folder), TerminalFormat.PLAIN, "r", "a", false);
    }

    @Test
    void whereHalfOfTheCallsFailTheirCausesComeFirstWithWhatCanBeDone(@TempDir Path folder) throws IOException {
        String causes = " failures   5 × status 401 · first at 0:00 on tester-1\n            → send credentials\n";
        assertThat(failing(5, Files.createDirectory(folder.resolve("half"))))
                .containsSubsequence(causes, "   ! a doubt\n", " whole run ")
                .containsOnlyOnce(" failures ");
        assertThat(failing(4, Files.createDirectory(folder.resolve("fewer"))))
                .containsSubsequence("   ! a doubt\n", causes.replace("5", "4"), " whole run ")
                .containsOnlyOnce(" failures ");
    }

    @Test
    void whereNoCallSucceededTheFirstLineSaysWhatCanBeDoneAndNoOtherOne(@TempDir Path folder) throws IOException {
        assertThat(failing(10, folder))
                .startsWith("FAILED: no call succeeded: all 10 failed, with status 401; send credentials\n")
                .containsOnlyOnce("send credentials");
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @Test
    void whyARunIsSuspectStandsOnceInTheTable() {
        for (String name : ExampleRuns.names().toList()) {
            String rendered = SummaryTable.render(ExampleRuns.named(name), TerminalFormat.PLAIN, "r", "a", false);
            Verdict verdict = Verdict.of(ExampleRuns.named(name));
            if (verdict.trust() == Verdict.Trust.SUSPECT) {
                verdict.reasons()
                        .forEach(reason -> assertThat(rendered.indexOf(reason))
                                .as("%s: %s", name, reason)
                                .isEqualTo(rendered.lastIndexOf(reason)));
            }
        }
    }

    @Test
    void nothingFromOutsideReachesTheTerminalAsACommand() {
        String table = SummaryTable.render(ExampleRuns.named("hostile"), TerminalFormat.PLAIN, "r", "a", false)
                + RunText.header(ExampleRuns.named("hostile").run());

        assertThat(table.chars().filter(c -> Character.isISOControl(c) && c != '\n'))
                .isEmpty();
    }

    @Test
    void theHeaderNamesTargetsLoadAndTesters() {
        assertThat(RunText.header(ExampleRuns.named("open").run()))
                .isEqualTo("orders · http://10.0.0.7:8080 · open 200/s constant for 1 min after a ramp of 10 s"
                        + " · 2 testers");
        assertThat(RunText.header(ExampleRuns.named("saturation").run()))
                .isEqualTo("api · http://10.0.0.7:8080/items · closed 64 clients, one every 1 s, each for 80 s"
                        + " · 4 testers");
        assertThat(RunText.header(ExampleRuns.named("huge").run())).contains("tcp://a, tcp://b, tcp://c and 1 more");
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = SummaryTableTests.class.getResourceAsStream("/golden/" + name + ".txt")) {
            return in == null ? "no golden file" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
