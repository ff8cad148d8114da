package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many tester processes on one machine. */
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManyTestersIT {

    private static final int TESTERS = Boolean.getBoolean("diperf.long") ? 100 : 10;

    @TempDir
    Path work;

    @Test
    void everyOneOfManyLocalTestersTakesPart() throws Exception {
        int calls = TESTERS * 20;
        try (EchoServer server = new EchoServer()) {
            Files.writeString(
                    work.resolve("many.yml"),
                    "target: " + server.url().replaceFirst("^echo", "tcp") + "\ntestbed: { testers: " + TESTERS
                            + " }\nload: { clients: " + TESTERS + ", calls-per-client: 20, think: 50ms }\n");
            try (Command diperf = Command.diperf(work, "run", "many.yml", "--out", "out", "--no-progress")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
        }
        RunFolder run = new RunFolder(work.resolve("out"));
        assertThat(run.calls("total")).isEqualTo(calls);
        assertThat(run.calls("ok")).isEqualTo(calls);
        assertThat(run.summary().get("testers").get("started").asInt()).isEqualTo(TESTERS);
        try (var logs = Files.list(work.resolve("out/logs"))) {
            assertThat(logs).hasSize(TESTERS);
        }
    }
}
