package org.diperf.plugins.stream;

import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Url;

class StreamContractTests extends ClientPluginContract {

    private static final Url ANY = Url.of("stream://here");

    @Override
    protected ClientPlugin plugin() {
        return new StreamPlugin();
    }

    @Override
    protected Url goodTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("command", List.of("sh", "-c", "echo response 250 1000.5 host 3; exec sleep 1000"));
    }

    @Override
    protected Url failingTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return Map.of("command", List.of("/no/such/program-${client}"));
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
