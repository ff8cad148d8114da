package org.diperf.plugins.tcp;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
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
    protected Url goodTarget() throws Exception {
        servers.add(new Server(bytes -> bytes));
        return servers.get(servers.size() - 1).uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        Server server = new Server(bytes -> bytes);
        server.close();
        return server.uri();
    }

    @Override
    protected Url silentTarget() throws Exception {
        servers.add(new Server(bytes -> new byte[0]));
        return servers.get(servers.size() - 1).uri();
    }
}
