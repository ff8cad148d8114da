package org.diperf.examples.echo;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;

/** What every plugin has to keep to: such a class is all that it takes to check one. */
class EchoContractTests extends ClientPluginContract {

    private final List<AutoCloseable> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return Plugins.ofClass(EchoClient.class);
    }

    @Override
    protected Url goodTarget() throws Exception {
        EchoServer server = new EchoServer(0);
        servers.add(server);
        return server.uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        EchoServer server = new EchoServer(0);
        server.close();
        return server.uri();
    }

    @Override
    protected Url silentTarget() throws Exception {
        // Connections are made by the kernel; nobody takes them.
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        servers.add(listener);
        return Url.of("echo://127.0.0.1:" + listener.getLocalPort());
    }
}
