package org.diperf.plugins.stream;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;

class StreamContractTests extends ClientPluginContract {

    private static final URI ANY = URI.create("stream://here");

    @Override
    protected ClientPlugin plugin() {
        return new StreamPlugin();
    }

    @Override
    protected URI goodTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> goodParameters() {
        return Map.of("command", List.of("sh", "-c", "echo response 250 1000.5 host 3; exec sleep 1000"));
    }

    @Override
    protected URI failingTarget() {
        return ANY;
    }

    @Override
    protected Map<String, ?> failingParameters() {
        return Map.of("command", List.of("/no/such/program-${client}"));
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
