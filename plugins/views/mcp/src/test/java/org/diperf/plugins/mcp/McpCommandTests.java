package org.diperf.plugins.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.spi.CommandPlugin;
import org.junit.jupiter.api.Test;

class McpCommandTests extends CommandPluginContract {

    @Override
    protected CommandPlugin plugin() {
        return new McpCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("max-rate", "fast", "max-clients", "0", "max-for", "0s", "dir", "/no/such/folder");
    }

    @Test
    void theGuideIsInTheProgramWithoutItsHead() throws IOException {
        assertThat(McpCommand.guide())
                .startsWith("\n# Measure services with DiPerF")
                .contains("exit code", "thresholds");
        assertThat(McpCommand.guide().lines()).hasSizeLessThan(250);
    }
}
