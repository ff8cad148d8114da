package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameters;
import org.diperf.core.testbeds.BareContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class StagingTests {

    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, name);
    }

    @Test
    void pluginsOfOneNameAreBothStaged() throws IOException {
        Path tester = file("tester.jar");
        List<Path> plugins = List.of(file("one/x.jar"), file("other/x.jar"));
        Staging staging = Staging.of(new BareContext(Parameters.read(List.of(), Map.of(), 0), folder) {
            @Override
            public List<Path> testerClassPath() {
                return List.of(tester);
            }

            @Override
            public List<Path> pluginJars() {
                return plugins;
            }
        });
        assertThat(staging.file("1-x.jar")).isEqualTo(plugins.get(0));
        assertThat(staging.file("2-x.jar")).isEqualTo(plugins.get(1));
        assertThat(staging.rsl("job", "all", ""))
                .contains("--plugin 1-x.jar --plugin 2-x.jar", "(\"all/1-x.jar\" \"1-x.jar\")");
    }
}
