package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Many tester processes on one machine. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManyTestersIT {

    @TempDir
    Path work;

    @Test
    void everyOneOfTenLocalTestersTakesPart() throws Exception {
        everyOneTakesPart(10);
    }

    @Test
    @Tag("alone")
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void everyOneOfAHundredLocalTestersTakesPart() throws Exception {
        everyOneTakesPart(100);
    }

    private void everyOneTakesPart(int testers) throws Exception {
        int calls = testers * 20;
        try (EchoServer server = new EchoServer()) {
            Files.writeString(
                    work.resolve("many.yml"),
                    "target: " + server.url().replaceFirst("^echo", "tcp") + "\ntestbed: { testers: " + testers
                            + " }\nload: { clients: " + testers + ", calls-per-client: 20, think: 50ms }\n");
            try (Command diperf =
                    Command.diperf(work, "run", "--no-report", "many.yml", "--out", "out", "--no-progress")) {
                assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            }
        }
        RunFolder run = new RunFolder(work.resolve("out"));
        assertThat(run.calls("total")).isEqualTo(calls);
        assertThat(run.calls("ok")).isEqualTo(calls);
        assertThat(run.summary().get("testers").get("started").asInt()).isEqualTo(testers);
        try (var logs = Files.list(work.resolve("out/logs"))) {
            assertThat(logs).hasSize(testers);
        }
    }
}
