package org.diperf.plugins.stamp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;

/** Measures delay and loss of the path to {@code stamp://host:port}, in each direction. */
public final class StampPlugin implements ClientPlugin {

    @Override
    public String id() {
        return "stamp";
    }

    @Override
    public String summary() {
        return "measures delay, loss and reordering of datagrams in each direction, with STAMP (RFC 8762)";
    }

    @Override
    public String exampleTarget() {
        return "stamp://127.0.0.1:" + Settings.PORT;
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
        return StampMetrics.all();
    }

    @Override
    public void check(Url target, Parameters with) {
        Settings.address(target);
        Settings.of(with);
    }

    /** Its clients connect to none. */
    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return List.of();
    }

    /** A reflector can only be found by calling it; its host must have an address. */
    @Override
    public void probe(Url target, Parameters with, Duration timeout) throws IOException {
        Settings.address(target).resolve();
    }

    @Override
    public Optional<StandIn> server(InetSocketAddress listen) throws IOException {
        return Optional.of(new Reflector(listen, NanoClock.SYSTEM, WallClock.SYSTEM));
    }

    @Override
    public int serverPort() {
        return Settings.PORT;
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new StampSession(context, NanoClock.SYSTEM, WallClock.SYSTEM);
    }
}
