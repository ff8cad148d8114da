package org.diperf.plugins.gram.ws;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

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
    protected URI goodTarget() throws Exception {
        return untilTheEnd(JobService.start("time=1", "places=8")).uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            return uri(listener);
        }
    }

    @Override
    protected URI silentTarget() throws Exception {
        return uri(untilTheEnd(new ServerSocket(0, 50, InetAddress.getLoopbackAddress())));
    }

    private static URI uri(ServerSocket listener) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
    }
}
