package org.diperf.plugins.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ReadingsProbe;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The monitor of connections: on made-up ones, on what a kernel would say, and on this machine's own. */
@Timeout(30)
class ConnectionsMonitorTests {

    private static final long LOOK_NANOS = 250_000_000L;
    private static final TcpConnection.Choice ANY = new TcpConnection.Choice(List.of(), null);

    /** What there is, as the test says it. */
    private static final class Made implements TcpConnections {

        private List<TcpConnection> now = new ArrayList<>();
        private int looks;

        @Override
        public List<TcpConnection> all(TcpConnection.Choice choice) {
            looks++;
            return now.stream().filter(each -> choice.fits(each.id())).toList();
        }

        @Override
        public List<TcpConnection> of(List<TcpConnection.Id> ids) {
            return now.stream().filter(each -> ids.contains(each.id())).toList();
        }

        @Override
        public void close() {}
    }

    private static TcpConnection.Id id(int localPort, int peerPort, int cookie) {
        ByteBuffer wire = ByteBuffer.allocate(TcpConnection.Id.BYTES);
        wire.putShort((short) localPort).putShort((short) peerPort);
        wire.put(4, new byte[] {10, 99, 0, 1})
                .put(20, new byte[] {10, 99, 0, 2})
                .putInt(40, cookie);
        return new TcpConnection.Id(TcpConnection.Id.AF_INET, wire.clear());
    }

    private static TcpConnection at(TcpConnection.Id id, long window, long retransmits, long acked) {
        return new TcpConnection(
                id, window, TcpConnection.NO_THRESHOLD, 30_500, 1_448, 10, retransmits, acked, 7, -1, 0);
    }

    @Test
    void eachConnectionHasANumberAndSumsHaveNone() throws Exception {
        Made made = new Made();
        TcpConnection.Id first = id(8080, 40_001, 1);
        TcpConnection.Id second = id(8080, 40_002, 2);
        made.now = List.of(at(second, 20, 5, 2_000), at(first, 10, 3, 1_000));
        ConnectionsMonitor monitor = new ConnectionsMonitor(made, ANY, 8);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        assertThat(seen.gauges)
                .containsEntry("1.cwnd", 10.0)
                .containsEntry("2.cwnd", 20.0)
                .containsEntry("cwnd", 30.0)
                .containsEntry("1.rtt", 30.5)
                .containsEntry("1.in-flight", 14_480.0)
                .containsEntry("in-flight", 28_960.0)
                .containsEntry("followed", 2.0)
                .doesNotContainKeys("1.ssthresh", "1.pacing-rate", "1.delivery-rate");
        assertThat(seen.counters).containsEntry("2.retransmits", 0.0).containsEntry("retransmits", 0.0);
        assertThat(seen.notes)
                .containsExactly(
                        "connection 1 is initially 10.99.0.1:8080 to 10.99.0.2:40001",
                        "connection 2 is initially 10.99.0.1:8080 to 10.99.0.2:40002");
        // Each counts on where it was.
        made.now = List.of(at(first, 5, 4, 1_500), at(second, 21, 5, 2_100));
        monitor.sample(seen);
        assertThat(seen.counters)
                .containsEntry("1.retransmits", 1.0)
                .containsEntry("1.acked", 500.0)
                .containsEntry("retransmits", 1.0)
                .containsEntry("acked", 600.0);
        assertThat(made.looks).as("what is known is asked for by itself").isEqualTo(1);
    }

    @Test
    void whatHasGoneGivesItsNumberToAnotherAndItsCountsStay() throws Exception {
        Made made = new Made();
        made.now = List.of(at(id(8080, 1, 1), 10, 3, 1_000), at(id(8080, 2, 2), 10, 0, 0));
        ConnectionsMonitor monitor = new ConnectionsMonitor(made, ANY, 2);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        // The same ports and addresses, but another connection.
        TcpConnection reborn = at(id(8080, 1, 9), 77, 2, 50);
        made.now = List.of(reborn, at(id(8080, 2, 2), 10, 0, 0), at(id(8080, 3, 3), 99, 0, 0));
        seen.now += LOOK_NANOS - 1;
        monitor.sample(seen);
        assertThat(seen.gauges).as("nobody has looked for others").containsEntry("followed", 1.0);
        seen.now += 1;
        monitor.sample(seen);
        assertThat(seen.gauges).containsEntry("1.cwnd", 77.0).doesNotContainKey("3.cwnd");
        assertThat(seen.counters).containsEntry("retransmits", 2.0).containsEntry("acked", 50.0);
        assertThat(seen.notes).contains("monitored 2 of 3 connections; 'most' sets the limit");
    }

    @Test
    void whatAConnectionDidBeforeItGotANumberIsNoBurst() throws Exception {
        Made made = new Made();
        TcpConnection.Id first = id(8080, 1, 1);
        TcpConnection.Id second = id(8080, 2, 2);
        made.now = List.of(at(first, 10, 3, 1_000), at(second, 10, 70, 1_000_000_000));
        ConnectionsMonitor monitor = new ConnectionsMonitor(made, ANY, 1);
        ReadingsProbe seen = new ReadingsProbe();
        monitor.sample(seen);
        made.now = List.of(at(second, 10, 71, 1_000_000_500));
        seen.now += LOOK_NANOS;
        monitor.sample(seen);
        assertThat(seen.counters)
                .containsEntry("1.acked", 0.0)
                .containsEntry("1.retransmits", 0.0)
                .containsEntry("acked", 0.0);
        // From here on it counts, and of one that begins later all does.
        made.now = List.of(at(second, 10, 72, 1_000_000_700));
        monitor.sample(seen);
        assertThat(seen.counters).containsEntry("1.acked", 200.0).containsEntry("acked", 200.0);
        made.now = List.of(at(id(8080, 3, 3), 10, 2, 50));
        seen.now += LOOK_NANOS;
        monitor.sample(seen);
        assertThat(seen.counters)
                .containsEntry("1.acked", 250.0)
                .containsEntry("1.retransmits", 3.0)
                .containsEntry("acked", 250.0);
    }

    @Test
    void portsMayBeAtEitherEndAndThePeerIsTheOther() throws Exception {
        InetAddress peer = InetAddress.getByAddress(new byte[] {10, 99, 0, 2});
        InetAddress local = InetAddress.getByAddress(new byte[] {10, 99, 0, 1});
        assertThat(new TcpConnection.Choice(List.of(8080), null).fits(id(8080, 40_001, 1)))
                .isTrue();
        assertThat(new TcpConnection.Choice(List.of(40_001), peer).fits(id(8080, 40_001, 1)))
                .isTrue();
        assertThat(new TcpConnection.Choice(List.of(40_001), local).fits(id(8080, 40_001, 1)))
                .isFalse();
        assertThat(new TcpConnection.Choice(List.of(80), null).fits(id(8080, 40_001, 1)))
                .isFalse();
        assertThat(ConnectionsPlugin.ports(
                        List.of(Url.of("http://server:8080/"), Url.of("gsiftp://a/b"), Url.of("http://b/"))))
                .containsExactly(8080, 2811, 80);
        assertThatThrownBy(() -> ConnectionsPlugin.ports(List.of(Url.of("odd://server/"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("set 'port'");
    }

    @Test
    void thePeriodFollowsTheRoundTripDownToAMillisecond() {
        ConnectionsPlugin plugin = new ConnectionsPlugin();
        assertThat(plugin.usualPeriod(Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
        assertThat(plugin.usualPeriod(Duration.ofMillis(30))).isEqualTo(Duration.ofMillis(10));
        assertThat(plugin.usualPeriod(Duration.ofMillis(4))).isEqualTo(Duration.ofMillis(4));
        assertThat(plugin.usualPeriod(Duration.ofNanos(200_000))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void whatCannotBeIsRefused() {
        ConnectionsPlugin plugin = new ConnectionsPlugin();
        Map.of("port", 65_536L, "peer", "server", "most", 51L)
                .forEach((key, value) -> assertThatThrownBy(
                                () -> plugin.check(Parameters.read(plugin.parameters(), Map.of(key, value), 1)))
                        .isInstanceOf(Parameters.Unusable.class)
                        .hasMessageContaining("got"));
    }

    private static ByteBuffer message(int type, int flags, int bodyBytes) {
        ByteBuffer message = ByteBuffer.allocate(16 + bodyBytes).order(ByteOrder.nativeOrder());
        return message.putInt(16 + bodyBytes)
                .putShort((short) type)
                .putShort((short) flags)
                .putInt(0)
                .putInt(0);
    }

    @Test
    void anOlderKernelSaysLessAndWhatIsCutShortSaysNothing() throws Exception {
        List<TcpConnection> found = new ArrayList<>();
        // An answer of 72 bytes, an attribute that nobody wants, and 104 bytes of TCP_INFO.
        ByteBuffer message = message(20, 0, 72 + 8 + 4 + 104);
        message.put(16, (byte) 2).putShort(16 + 72, (short) 6).putShort(16 + 74, (short) 8);
        int info = 16 + 72 + 8;
        message.putShort(info, (short) 108).putShort(info + 2, (short) 2);
        message.putInt(info + 4 + 24, 12)
                .putInt(info + 4 + 28, 3)
                .putInt(info + 4 + 32, 2)
                .putInt(info + 4 + 36, 1);
        message.putInt(info + 4 + 80, 44).putInt(info + 4 + 100, 7);
        assertThat(SocketDiagMessages.read(message.clear(), found::add)).isEqualTo(1);
        assertThat(found).singleElement().satisfies(one -> {
            assertThat(one.window()).isEqualTo(44);
            assertThat(one.inFlight()).as("12 - 3 - 2 + 1").isEqualTo(8);
            assertThat(one.retransmits()).isEqualTo(7);
            assertThat(one.ackedBytes()).isZero();
        });
        found.clear();
        message.putShort(info, (short) 200);
        assertThat(SocketDiagMessages.read(message.clear(), found::add)).isEqualTo(1);
        assertThat(found).isEmpty();
        message.putInt(0, 500);
        assertThatThrownBy(() -> SocketDiagMessages.read(message.clear(), found::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("500 bytes");
    }

    @Test
    void aConnectionThatHasGoneIsAnAnswerAndARefusalIsNone() throws Exception {
        List<TcpConnection> found = new ArrayList<>();
        ByteBuffer gone = message(2, 0, 4).putInt(-2);
        assertThat(SocketDiagMessages.read(gone.clear(), found::add)).isEqualTo(1);
        ByteBuffer refused = message(2, 0, 4).putInt(-1);
        assertThatThrownBy(() -> SocketDiagMessages.read(refused.clear(), found::add))
                .hasMessageContaining("error 1");
        ByteBuffer part = message(20, 2, 0);
        assertThat(SocketDiagMessages.read(part.clear(), found::add))
                .as("others follow")
                .isZero();
        assertThat(found).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachinesKernelTellsOfBothEnds() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept();
                SocketDiag kernel = SocketDiag.open()) {
            client.getOutputStream().write(new byte[5_000]);
            InputStream in = accepted.getInputStream();
            in.readNBytes(5_000);
            TcpConnection.Choice choice = new TcpConnection.Choice(List.of(server.getLocalPort()), null);
            List<TcpConnection> both = kernel.all(choice);
            assertThat(both).hasSize(2);
            TcpConnection sender = both.stream()
                    .filter(each -> each.id().localPort() == client.getLocalPort())
                    .findFirst()
                    .orElseThrow();
            assertThat(sender.id().peer()).isEqualTo(server.getInetAddress());
            assertThat(sender.id().peerPort()).isEqualTo(server.getLocalPort());
            // The SYN counts as a byte.
            assertThat(sender.ackedBytes()).isBetween(5_000L, 5_001L);
            assertThat(sender.window()).isPositive();
            client.getOutputStream().write(new byte[1_000]);
            in.readNBytes(1_000);
            assertThat(kernel.of(List.of(sender.id()))).singleElement().satisfies(again -> {
                assertThat(again.id()).isEqualTo(sender.id());
                assertThat(again.ackedBytes() - sender.ackedBytes()).isEqualTo(1_000);
            });
            accepted.close();
            client.close();
            assertThat(kernel.all(choice)).isEmpty();
            assertThat(kernel.of(List.of(sender.id()))).as("gone").isEmpty();
        }
    }
}
