package org.diperf.plugins.mds;

import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

/** The contract for a call that waits for a notification. */
class NotifyContractTests extends ClientPluginContract {

    @Override
    protected ClientPlugin plugin() {
        return new WsrfPlugin();
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("operation", "notify", "topic", "Entry", "message", "<q><id>${client}-${call}</id></q>");
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
        return untilTheEnd(Trigger.start("fail=subscribe:hang:1")).uri();
    }
}
