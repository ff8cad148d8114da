package org.diperf.plugins.exec;

import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class ExecContractTests extends ClientPluginContract {

    private static final Url ANY = Url.of("exec://here");

    @Override
    protected ClientPlugin plugin() {
        return new ExecPlugin();
    }

    @Override
    protected Url goodTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("command", "true");
    }

    @Override
    protected Url failingTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return Map.of("command", "false");
    }

    @Override
    protected Url silentTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> silentParameters() {
        return Map.of("command", List.of("sleep", "1000"));
    }
}
