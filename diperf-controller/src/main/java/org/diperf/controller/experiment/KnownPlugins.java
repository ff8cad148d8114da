package org.diperf.controller.experiment;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.plugin.Registry.Found;
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
 * @param journeys journeys in Java by the names of their classes
 */
record KnownPlugins(
        List<ClientPlugin> clients,
        List<TestbedPlugin> testbeds,
        List<MonitorPlugin> monitors,
        List<String> outputs,
        Map<String, JavaJourney> journeys) {

    KnownPlugins {
        clients = List.copyOf(clients);
        testbeds = List.copyOf(testbeds);
        monitors = List.copyOf(monitors);
        outputs = List.copyOf(outputs);
        journeys = Map.copyOf(journeys);
    }

    /** Knows no journeys in Java. */
    KnownPlugins(
            List<ClientPlugin> clients,
            List<TestbedPlugin> testbeds,
            List<MonitorPlugin> monitors,
            List<String> outputs) {
        this(clients, testbeds, monitors, outputs, Map.of());
    }

    static KnownPlugins of(Plugins plugins) {
        return new KnownPlugins(
                plugins.clients().plugins(),
                plugins.testbeds().plugins(),
                plugins.monitors().plugins(),
                plugins.outputs().ids(),
                plugins.journeys().found().stream().collect(Collectors.toMap(Found::id, Found::plugin)));
    }

    /** Finds a journey in Java by the name of its class, without the package. */
    @Nullable
    JavaJourney journey(String className) {
        return journeys.get(journeyType(className));
    }

    /** Returns the whole name of the class of a journey in Java; empty if there is none. */
    String journeyType(String className) {
        return journeys.keySet().stream()
                .filter(type -> type.substring(type.lastIndexOf('.') + 1).equals(className))
                .findFirst()
                .orElse("");
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
