package org.diperf.plugins.tcp;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.AfterEach;

class TcpContractTests extends ClientPluginContract {

    private final List<Server> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (Server server : servers) {
            server.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new TcpPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        servers.add(new Server(bytes -> bytes));
        return servers.get(servers.size() - 1).uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        Server server = new Server(bytes -> bytes);
        server.close();
        return server.uri();
    }

    @Override
    protected URI silentTarget() throws Exception {
        servers.add(new Server(bytes -> new byte[0]));
        return servers.get(servers.size() - 1).uri();
    }
}
