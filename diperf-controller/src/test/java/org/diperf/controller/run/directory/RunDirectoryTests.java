package org.diperf.controller.run.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.diperf.core.faults.FaultyDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a run on a disk that fails. */
@Timeout(30)
class RunDirectoryTests {

    @TempDir
    Path folder;

    @Test
    void aRunThatDoesNotFitLeavesItsFolderAsItWas() throws Exception {
        FaultyDisk disk = new FaultyDisk(folder);
        Path run = disk.root().resolve("run");
        disk.leaveRoom(3_000);
        assertThatThrownBy(() -> new RunDirectory(run, "target: tcp://127.0.0.1:1\n").close())
                .hasMessage("No space left on device");
        try (Stream<Path> left = Files.list(run)) {
            assertThat(left).isEmpty();
        }
        disk.makeRoom();
        new RunDirectory(run, "target: tcp://127.0.0.1:1\n").close();
        assertThat(run.resolve("experiment.yml")).exists();
    }

    @Test
    void theLastWordOfAControllerFitsOnAFullDisk() throws Exception {
        FaultyDisk disk = new FaultyDisk(folder);
        Path run = disk.root().resolve("run");
        try (RunDirectory directory = new RunDirectory(run, "")) {
            directory.leaveControl();
            disk.leaveRoom(0);
            assertThat(directory.endings().last()).isNull();
            directory.endings().failed(5, "No space\nleft on device");
            assertThat(directory.endings().last())
                    .isEqualTo(new EarlyExits.Ending(5, "No space left on device", false));
            directory.endings().resumed(6);
            assertThat(directory.endings().last())
                    .as("it reports nothing about its end yet")
                    .isNull();
            directory.endings().killed(7);
            directory.endings().resumed(8);
            assertThat(directory.endings().all())
                    .containsExactly(
                            new EarlyExits.Ending(5, "No space left on device", false),
                            new EarlyExits.Ending(7, "", false));
        }
    }
}
