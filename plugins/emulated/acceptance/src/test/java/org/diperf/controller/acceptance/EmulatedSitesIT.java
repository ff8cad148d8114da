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
        // Fastest calls: a busy machine adds to them, but not as much as lies between these round trips.
        double near = 4;
        double[] far = {82, 402};
        for (int i = 0; i < 2; i++) {
            JsonNode groups = new RunFolder(runs.get(i)).summary().get("groups");
            assertThat(fastest(groups, "lan")).isBetween(near, far[0]);
            assertThat(fastest(groups, "wan")).isBetween(far[i], far[i] + 320);
        }
    }

    private static double fastest(JsonNode groups, String site) {
        return groups.get(site).get("responseTime").get("min").asDouble();
    }
}
