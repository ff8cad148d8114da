package org.diperf.plugins.emulated.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a run in virtual time needs of this machine. */
@Timeout(60)
class VirtualTimeTests {

    @TempDir
    Path folder;

    @Test
    void aMissingKernelIsNamedWithTheCommandThatBuildsIt() {
        Path kernel = folder.resolve("linux");
        assertThat(VirtualTime.missing(kernel))
                .contains(
                        "at " + kernel + ", got none", "java -cp /", " org.diperf.plugins.emulated.virtual.KernelMain");
    }

    @Test
    void whereThereIsOneNothingIsMissing() throws Exception {
        Path kernel = Files.createFile(folder.resolve("linux"));
        assertThat(kernel.toFile().setExecutable(true)).isTrue();
        assertThat(VirtualTime.missing(kernel)).isEmpty();
    }

    @Test
    void itsProgramsCanBeRunFromAnyFolder() throws Exception {
        VirtualTime.copy(folder);
        assertThat(folder.resolve("in-virtual-time")).isExecutable();
        assertThat(folder.resolve("build-kernel")).isExecutable();
        assertThat(folder.resolve("init")).isExecutable();
        assertThat(folder.resolve("kernel.config")).content().contains("CONFIG_UML_TIME_TRAVEL_SUPPORT=y");
    }
}
