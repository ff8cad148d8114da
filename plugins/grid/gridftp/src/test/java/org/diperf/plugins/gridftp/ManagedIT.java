package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.Logged;
import org.diperf.plugins.lib.gridftp.RealServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of many files against globus-gridftp-server: every file arrives whole, once, whatever is killed on the way. */
@Timeout(300)
class ManagedIT {

    private static final long SEED = Long.getLong("diperf.seed", 20_261_125);
    private static final long WAIT_MILLIS = 180_000;
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    private Path from;
    private Path to;

    @BeforeEach
    void letTheServersIn() throws IOException {
        RealServer.open(folder);
        from = Files.createDirectories(folder.resolve("from/below/deep"))
                .getParent()
                .getParent();
        to = Files.createDirectory(folder.resolve("to"));
        RealServer.open(to);
    }

    @Tag("quick")
    @ParameterizedTest
    @ValueSource(strings = {"get", "put", "third-party"})
    void aFolderArrivesWholeAndEachFileOnce(String direction) throws Exception {
        Map<String, Integer> sizes = new TreeMap<>(Map.of("empty", 0, "one", 1, "below/large", 20 * MIB));
        for (int i = 0; i < 60; i++) {
            sizes.put((i % 3 == 0 ? "below/deep/" : "") + "small " + i, 1 << (i % 18));
        }
        long total = make(sizes);
        try (RealServer near = RealServer.anonymous(folder);
                RealServer far = RealServer.anonymous(folder);
                PluginHarness harness = harness(near.uri(at(direction) + "/"), with(direction, far.uri(to) + "/"))) {
            Held before = Held.now(folder);
            try (PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = end(client.begin(0));
                assertThat(call.failure()).isNull();
                assertThat(call.bytes()).isEqualTo(total);
                assertThat(call.metrics())
                        .containsEntry("job.files", (double) sizes.size())
                        .containsEntry("job.faults", 0.0)
                        .containsEntry("job.resent", 0.0);
            }
            before.isAllThatIsHeld();
            compare(sizes);
            List<Logged> logged = near.logged(sizes.size());
            assertThat(logged).hasSize(sizes.size()).allMatch(each -> each.code() == 226);
            assertThat(logged.stream().mapToLong(Logged::bytes).sum()).isEqualTo(total);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "put", "third-party"})
    void afterDataChannelsAreKilledOnlyWhatWasMissingIsSentAgain(String direction) throws Exception {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        Map<String, Integer> sizes = new TreeMap<>();
        for (int i = 0; i < 2; i++) {
            sizes.put("below/large " + i, 24 * MIB + random.nextInt(MIB));
        }
        for (int i = 0; i < 40; i++) {
            sizes.put("small " + i, random.nextInt(MIB / 4));
        }
        long total = make(sizes);
        boolean third = direction.equals("third-party");
        try (RealServer near = RealServer.anonymous(folder);
                RealServer far = RealServer.anonymous(folder);
                CuttingProxy proxy =
                        new CuttingProxy((third ? far : near).port(), SEED, 5, MIB / 2, 20 * MIB, 8 * MIB)) {
            Path dialogue = folder.resolve("dialogue");
            Map<String, Object> with =
                    with(direction, third ? proxy.uri(to + "/").toString() : "");
            with.put("record-dialogue", dialogue.toString());
            Url target = third ? near.uri(at(direction) + "/") : proxy.uri(at(direction) + "/");
            try (PluginHarness harness = harness(target, with)) {
                try (PluginHarness.Owned client = harness.client(0)) {
                    CallProbe call = end(client.begin(0));
                    assertThat(call.failure()).isNull();
                    assertThat(proxy.isDone()).as("all were killed").isTrue();
                    compare(sizes);
                    assertThat(call.bytes()).isEqualTo(total);
                    double resent = call.metrics().get("job.resent");
                    assertThat(call.metrics().get("job.faults")).isPositive();
                    if (direction.equals("get")) {
                        assertThat(resent).isZero();
                    }
                    // Each block has a header of 17 bytes and is at most 256 KiB; of what was sent, sockets may have
                    // kept 1 MiB or so. What two servers moved after their last marker nobody knows: there all that
                    // was killed may have come again, but for what a restart named.
                    double again = third ? proxy.cutBytes() - saved(dialogue) : resent;
                    assertThat(proxy.bytes()).isBetween(total, (long) ((total + again) * 1.02) + 5 * 2 * MIB);
                    restartsFollowMarkers(direction, dialogue);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "put", "third-party"})
    void aDataChannelThatStandsStillIsGivenUp(String direction) throws Exception {
        Map<String, Integer> sizes =
                new TreeMap<>(Map.of("a", 20 * MIB)); // one channel, which is the one that stands still
        make(sizes);
        boolean third = direction.equals("third-party");
        try (RealServer near = RealServer.anonymous(folder);
                RealServer far = RealServer.anonymous(folder);
                CuttingProxy proxy = new CuttingProxy((third ? far : near).port(), SEED, 1, 2 * MIB, 10 * MIB, 20 * MIB)
                        .freezing()) {
            Map<String, Object> with =
                    with(direction, third ? proxy.uri(to + "/").toString() : "");
            with.put("stall", "3s");
            Url target = third ? near.uri(at(direction) + "/") : proxy.uri(at(direction) + "/");
            try (PluginHarness harness = harness(target, with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = end(client.begin(0));
                assertThat(call.failure()).isNull();
                assertThat(call.metrics()).containsEntry("job.faults", 1.0);
                compare(sizes);
            }
        }
    }

    /** Counts the bytes that the last restart of each file named. */
    private static long saved(Path dialogue) throws IOException {
        Map<String, Long> saved = new HashMap<>();
        Map<String, Long> next = new HashMap<>();
        for (String line : Files.readAllLines(dialogue)) {
            String channel = line.replaceFirst("^\\S+ (#\\d+) .*", "$1");
            if (line.contains(" C> REST ")) {
                long bytes = 0;
                for (String range : line.replaceFirst(".* REST ", "").split(",", -1)) {
                    String[] ends = range.split("-", -1);
                    bytes += Long.parseLong(ends[1]) - Long.parseLong(ends[0]);
                }
                next.put(channel, bytes);
            } else if (line.contains(" C> STOR ") && next.containsKey(channel)) {
                saved.put(line.replaceFirst(".* C> STOR ", ""), next.remove(channel));
            }
        }
        return saved.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A busy server may be killed before it says how far it is; then all comes again. */
    private static boolean wasKilledAfterAMarker(List<String> lines) {
        Set<String> marked = new HashSet<>();
        for (String line : lines) {
            String channel = line.replaceFirst("^\\S+ (#\\d+) .*", "$1");
            if (line.contains(" C> STOR ")) {
                marked.remove(channel);
            } else if (line.matches(".* S< 111 .*Marker 0-[1-9].*")) {
                marked.add(channel);
            } else if (line.matches(".* S< [45]\\d\\d[ -].*") && marked.contains(channel)) {
                return true;
            }
        }
        return false;
    }

    /** Looks at what was said: each restart names what the receiver had said it stored, or for a download what had come. */
    private static void restartsFollowMarkers(String direction, Path dialogue) throws IOException {
        List<String> lines = Files.readAllLines(dialogue);
        List<String> restarts =
                lines.stream().filter(line -> line.contains(" C> REST ")).toList();
        if (direction.equals("get") || wasKilledAfterAMarker(lines)) {
            assertThat(restarts).as("something came again from where it was").isNotEmpty();
        }
        assertThat(restarts).allMatch(line -> line.matches(".* REST \\d+-\\d+(,\\d+-\\d+)*"));
        if (!direction.equals("get")) {
            List<Long> ends = new ArrayList<>();
            for (String line : lines) {
                if (line.contains(" S< 111 ")) {
                    for (String range : line.replaceFirst(".*Marker ", "").split(",", -1)) {
                        ends.add(Long.valueOf(
                                range.substring(range.indexOf('-') + 1).strip()));
                    }
                }
            }
            for (String line : restarts) {
                for (String range : line.replaceFirst(".* REST ", "").split(",", -1)) {
                    assertThat(ends).as(line).contains(Long.valueOf(range.substring(range.indexOf('-') + 1)));
                }
            }
        }
    }

    @Test
    void aFileThatIsNotThereFailsTheJobButNotTheOthers() throws Exception {
        Map<String, Integer> sizes = new TreeMap<>(Map.of("a", 1_000, "b", 30_000));
        make(sizes);
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = with("get", "");
            with.put("files", List.of("a", "none", "b"));
            try (PluginHarness harness = harness(server.uri(from + "/"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = end(client.begin(0));
                assertThat(call.failure()).startsWith("SIZE: 550 No such file");
                assertThat(call.metrics()).containsEntry("job.files", 2.0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"get, MD5", "put, SHA256", "third-party, ADLER32"})
    void checksumsOfBothSidesAreCompared(String direction, String algorithm) throws Exception {
        Map<String, Integer> sizes = new TreeMap<>(Map.of("empty", 0, "large", 17 * MIB));
        for (int i = 0; i < 20; i++) {
            sizes.put("small " + i, 1_000 * i);
        }
        make(sizes);
        try (RealServer near = RealServer.anonymous(folder);
                RealServer far = RealServer.anonymous(folder)) {
            Path dialogue = folder.resolve("dialogue");
            Map<String, Object> with = with(direction, far.uri(to) + "/");
            with.put("checksum", algorithm);
            with.put("record-dialogue", dialogue.toString());
            try (PluginHarness harness = harness(near.uri(at(direction) + "/"), with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = end(client.begin(0));
                assertThat(call.failure()).isNull();
            }
            compare(sizes);
            assertThat(Files.readAllLines(dialogue).stream().filter(line -> line.contains("C> CKSM " + algorithm)))
                    .hasSize(sizes.size() * (direction.equals("third-party") ? 2 : 1));
        }
    }

    @Test
    void aServerThatTakesFewSessionsIsUsedWithThose() throws Exception {
        Map<String, Integer> sizes = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            sizes.put("file " + i, i == 0 ? 40 * MIB : 10_000);
        }
        make(sizes);
        try (RealServer server = RealServer.anonymous(folder, "-connections-max", "1");
                PluginHarness harness = harness(server.uri(from + "/"), with("get", ""));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            for (int i = 0; i < 20 && call.failure() != null && call.failure().startsWith("connect: 421"); i++) {
                call = end(client.begin(0)); // the connection that saw the server come up may still count
            }
            assertThat(call.failure()).isNull();
            compare(sizes);
        }
    }

    @Test
    void aServerKilledForGoodFailsTheJob() throws Exception {
        make(new TreeMap<>(Map.of("large", 100 * MIB)));
        RealServer server = RealServer.anonymous(folder);
        try (server;
                CuttingProxy slow = new CuttingProxy(server.port(), SEED, 0, 0, 1, MIB)) {
            Map<String, Object> with = with("get", "");
            with.put("retries", 2);
            try (PluginHarness harness = harness(slow.uri(from + "/"), with)) {
                try (PluginHarness.Owned client = harness.client(0)) {
                    CallProbe call = client.begin(0);
                    assertThat(call.awaitEnd(1_500)).isFalse();
                    server.kill();
                    end(call);
                    assertThat(call.failure()).startsWith("connect: ");
                }
            }
        }
    }

    private static CallProbe end(CallProbe call) throws Exception {
        assertThat(call.awaitEnd(WAIT_MILLIS)).as("end of " + call).isTrue();
        assertThat(call.ends()).isEqualTo(1);
        return call;
    }

    private Path at(String direction) {
        return direction.equals("put") ? to : from;
    }

    private Map<String, Object> with(String direction, String other) {
        Map<String, Object> with = new HashMap<>(Map.of("managed", true, "direction", direction));
        switch (direction) {
            case "get" -> with.put("sink", to.toString());
            case "put" -> with.put("source", from.toString());
            default -> with.put("to", other);
        }
        return with;
    }

    private long make(Map<String, Integer> sizes) throws IOException {
        Random random = new Random(SEED);
        long total = 0;
        for (Map.Entry<String, Integer> each : sizes.entrySet()) {
            byte[] bytes = new byte[each.getValue()];
            random.nextBytes(bytes);
            Files.write(from.resolve(each.getKey()), bytes);
            total += bytes.length;
        }
        return total;
    }

    private void compare(Map<String, Integer> sizes) throws IOException {
        for (String name : sizes.keySet()) {
            assertThat(Files.mismatch(from.resolve(name), to.resolve(name)))
                    .as(name)
                    .isEqualTo(-1);
        }
        try (Stream<Path> all = Files.walk(to)) {
            assertThat(all.filter(Files::isRegularFile)).hasSize(sizes.size());
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(
                new GridFtpPlugin(),
                List.of(target),
                with,
                Duration.ofSeconds(200),
                folder,
                Epoll.isAvailable() ? new NettyLoop(EpollIoHandler.newFactory()) : new NettyLoop());
    }
}
