package org.diperf.controller.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.run.CalibrationRecord;
import org.diperf.core.wire.TesterFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationFilesTests {

    private static final Machine HERE = MadeCalibration.MACHINE;

    @TempDir
    private Path folder = Path.of("");

    private CalibrationFiles files() {
        return files(HERE, MadeCalibration.VERSION);
    }

    private CalibrationFiles files(Machine here, String version) {
        return new CalibrationFiles(folder.resolve("made/later"), here, version);
    }

    private static TesterFacts tester(String host, int cores) {
        return new TesterFacts(host, cores, 1L << 30, "17", List.of(), "Linux", false);
    }

    private List<CalibrationRecord> found(TesterFacts... testers) {
        return files().of(List.of(testers), "http");
    }

    private void keep(Calibration calibration) throws IOException {
        CalibrationFiles.write(
                calibration,
                files(calibration.machine(), MadeCalibration.VERSION).file("http"));
    }

    @Test
    void whatIsWrittenComesBack() throws IOException {
        for (Calibration made : List.of(MadeCalibration.quiet(), MadeCalibration.bare())) {
            keep(made);

            assertThat(CalibrationFiles.read(files().file("http"))).isEqualTo(made);
            assertThat(files().file("http").getFileName()).hasToString("node-7-http.json");
        }
        assertThat(Files.readString(files().file("http"))).doesNotContain("null");
    }

    @Test
    void testersOnTheSameMachineFindIt() throws IOException {
        keep(MadeCalibration.quiet());

        assertThat(found(tester("node-7", 8), tester("node-7", 8), tester("other", 8)))
                .containsExactly(MadeCalibration.quiet().record());
        assertThat(files().of(List.of(tester("node-7", 8)), "ldap")).isEmpty();
        assertThat(found(tester("node-8", 8))).isEmpty();
        assertThat(found()).isEmpty();
    }

    @Test
    void machinesThatShareAHomeFindOneAnothers() throws IOException {
        Machine far = new Machine("node-9", "Slow 1", 4, "Linux 5.10 amd64", "OpenJDK 17");
        keep(MadeCalibration.of(far, 0, null));

        assertThat(found(tester("node-9", 4)))
                .extracting(CalibrationRecord::host)
                .containsExactly("node-9");
        assertThat(found(tester("node-9", 2))).isEmpty();
    }

    @Test
    void aTesterThatMayUseFewerProcessorsIsNotTheOneThatWasCalibrated() throws IOException {
        keep(MadeCalibration.quiet());

        assertThat(found(tester("node-7", 1))).isEmpty();
        assertThat(found(tester("node-7", 8), tester("node-7", 1))).isEmpty();
    }

    @Test
    void whatNoLongerFitsIsNotUsedAndTheReasonIsKnown() throws IOException {
        keep(MadeCalibration.quiet());
        Path file = files().file("http");
        CalibrationFiles newer = files(HERE, "0.2.0");
        CalibrationFiles replaced = files(new Machine("node-7", "Slow 1", 8, "", ""), MadeCalibration.VERSION);

        assertThat(newer.of(List.of(tester("node-7", 8)), "http")).isEmpty();
        assertThat(newer.unused(file)).contains("it is from DiPerF 0.1.0, but this is 0.2.0");
        assertThat(replaced.of(List.of(tester("node-7", 8)), "http")).isEmpty();
        assertThat(replaced.unused(file)).contains("it is for processor 'Fast 3000', but this machine has 'Slow 1'");
        assertThat(files().unused(file)).isEmpty();
        assertThat(files().unused(folder.resolve("none"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{}",
                "{\"format\":\"diperf-calibration/2\"}",
                "{\"format\":\"diperf-calibration/1\",\"client\":\"http\"}"
            })
    void aDamagedFileIsNoneAndTheReasonIsKnown(String text) throws IOException {
        Path file = files().file("http");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);

        assertThatThrownBy(() -> CalibrationFiles.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("is not a calibration");
        assertThat(found(tester("node-7", 8))).isEmpty();
        assertThat(files().unused(file)).isPresent();
    }

    @Test
    void aFileThatIsTooLargeIsNotRead() throws IOException {
        Path file = files().file("http");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[1 << 17]);

        assertThatThrownBy(() -> CalibrationFiles.read(file)).hasMessageContaining("larger than");
        assertThatThrownBy(() -> CalibrationFiles.read(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    /** The name comes from a tester. */
    @ParameterizedTest
    @ValueSource(strings = {"../../etc", "..", "/", "a/b", "a\u0000b", "\u202e"})
    void aHostsNameNamesNoFolder(String host) {
        Path file = files(new Machine(host, "", 1, "", ""), "1").file("http");

        assertThat(file.normalize().getParent()).isEqualTo(folder.resolve("made/later"));
        assertThat(found(tester(host, 8))).isEmpty();
    }
}
