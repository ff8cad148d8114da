package org.diperf.plugins.mds;

import java.net.URI;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

class WsrfContractTests extends ClientPluginContract {

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
        return untilTheEnd(IndexService.plain(3)).uri();
    }

    @Override
    protected URI failingTarget() throws Exception {
        return Script.closed("http");
    }

    @Override
    protected URI silentTarget() throws Exception {
        return untilTheEnd(new Script(false)).uri("http");
    }
}
