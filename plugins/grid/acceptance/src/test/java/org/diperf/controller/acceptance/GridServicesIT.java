package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Rules, subscriptions and copies between storage managers, as an experiment has them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GridServicesIT {

    private static final Path SERVERS = Path.of("..", "examples", "servers").toAbsolutePath();
    private static final String MESSAGE =
            "<q:Queue xmlns:q='urn:q'><q:Mark>${client}-${call}</q:Mark><q:Length>150</q:Length></q:Queue>";

    @TempDir
    Path work;

    /** Runs an experiment to its end and returns what it says of itself. */
    private JsonNode run(String target, String client, String service, int port) throws Exception {
        Path file = Files.writeString(
                work.resolve("grid.yml"),
                "name: grid\ntarget: \"" + target + "\"\nclient: { plugin: " + client + " }\nservice:\n  start: "
                        + service
                        + "\n  ready: tcp://127.0.0.1:" + port
                        + "\n  ready-within: 60s\nload: { clients: 4, calls: 40, timeout: 20s }\n");
        try (Command diperf = Command.diperf(work, "run", "--no-report", file.toString(), "--out", "run")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        RunFolder run = new RunFolder(work.resolve("run"));
        assertThat(run.outcomesByCall().values()).hasSize(40).containsOnly("ok");
        return run.summary();
    }

    private static String java(String name) {
        return "exec java " + SERVERS.resolve(name + ".java") + " ";
    }

    private static double mean(JsonNode summary, String metric) {
        JsonNode of = summary.get("metrics").get(metric);
        assertThat(of).as(metric + " in " + summary.get("metrics")).isNotNull();
        return of.get("mean").asDouble();
    }

    @Test
    void aRuleIsMeasuredFromTheEntryToTheNotification() throws Exception {
        int port = FreePorts.take();
        JsonNode summary = run(
                "http://127.0.0.1:" + port + "/wsrf/services/DefaultTriggerService",
                "wsrf, with: { operation: notify, topic: busy, publish-topic: Entry, message: \"" + MESSAGE + "\" }",
                java("TriggerService") + port + " \"rule=busy:number(//*[local-name()='Length'])>100\"",
                port);
        assertThat(mean(summary, "notification")).isPositive();
        assertThat(mean(summary, "publish")).isPositive();
    }

    @Test
    void subscriptionsAreMadeAndEnded() throws Exception {
        int port = FreePorts.take();
        JsonNode summary = run(
                "http://127.0.0.1:" + port + "/wsrf/services/DefaultIndexService",
                "wsrf, with: { operation: subscribe, topic: Entry }",
                java("TriggerService") + port,
                port);
        assertThat(mean(summary, "subscribe")).isPositive();
        assertThat(mean(summary, "unsubscribe")).isPositive();
    }

    @Test
    void aStorageManagerCopiesToAnother() throws Exception {
        List<String> missing = new ArrayList<>();
        for (String program : List.of("globus-gridftp-server", "globus-url-copy")) {
            if (!Command.installed(program) && !Files.isExecutable(Path.of("/usr/sbin", program))) {
                missing.add(program);
            }
        }
        assumeTrue(
                missing.isEmpty(),
                missing + " is not installed: apt-get install globus-gridftp-server-progs globus-gass-copy-progs");
        int port = FreePorts.take();
        int other = FreePorts.take();
        int gridFtp = FreePorts.take();
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path near = Files.createDirectory(work.resolve("near"));
        Path far = Files.createDirectory(work.resolve("far"));
        Files.setPosixFilePermissions(far, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.write(near.resolve("a"), new byte[50_000]);
        boolean root = System.getProperty("user.name").equals("root");
        Path script = Files.writeString(
                work.resolve("managers.sh"),
                "globus-gridftp-server -p " + gridFtp + " -control-interface 127.0.0.1 -data-interface 127.0.0.1 -aa"
                        + (root ? " -anonymous-user nobody" : "") + " &\nall=$!\njava "
                        + SERVERS.resolve("SrmService.java") + " "
                        + other + " " + far + " ftp://127.0.0.1:" + gridFtp + " &\nall=\"$all $!\"\n"
                        + "trap 'kill $all' EXIT INT TERM\njava " + SERVERS.resolve("SrmService.java") + " " + port
                        + " " + near
                        + " ftp://127.0.0.1:" + gridFtp + " &\nall=\"$all $!\"\nwait $!\n");
        JsonNode summary = run(
                "http://127.0.0.1:" + port + "/srm/managerv2?SFN=/a",
                "srm, with: { operation: copy, copy-to: \"srm://127.0.0.1:" + other + "/${client}-${call}\" }",
                "exec sh " + script,
                port);
        assertThat(mean(summary, "srm.ready")).isPositive();
        Map<String, Long> sizes = new TreeMap<>();
        try (var files = Files.list(far)) {
            for (Path each : files.toList()) {
                sizes.put(each.getFileName().toString(), Files.size(each));
            }
        }
        assertThat(sizes).hasSize(40).containsKeys("0-0", "3-0");
        assertThat(sizes.values()).containsOnly(50_000L);
    }
}
