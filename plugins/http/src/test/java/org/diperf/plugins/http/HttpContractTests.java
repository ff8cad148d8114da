package org.diperf.plugins.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.AfterEach;

class HttpContractTests extends ClientPluginContract {

    private final List<ScriptedServer> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (ScriptedServer server : servers) {
            server.close();
        }
    }

    private URI serve(ScriptedServer server) {
        servers.add(server);
        return server.uri("/");
    }

    @Override
    protected ClientPlugin plugin() {
        return new HttpPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        return serve(ScriptedServer.always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    }

    @Override
    protected URI failingTarget() throws Exception {
        ScriptedServer server = ScriptedServer.always("");
        server.close();
        return server.uri("/");
    }

    @Override
    protected URI silentTarget() throws Exception {
        return serve(ScriptedServer.always(""));
    }
}
