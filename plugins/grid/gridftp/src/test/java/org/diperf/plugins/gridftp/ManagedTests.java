package org.diperf.plugins.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.NettyLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.contract.RecorderProbe;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many files moved by one call, with a server of which one answer is not as it should be, or from or to a disk that is not. */
@Timeout(60)
class ManagedTests {

    private static final long WAIT_MILLIS = 20_000;
    private static final int BYTES = 1_000;
    /** Of so many zeros: the one half is always 1, the other their number. */
    private static final String ADLER32 = "03e80001";

    @TempDir
    Path folder;

    /** The machine's clock, but that an hour passes at each look while a server owes an answer: no machine is too slow for the others. */
    private static final class Waiting implements NanoClock {

        private final AtomicLong ahead = new AtomicLong();
        private volatile boolean isOwed;

        /** Answers nothing to a command, and lets time pass from it on. */
        String silence() {
            isOwed = true;
            return "";
        }

        @Override
        public long nanoTime() {
            return System.nanoTime() + (isOwed ? ahead.addAndGet(TimeUnit.HOURS.toNanos(1)) : ahead.get());
        }
    }

    private PluginHarness harness(Url target, Map<String, ?> more) throws Exception {
        return harness(target, more, NanoClock.SYSTEM);
    }

    private PluginHarness harness(Url target, Map<String, ?> more, NanoClock clock) throws Exception {
        Map<String, Object> with = new HashMap<>(Map.of("managed", true, "direction", "put", "size", BYTES));
        with.putAll(more);
        return new PluginHarness(
                new GridFtpPlugin(clock), List.of(target), with, Duration.ofSeconds(20), folder, new NettyLoop());
    }

    /** Makes a server that computes checksums, which the stand-in does not; {@code null} is the right one. */
    private static EditingProxy checking(FtpStandIn server, Function<String, @Nullable String> checksums)
            throws IOException {
        return new EditingProxy(server.target(), line -> {
            if (line.equals("FEAT")) {
                return "211-Extensions\r\n PARALLEL\r\n CKSM\r\n211 End.";
            }
            if (!line.startsWith("CKSM ")) {
                return null;
            }
            String wrong = checksums.apply(line);
            return "213 " + (wrong == null ? ADLER32 : wrong);
        });
    }

    private static CallProbe end(CallProbe call) throws InterruptedException {
        assertThat(call.awaitEnd(WAIT_MILLIS)).as("end of " + call).isTrue();
        return call;
    }

    @Test
    void oneWrongChecksumIsTheFaultOfThatFileAlone() throws Exception {
        AtomicBoolean isRight = new AtomicBoolean();
        Map<String, Object> with =
                Map.of("files", List.of("a", "b", "c", "d", "e", "f", "g", "h"), "checksum", "ADLER32");
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy =
                        checking(server, line -> line.endsWith(" /a") && !isRight.getAndSet(true) ? "00000000" : null);
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isNull();
            assertThat(call.bytes()).isEqualTo(8 * BYTES);
            assertThat(call.metrics())
                    .containsEntry("job.files", 8.0)
                    .containsEntry("job.faults", 1.0)
                    .containsEntry("job.resent", (double) BYTES);
        }
    }

    @Test
    void aFileWhoseChecksumStaysWrongIsGivenUpAndItsBytesDoNotCount() throws Exception {
        Map<String, Object> with = Map.of("files", List.of("a", "b", "c"), "checksum", "ADLER32", "retries", 2);
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy = checking(server, line -> line.endsWith(" /a") ? "00000000" : null);
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isEqualTo("wrong checksum");
            assertThat(call.bytes()).isEqualTo(2 * BYTES);
            assertThat(call.metrics())
                    .containsEntry("job.files", 2.0)
                    .containsEntry("job.faults", 3.0)
                    .containsEntry("job.resent", 3.0 * BYTES);
        }
    }

    @Test
    void aChecksumMayTakeLongerThanAStall() throws Exception {
        CountDownLatch computed = new CountDownLatch(1);
        Map<String, Object> with = Map.of("files", List.of("a"), "checksum", "ADLER32", "stall", "500ms");
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy = checking(server, line -> {
                    await(computed);
                    return null;
                });
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            // A job looks at its sessions each second, and observes what it has moved: the third look finds a stall, if
            // there is one.
            while (harness.recorder().observations().stream()
                            .filter(each -> each.metric().name().equals("job.moved"))
                            .count()
                    < 3) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            computed.countDown();
            end(call);
            assertThat(call.failure()).isNull();
            assertThat(call.metrics()).containsEntry("job.faults", 0.0);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {BYTES, 16 << 20})
    void aFileThatIsRefusedForAReasonOfItsOwnIsGivenUpAndTheOthersGoOn(int size) throws Exception {
        Map<String, Object> with =
                Map.of("files", List.of("a", "b", "c", "d", "e", "f", "g", "h"), "size", size, "retries", 0);
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy = new EditingProxy(
                        server.target(), line -> line.equals("STOR /a") ? "500 File name too long" : null);
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isEqualTo("STOR: 500 File name too long");
            assertThat(call.bytes()).isEqualTo(7L * size);
            assertThat(call.metrics()).containsEntry("job.files", 7.0).containsEntry("job.faults", 1.0);
        }
    }

    @Test
    void whatHasMovedWhenAJobIsCancelledCounts() throws Exception {
        try (ServerSocket data = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            data.setSoTimeout(10_000);
            String passive = "227 (127,0,0,1," + (data.getLocalPort() >> 8) + "," + (data.getLocalPort() & 255) + ")";
            try (ScriptedServer server = new ScriptedServer(
                            "220 hi",
                            line -> line.equals("PASV") ? passive : line.startsWith("STOR") ? "150 begin" : null);
                    PluginHarness harness = harness(server.uri(), Map.of());
                    PluginHarness.Owned client = harness.client(0)) {
                CallProbe call = client.begin(0);
                try (Socket stream = data.accept()) {
                    stream.setSoTimeout(10_000);
                    // A block and the end of the data, each with its header; the server never says that it is complete.
                    assertThat(stream.getInputStream().readNBytes(17 + BYTES + 17))
                            .hasSize(17 + BYTES + 17);
                    client.cancel(call);
                    end(call);
                }
                assertThat(call.failure()).isEqualTo("cancelled");
                assertThat(call.bytes()).isEqualTo(BYTES);
                assertThat(call.metrics()).containsEntry("job.files", 0.0).containsEntry("job.resent", 0.0);
            }
        }
    }

    @Test
    void aFolderBelowTheSourceThatCannotBeReadIsTheFaultOfTheExperiment() throws Exception {
        Path source = Files.createDirectory(folder.resolve("source"));
        // Root may read any folder, but nobody one with a path of more than 4096 bytes.
        String half = String.join("/", Collections.nCopies(15, "x".repeat(200)));
        shell(source, "mkdir -p \"$1\" && cd \"$1\" && mkdir -p \"$1\"", half);
        try (ScriptedServer server = new ScriptedServer("220 hi", line -> null);
                PluginHarness harness = harness(server.uri(), Map.of("source", source.toString()));
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).startsWith("local file: ");
            assertThat(call.fault()).isEqualTo(Fault.EXPERIMENT);
            assertThat(server.commands())
                    .filteredOn(line -> line.startsWith("USER"))
                    .hasSize(1);
        } finally {
            shell(folder, "rm -rf \"$1\"", "source"); // JUnit cannot remove it either
        }
    }

    @Test
    void aFullDiskEndsTheJobAtOnceAndTheFileIsNamed() throws Exception {
        Path sink = Files.createDirectory(folder.resolve("sink"));
        Path full = Files.createSymbolicLink(sink.resolve("b"), Path.of("/dev/full"));
        assumeTrue(Files.exists(full), "no /dev/full");
        Map<String, Object> with =
                Map.of("direction", "get", "sink", sink.toString(), "files", List.of("a", "b", "c"), "stall", "1h");
        try (FtpStandIn server = FtpStandIn.start();
                PluginHarness harness = harness(server.target(), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isEqualTo("local file: no space left on device");
            assertThat(call.fault()).isEqualTo(Fault.GENERATOR);
            assertThat(call.said(new GridFtpPlugin()))
                    .contains("not moved: /b (local file: " + full + "): local file: no space left on device");
            assertThat(call.bytes()).isGreaterThanOrEqualTo(FtpStandIn.FILE_BYTES);
            assertThat(call.metrics()).containsEntry("job.files", 1.0);
        } finally {
            Files.delete(full);
        }
    }

    @Test
    void aFolderToWriteToThatIsAFileEndsTheJobAndIsNamed() throws Exception {
        Path sink = Files.createFile(folder.resolve("sink"));
        Map<String, Object> with = Map.of("direction", "get", "sink", sink.toString());
        try (FtpStandIn server = FtpStandIn.start();
                PluginHarness harness = harness(server.target(), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isEqualTo("local file: sink " + sink + ": not a folder");
            assertThat(call.said(new GridFtpPlugin())).contains("not moved: " + sink);
        }
    }

    @Test
    void whatIsNotMovedIsNamedInTheCallAndInTheTestersLog() throws Exception {
        Map<String, Object> with = Map.of("direction", "get", "files", List.of("a", "none", "b"));
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy = new EditingProxy(
                        server.target(), line -> line.equals("SIZE /none") ? "550 No such file" : null);
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure()).isEqualTo("SIZE: 550 No such file");
            assertThat(call.bytes()).isEqualTo(2L * FtpStandIn.FILE_BYTES);
            assertThat(call.metrics()).containsEntry("job.files", 2.0);
            assertThat(call.said(new GridFtpPlugin())).contains("not moved: /none: SIZE: 550 No such file");
            assertThat(harness.recorder().rejected())
                    .containsExactly(new RecorderProbe.Rejected(
                            "file in a managed job was not transferred: SIZE: 550 No such file", "/none"));
        }
    }

    @Test
    void whatHasArrivedIsToldBeforeTheJobEnds() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Map<String, Object> with = Map.of("files", List.of("a", "b"));
        try (FtpStandIn server = FtpStandIn.start();
                EditingProxy proxy = new EditingProxy(server.target(), line -> {
                    if (line.equals("STOR /b")) {
                        await(ended);
                    }
                    return null;
                });
                PluginHarness harness = harness(proxy.uri("/"), with);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = client.begin(0);
            for (int i = 0; call.bytes() == 0; i++) {
                assertThat(i).as("looks").isLessThan(2_000);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            assertThat(call.ends()).isZero();
            assertThat(call.bytes()).isEqualTo(BYTES);
            assertThat(call.metrics()).containsEntry("job.files", 1.0);
            client.cancel(call);
            end(call);
            ended.countDown();
            assertThat(call.bytes()).as("each byte once").isEqualTo(BYTES);
        }
    }

    @Test
    void aTargetThatSaysNothingFailsTheJobWithTheStepThatItOwes() throws Exception {
        Waiting clock = new Waiting();
        Map<String, Object> with = Map.of("direction", "get", "stall", "10m", "retries", 1);
        try (ScriptedServer silent = new ScriptedServer("220 hi", line -> clock.silence());
                PluginHarness harness = harness(silent.uri(), with, clock);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(end(client.begin(0)).failure())
                    .isEqualTo("USER: no answer from target " + silent.uri().authority() + " for 10m");
            assertThat(silent.commands()).as("once, and tried again once").hasSize(2);
        }
    }

    @Test
    void aServerThatDoesNotListFilesFailsTheJobWithThatStep() throws Exception {
        Waiting clock = new Waiting();
        Map<String, Object> with = Map.of("direction", "get", "stall", "10m", "retries", 0);
        try (ScriptedServer server =
                        new ScriptedServer("220 hi", line -> line.startsWith("MLSC") ? clock.silence() : null);
                PluginHarness harness = harness(server.uri().resolve("/"), with, clock);
                PluginHarness.Owned client = harness.client(0)) {
            assertThat(end(client.begin(0)).failure())
                    .isEqualTo("MLSC: no answer from target " + server.uri().authority() + " for 10m");
        }
    }

    @Test
    void theOtherServerIsToldByItsKey() throws Exception {
        try (FtpStandIn server = FtpStandIn.start();
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            String to = "ftp://127.0.0.1:" + silent.getLocalPort() + "/";
            Map<String, Object> with = Map.of("direction", "third-party", "to", to, "stall", "500ms", "retries", 0);
            try (PluginHarness harness = harness(server.target(), with);
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(end(client.begin(0)).failure())
                        .isEqualTo("connect: no answer from to 127.0.0.1:" + silent.getLocalPort() + " for 500ms");
                silent.close();
                assertThat(end(client.begin(0)).failure()).isEqualTo("to: connect: connection refused");
            }
        }
    }

    @Test
    void aServerThatFallsSilentBeforeASessionIsLoggedInIsToldToo() throws Exception {
        AtomicInteger sessions = new AtomicInteger();
        Waiting clock = new Waiting();
        Map<String, Object> with = Map.of("direction", "get", "stall", "10m", "retries", 0);
        try (ScriptedServer server = new ScriptedServer(
                        "220 hi",
                        line -> line.startsWith("SIZE")
                                ? "213 100"
                                : line.startsWith("USER") && sessions.incrementAndGet() > 1 ? clock.silence() : null);
                PluginHarness harness = harness(server.uri(), with, clock);
                PluginHarness.Owned client = harness.client(0)) {
            CallProbe call = end(client.begin(0));
            assertThat(call.failure())
                    .isEqualTo("USER: no answer from target " + server.uri().authority() + " for 10m");
            assertThat(call.metrics()).containsEntry("job.files", 0.0);
        }
    }

    private static void shell(Path at, String script, String argument) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script, "sh", argument)
                .directory(at.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
