package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    }

    @Test
    void aSoundRunPassesAStrictReport() throws Exception {
        Path run = MadeRun.write(folder.resolve("run"), 10, 1, "");
        Outcome strict = Outcome.of("report", run.toString(), "--strict");
        assertThat(strict.code()).as(strict.out() + strict.err()).isZero();
    }

    @Test
    void severalRunsHaveNoVerdictOfTheirOwn() throws Exception {
        String one = MadeRun.write(folder.resolve("one"), 10, 1, "").toString();
        String two = MadeRun.write(folder.resolve("two"), 10, 2, "").toString();
        Outcome strict = Outcome.of("report", one, two, "--strict");
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err()).contains("--junit and --strict go with one run");
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
        assertThat(again.err()).contains("found in " + run + " one that has");
    }
}
