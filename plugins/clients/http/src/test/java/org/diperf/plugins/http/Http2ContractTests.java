package org.diperf.plugins.http;

import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.http2.ScriptedHttp2Server;

class Http2ContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new HttpPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("version", "2", "streams", 4);
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(ScriptedHttp2Server.always("ok")).uri("/");
    }

    @Override
    protected Url failingTarget() throws Exception {
        ScriptedHttp2Server server = ScriptedHttp2Server.always("");
        server.close();
        return server.uri("/");
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(new ScriptedHttp2Server((request, socket, out) -> {}))
                .uri("/");
    }
}
