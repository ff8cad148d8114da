package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Clients and services over an emulated network, as they are without: a program with slapd, the LDAP client, and copies by ssh. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class EmulatedProgramsIT {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");

    private static final double ROUND_TRIP_MILLIS = 30;
    private static final int BYTES = 100_000;

    @TempDir
    Path work;

    private final int port = FreePorts.take();

    @BeforeEach
    void needsNetwork() {
        EmulatedExperiment.needs();
    }

    /** Returns the command of a directory with one entry. */
    private String slapd() throws Exception {
        assumeTrue(Command.installed("slapd"), "needs slapd");
        assumeTrue(Command.installed("ldapsearch"), "needs ldapsearch (ldap-utils)");
        Path folder = Files.createDirectory(work.resolve("directory"));
        Path file = Files.writeString(
                work.resolve("slapd.conf"),
                "include /etc/ldap/schema/core.schema\ndatabase ldif\nsuffix o=grid\ndirectory " + folder + "\n");
        Path entries = Files.writeString(
                work.resolve("entries.ldif"), "dn: o=grid\nobjectClass: top\nobjectClass: organization\no: grid\n");
        try (Command add =
                Command.start(work, List.of("/usr/sbin/slapadd", "-f", file.toString(), "-l", entries.toString()))) {
            assertThat(add.exitCode()).as(add.output()).isZero();
        }
        // In the foreground.
        return "exec /usr/sbin/slapd -d 0 -f " + file + " -h ldap://server:" + port;
    }

    private String sshd(Path key, String name) throws Exception {
        assumeTrue(Command.installed("sshd"), "needs sshd (openssh-server)");
        Path folder = Files.createDirectory(work.resolve(name));
        return "/usr/sbin/sshd -D -e -f " + Sshd.configuration(folder, "0.0.0.0", port, key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec", "mds", "scp"})
    void aClientAndAServiceWorkAsTheyAre(String client) throws Exception {
        assumeTrue(LONG || client.equals("exec"), "one client is enough for a short check");
        String service;
        String target;
        String with;
        // Besides the call's own: connecting and, of a program that begins anew each time, a bind.
        int roundTrips;
        if (client.equals("scp")) {
            Path key = Sshd.userKey(work);
            service = "exec " + sshd(key, "sshd");
            target = "scp://root@server:" + port + Files.write(work.resolve("file"), new byte[BYTES]);
            with = "direction: get, key: " + key + ", host-keys: accept-new, known-hosts: " + work.resolve("known");
            roundTrips = 1;
        } else {
            service = slapd();
            boolean isProgram = client.equals("exec");
            target = isProgram ? "exec://here" : "ldap://server:" + port + "/o=grid";
            with = isProgram
                    ? "command: [ldapsearch, -x, -LLL, -H, \"ldap://server:" + port + "\", -b, o=grid]"
                    : "filter: \"(objectClass=organization)\"";
            roundTrips = isProgram ? 3 : 1;
        }
        Files.writeString(work.resolve("programs.yml"), """
                target: TARGET
                client: { plugin: CLIENT, with: { WITH } }
                service: { start: "SERVICE", ready: "tcp://server:PORT" }
                testbed:
                  kind: emulated
                  testers: 1
                  hosts: { client: {}, server: {} }
                  routers: [ r ]
                  links:
                    - { between: [client, r], rate: 1Gbit/s, latency: 3ms }
                    - { between: [r, server], rate: 100Mbit/s, latency: 12ms }
                  place: { service: server, testers: client }
                load: { clients: 2, run-for: 3s, think: 10ms }
                """.replace("TARGET", target)
                .replace("CLIENT", client)
                .replace("WITH", with)
                .replace("SERVICE", service)
                .replace("PORT", Integer.toString(port)));
        try (Command diperf = Command.diperf(work, "run", "programs.yml", "--out", "out", "--no-progress")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.get("calls").get("failed").asLong()).isZero();
        assertThat(summary.get("calls").get("ok").asLong()).isPositive();
        assertThat(summary.get("responseTime").get("min").asDouble())
                .isGreaterThanOrEqualTo(roundTrips * ROUND_TRIP_MILLIS);
    }
}
