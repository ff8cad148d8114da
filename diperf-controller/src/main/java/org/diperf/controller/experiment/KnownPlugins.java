package org.diperf.controller.experiment;

import java.util.List;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.TestbedPlugin;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that a file may name.
 *
 * @param clients client plugins, each id once
 * @param testbeds testbed plugins, each id once
 * @param monitors monitor plugins, each id once
 * @param outputs ids of plugins for outputs
 */
record KnownPlugins(
        List<ClientPlugin> clients, List<TestbedPlugin> testbeds, List<MonitorPlugin> monitors, List<String> outputs) {

    KnownPlugins {
        clients = List.copyOf(clients);
        testbeds = List.copyOf(testbeds);
        monitors = List.copyOf(monitors);
        outputs = List.copyOf(outputs);
    }

    static KnownPlugins of(Plugins plugins) {
        return new KnownPlugins(
                plugins.clients().stream().map(Plugins.FoundClient::plugin).toList(),
                plugins.testbeds().stream().map(Plugins.FoundTestbed::plugin).toList(),
                plugins.monitors().stream().map(Plugins.FoundMonitor::plugin).toList(),
                plugins.outputs().stream().map(found -> found.plugin().id()).toList());
    }

    @Nullable
    ClientPlugin client(String id) {
        return clients.stream()
                .filter(plugin -> plugin.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Nullable
    TestbedPlugin testbed(String id) {
        return testbeds.stream()
                .filter(plugin -> plugin.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Nullable
    MonitorPlugin monitor(String id) {
        return monitors.stream()
                .filter(plugin -> plugin.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Nullable
    ClientPlugin forScheme(String scheme) {
        return clients.stream()
                .filter(plugin -> plugin.schemes().contains(scheme))
                .findFirst()
                .orElse(null);
    }
}
