package org.diperf.analyzer.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.diperf.analyzer.RunFixture;
import org.diperf.analyzer.StageRecords;
import org.diperf.analyzer.result.Analysis;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class VerdictTests {

    @TempDir
    private Path folder;

    @Test
    void aSearchThatFoundNoValueIsNoSuccessAndSaysOnceThatThereIsNoPeak() throws IOException {
        RunFixture run =
                new RunFixture().tester(1, 0, 0).exchanges(9000).stage(StageRecords.level(0, 0, 4000, 10.0, 10));
        calls(run, 40, 0);
        Analysis analysis = run.search(new SearchRecord(
                        "rate",
                        10,
                        1000,
                        List.of("response.p99 < 5ms"),
                        List.of(new ProbeRecord(0, 10, "step up", false, "", "response.p99 10 ms")),
                        null,
                        null,
                        null,
                        10.0,
                        "not even the lowest value, 10/s, meets all conditions"))
                .analyze(folder);

        Verdict verdict = Verdict.of(analysis);
        assertThat(verdict.result()).isEqualTo("FAILED the search found no value");
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.notes())
                .containsOnlyOnce(
                        "there is no peak: no value was found that meets the conditions of the search; the whole run is "
                                + "measured instead")
                .filteredOn(reason -> reason.startsWith("there is no peak"))
                .hasSize(1);
    }

    @Test
    void aRunWithMoreThanHalfOfItsCallsFailedSaysSoFirst() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(9000).open(10, "constant", 0, 4_000);
        calls(run, 40, 37);

        Verdict verdict = Verdict.of(run.analyze(folder));
        assertThat(verdict.result()).isEqualTo("DONE");
        assertThat(verdict.notes())
                .first()
                .isEqualTo("92.5 % of the calls failed: response times cover only the 3 that did not");
    }

    @Test
    void aRunWithHalfOfItsCallsFailedSaysNothingOfIt() throws IOException {
        RunFixture run = new RunFixture().tester(1, 0, 0).exchanges(9000).open(10, "constant", 0, 4_000);
        calls(run, 40, 20);

        assertThat(Verdict.of(run.analyze(folder)).notes()).noneMatch(reason -> reason.contains("of the calls failed"));
    }

    private static void calls(RunFixture run, int count, int failing) {
        for (int i = 0; i < count; i++) {
            long at = i * 100_000_000L;
            run.nanos(1, 0, i, 0, at, at, at + 10_000_000, i < failing ? "status 500" : "ok", 10);
        }
    }
}
