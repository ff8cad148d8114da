package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.cli.JUnitXml.Case;
import org.diperf.controller.cli.JUnitXml.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class JUnitXmlTests {

    private static Case named(String group, String name) {
        return new Case(group, name, Outcome.PASSED, "", 0);
    }

    @Test
    void equalThresholdsOfOneRunAreCasesOfDifferentNames() {
        String xml = JUnitXml.xml(
                "suite",
                List.of(
                        named("orders", "failed < 1%"),
                        named("orders", "failed < 1% (2)"),
                        named("orders", "failed < 1%"),
                        named("orders", "failed < 1%"),
                        named("others", "failed < 1%")));
        Matcher names =
                Pattern.compile("classname=\"(\\w+)\" name=\"([^\"]+)\"").matcher(xml);
        assertThat(names.results().map(found -> found.group(1) + ": " + found.group(2)))
                .containsExactly(
                        "orders: failed &lt; 1%",
                        "orders: failed &lt; 1% (2)",
                        "orders: failed &lt; 1% (3)",
                        "orders: failed &lt; 1% (4)",
                        "others: failed &lt; 1%");
    }

    @Test
    void aRunThatWasNotCarriedOutIsACaseToo(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("made/run.xml");
        org.diperf.controller.cli.Outcome run = org.diperf.controller.cli.Outcome.of(
                "run",
                "http://127.0.0.1:1/",
                "--for",
                "1s",
                "--out",
                folder.resolve("run").toString(),
                "--junit",
                file.toString());
        assertThat(run.code()).isEqualTo(ExitCode.NOT_CARRIED_OUT);
        assertThat(Files.readString(file))
                .contains("tests=\"1\" failures=\"0\" errors=\"1\"", "name=\"was run\"", "127.0.0.1:1");
    }

    private static void unread(Path folder, Path junit) throws IOException {
        Path experiment = Files.writeString(folder.resolve("bad.yml"), "laod: { clients: 1 }");
        org.diperf.controller.cli.Outcome run =
                org.diperf.controller.cli.Outcome.of("run", experiment.toString(), "--junit", junit.toString());
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    }

    /** It would pass for the verdict of this run. */
    @Test
    void aRunThatCannotBeReadLeavesNoOldVerdict(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("run.xml");
        JUnitXml.write(file, "diperf run", List.of(named("orders", "failed < 1%")));
        Path link = Files.createSymbolicLink(folder.resolve("link.xml"), file.getFileName());
        unread(folder, link);
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(file))
                .contains("errors=\"1\"", "the run has not ended")
                .doesNotContain("orders");
    }

    @Test
    void nothingElseAtThePathOfTheVerdictIsTouchedBeforeThereIsOne(@TempDir Path folder) throws Exception {
        Path notes = Files.writeString(folder.resolve("notes"), "<old/>");
        unread(folder, notes);
        assertThat(notes).hasContent("<old/>");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        unread(folder, empty);
        assertThat(empty).isDirectory();
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("none"));
        unread(folder, dangling);
        assertThat(dangling).isSymbolicLink();
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        unread(folder, pipe);
        assertThat(pipe).exists();
        unread(folder, Path.of("/dev/null"));
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }

    /** A variable that is empty by mistake is no experiment. */
    @Test
    void theQuickstartIsNoVerdict() {
        org.diperf.controller.cli.Outcome run = org.diperf.controller.cli.Outcome.of("run", "--strict");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("expected a file or a URL, got none");
    }
}
