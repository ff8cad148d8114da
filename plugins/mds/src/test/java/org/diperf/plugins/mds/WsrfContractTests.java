package org.diperf.plugins.mds;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.junit.jupiter.api.AfterEach;

class WsrfContractTests extends ClientPluginContract {

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new WsrfPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("xpath", "//*[local-name()='Entry']");
    }

    @Override
    protected URI goodTarget() throws Exception {
        IndexService service = IndexService.plain(3);
        open.add(service);
        return service.uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        Script closed = new Script(true);
        closed.close();
        return closed.uri("http");
    }

    @Override
    protected URI silentTarget() throws Exception {
        Script silent = new Script(false);
        open.add(silent);
        return silent.uri("http");
    }
}
