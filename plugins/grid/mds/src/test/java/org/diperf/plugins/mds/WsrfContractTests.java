package org.diperf.plugins.mds;

import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

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
    protected Url goodTarget() throws Exception {
        return untilTheEnd(IndexService.plain(3)).uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        return Script.closed("http");
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(new Script(false)).uri("http");
    }
}
