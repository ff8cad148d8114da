package org.diperf.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.diperf.core.plugin.Plugins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Analyzer and controller decide by what plugins declare, never by their ids: a plugin of somebody else's must be able to say the same. */
@Timeout(60)
class PluginIdsTests {

    /** Words that are an id too and mean something else there: where, and which. */
    private static final Set<String> OTHER_MEANINGS = Set.of(
            // a URI scheme, of which the default port or the way to connect follows
            "ServiceKeys: http",
            "QuickOptions: http",
            "OpenApiFile: http",
            "Readiness: tcp",
            // what a browser recorded, or curl was told, is HTTP
            "JourneyDraft: http",
            // a part of an answer that is checked
            "RequestKeys: time",
            // how samples come to the controller
            "TestbedKeys: tcp",
            // the testbed that is used where the file names none, and the controller's own testbeds
            "TestbedKeys: local",
            "LocalTestbed: local",
            "InProcessTestbed: in-process",
            "ManualTestbed: manual",
            // the client where none is named
            "CalibrateCommand: http",
            "InitCommand: http",
            // a column or an axis
            "Field: time",
            "CustomFigures: time");

    @Test
    void noDecisionIsMadeByAPluginsId() throws IOException {
        Set<String> ids = new TreeSet<>();
        try (Plugins plugins = Plugins.bundled()) {
            plugins.clients().plugins().stream()
                    .filter(PluginIdsTests::isShipped)
                    .forEach(plugin -> ids.add(plugin.id()));
            plugins.testbeds().plugins().stream()
                    .filter(PluginIdsTests::isShipped)
                    .forEach(plugin -> ids.add(plugin.id()));
        }
        assertThat(ids).contains("exec", "stream", "http", "ssh", "slurm", "local", "in-process");
        List<String> found = new ArrayList<>();
        for (String module : List.of("diperf-analyzer", "diperf-controller")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String source = Files.readString(file);
                    String type = file.getFileName().toString().replace(".java", "");
                    for (String id : ids) {
                        String where = type + ": " + id;
                        if (source.contains('"' + id + '"') && !OTHER_MEANINGS.contains(where)) {
                            found.add(where);
                        }
                    }
                }
            }
        }
        assertThat(found)
                .as(
                        "a plugin declares what is decided of it: ClientPlugin.traits(), TestbedPlugin.runsHere() and others")
                .isEmpty();
    }

    private static boolean isShipped(Object plugin) {
        String home = plugin.getClass().getPackageName();
        return home.startsWith("org.diperf.plugins.") || home.equals("org.diperf.controller.testbed");
    }
}
