package org.diperf.plugins.weather;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A series as NWS names and registers it.
 *
 * @param host the sensor's registered name
 * @param options by name, such as what a probe sends, and its target
 */
record Series(String host, String resource, String label, Map<String, String> options) {

    Series {
        options = new TreeMap<>(options);
    }

    /** Returns its name: host, resource and the values of the options in the order of their names. */
    String name() {
        return options.isEmpty()
                ? host + "." + resource
                : host + "." + resource + "." + String.join(".", options.values());
    }

    static Series bandwidth(String host, String target, NetProbe.Settings probes) {
        return new Series(
                host,
                "bandwidthTcp",
                "Megabits/second",
                Map.of(
                        "buffer", kibi(probes.buffer()),
                        "message", kibi(probes.message()),
                        "size", kibi(probes.size()),
                        "target", target));
    }

    private static String kibi(int bytes) {
        return Clique.plain(bytes / 1024.0);
    }

    static Series millis(String host, String resource, String target) {
        return new Series(host, resource, "Milliseconds", Map.of("target", target));
    }

    /** Returns the series of a resource of the host itself. */
    static Series local(String host, String resource) {
        return switch (resource) {
            case "availableCpu", "currentCpu" -> new Series(host, resource, "CPU Fraction", Map.of("nice", "0"));
            case "freeMemory" -> new Series(host, resource, "Megabytes", Map.of("type", "p"));
            case "freeDisk" -> new Series(host, resource, "Megabytes", Map.of());
            default -> new Series(host, resource, "Processes", Map.of());
        };
    }

    /** Returns what is registered of it. */
    Attributes registered(String memory) {
        Map<String, String> all = new LinkedHashMap<>(Attributes.of(
                        "name",
                        name(),
                        "objectclass",
                        "nwsSeries",
                        "host",
                        host,
                        "label",
                        label,
                        "memory",
                        memory,
                        "option",
                        options.keySet().stream().collect(Collectors.joining(",")),
                        "resource",
                        resource)
                .values());
        all.putAll(options);
        return new Attributes(all);
    }
}
