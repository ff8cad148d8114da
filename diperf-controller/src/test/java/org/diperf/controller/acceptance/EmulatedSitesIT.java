package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The network as an axis, and groups of testers by the sites of their hosts. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedSitesIT {

    /** By hosts and engine to the fastest call, on a busy machine. */
    private static final double MOST_ADDED_MILLIS = 50;

    @TempDir
    Path work;

    @Test
    void theSiteWhoseLinkIsSweptAloneBecomesSlower() throws Exception {
        EmulatedExperiment sites = new EmulatedExperiment(work);
        // The last line of the file is then that of the groups.
        sites.write(1, "GROUPS", """
                hosts: { near: { site: lan }, far: { site: wan }, server: {} }
                routers: [ r ]
                links:
                  - { between: [near, r], latency: 1ms }
                  - { name: ocean, between: [far, r], latency: 1ms }
                  - { between: [r, server], latency: 1ms }
                place: { service: server, testers: [near, far] }
                """);
        sites.replace("load: GROUPS", """
                groups:
                  lan: { where: site == lan, load: { clients: 1, run-for: 4s, think: 20ms } }
                  wan: { where: site == wan, load: { clients: 1, run-for: 4s, think: 20ms } }
                sweep: { axes: { testbed.links.ocean.latency: [40ms, 200ms] }, order: given }
                """);
        sites.passes();
        List<Path> runs;
        try (Stream<Path> folders = Files.list(sites.folder().resolve("runs"))) {
            runs = folders.sorted().toList();
        }
        assertThat(runs).as("a run of each latency").hasSize(2);
        for (int i = 0; i < 2; i++) {
            JsonNode groups = new RunFolder(runs.get(i)).summary().get("groups");
            double latencyMillis = i == 0 ? 40 : 200;
            JsonNode far = groups.get("wan").get("responseTime");
            assertThat(far.get("min").asDouble()).as("the round trip").isGreaterThanOrEqualTo(2 * (latencyMillis + 1));
            assertThat(far.get("min").asDouble()).isLessThan(2 * (latencyMillis + 1) + MOST_ADDED_MILLIS);
            assertThat(groups.get("lan").get("responseTime").get("min").asDouble())
                    .as("the other site, whose round trip is 4 ms")
                    .isBetween(4.0, 4 + MOST_ADDED_MILLIS);
        }
    }
}
