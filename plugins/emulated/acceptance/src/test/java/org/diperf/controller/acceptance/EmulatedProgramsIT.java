package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Clients, services, testers by ssh and relays over an emulated network, as they are without. */
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
        try (Command diperf =
                Command.diperf(work, "run", "--no-report", "programs.yml", "--out", "out", "--no-progress")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        JsonNode summary = new RunFolder(work.resolve("out")).summary();
        assertThat(summary.get("calls").get("failed").asLong()).isZero();
        assertThat(summary.get("calls").get("ok").asLong()).isPositive();
        assertThat(summary.get("responseTime").get("min").asDouble())
                .isGreaterThanOrEqualTo(roundTrips * ROUND_TRIP_MILLIS);
    }

    /** A network with an sshd on two of its hosts, over whose links another run reaches its tester through a relay. */
    @Test
    void testersBySshAndARelayOnHostsOfTheNetworkWorkAsTheyAre() throws Exception {
        assumeTrue(LONG, "sends a whole tester over a slow network");
        Path key = Sshd.userKey(work);
        Files.writeString(work.resolve("network.yml"), """
                target: exec://here
                client: { plugin: exec, with: { command: [CLIENT] } }
                service: { start: "exec SERVER", ready: "tcp://server:PORT" }
                testbed:
                  kind: emulated
                  testers: 1
                  hosts: { client: {}, server: {}, head: {} }
                  routers: [ r ]
                  links:
                    - { between: [client, r], latency: 2ms }
                    - { between: [server, r], latency: 3ms }
                    - { between: [head, r], latency: 5ms }
                  control: in-band
                  place: { service: server, testers: client, controller: head }
                load: { clients: 1, calls: 1, timeout: 10m }
                """.replace(
                        "CLIENT", String.join(", ", sshd(key, "on-client").split(" ")))
                .replace("SERVER", sshd(key, "on-server"))
                .replace("PORT", Integer.toString(port)));
        Set<String> before = EmulatedExperiment.devices();
        try (Command network =
                Command.diperf(work, "run", "--no-report", "network.yml", "--out", "network", "--no-progress")) {
            awaitSaid(network, "network", "started;");
            // The block of addresses of the network that came meanwhile: the controller's, then the hosts'.
            int block = EmulatedExperiment.devicesBut(before).stream()
                    .filter(name -> name.startsWith("dpf-c"))
                    .mapToInt(name -> Integer.parseInt(name.substring("dpf-c".length())))
                    .findFirst()
                    .orElseThrow();
            over("198." + (18 + block / 64) + "." + block % 64 * 4 + ".", key);
            new ProcessBuilder("kill", "-INT", Long.toString(network.process().pid()))
                    .start()
                    .waitFor();
            assertThat(network.exitCode()).as(network.output()).isEqualTo(130);
        }
        assertThat(Files.readString(work.resolve("network/run.log")))
                .contains(canHoldProcessorsAwake() ? "; idle processors do not enter sleep states" : "forwarded by")
                .as("a tester's files, and what it and the relay said")
                .containsPattern("link head-r from head to r: [0-9]{4,} packets")
                .containsPattern("link client-r from r to client: [0-9]{2,} packets");
    }

    private static boolean canHoldProcessorsAwake() {
        try {
            FileChannel.open(Path.of("/dev/cpu_dma_latency"), StandardOpenOption.WRITE)
                    .close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits until the log of a run says something; it ends the test when the run ends before. */
    private void awaitSaid(Command run, String folder, String what) throws Exception {
        Path log = work.resolve(folder).resolve("run.log");
        SlurmCluster.await(
                what,
                () -> !run.process().isAlive()
                        || Files.exists(log) && Files.readString(log).contains(what));
        assertThat(run.process().isAlive()).as(run.output()).isTrue();
    }

    /** @param addresses what the addresses of controller, client and server begin with */
    private void over(String addresses, Path key) throws Exception {
        int relayPort = FreePorts.take();
        Files.writeString(work.resolve("over.yml"), """
                target: exec://here
                client: { plugin: exec, with: { command: [true] } }
                testbed:
                  kind: ssh
                  candidates: [ "root@ADDRESSES3:PORT" ]
                  key: KEY
                  ssh-config: /dev/null
                  known-hosts: KNOWN
                  host-keys: accept-new
                  folder: FOLDER
                  java: JAVA
                controller: { advertise: ADDRESSES1, relays: [ "ADDRESSES2:RELAY" ] }
                load: { clients: 1, run-for: 4s, think: 20ms }
                """.replace("ADDRESSES", addresses)
                .replace("PORT", Integer.toString(port))
                .replace("RELAY", Integer.toString(relayPort))
                .replace("KEY", key.toString())
                .replace("KNOWN", work.resolve("known").toString())
                .replace("FOLDER", work.resolve("sent").toString())
                .replace("JAVA", Command.java()));
        try (Command run = Command.diperf(work, "run", "--no-report", "over.yml", "--out", "over", "--no-progress")) {
            awaitSaid(run, "over", "start relay 1");
            try (Command relay = Command.start(
                    work,
                    List.of(
                            "ssh",
                            "-i",
                            key.toString(),
                            "-p",
                            Integer.toString(port),
                            "-o",
                            "StrictHostKeyChecking=no",
                            "-o",
                            "UserKnownHostsFile=/dev/null",
                            "root@" + addresses + "2",
                            "cd " + work + " && exec " + Command.java() + " -jar " + Command.controllerJar()
                                    + " relay --ticket over/control/relay-1.ticket"))) {
                assertThat(run.exitCode())
                        .as(run.output() + "\n" + relay.output())
                        .isZero();
            }
        }
        assertThat(new RunFolder(work.resolve("over")).calls("ok")).isGreaterThan(20);
        // From the server by the client to the head: 5 and 7 ms one way.
        assertThat(ClockTruth.read(work.resolve("over")).errors(tester -> local -> local))
                .singleElement()
                .satisfies(errors -> assertThat(errors.outside()).isZero())
                .satisfies(errors -> assertThat(errors.boundMicros()).isBetween(11_500.0, 40_000.0));
    }
}
