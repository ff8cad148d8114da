package org.diperf.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            "Readiness: tcp",
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

    /** Words of packs that the kernel's code and pages have too, as everyone's: what they mean there. */
    private static final Set<String> EVERYONES_WORDS = Set.of(
            // the web, its scheme and what people start with
            "web",
            "http",
            "tcp",
            "exec",
            "stream",
            "ssh",
            // ordinary words
            "time",
            "stamp",
            "process",
            "host",
            "log",
            "local",
            "manual",
            "in",
            "bundle",
            "testers",
            "connections",
            "transfer",
            "monitor",
            "formats",
            "forecast",
            "probe",
            "predict",
            "transfers",
            "acceptance",
            // what a run is made of, and what Java files begin with
            "import",
            "imports",
            // formats and tools that the kernel itself reads or speaks
            "csv",
            "json",
            "lines",
            "jtl",
            "hgrm",
            "hlog",
            "prometheus",
            "curl",
            // rooms
            "clients",
            "places",
            "views",
            "paths",
            "grid");

    /** Where the kernel names a pack all the same, with the reason. */
    private static final Set<String> NAMED_IN_KERNEL = Set.of(
            // not in the jar: an experiment that names it is told how to get it
            "OutputKeys: otlp",
            "OutputKeys: opentelemetry",
            // of the special schemes of the URL standard
            "Url: ftp");

    /** Packs come and go without a line in the kernel: its code, comments, pages and POMs name none of them. */
    @Test
    void theKernelDoesNotNameAPack() throws IOException {
        Set<String> words = new TreeSet<>();
        try (Stream<Path> poms = Files.walk(Path.of("..", "plugins"), 3)) {
            poms.filter(path -> path.endsWith("pom.xml") && !path.startsWith("../plugins/lib"))
                    .map(path -> String.valueOf(path.getParent().getFileName()))
                    .filter(name -> !name.equals("plugins"))
                    .forEach(words::add);
        }
        try (Plugins plugins = Plugins.bundled()) {
            Stream.of(
                            plugins.clients(),
                            plugins.testbeds(),
                            plugins.monitors(),
                            plugins.exports(),
                            plugins.outputs(),
                            plugins.commands(),
                            plugins.starters())
                    .flatMap(kind -> kind.plugins().stream())
                    .filter(plugin -> plugin.getClass().getPackageName().startsWith("org.diperf.plugins."))
                    .forEach(plugin -> words.addAll(List.of(plugin.id().split("-"))));
        }
        assertThat(words).as("words of packs that are there").contains("http", "web");
        words.removeAll(EVERYONES_WORDS);
        Set<String> found = new TreeSet<>();
        for (String module : List.of("diperf-core", "diperf-tester", "diperf-analyzer", "diperf-controller")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main"))) {
                for (Path file : files.filter(
                                path -> path.toString().matches(".*\\.(?:java|html|js|css|json|txt|properties)"))
                        .toList()) {
                    String type = file.getFileName().toString().replaceFirst("\\.[a-z]+$", "");
                    // Figures and statistics name the paper that they come from.
                    for (String word : words(Files.readString(file).replace("WS-MDS paper", ""))) {
                        if (words.contains(word) && !NAMED_IN_KERNEL.contains(type + ": " + word)) {
                            found.add(type + ": " + word);
                        }
                    }
                }
            }
            String pom = Files.readString(Path.of("..", module, "pom.xml"));
            for (String dependency : pom.split("<dependency>")) {
                if (dependency.contains("<artifactId>diperf-plugin-") && !dependency.contains("<scope>test</scope>")) {
                    found.add(module + "/pom.xml: " + dependency.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Returns the words of a text, and of the names in it: {@code GramJobId} has {@code gram}, {@code job}, {@code id}. */
    private static Set<String> words(String text) {
        Set<String> words = new TreeSet<>();
        for (String word : text.split("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")) {
            words.add(word.toLowerCase(Locale.ROOT));
        }
        return words;
    }

    private static boolean isShipped(Object plugin) {
        String home = plugin.getClass().getPackageName();
        return home.startsWith("org.diperf.plugins.") || home.equals("org.diperf.controller.testbed");
    }
}
