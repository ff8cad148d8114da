package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The jar of examples/echo-plugin, as the build made it. */
final class EchoPlugin {

    private EchoPlugin() {}

    static Path copyTo(Path folder) throws IOException {
        Path target = Path.of("..", "examples", "echo-plugin", "target")
                .toAbsolutePath()
                .normalize();
        try (Stream<Path> files = Files.list(target)) {
            Path jar = files.filter(
                            file -> file.getFileName().toString().matches("echo-plugin-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("No jar in " + target + "; run: mvn package"));
            return Files.copy(jar, folder.resolve("echo-plugin.jar"));
        }
    }
}
