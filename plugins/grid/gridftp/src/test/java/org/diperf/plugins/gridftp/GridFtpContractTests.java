package org.diperf.plugins.gridftp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.gridftp.FtpStandIn;
import org.junit.jupiter.api.AfterEach;

class GridFtpContractTests extends ClientPluginContract {

    private final List<AutoCloseable> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new GridFtpPlugin();
    }

    @Override
    protected Url goodTarget() throws IOException {
        FtpStandIn server = FtpStandIn.start();
        servers.add(server);
        return server.target();
    }

    @Override
    protected Url failingTarget() throws Exception {
        FtpStandIn server = FtpStandIn.start();
        server.close();
        return server.target();
    }

    @Override
    protected Url silentTarget() throws Exception {
        ScriptedServer server = new ScriptedServer("220 hello", command -> null);
        servers.add(server);
        return server.uri();
    }
}
