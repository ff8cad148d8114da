package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.Logged;
import org.diperf.plugins.lib.gridftp.RealServer;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against globus-gridftp-server, anonymously and with GSI: every file arrives whole in every way there is, and the server's log of
 * transfers says the same as the calls.
 */
@Timeout(600)
class GridFtpIT {

    private static final long SEED = 20_261_121;
    private static final int[] SIZES = {0, 1, 65_535, 65_536, 65_537, 10 << 20};
    /** More than an offset and a length ask for. */
    private static final int[] PARTED = {65_537, 10 << 20};

    private static final int[] WITHOUT_EMPTY = Arrays.copyOfRange(SIZES, 1, SIZES.length);

    private static final long WAIT_MILLIS = 180_000;

    @TempDir
    static Path worldFolder;

    private static @Nullable GsiWorld world;
    private static final Map<Integer, String> DIGESTS = new HashMap<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void makeCertificates() throws Exception {
        world = GsiWorld.make(worldFolder);
    }

    @BeforeEach
    void letTheServersIn() throws IOException {
        RealServer.open(folder);
    }

    static Stream<Way> anonymously() {
        return Way.all(List.of("anonymous")).stream()
                .filter(way -> way.streams() == (way.variant().equals("ahead") ? 1 : 4)
                        || way.mode().equals("stream")
                        || (way.streams() == 16
                                && way.variant().equals("kept")
                                && way.direction().equals("get")));
    }

    static Stream<Way> someWithGsi() {
        return Stream.of(
                new Way("none", "get", "extended", 4, "kept"),
                new Way("self", "put", "stream", 1, "fresh"),
                new Way("self", "third-party", "extended", 1, "kept"));
    }

    static Stream<Way> all() {
        return Way.all(List.of("anonymous", "none", "self")).stream();
    }

    static Stream<Way> onceEach() {
        return all().filter(way -> way.mode().equals("stream")
                ? way.variant().equals("fresh")
                : way.variant().equals("kept") || way.isStriped());
    }

    @ParameterizedTest
    @MethodSource("anonymously")
    void filesArriveWhole(Way way) throws Exception {
        moves(way, way.isPartial() ? new int[] {65_537} : new int[] {0, 1, 65_537, 1 << 20}, way.transfers());
    }

    @Tag("quick")
    @ParameterizedTest
    @MethodSource("someWithGsi")
    void filesArriveWholeWithGsi(Way way) throws Exception {
        moves(way, new int[] {65_537}, 2);
    }

    @ParameterizedTest
    @MethodSource("all")
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void filesOfAllSizesArriveWholeInEveryWay(Way way) throws Exception {
        moves(way, way.isPartial() ? PARTED : way.canMoveNothing() ? SIZES : WITHOUT_EMPTY, way.transfers());
    }

    @ParameterizedTest
    @MethodSource("onceEach")
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aLargeFileArrivesWholeInEveryWay(Way way) throws Exception {
        moves(way, new int[] {1 << 30}, 1);
    }

    /** What {@link Way#canMoveNothing} says: globus-url-copy -stripe hears the same from these servers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void whatTheServersCannotMoveFailsWithTheirReason(int streams) throws Exception {
        Way way = new Way("self", "third-party", "extended", streams, "striped");
        Path to = Files.createDirectory(folder.resolve("to"));
        RealServer.open(to);
        Map<String, Object> with = way.with();
        with.putAll(gsi().with());
        try (Servers servers = new Servers(way, gsi(), folder)) {
            with.put("to", servers.far().uri(to) + "/");
            try (PluginHarness harness = harness(servers.near().uri(file(0)), with);
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.begin(0);
                assertThat(call.awaitEnd(WAIT_MILLIS)).isTrue();
                assertThat(call.failure())
                        .matches("RETR: (control connection closed|500 .* eof has already been registered)");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"get, MD5", "put, SHA256", "third-party, ADLER32", "get, ADLER32", "put, SHA1"})
    void checksumsOfBothSidesAreCompared(String direction, String algorithm) throws Exception {
        Path file = file(65_537);
        Path moved = folder.resolve("moved");
        try (RealServer server = RealServer.anonymous(folder)) {
            Map<String, Object> with = new HashMap<>(Map.of("direction", direction, "checksum", algorithm));
            if (direction.equals("get")) {
                with.put("sink", moved.toString());
            } else if (direction.equals("put")) {
                with.put("source", file.toString());
            }
            if (direction.equals("third-party")) {
                with.put("to", server.uri(moved).toString());
            }
            try (PluginHarness harness = harness(server.uri(direction.equals("put") ? moved : file), with);
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).isNull();
                assertThat(digest(moved)).isEqualTo(digest(file));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, 1, -1", "stream, 1, 5000000", "extended, 1, -1", "extended, 4, -1", "extended, 4, 5000000"})
    void whatIsDiscardedIsCountedToTheByte(String mode, int streams, long length) throws Exception {
        Path file = file(10 << 20);
        long bytes = length < 0 ? 10 << 20 : length;
        Map<String, Object> with = new HashMap<>(Map.of("mode", mode, "parallelism", streams));
        if (length >= 0) {
            with.put("length", length);
        }
        try (RealServer server = RealServer.anonymous(folder)) {
            move(new Way("anonymous", "get", mode, streams, "kept"), server.uri(file), with, 3, bytes);
            assertThat(server.logged(3)).containsOnly(new Logged(file.toString(), bytes, 226));
        }
    }

    /** Moves a file of each size some times, and compares contents, counts and bytes with what is there and logged. */
    private void moves(Way way, int[] sizes, int times) throws Exception {
        boolean third = way.direction().equals("third-party");
        Path to = Files.createDirectory(folder.resolve("to"));
        RealServer.open(to);
        try (Servers servers = new Servers(way, way.isSecure() ? gsi() : null, folder)) {
            List<Logged> wanted = new ArrayList<>();
            for (int size : sizes) {
                Path file = file(size);
                Map<String, Object> with = way.with();
                if (way.isSecure()) {
                    with.putAll(gsi().with());
                }
                Url target = servers.near().uri(file);
                if (third) {
                    with.put("to", servers.far().uri(to) + "/");
                } else if (way.direction().equals("get")) {
                    with.put("sink", to + "/moved-${call}");
                } else {
                    with.put("source", file.toString());
                    with.put("path", to + "/moved-${call}");
                }
                move(way, target, with, times, way.bytesOf(size));
                for (int i = 0; i < times; i++) {
                    Path moved = to.resolve(third ? file.getFileName().toString() : "moved-" + i);
                    compare(way, file, moved, size);
                    String there = (way.direction().equals("put") ? moved : file).toString();
                    wanted.add(new Logged(there, way.bytesOf(size), 226));
                    if (!third) {
                        Files.delete(moved);
                    }
                }
            }
            assertThat(servers.near().logged(wanted.size())).containsExactlyInAnyOrderElementsOf(wanted);
            if (third) {
                List<Logged> there = wanted.stream()
                        .map(each -> new Logged(
                                to.resolve(Path.of(each.file()).getFileName()).toString(), each.bytes(), each.code()))
                        .toList();
                assertThat(servers.far().logged(there.size())).containsExactlyInAnyOrderElementsOf(there);
            }
        }
    }

    private void move(Way way, Url target, Map<String, Object> with, int times, long bytes) throws Exception {
        try (PluginHarness harness = harness(target, with)) {
            // Whatever is opened once by the JVM or the session is not the client's.
            Held before = Held.now(folder, worldFolder);
            try (PluginHarness.Owned client = harness.client(0)) {
                List<CallProbe> calls = new ArrayList<>();
                for (int i = 0; i < times; i++) {
                    CallProbe call = client.begin(0);
                    calls.add(call);
                    if (!way.variant().equals("ahead")) {
                        assertThat(call.awaitEnd(WAIT_MILLIS))
                                .as("end of call " + i)
                                .isTrue();
                    }
                }
                for (CallProbe call : calls) {
                    assertThat(call.awaitEnd(WAIT_MILLIS)).as("end of " + call).isTrue();
                    assertThat(call.failure()).isNull();
                    assertThat(call.bytes()).isEqualTo(bytes);
                    assertThat(call.ends()).isEqualTo(1);
                }
            }
            before.isAllThatIsHeld();
        }
    }

    private static void compare(Way way, Path file, Path moved, int size) throws Exception {
        if (!way.isPartial()) {
            String wanted = DIGESTS.get(size);
            if (wanted == null) {
                wanted = digest(file);
                DIGESTS.put(size, wanted);
            }
            assertThat(digest(moved)).as("SHA-256 of " + size + " B").isEqualTo(wanted);
            return;
        }
        byte[] whole = Files.readAllBytes(file);
        byte[] found = Files.readAllBytes(moved);
        if (way.direction().equals("put")) {
            byte[] shifted = new byte[size + Way.OFFSET];
            System.arraycopy(whole, 0, shifted, Way.OFFSET, size);
            assertThat(found).isEqualTo(shifted);
        } else {
            int from = Way.OFFSET;
            int to = way.variant().equals("part") ? from + Way.LENGTH : size;
            byte[] part = Arrays.copyOfRange(whole, from, to);
            // Between two servers a part from the begin on keeps its place; what is before is empty.
            int skipped = found.length == part.length ? 0 : from;
            assertThat(Arrays.copyOfRange(found, skipped, found.length)).isEqualTo(part);
        }
    }

    private static GsiWorld gsi() {
        if (world == null) {
            throw new IllegalStateException("The certificates were not made");
        }
        return world;
    }

    private PluginHarness harness(Url target, Map<String, ?> with) throws Exception {
        return new PluginHarness(new GridFtpPlugin(), List.of(target), with, Duration.ofSeconds(20), folder, loop());
    }

    /** As in a tester. */
    private static NettyLoop loop() {
        return Epoll.isAvailable() ? new NettyLoop(EpollIoHandler.newFactory()) : new NettyLoop();
    }

    /** Returns a file of this size, made once for all tests. */
    private static Path file(int size) throws IOException {
        Path file = worldFolder.resolve("file-" + size);
        if (Files.exists(file)) {
            return file;
        }
        Random random = new Random(SEED + size);
        byte[] block = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = size; left > 0; left -= block.length) {
                random.nextBytes(block);
                out.write(block, 0, Math.min(left, block.length));
            }
        }
        return file;
    }

    private static String digest(Path file) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            byte[] block = new byte[1 << 20];
            while (in.read(block) >= 0) {
                // the stream feeds the digest
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
