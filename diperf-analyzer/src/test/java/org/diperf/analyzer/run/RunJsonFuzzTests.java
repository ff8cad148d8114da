package org.diperf.analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.run.RunRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** A {@code run.json} that was changed, cut off or made up. */
class RunJsonFuzzTests {

    @TempDir
    Path folder;

    static Stream<byte[]> records() throws IOException {
        Path file = Files.createTempFile("run", ".json");
        try {
            RunJson.write(file, RunJsonTests.run());
            return Stream.of(Files.readAllBytes(file));
        } finally {
            Files.delete(file);
        }
    }

    @MethodSource("records")
    @Fuzz
    void aRecordIsReadOrRefused(byte[] input) throws IOException {
        Path file = Files.write(folder.resolve(RunFiles.RUN), input);
        RunRecord read;
        try {
            read = RunJson.read(file);
        } catch (IOException refused) {
            return;
        }
        RunJson.write(file, read);
        assertThat(RunJson.read(file)).as("written and read again").isEqualTo(read);
    }
}
