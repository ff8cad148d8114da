package org.diperf.plugins.http;

import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class HttpContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new HttpPlugin();
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(ScriptedServer.always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
                .uri("/");
    }

    @Override
    protected Url failingTarget() throws Exception {
        ScriptedServer server = ScriptedServer.always("");
        server.close();
        return server.uri("/");
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(ScriptedServer.always("")).uri("/");
    }
}
