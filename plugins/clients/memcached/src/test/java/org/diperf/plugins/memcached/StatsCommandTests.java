package org.diperf.plugins.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.CommandHarness;
import org.diperf.core.contract.CommandPluginContract;
import org.diperf.core.spi.CommandPlugin;
import org.junit.jupiter.api.Test;

class StatsCommandTests extends CommandPluginContract {

    @Override
    protected CommandPlugin plugin() {
        return new StatsCommand();
    }

    @Override
    protected Map<String, String> badValues() {
        return Map.of("server", "http://a/");
    }

    @Test
    void itShowsWhatTheServerCounted() throws Exception {
        try (MemcachedServer server = new MemcachedServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            CommandHarness harness = new CommandHarness(new StatsCommand(), List.of(), folder, List.of());
            String address = server.target().getAuthority();
            assertThat(harness.run(Map.of("server", address, "only", "get_"))).isEqualTo(CommandPlugin.DONE);
            assertThat(harness.printed()).isEqualTo("get_hits 0\nget_misses 0");
            harness.run(Map.of("server", address, "json", "true"));
            assertThat(harness.tree())
                    .hasToString("{version=diperf, curr_items=0, get_hits=0, get_misses=0, evictions=0}");
        }
    }
}
