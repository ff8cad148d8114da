package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.plugins.lib.gridftp.RealServer;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gfal2 and our client side by side, by httpg, against the stand-in and a real globus-gridftp-server. */
@Timeout(600)
class GfalIT {

    private static final Path COPY = Path.of("/usr/bin/gfal-copy");
    private static final int CLIENTS = 50;
    private static final int CALLS = Boolean.getBoolean("diperf.long") ? 20 : 2;

    @TempDir
    private static Path folder;

    private static GsiWorld world;
    private static RealServer gridFtp;

    @TempDir
    Path scratch;

    @BeforeAll
    static void startServers() throws Exception {
        world = GsiWorld.make(folder);
        gridFtp = RealServer.of(world, folder);
    }

    @AfterAll
    static void stopServers() throws Exception {
        if (gridFtp != null) {
            gridFtp.close();
        }
    }

    private Path log() {
        return scratch.resolve("requests.log");
    }

    /** Starts the stand-in over a folder into which the GridFTP server's user may write. */
    private Manager manager(Path files, String... more) throws Exception {
        RealServer.open(scratch);
        RealServer.open(files);
        List<String> options = new ArrayList<>(List.of("gsi=" + folder, "log=" + log()));
        options.addAll(List.of(more));
        return Manager.start(files, "gsiftp://localhost:" + gridFtp.port(), options.toArray(String[]::new));
    }

    private PluginHarness harness(Manager manager, Map<String, ?> with) throws Exception {
        Map<String, Object> all = new HashMap<>(world.with());
        all.put("protocols", List.of("gsiftp", "https", "root"));
        all.putAll(with);
        return new PluginHarness(
                new SrmPlugin(), List.of(manager.uri("/a")), all, Duration.ofSeconds(60), folder, new NettyLoop());
    }

    private String gfal(String... command) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(COPY), "gfal2-util-scripts is not installed");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Path output = scratch.resolve("gfal.log");
        builder.redirectOutput(output.toFile());
        builder.environment().putAll(world.userEnvironment());
        // Its scripts take any python that is called so, which may not have its module.
        builder.environment().put("GFAL_PYTHONBIN", "/usr/bin/python3");
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }

    /** Returns operation and fields of what was sent since the log had so many characters, but for looking around. */
    private List<String> sent(int from) throws Exception {
        List<String> found = new ArrayList<>();
        for (String each : Files.readString(log()).substring(from).split("=====\n")) {
            if (!each.isBlank() && !each.contains("\"Ls\"") && !each.contains("\"XPing\"")) {
                found.add(each.substring(each.indexOf("<srm2:"), each.indexOf("</SOAP-ENV:Body>"))
                        .replaceAll("stand-in-\\d+", "TOKEN"));
            }
        }
        return found;
    }

    @Test
    void bothMoveTheSameBytesByTheSameMessages() throws Exception {
        Path files = Files.createDirectory(scratch.resolve("files"));
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        Files.write(files.resolve("a"), bytes);
        try (Manager manager = manager(files)) {
            String base = "srm://localhost:" + manager.port();
            Path theirs = scratch.resolve("theirs");
            assertThat(gfal("gfal-ls", "-l", base + "/a")).contains("300000");
            gfal("gfal-copy", base + "/a", "file://" + theirs);
            gfal("gfal-copy", "file://" + theirs, base + "/b");
            List<String> theirMessages = sent(0);
            int from = Files.readString(log()).length();
            Path ours = scratch.resolve("ours");
            one(manager, Map.of("sink", ours.toString()));
            Files.delete(files.resolve("b"));
            one(manager, Map.of("operation", "put", "source", ours.toString(), "path", "/b"));
            assertThat(sent(from)).isEqualTo(theirMessages).hasSize(4);
            assertThat(theirs).hasBinaryContent(bytes);
            assertThat(ours).hasBinaryContent(bytes);
            assertThat(files.resolve("b")).hasBinaryContent(bytes);
            Adler32 sum = new Adler32();
            sum.update(bytes);
            assertThat(gfal("gfal-sum", base + "/b", "ADLER32")).contains(Long.toHexString(sum.getValue()));
        }
    }

    @Test
    void bothBringAFileOnlineByTheSameMessages() throws Exception {
        Path files = Files.createDirectory(scratch.resolve("files"));
        Files.write(files.resolve("a"), new byte[1_000]);
        try (Manager manager = manager(files, "ready=300")) {
            String surl = "srm://localhost:" + manager.port() + "/a";
            gfal(
                    "gfal-bringonline",
                    "--polling-timeout",
                    "30",
                    "--pin-lifetime",
                    "60",
                    "--desired-request-time",
                    "600",
                    surl);
            List<String> theirs = sent(0);
            int from = Files.readString(log()).length();
            List<String> protocols = List.of("gsiftp", "rfio", "gsidcap", "dcap", "kdcap");
            one(
                    manager,
                    Map.of(
                            "operation",
                            "bring-online",
                            "pin-time",
                            "60s",
                            "request-time",
                            "600s",
                            "protocols",
                            protocols));
            List<String> ours = sent(from);
            // It keeps the pin, whose time ends, and names the file where it asks how far the request is.
            assertThat(ours).anyMatch(each -> each.startsWith("<srm2:srmReleaseFiles>"));
            assertThat(ours.get(0)).isEqualTo(theirs.get(0));
            assertThat(ours.get(1))
                    .isEqualTo(theirs.get(1).replaceFirst("<arrayOfSourceSURLs>.*</arrayOfSourceSURLs>", ""));
            assertThat(manager.count("online")).isEqualTo(2);
        }
    }

    /** Two managers, each with a GridFTP server, and globus-url-copy between these as one of the managers has it. */
    @ParameterizedTest
    @CsvSource({"copy-from, true", "copy-to, true", "copy-from, false", "copy-to, false"})
    void aManagerHasAFileCopiedFromServerToServer(String end, boolean isSecure) throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/globus-url-copy")), "globus-gass-copy-progs is not installed");
        Path near = Files.createDirectory(scratch.resolve("near"));
        Path far = Files.createDirectory(scratch.resolve("far"));
        byte[] bytes = new byte[300_000];
        new Random(2).nextBytes(bytes);
        boolean pull = end.equals("copy-from");
        Files.write((pull ? far : near).resolve("a"), bytes);
        RealServer.open(scratch);
        RealServer.open(near);
        RealServer.open(far);
        try (RealServer other = isSecure ? RealServer.of(world, folder) : RealServer.anonymous(scratch);
                RealServer plain = isSecure ? null : RealServer.anonymous(scratch);
                Manager there = started(far, other.port(), isSecure);
                Manager here = started(near, plain == null ? gridFtp.port() : plain.port(), isSecure)) {
            Map<String, Object> with = new HashMap<>(isSecure ? world.with() : Map.of());
            with.putAll(Map.of("operation", "copy", "path", pull ? "/b" : "/a"));
            with.put(end, "srm://localhost:" + there.port() + (pull ? "/a" : "/b"));
            try (PluginHarness harness = new PluginHarness(
                            new SrmPlugin(),
                            List.of(here.uri("/a")),
                            with,
                            Duration.ofSeconds(60),
                            folder,
                            new NettyLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.call();
                assertThat(call.failure()).isNull();
                assertThat(call.bytes()).isEqualTo(bytes.length);
                assertThat(call.metrics().get("srm.polls")).isGreaterThanOrEqualTo(1);
            }
            assertThat((pull ? near : far).resolve("b")).hasBinaryContent(bytes);
            assertThat(there.count(pull ? "ReleaseFiles" : "PutDone")).isEqualTo(1);
        }
    }

    private static Manager started(Path files, int port, boolean isSecure) throws Exception {
        return isSecure
                ? Manager.start(files, "gsiftp://localhost:" + port, "gsi=" + folder)
                : Manager.start(files, "ftp://127.0.0.1:" + port);
    }

    private void one(Manager manager, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(manager, with);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(client.call().failure()).isNull();
        }
    }

    @Test
    void manyFilesByManyClientsAreMovedOnceEach() throws Exception {
        long seed = Long.getLong("diperf.seed", System.nanoTime());
        System.out.println("GfalIT: diperf.seed=" + seed);
        Random random = new Random(seed);
        Path files = Files.createDirectory(scratch.resolve("files"));
        Path in = Files.createDirectory(scratch.resolve("in"));
        Path out = Files.createDirectory(scratch.resolve("out"));
        for (int client = 0; client < CLIENTS; client++) {
            for (int call = 0; call < CALLS; call++) {
                byte[] bytes = new byte[(int) (8_192 * Math.pow(512, random.nextDouble()))];
                random.nextBytes(bytes);
                Files.write(in.resolve(client + "-" + call), bytes);
            }
        }
        try (Manager manager = manager(files)) {
            String name = "${client}-${call}";
            all(manager, Map.of("operation", "put", "path", "/" + name, "source", in + "/" + name));
            all(manager, Map.of("path", "/" + name, "sink", out + "/" + name));
            long all = (long) CLIENTS * CALLS;
            assertThat(manager.count("done")).isEqualTo(all);
            assertThat(manager.count("PrepareToPut")).isEqualTo(all);
            assertThat(manager.count("SRM_RELEASED")).isEqualTo(all);
            assertThat(manager.count("PrepareToGet")).isEqualTo(all);
            assertThat(manager.count("delegation 0")).isEqualTo(2 * CLIENTS);
        }
        for (int client = 0; client < CLIENTS; client++) {
            for (int call = 0; call < CALLS; call++) {
                String file = client + "-" + call;
                assertThat(Files.mismatch(in.resolve(file), out.resolve(file)))
                        .as(file)
                        .isEqualTo(-1);
            }
        }
    }

    private void all(Manager manager, Map<String, ?> with) throws Exception {
        try (PluginHarness harness = harness(manager, with)) {
            List<PluginHarness.Owned> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(harness.client(i));
                }
                for (int call = 0; call < CALLS; call++) {
                    List<CallProbe> calls = new ArrayList<>();
                    for (PluginHarness.Owned client : clients) {
                        calls.add(client.begin(0));
                    }
                    for (CallProbe each : calls) {
                        assertThat(each.awaitEnd(60_000)).isTrue();
                        assertThat(each.failure()).as(each.toString()).isNull();
                    }
                }
            } finally {
                for (PluginHarness.Owned client : clients) {
                    client.close();
                }
            }
        }
    }
}
