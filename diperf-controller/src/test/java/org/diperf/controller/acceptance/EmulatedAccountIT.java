package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an emulated network says of its links: what they carried and dropped. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedAccountIT {

    @TempDir
    Path work;

    private int port;

    @BeforeEach
    void takePort() throws Exception {
        EmulatedIT.needs();
        port = FreePorts.take();
    }

    /** Writes an experiment with a round trip of 10 ms to the server, the way from which is the slow one. */
    private void experiment(int bytes, String load) throws Exception {
        Files.writeString(
                work.resolve("near.yml"),
                "target: http://server:" + port + "/" + bytes + "\nservice: { start: '" + PageService.command(port)
                        + "' }\n" + """
                        seed: 5
                        testbed:
                          kind: emulated
                          testers: 2
                          hosts: { client: { count: 2, site: wan }, server: {} }
                          routers: [ r ]
                          links:
                            - { between: [client, r], rate: 1Gbit/s, latency: 1ms }
                            - { name: bone, between: [r, server], latency: 4ms, back: { rate: 20Mbit/s, queue: 60 } }
                          place: { service: server, testers: client }
                        """ + "load: " + load + "\n");
    }

    private Command run() throws Exception {
        return Command.diperf(work, "run", "near.yml", "--out", "out", "--no-progress");
    }

    private JsonNode summary() throws Exception {
        return new RunFolder(work.resolve("out")).summary();
    }

    private static JsonNode link(JsonNode summary, String name) {
        return StreamSupport.stream(summary.get("network").get("links").spliterator(), false)
                .filter(link -> link.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @NeedsCalmMachine
    void aFullLinkShowsItsUseAndWhatItDrops() throws Exception {
        experiment(1_000_000, "{ clients: 4, run-for: 8s }");
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).containsPattern("network +packets late by");
        }
        JsonNode summary = summary();
        JsonNode bone = link(summary, "bone");
        JsonNode back = bone.get("back");
        assertThat(back.get("use").get("mean").asDouble()).isBetween(95.0, 101.0);
        assertThat(back.get("use").get("max").asDouble()).isBetween(99.0, 101.0);
        assertThat(back.get("sent").get("mean").asDouble()).isBetween(19e6, 20.2e6);
        assertThat(back.get("overflowed").asLong()).isPositive();
        assertThat(back.get("longestQueue").asLong()).isEqualTo(60);
        assertThat(bone.get("there").get("overflowed").asLong()).isZero();
        assertThat(bone.get("there").get("use")).as("its rate is not limited").isNull();
        assertThat(summary.get("server")
                        .get("network")
                        .get("bone.back.use")
                        .get("max")
                        .asDouble())
                .isGreaterThan(99);
        JsonNode clients = link(summary, "client-r");
        assertThat(clients.get("count").asInt()).isEqualTo(2);
        assertThat(clients.get("back").get("bytes").asLong())
                .as("what the bone lets through comes to the clients, but for what is on its way at the end")
                .isBetween(
                        (long) (0.99 * back.get("bytes").asLong()),
                        back.get("bytes").asLong());
        assertThat(Files.exists(work.resolve("out/figures/links.svg"))).isTrue();
        assertThat(Files.readString(work.resolve("out/report.html")))
                .contains("id=\"topology\"", "bone, any rate | 20 Mbit/s");
        // All of it can be had again from what is kept.
        try (Command diperf = Command.diperf(work, "report", "out")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        assertThat(summary()).isEqualTo(summary);
    }
}
