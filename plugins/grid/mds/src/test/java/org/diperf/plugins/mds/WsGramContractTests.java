package org.diperf.plugins.mds;

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
        return Script.closed("http");
    }

    @Override
    protected URI silentTarget() throws Exception {
        return untilTheEnd(new Script(false)).uri("http");
    }
}
