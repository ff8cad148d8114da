package org.diperf.plugins.mds;

import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

/** The contract for a subscription. */
class SubscribeContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new WsrfPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("operation", "subscribe", "topic", "Entry");
    }

    @Override
    protected Url goodTarget() throws Exception {
        return untilTheEnd(Trigger.start()).uri();
    }

    @Override
    protected Url failingTarget() throws Exception {
        return Script.closed("http");
    }

    @Override
    protected Url silentTarget() throws Exception {
        return untilTheEnd(Trigger.start("fail=" + firstStep() + ":hang:1")).uri();
    }

    /** Names what a call does first, as the stand-in does. */
    protected String firstStep() {
        return "subscribe";
    }
}
