package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginOptionsTests {

    @TempDir
    Path folder;

    /** What repeats a run must find the plugins that it had. */
    @Test
    void theOptionIsRepeatedAsAShellReadsIt() throws Exception {
        assertThat(new PluginOptions().words()).isEmpty();

        PluginOptions options = new PluginOptions();
        options.folder = Files.createDirectory(folder.resolve("my plugins"));
        try (PluginOptions.Loaded loaded = options.load()) {
            assertThat(loaded.words()).isEqualTo(" --plugins '" + options.folder + "'");
        }
    }

    @Test
    void aFolderWithoutAJarIsTold() throws Exception {
        Path source = Files.createDirectory(folder.resolve("src"));
        Files.writeString(source.resolve("KvClient.java"), "");
        Outcome told = Outcome.of("plugins", "--plugins", source.toString());
        assertThat(told.code()).isZero();
        assertThat(told.err()).contains("warning: --plugins: ", "got no jar in " + source);

        Files.writeString(source.resolve("kv.jar"), "");
        assertThat(Outcome.of("plugins", "--plugins", source.toString()).err()).doesNotContain("got no jar");
    }
}
