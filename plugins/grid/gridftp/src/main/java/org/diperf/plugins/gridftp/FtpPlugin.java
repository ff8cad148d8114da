package org.diperf.plugins.gridftp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.ClientTrait;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Session;
import org.diperf.core.spi.SessionContext;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.diperf.plugins.lib.gridftp.data.Settings;
import org.diperf.plugins.lib.gridftp.data.TransferMetrics;

/** Moves files by plain FTP, which any server understands: {@code ftp://host:port/path}. */
public final class FtpPlugin implements ClientPlugin {

    private final GridFtpPlugin grid = new GridFtpPlugin();

    @Override
    public String id() {
        return "ftp";
    }

    @Override
    public String summary() {
        return "transfers files over FTP, with a separate data connection for each";
    }

    @Override
    public String exampleTarget() {
        return "ftp://127.0.0.1:21/file.bin";
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(Parameter.withDefault(
                        "direction", Type.STRING, "get", "get: download to the tester; put: upload from it")
                .oneOf("get", "put")));
        all.addAll(GridFtpPlugin.common());
        return List.copyOf(all);
    }

    @Override
    public Set<ClientTrait> traits() {
        return Set.of(ClientTrait.MOVES_DATA);
    }

    @Override
    public List<Metric> metrics() {
        return TransferMetrics.ALL;
    }

    @Override
    public void check(Url target, Parameters with) {
        if (Server.of(target, "target").secure()) {
            throw new IllegalArgumentException(
                    "target: expected ftp://HOST:PORT/PATH, got '" + target + "'; set client.plugin: gridftp");
        }
        Settings.of(with).check();
    }

    @Override
    public List<InetSocketAddress> servers(Url target, Parameters with) {
        return grid.servers(target, with);
    }

    @Override
    public Optional<StandIn> standIn(Parameters with) throws IOException {
        return FtpStandIn.suits(Settings.of(with)) ? Optional.of(FtpStandIn.start()) : Optional.empty();
    }

    @Override
    public Session open(SessionContext context) throws IOException {
        return new GridFtpSession(context, NanoClock.SYSTEM);
    }
}
