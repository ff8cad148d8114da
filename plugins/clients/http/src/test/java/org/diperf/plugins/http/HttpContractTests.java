package org.diperf.plugins.http;

import java.net.URI;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

class HttpContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new HttpPlugin();
    }

    @Override
    protected URI goodTarget() throws Exception {
        return untilTheEnd(ScriptedServer.always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
                .uri("/");
    }

    @Override
    protected URI failingTarget() throws Exception {
        ScriptedServer server = ScriptedServer.always("");
        server.close();
        return server.uri("/");
    }

    @Override
    protected URI silentTarget() throws Exception {
        return untilTheEnd(ScriptedServer.always("")).uri("/");
    }
}
