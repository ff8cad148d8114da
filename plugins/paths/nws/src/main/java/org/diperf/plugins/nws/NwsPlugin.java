package org.diperf.plugins.nws;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;

/** Probes the path to a sensor at {@code nws://host:port}, and forecasts what the next probe will find. */
public final class NwsPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "nws";
    }

    @Override
    public String summary() {
        return "probes connect time, latency and bandwidth as the Network Weather Service does, and forecasts them";
    }

    @Override
    public String exampleTarget() {
        return "nws://127.0.0.1:" + Settings.PORT;
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
        return NwsMetrics.all();
    }

    @Override
    public void check(Url target, Parameters with) {
        Settings.address(target);
        Settings.of(with);
    }

    static InetSocketAddress resolve(Url target) throws IOException {
        InetSocketAddress named = Settings.address(target);
        InetSocketAddress resolved = new InetSocketAddress(named.getHostString(), named.getPort());
        if (resolved.isUnresolved()) {
            throw new UnknownHostException(
                    "target: expected a host that can be resolved, got '" + named.getHostString() + "'");
        }
        return resolved;
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of(Settings.address(target));
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        // A rehearsal is over in moments; more bytes would take it longer than it has.
        boolean brief = Settings.of(with).size() <= 1 << 20;
        return brief ? Optional.of(new Sensor(new InetSocketAddress("127.0.0.1", 0))) : Optional.empty();
    }

    @Override
    public Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        return Optional.of(new Sensor(listen));
    }

    @Override
    public int serverPort() {
        return Settings.PORT;
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new NwsSession(context);
    }
}
