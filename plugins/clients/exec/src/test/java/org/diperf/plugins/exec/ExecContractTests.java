package org.diperf.plugins.exec;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

class ExecContractTests extends ClientPluginContract {

    private static final URI ANY = URI.create("exec://here");

    @Override
    protected ClientPlugin plugin() {
        return new ExecPlugin();
    }

    @Override
    protected URI goodTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("command", "true");
    }

    @Override
    protected URI failingTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return Map.of("command", "false");
    }

    @Override
    protected URI silentTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> silentParameters() {
        return Map.of("command", List.of("sleep", "1000"));
    }
}
