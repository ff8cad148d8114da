package org.diperf.plugins.mds;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.ClientTls;
import org.diperf.plugins.lib.netty.ConnectionReporter;

/** Queries the properties of a WSRF resource: {@code http://host:port/path}. */
public final class WsrfPlugin extends MdsPlugin {

    @Override
    public String id() {
        return "wsrf";
    }

    @Override
    public String summary() {
        return "queries a WSRF resource's properties by XPath, or waits for its notifications, using SOAP over HTTP";
    }

    @Override
    public Set<String> schemes() {
        return Set.of();
    }

    @Override
    public String exampleTarget() {
        return "http://127.0.0.1:8080/wsrf/services/DefaultIndexService";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(wsrf());
        all.add(ConnectionReporter.KEEP);
        all.addAll(ClientTls.PARAMETERS);
        return List.copyOf(all);
    }

    @Override
    public void check(Url target, Parameters with) {
        Server.ofHttp(target);
        super.check(target, with);
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return Operation.of(with).subscribes() ? Optional.empty() : Optional.of(MdsStandIn.start(false));
    }
}
