package org.diperf.plugins.gram.ws;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class WsGramContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new WsGramPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of();
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(JobService.start("time=1", "places=8")).uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return uri(listener);
        }
    }

    @Override
    protected Url silentTarget() throws Exception {
        return uri(untilTheEnd(new ServerSocket(0, 50, InetAddress.getLoopbackAddress())));
    }

    private static Url uri(ServerSocket listener) {
        return Url.of("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }
}
