package org.diperf.plugins.iperf;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;

/** Measures what the path to {@code iperf://host:port} carries, by the protocol of iperf3. */
public final class IperfPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "iperf";
    }

    @Override
    public String summary() {
        return "measures the bandwidth of a path over TCP or UDP, against iperf3 servers";
    }

    @Override
    public String exampleTarget() {
        return "iperf://127.0.0.1:" + Settings.PORT;
    }

    @Override
    public List<Parameter> parameters() {
        return Settings.parameters();
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.MEASURES);
    }

    @Override
    public List<Metric> metrics() {
        return IperfMetrics.all();
    }

    @Override
    public void check(Url target, Parameters with) {
        Settings.address(target);
        Settings.of(with);
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(Settings.address(target).unresolved());
    }

    /** Asks for a test and gives it up: iperf3 3.12 with {@code -J --logfile} crashes where a client goes away before it has asked. */
    @Override
    public void hangUp(Socket socket, Parameters with) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write(Cookie.fresh());
        if (socket.getInputStream().read() == State.PARAM_EXCHANGE) {
            byte[] request = Settings.of(with).request().toJson().getBytes(StandardCharsets.UTF_8);
            out.writeInt(request.length);
            out.write(request);
            if (socket.getInputStream().read() == State.CREATE_STREAMS) {
                out.write(State.CLIENT_TERMINATE);
            }
        }
    }

    @Override
    public Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        return Optional.of(new IperfServer(listen, NanoClock.SYSTEM));
    }

    @Override
    public int serverPort() {
        return Settings.PORT;
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new IperfSession(context, NanoClock.SYSTEM);
    }
}
