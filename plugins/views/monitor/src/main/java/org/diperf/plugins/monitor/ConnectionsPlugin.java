package org.diperf.plugins.monitor;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;

/** The monitor {@code connections}. */
public final class ConnectionsPlugin implements MonitorPlugin {

    private static final String HOST = "on";
    private static final String PORT = "port";
    private static final String PEER = "peer";
    private static final String MOST = "most";
    private static final int LARGEST_PORT = 65_535;
    private static final int MAX_OF_ALL = 50;
    private static final Duration USUAL = Duration.ofMillis(10);
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /** No name is looked up by it. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private static final Map<String, Integer> PORTS =
            Map.of("http", 80, "https", 443, "gsiftp", 2811, "ftp", 21, "ldap", 389, "ldaps", 636);

    @Override
    public String id() {
        return "connections";
    }

    @Override
    public String summary() {
        return "TCP connections of this machine or of an emulated host: congestion window, round-trip time, "
                + "retransmissions, rates";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.optional(
                        HOST, Type.STRING, "emulated host whose connections are monitored; default: this machine"),
                Parameter.optional(
                        PORT, Type.INTEGER, "TCP port at either end, 0 for any; default: the targets' ports"),
                Parameter.optional(PEER, Type.STRING, "address of the remote end, such as 10.99.0.1; default: any"),
                Parameter.withDefault(
                        MOST, Type.INTEGER, "8", "number of connections to monitor at a time, at most 50"));
    }

    @Override
    public Duration usualPeriod(Duration roundTrip) {
        return roundTrip.isZero() || roundTrip.compareTo(USUAL) > 0
                ? USUAL
                : roundTrip.compareTo(SHORTEST) < 0 ? SHORTEST : roundTrip;
    }

    @Override
    public Duration shortestPeriod() {
        return SHORTEST;
    }

    @Override
    public void check(Parameters with) {
        if (with.has(PORT) && (with.integer(PORT) < 0 || with.integer(PORT) > LARGEST_PORT)) {
            throw new Parameters.Unusable(PORT, "expected a port from 0 to 65535, got " + with.integer(PORT));
        }
        if (with.integer(MOST) < 1 || with.integer(MOST) > MAX_OF_ALL) {
            throw new Parameters.Unusable(
                    MOST, "expected 1 to " + MAX_OF_ALL + " connections, got " + with.integer(MOST));
        }
        if (with.has(PEER)) {
            try {
                address(with.string(PEER));
            } catch (IOException e) {
                throw new Parameters.Unusable(
                        PEER, "expected an address such as 10.99.0.1, got '" + with.string(PEER) + "'");
            }
        }
    }

    private static InetAddress address(String text) throws IOException {
        if (!ADDRESS.matcher(text).matches()) {
            throw new IOException("no address: " + text);
        }
        return InetAddress.getByName(text);
    }

    @Override
    public Monitor open(MonitorContext context) throws Exception {
        Parameters with = context.with();
        List<Integer> ports = with.has(PORT)
                ? with.integer(PORT) == 0 ? List.of() : List.of((int) with.integer(PORT))
                : ports(context.targets());
        TcpConnection.Choice choice =
                new TcpConnection.Choice(ports, with.has(PEER) ? address(with.string(PEER)) : null);
        SocketDiag kernel = with.has(HOST) ? context.within(with.string(HOST), SocketDiag::open) : SocketDiag.open();
        return new ConnectionsMonitor(kernel, choice, (int) with.integer(MOST));
    }

    /** @throws IOException if the targets have none that is known */
    static List<Integer> ports(List<Url> targets) throws IOException {
        List<Integer> ports = targets.stream()
                .map(target -> target.port() > 0 ? target.port() : PORTS.getOrDefault(target.scheme(), 0))
                .filter(port -> port > 0)
                .distinct()
                .toList();
        if (ports.isEmpty()) {
            throw new IOException("expected a port, got none in the targets; set 'port', 0 for any");
        }
        return ports;
    }
}
