package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an emulated network says of its links: what they carried and dropped. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedAccountIT {

    /** A busy machine does not always fill the link. */
    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    @TempDir
    Path work;

    private EmulatedExperiment near;

    @BeforeEach
    void makeExperiment() throws Exception {
        near = new EmulatedExperiment(work);
    }

    @Test
    @NeedsCalmMachine
    void aFullLinkShowsItsUseAndWhatItDrops() throws Exception {
        // A round trip of 10 ms, and the way back is the slow one.
        near.write(1_000_000, "{ clients: 4, run-for: 8s }", """
                hosts: { client: { count: 2, site: wan }, server: {} }
                routers: [ r ]
                links:
                  - { between: [client, r], rate: 1Gbit/s, latency: 1ms }
                  - { name: bone, between: [r, server], latency: 4ms, back: { rate: 20Mbit/s, queue: 60 } }
                place: { service: server, testers: client }
                """);
        assertThat(near.passes()).containsPattern("network +packets late by");
        JsonNode summary = near.summary();
        JsonNode there = EmulatedExperiment.link(summary, "bone", "there");
        JsonNode back = EmulatedExperiment.link(summary, "bone", "back");
        assertThat(back.get("use.mean").asDouble()).isBetween(LONG ? 95.0 : 50, 101.0);
        assertThat(back.get("use.max").asDouble()).isBetween(LONG ? 99.0 : 50, 101.0);
        assertThat(back.get("sent.mean").asDouble()).isBetween(LONG ? 19e6 : 10e6, 20.2e6);
        assertThat(back.get("overflowed").asLong()).isPositive();
        assertThat(back.get("longestQueue").asLong()).isEqualTo(60);
        assertThat(there.get("overflowed").asLong()).isZero();
        assertThat(there.get("use.mean")).as("its rate is not limited").isNull();
        assertThat(summary.get("server")
                        .get("network")
                        .get("bone.back.use")
                        .get("max")
                        .asDouble())
                .isGreaterThan(LONG ? 99 : 50);
        JsonNode clients = EmulatedExperiment.link(summary, "client-r", "back");
        assertThat(clients.get("count").asInt()).isEqualTo(2);
        assertThat(clients.get("bytes").asLong())
                .as("what the bone lets through comes to the clients, but for what is on its way at the end")
                .isBetween(
                        (long) (0.99 * back.get("bytes").asLong()),
                        back.get("bytes").asLong());
        assertThat(Files.exists(near.folder().resolve("figures/annex-network.svg")))
                .isTrue();
        assertThat(Files.readString(near.folder().resolve("report.html")))
                .contains("id=\"annex-network\"", "bone, any rate | 20 Mbit/s");
        // All of it can be had again from what is kept.
        try (Command diperf = Command.diperf(work, "report", "out")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        assertThat(near.summary()).isEqualTo(summary);
    }
}
