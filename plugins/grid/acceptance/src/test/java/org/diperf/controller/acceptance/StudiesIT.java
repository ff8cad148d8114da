package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Studies of the papers by the plain jar, started as any user may start it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StudiesIT {

    private static final Path STUDY = Path.of("..", "examples", "papers", "diperf", "06-time-server.yml")
            .toAbsolutePath()
            .normalize();

    @TempDir
    Path folder;

    /** The service under test is the time server of the program that runs the experiment, whose jar is named as seen from its folder. */
    @Test
    void theTimeServerIsStartedByTheJarThatRunsTheExperiment() throws Exception {
        Path jar = Command.controllerJar();
        int port = FreePorts.take();
        Path run = folder.resolve("run");
        try (Command command = Command.start(
                jar.getParent(),
                Command.plainCommandLine(
                        jar.getFileName(),
                        "run",
                        STUDY.toString(),
                        "--set",
                        "target=time://127.0.0.1:" + port,
                        "--set",
                        "service.start=exec sh time-server.sh --port " + port,
                        "--set",
                        "load.clients=3",
                        "--set",
                        "load.run-for=2s",
                        "--out",
                        run.toString(),
                        "--quiet"))) {
            // A busy machine makes a run suspect.
            assertThat(command.exitCode()).as(command.output()).isIn(0, 99);
        }
        assertThat(JsonMapper.shared()
                        .readTree(Files.readString(run.resolve("summary.json")))
                        .at("/calls/ok")
                        .asLong())
                .isPositive();
    }
}
