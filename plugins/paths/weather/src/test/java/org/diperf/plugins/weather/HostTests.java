package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on the wire: bytes as NWS's own clients send them, and bytes that nobody should. */
@Timeout(60)
class HostTests {

    /** Of servers from which a test wants no hanging up: no machine is so busy. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private static final Duration IMPATIENT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private final List<Host> hosts = new ArrayList<>();

    @AfterEach
    void close() {
        hosts.forEach(Host::close);
    }

    private InetSocketAddress host(Host.Kind kind, Host.Service service) throws IOException {
        return host(kind, service, PATIENT);
    }

    private InetSocketAddress host(Host.Kind kind, Host.Service service, Duration patience) throws IOException {
        Host host = new Host(kind, new InetSocketAddress("127.0.0.1", FreePorts.take()), service, patience, patience);
        hosts.add(host);
        host.named("here:1", "there:2");
        return new InetSocketAddress("127.0.0.1", host.port());
    }

    private InetSocketAddress nameServer() throws IOException {
        return nameServer(PATIENT);
    }

    private InetSocketAddress nameServer(Duration patience) throws IOException {
        return host(Host.Kind.NAMESERVER, new NameServer(new Registry(NanoClock.SYSTEM)), patience);
    }

    /** Asks an impatient server until this machine is fast enough for it. */
    private static void assertServes(InetSocketAddress server) {
        while (true) {
            try (Raw raw = new Raw(server)) {
                raw.header(200, 0);
                assertThat(raw.answer(201)).hasSize(146);
                return;
            } catch (IOException hungUp) {
                // asked too late
            }
        }
    }

    private InetSocketAddress memory() throws IOException {
        return host(Host.Kind.MEMORY, new Memory(new SeriesStore(folder, 100)));
    }

    /** Speaks as a client of NWS does. */
    private static final class Raw implements AutoCloseable {

        private final Socket socket;
        private final DataOutputStream out;
        private final DataInputStream in;

        Raw(InetSocketAddress to) throws IOException {
            socket = new Socket(to.getAddress(), to.getPort());
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        void header(int type, int length) throws IOException {
            out.writeInt(0x02000000);
            out.writeInt(type);
            out.writeInt(length);
        }

        String answer(int type) throws IOException {
            assertThat(in.readInt()).isEqualTo(0x02000000);
            assertThat(in.readInt()).isEqualTo(type);
            return new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
        }

        void assertHungUp() throws IOException {
            assertThat(in.read()).isEqualTo(-1);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void aNameServerRegistersAndFindsAsNwsAsks() throws IOException {
        try (Raw raw = new Raw(nameServer())) {
            String object = "name:h:8050\thostType:memory\t\t";
            // NWS's C clients send no byte 0 behind an object, its Java clients do.
            for (String each : List.of(object, object.replace("h:", "i:") + "\0")) {
                raw.header(700, each.length() + 4);
                raw.out.writeBytes(each);
                raw.out.writeInt(60);
                assertThat(raw.answer(701)).isEmpty();
            }
            String filter = "(&(hostType=memory)(name=h*))\0";
            raw.header(702, filter.length());
            raw.out.writeBytes(filter);
            assertThat(raw.answer(703)).isEqualTo(object + "\0");
            raw.header(704, filter.length());
            raw.out.writeBytes(filter);
            assertThat(raw.answer(705)).isEmpty();
            raw.header(702, 9);
            raw.out.writeBytes("(name=*)\0");
            assertThat(raw.answer(703)).isEqualTo(object.replace("h:", "i:") + "\0");
            raw.header(702, 4);
            raw.out.writeBytes("(((\0");
            assertThat(raw.answer(799)).isEmpty();
        }
    }

    private static void state(Raw raw, int type, String name, int size, int count, double sequence, String records)
            throws IOException {
        raw.header(type, 152 + records.length());
        byte[] padded = new byte[128];
        System.arraycopy(name.getBytes(StandardCharsets.ISO_8859_1), 0, padded, 0, name.length());
        raw.out.write(padded);
        raw.out.writeInt(size);
        raw.out.writeInt(count);
        raw.out.writeDouble(sequence);
        raw.out.writeDouble(315360000.0);
        raw.out.writeBytes(records);
    }

    @Test
    void aMemoryStoresAndFetchesAsNwsAsks() throws IOException {
        try (Raw raw = new Raw(memory())) {
            state(raw, 100, "cpu", 8, 2, 10, "10 0.5  11 0.75 ");
            assertThat(raw.answer(101)).isEmpty();
            state(raw, 102, "cpu", 0, 1000, 0, "");
            String fetched = raw.answer(103);
            assertThat(fetched).hasSize(152 + 2 * 7).startsWith("cpu\0");
            assertThat(fetched.substring(152)).isEqualTo("11 0.7510 0.5 ");
            state(raw, 102, "none", 0, 1000, 0, "");
            assertThat(raw.answer(199)).isEmpty();
        }
    }

    @Test
    void anyHostSaysWhoItIsAndRefusesToBeEnded() throws IOException {
        try (Raw raw = new Raw(memory())) {
            raw.header(200, 0);
            String info = raw.answer(201);
            assertThat(info).hasSize(146).startsWith("here:1\0");
            assertThat(info.substring(69, 73)).isEqualTo("\0\0\0\1");
            assertThat(info.substring(73)).startsWith("there:2\0");
            // 204 would end it, 206 would give it another name server.
            for (int type : new int[] {202, 204, 206}) {
                raw.header(type, 5);
                raw.out.writeBytes("evil\0");
                assertThat(raw.answer(299)).isEmpty();
            }
        }
    }

    @Test
    void aGiantLengthIsRefusedBeforeAnythingIsReadOrKept() throws IOException {
        for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 64 << 20}) {
            try (Raw raw = new Raw(nameServer())) {
                raw.header(702, length);
                raw.assertHungUp();
            }
        }
    }

    @Test
    void garbageEndsTheConnectionAndNothingElse() throws IOException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Sensor sensor = sensor("127.0.0.1:1");
        for (InetSocketAddress each : List.of(nameServer(), memory(), host(Host.Kind.SENSOR, sensor))) {
            for (int i = 0; i < 100; i++) {
                try (Raw raw = new Raw(each)) {
                    byte[] garbage = new byte[random.nextInt(300)];
                    random.nextBytes(garbage);
                    if (i % 2 == 0) {
                        int[] types = {100, 102, 411, 450, 453, 454, 456, 458, 600, 602, 700, 702, 704, 900};
                        raw.header(types[random.nextInt(types.length)], garbage.length);
                    }
                    raw.out.write(garbage);
                    raw.socket.shutdownOutput();
                    raw.in.readAllBytes();
                } catch (IOException reset) {
                    // as good
                }
            }
            try (Raw raw = new Raw(each)) {
                raw.header(200, 0);
                assertThat(raw.answer(201)).hasSize(146);
            }
        }
        assertThat(sensor.cliques()).isEmpty();
    }

    private static Sensor sensor(String name) throws IOException {
        InetSocketAddress nobody = new InetSocketAddress("127.0.0.1", 1);
        Registrar registrar = new Registrar(nobody);
        return new Sensor(
                name,
                java.util.Set.of(name),
                new Reporter(nobody, registrar, told -> {}),
                registrar,
                new ProbeLog(null),
                NanoClock.SYSTEM);
    }

    @Test
    void whoSendsTooSlowlyIsHungUpOnThoughEachByteComesInTime() throws IOException {
        try (Raw raw = new Raw(nameServer(IMPATIENT))) {
            raw.header(702, 4_000);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                raw.socket.setSoTimeout(100);
                // All of them take far longer than this test may.
                for (int i = 0; i < 3_999; i++) {
                    raw.out.writeByte('x');
                    try {
                        if (raw.in.read() < 0) {
                            throw new IOException("hung up");
                        }
                    } catch (java.net.SocketTimeoutException e) {
                        // It waits for the next byte.
                    }
                }
            });
        }
    }

    @Test
    void whoDoesNotReadIsHungUpOn() throws IOException {
        Registry registry = new Registry(NanoClock.SYSTEM);
        for (int i = 0; i < 300; i++) {
            registry.register(Attributes.of("name", "n" + i, "v", "x".repeat(15_000)), 0);
        }
        InetSocketAddress server = host(Host.Kind.NAMESERVER, new NameServer(registry), IMPATIENT);
        try (Raw raw = new Raw(server)) {
            raw.header(702, 9);
            raw.out.writeBytes("(name=*)\0");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                // What is to come, but for what the sockets hold, never does.
                while (true) {
                    raw.header(702, 9);
                    raw.out.writeBytes("(name=*)\0");
                }
            });
        }
        assertServes(server);
    }

    @Test
    void moreConnectionsThanItServesAreHungUpOnAndPlaceComesBack() throws IOException {
        InetSocketAddress server = nameServer(IMPATIENT);
        List<Raw> all = new ArrayList<>();
        int hungUp = 0;
        try {
            for (int i = 0; i < Host.MAX_CONNECTIONS + 50; i++) {
                all.add(new Raw(server));
            }
            for (Raw each : all) {
                each.socket.setSoTimeout(20_000);
                // Idle ones are hung up on as well, after their time.
                each.assertHungUp();
                hungUp++;
            }
        } finally {
            for (Raw each : all) {
                each.close();
            }
        }
        assertThat(hungUp).isEqualTo(Host.MAX_CONNECTIONS + 50);
        assertServes(server);
    }

    @Test
    void aServerThatAnswersWithoutEndIsNotBelieved() throws Exception {
        try (java.net.ServerSocket liar = new java.net.ServerSocket(FreePorts.take())) {
            Host.start("liar", () -> {
                try (Socket accepted = liar.accept()) {
                    DataOutputStream out = new DataOutputStream(accepted.getOutputStream());
                    out.writeInt(0x02000000);
                    out.writeInt(703);
                    out.writeInt(Integer.MAX_VALUE);
                    accepted.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // it is hung up on
                }
            });
            Directory directory = new Directory(new InetSocketAddress("127.0.0.1", liar.getLocalPort()));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> directory.search("hosts"))
                    .withMessageContaining("expected at most");
        }
    }
}
