package org.diperf.controller.experiment;

import java.util.List;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
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
 * @param journeys journeys in Java
 */
record KnownPlugins(
        List<ClientPlugin> clients,
        List<TestbedPlugin> testbeds,
        List<MonitorPlugin> monitors,
        List<String> outputs,
        List<JavaJourney> journeys) {

    KnownPlugins {
        clients = List.copyOf(clients);
        testbeds = List.copyOf(testbeds);
        monitors = List.copyOf(monitors);
        outputs = List.copyOf(outputs);
        journeys = List.copyOf(journeys);
    }

    /** Knows no journeys in Java. */
    KnownPlugins(
            List<ClientPlugin> clients,
            List<TestbedPlugin> testbeds,
            List<MonitorPlugin> monitors,
            List<String> outputs) {
        this(clients, testbeds, monitors, outputs, List.of());
    }

    static KnownPlugins of(Plugins plugins) {
        return new KnownPlugins(
                plugins.clients().stream().map(Plugins.FoundClient::plugin).toList(),
                plugins.testbeds().stream().map(Plugins.FoundTestbed::plugin).toList(),
                plugins.monitors().stream().map(Plugins.FoundMonitor::plugin).toList(),
                plugins.outputs().stream().map(found -> found.plugin().id()).toList(),
                plugins.journeys().stream().map(Plugins.FoundJourney::journey).toList());
    }

    /** Finds a journey in Java by the name of its class, without the package. */
    @Nullable
    JavaJourney journey(String className) {
        return journeys.stream()
                .filter(journey -> journey.getClass().getSimpleName().equals(className))
                .findFirst()
                .orElse(null);
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
