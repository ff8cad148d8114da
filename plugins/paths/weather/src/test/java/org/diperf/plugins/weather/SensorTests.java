package org.diperf.plugins.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sensors of this process that probe each other over the loopback, with a name server and a memory. */
@Timeout(120)
class SensorTests {

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private InetSocketAddress nameServer;
    private InetSocketAddress memory;

    @BeforeEach
    void start() throws IOException {
        nameServer = host(Host.Kind.NAMESERVER, new NameServer(new Registry(NanoClock.SYSTEM)));
        memory = host(Host.Kind.MEMORY, new Memory(new SeriesStore(folder.resolve("series"), 100)));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private InetSocketAddress host(Host.Kind kind, Host.Service service) throws IOException {
        return host(kind, FreePorts.take(), service);
    }

    private InetSocketAddress host(Host.Kind kind, int port, Host.Service service) throws IOException {
        Host host = new Host(kind, new InetSocketAddress("127.0.0.1", port), service);
        open.add(host);
        return new InetSocketAddress("127.0.0.1", port);
    }

    private String sensor() throws IOException {
        int port = FreePorts.take();
        String name = "127.0.0.1:" + port;
        Registrar registrar = new Registrar(nameServer);
        Reporter reporter = new Reporter(memory, registrar, told -> {});
        ProbeLog log = new ProbeLog(folder.resolve("log-" + port));
        Sensor sensor = new Sensor(name, Set.of(name), reporter, registrar, log, NanoClock.SYSTEM);
        sensor.registerSkills();
        open.addAll(List.of(sensor, reporter, registrar, log));
        host(Host.Kind.SENSOR, port, sensor);
        return name;
    }

    private static void await(BooleanSupplier there) {
        while (!there.getAsBoolean()) {
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static Message start(List<String> members, String more) throws IOException {
        byte[] data = ("wan\0clique\0tcpMessageMonitor\0member:" + String.join(",", members) + "\t" + more + "\t\0")
                .getBytes(StandardCharsets.ISO_8859_1);
        return Link.ask(
                Clique.address(members.get(0), 1), new Message(Message.ACTIVITY_START, data), Duration.ofSeconds(30));
    }

    private record Event(long nanos, boolean begins, String from, String to) {}

    private List<Event> events(List<String> sensors) {
        List<Event> all = new ArrayList<>();
        try {
            for (String each : sensors) {
                Path log = folder.resolve("log-" + each.replaceFirst(".*:", ""));
                for (String line : Files.readAllLines(log)) {
                    String[] words = line.split(",");
                    if (!words[0].equals("event")) {
                        all.add(new Event(Long.parseLong(words[6]), words[0].equals("begin"), words[4], words[5]));
                    }
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        all.sort((a, b) -> Long.compare(a.nanos(), b.nanos()));
        return all;
    }

    @Test
    void aCliqueProbesAllItsPathsOneAtATimeAndItsSeriesCanBeFoundAndForecast() throws Exception {
        List<String> sensors = List.of(sensor(), sensor(), sensor());
        assertThat(start(sensors, "period:2").type()).isEqualTo(Message.ACTIVITY_STARTED);
        await(() -> events(sensors).size() >= 24);
        Directory directory = new Directory(nameServer);
        await(() -> {
            try {
                return directory.search("series").size() >= 18;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        int probing = 0;
        Map<String, Integer> paths = new HashMap<>();
        for (Event each : events(sensors)) {
            probing += each.begins() ? 1 : -1;
            assertThat(probing).isBetween(0, 1);
            paths.merge(each.from() + " " + each.to(), 1, Integer::sum);
        }
        assertThat(paths).hasSize(6);
        String from = sensors.get(1);
        String to = sensors.get(2);
        for (String resource : List.of("bandwidthTcp", "latencyTcp", "connectTimeTcp")) {
            Attributes series = directory.between(from, to, resource).series();
            assertThat(series.get("target")).isEqualTo(to);
            List<Measurement> measured = Memory.fetch(Clique.address(series.get("memory"), 1), series.name(), 100);
            assertThat(measured).isNotEmpty().allMatch(each -> each.value() > 0);
        }
        assertThat(directory.between(from, to, "bandwidthTcp").series().name())
                .isEqualTo(from + ".bandwidthTcp.32.16.64." + to);
        assertThat(directory.search("cliques")).singleElement().satisfies(each -> {
            assertThat(each.get("member")).isEqualTo(String.join(",", sensors));
            assertThat(each.get("period")).isEqualTo("2");
        });
        // It can be stopped by any of its members.
        assertThat(Link.ask(Clique.address(to, 1), Message.of(Message.ACTIVITY_STOP, "wan"), Duration.ofSeconds(30))
                        .type())
                .isEqualTo(Message.ACTIVITY_STOPPED);
        await(() -> {
            int before = events(sensors).size();
            LockSupport.parkNanos(3_000_000_000L);
            return events(sensors).size() == before;
        });
    }

    @Test
    void whoStartsBeforeItsNameServerIsRegisteredOnceThatIsThere() throws Exception {
        int port = FreePorts.take();
        Registrar registrar = new Registrar(new InetSocketAddress("127.0.0.1", port));
        open.add(registrar);
        try (ServerSocket nobody = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            registrar.add(Attributes.of("name", "early", "objectclass", "nwsHost"));
            nobody.accept().close();
        }
        Directory late =
                new Directory(host(Host.Kind.NAMESERVER, port, new NameServer(new Registry(NanoClock.SYSTEM))));
        await(() -> {
            try {
                return late.search("hosts").size() == 1;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aSensorTakesNoCliqueThatItIsNotPartOf() throws Exception {
        String sensor = sensor();
        byte[] data = "wan\0clique\0tcpMessageMonitor\0member:10.9.9.9:80,10.9.9.8:80\t\0"
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(Link.ask(
                                Clique.address(sensor, 1),
                                new Message(Message.ACTIVITY_START, data),
                                Duration.ofSeconds(30))
                        .type())
                .isEqualTo(Message.SENSOR_FAILED);
    }

    @ParameterizedTest
    @ValueSource(ints = {32 << 10, 128 << 10})
    void aProbeMeasuresWhetherOnTheSameConnectionOrOneOfItsOwn(int buffer) throws Exception {
        InetSocketAddress sensor = Clique.address(sensor(), 1);
        NetProbe.Found found = NetProbe.probe(
                sensor, new NetProbe.Settings(1 << 20, buffer, 16 << 10), Duration.ofSeconds(10), NanoClock.SYSTEM);
        assertThat(found.megabitsPerSecond()).isPositive();
        assertThat(found.latencyMillis()).isPositive();
        assertThat(found.connectMillis()).isPositive();
    }

    @Test
    void whatIsNoSensorGetsTwentyFourBytesAndNoMore() throws Exception {
        try (ServerSocket victim = new ServerSocket(FreePorts.take())) {
            List<byte[]> got = new ArrayList<>();
            Thread reads = Host.start("victim", () -> {
                try (java.net.Socket accepted = victim.accept()) {
                    accepted.getOutputStream().write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
                    got.add(accepted.getInputStream().readAllBytes());
                } catch (IOException e) {
                    // a reset ends it as well
                }
            });
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", victim.getLocalPort());
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> NetProbe.probe(
                            address,
                            new NetProbe.Settings(64 << 10, 32 << 10, 16 << 10),
                            Duration.ofSeconds(5),
                            NanoClock.SYSTEM));
            reads.join();
            assertThat(got).allMatch(each -> each.length <= 24);
        }
    }

    @Test
    void probesAreBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NetProbe.Settings(1 << 30, 32 << 10, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new NetProbe.Settings(0, 32 << 10, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new NetProbe.Settings(1, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> NetProbe.Settings.read(new byte[11]));
        byte[] negative = new NetProbe.Settings(1, 1 << 10, 1).bytes();
        negative[0] = (byte) 0x80;
        assertThatIllegalArgumentException().isThrownBy(() -> NetProbe.Settings.read(negative));
    }

    @Test
    void cliquesAreBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a,a"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a,b\tperiod:0"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a,b\tperiod:1e300"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a,b\tsize:9999999"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a b", 1, "member:a,b"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, "member:a,b:99999"));
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, ""));
        StringBuilder many = new StringBuilder("member:h0");
        for (int i = 1; i < 65; i++) {
            many.append(",h").append(i);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Clique.started("a", 1, many.toString()));
        Clique clique = Clique.started("a", 1.25, "member:a,b:1,[::1]:2\tperiod:2.5");
        assertThat(Clique.read(Attributes.read(clique.text()))).isEqualTo(clique);
        assertThat(clique.member(2)).isEqualTo(InetSocketAddress.createUnresolved("::1", 2));
        assertThat(clique.member(0)).isEqualTo(InetSocketAddress.createUnresolved("a", Sensor.PORT));
    }

    @Test
    void sensorsThatNeverProbeEachOtherAreStoodForByMembersOfTheirCliques() throws Exception {
        Registrar.register(nameServer, clique("site-a", "a1:1,a2:1"), Duration.ofSeconds(60));
        Registrar.register(nameServer, clique("site-b", "b1:1,b2:1"), Duration.ofSeconds(60));
        Registrar.register(nameServer, clique("wan", "a1:1,b1:1"), Duration.ofSeconds(60));
        Series wan = Series.millis("a1:1", "latencyTcp", "b1:1");
        Registrar.register(nameServer, wan.registered("m:1"), Duration.ofSeconds(60));
        Directory directory = new Directory(nameServer);
        Directory.Found found = directory.between("a2:1", "b2:1", "latencyTcp");
        assertThat(new TreeSet<>(Set.of(found.from(), found.to()))).containsExactly("a1:1", "b1:1");
        assertThat(found.series().name()).isEqualTo("a1:1.latencyTcp.b1:1");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> directory.between("a2:1", "c:1", "latencyTcp"))
                .withMessageContaining("expected two sensors");
    }

    private static Attributes clique(String name, String members) {
        return Attributes.of("name", name, "objectclass", "nwsActivity", "controlName", "clique", "member", members);
    }
}
