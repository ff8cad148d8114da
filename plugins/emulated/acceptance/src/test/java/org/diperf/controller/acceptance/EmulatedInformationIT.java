package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The directory of an emulated network, as programs of that network see it: a run's clients, and ldapsearch(1). */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class EmulatedInformationIT {

    private static final String BASE = "Mds-Vo-name=local,o=grid";

    @TempDir
    Path work;

    /** Looks from a host for entries; returns the lines that are not empty. */
    private List<String> search(long process, String filter, String... attributes)
            throws IOException, InterruptedException {
        List<String> asked = new ArrayList<>(List.of(filter));
        asked.addAll(List.of(attributes));
        try (Command ldapsearch = ldapsearch(process, asked)) {
            assertThat(ldapsearch.exitCode()).as(ldapsearch.output()).isZero();
            return ldapsearch.output().lines().filter(line -> !line.isBlank()).toList();
        }
    }

    private Command ldapsearch(long process, List<String> asked) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(process),
                "--net",
                "--mount",
                "--uts",
                "ldapsearch",
                "-x",
                "-LLL",
                "-o",
                "ldif-wrap=no",
                "-H",
                "ldap://server:2135",
                "-b",
                BASE));
        command.addAll(asked);
        return Command.start(work, Map.of("LDAPNOINIT", "1"), command);
    }

    @Test
    void clientsOfTheNetworkReadWhatItIsAndWhatBecomesOfIt() throws Exception {
        EmulatedExperiment.needs();
        assumeTrue(Command.installed("ldapsearch"), "needs ldapsearch (ldap-utils)");
        Files.writeString(work.resolve("far.yml"), """
                target: ldap://server:2135/BASE
                client: { with: { filter: "(objectClass=MdsHost)" } }
                testbed:
                  kind: emulated
                  hosts: { client: { site: wan }, server: {}, spare: {} }
                  routers: [ r ]
                  links:
                    - { name: bone, between: [client, r], rate: 100Mbit/s, latency: 4ms }
                    - { between: [r, server], latency: 1ms }
                    - { name: side, between: [r, spare], rate: 10Mbit/s, latency: 1ms }
                  events:
                    - { at: 4s, link: side, down: true }
                  place: { service: server, testers: client }
                  information: { on: server }
                load: { clients: 4, run-for: 14s, think: 20ms }
                """.replace("BASE", BASE));
        try (Command diperf = Command.diperf(work, "run", "--no-report", "far.yml", "--out", "out", "--no-progress")) {
            Path log = work.resolve("out/run.log");
            SlurmCluster.await(
                    "a run that has started",
                    () -> !diperf.process().isAlive()
                            || Files.exists(log) && Files.readString(log).contains("started;"));
            assertThat(diperf.process().isAlive()).as(diperf.output()).isTrue();
            long tester = diperf.process()
                    .descendants()
                    .filter(each -> each.info().commandLine().orElse("").contains("diperf.role=diperf-tester")
                            && each.info().command().orElse("").endsWith("java"))
                    .findFirst()
                    .orElseThrow()
                    .pid();
            assertThat(search(tester, "(Mds-Host-hn=client)"))
                    .contains("dn: Mds-Host-hn=client," + BASE, "Mds-Emulated-site: wan", "Mds-Net-addr: 10.99.0.1");
            assertThat(search(tester, "(Mds-Net-name=bone.back)"))
                    .contains("Mds-Emulated-bitsPerSecond: 100000000", "Mds-Emulated-latencyMicros: 4000");
            try (Command inPages = ldapsearch(tester, List.of("-E", "!pr=2/noprompt"))) {
                assertThat(inPages.exitCode())
                        .as("controls are unknown: %s", inPages.output())
                        .isEqualTo(12);
            }
            SlurmCluster.await(
                    "a link's state, with answers to clients in it",
                    () -> search(
                                            tester,
                                            "(&(Mds-Net-name=bone.back)(Mds-Emulated-packets>=10)(Mds-Emulated-usePercent>=0))",
                                            "1.1")
                                    .size()
                            == 1);
            SlurmCluster.await("the link to be cut", () -> Files.readString(log).contains("link side: down"));
            assertThat(search(tester, "(Mds-Emulated-up=FALSE)", "Mds-Net-name"))
                    .contains("Mds-Net-name: side.there", "Mds-Net-name: side.back")
                    .hasSize(4);
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.get("calls").get("failed").asLong()).isZero();
        assertThat(summary.get("calls").get("ok").asLong()).isGreaterThan(50);
        assertThat(summary.get("responseTime").get("p50").asDouble()).isGreaterThanOrEqualTo(10);
        JsonNode entries = summary.get("metrics").get("entries");
        assertThat(entries.toString()).as("three hosts each time").contains("\"min\":3.0", "\"max\":3.0");
    }
}
