package org.diperf.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.contract.JdkLoop;
import org.diperf.core.contract.PluginHarness;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyContext;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.MonitorContext;
import org.diperf.core.spi.MonitorPlugin;
import org.diperf.core.spi.Param;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Readings;
import org.diperf.core.spi.StarterPlugin;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.spi.Text;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PluginsTests {

    private static final String CLIENT = "META-INF/services/org.diperf.core.spi.Client";

    @TempDir
    Path folder;

    private Path compiled(String name, String body, String... options) throws IOException {
        Path source = Files.createDirectories(folder.resolve("src-" + name)).resolve(name + ".java");
        Files.writeString(source, "import org.diperf.core.spi.*; " + body, StandardCharsets.UTF_8);
        Path classes = Files.createDirectories(folder.resolve("classes-" + name));
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString()));
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).isZero();
        return classes;
    }

    private Path jar(String name, Path classes, String service, String provider) throws IOException {
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(path).toString()));
                out.write(Files.readAllBytes(path));
            }
            if (!service.isEmpty()) {
                out.putNextEntry(new JarEntry(service));
                out.write(provider.getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private Path plugin(String name, String members) throws IOException {
        String body = "public final class " + name
                + " implements BlockingClient { public void call(Call call) throws Exception {} " + members + " }";
        return jar(name, compiled(name, body), CLIENT, name);
    }

    private Plugins load(Path... jars) {
        return Plugins.load(List.of(jars), folder.resolve("private"));
    }

    private String onlyReason(Path... jars) {
        try (Plugins plugins = load(jars)) {
            assertThat(plugins.broken()).hasSize(1);
            assertThat(plugins.broken().get(0).source()).isEqualTo(jars[jars.length - 1].toString());
            return plugins.broken().get(0).reason();
        }
    }

    @Test
    void aJarWithOneClassIsAPluginWithTheJarAsItsSource() throws IOException {
        Path jar = plugin("QuoteClient", "@Param(help = \"depth\", or = \"5\", example = \"7\") int maxDepth;");
        try (Plugins plugins = load(jar)) {
            assertThat(plugins.broken()).isEmpty();
            Registry.Found<ClientPlugin> found = plugins.clients().find("quote").orElseThrow();
            assertThat(found.source()).isEqualTo(jar.toString());
            assertThat(found.plugin().schemes()).contains("quote");
            assertThat(found.plugin().exampleTarget()).isEqualTo("quote://127.0.0.1:7777");
            assertThat(found.plugin().parameters())
                    .containsExactly(Parameter.withDefault("max-depth", Parameter.Type.INTEGER, "5", "depth")
                            .suchAs("7"));
        }
    }

    @Test
    void aPluginUsesTheVersionOfALibraryThatItsJarHolds() throws Exception {
        // Stands for a library of which the host has another version: this one has a class that the host has not.
        String library = "org.assertj.core.api.Assertions";

        Path sources = Files.createDirectories(folder.resolve("library/org/assertj/core/api"));
        Files.writeString(
                sources.resolve("Assertions.java"),
                "package org.assertj.core.api; public class Assertions { public static String version() {"
                        + " return \"of the jar, in \" + Thread.currentThread().getContextClassLoader().getName(); } }");
        String body = "public final class LibraryClient implements BlockingClient { public void call(Call call) {"
                + " call.fail(" + library + ".version()); } }";
        Path classes = compiled(
                "LibraryClient", body, sources.resolve("Assertions.java").toString());
        Path jar = jar("LibraryClient", classes, CLIENT, "LibraryClient");
        try (Plugins plugins = load(jar)) {
            assertThat(plugins.broken()).isEmpty();
            ClientPlugin plugin = plugins.clients().plugin("library").orElseThrow();
            List<Url> targets = List.of(Url.of("library://x"));
            try (PluginHarness harness =
                            new PluginHarness(plugin, targets, Map.of(), Duration.ofSeconds(1), folder, new JdkLoop());
                    PluginHarness.Owned client = harness.client(0)) {
                assertThat(client.call().failure()).startsWith("of the jar, in plugin ");
            }
        }
    }

    @Test
    void aTestbedOfAJarIsFoundByItsId() throws Exception {
        String body = "public final class Cloud implements TestbedPlugin {"
                + " public String id() { return \"cloud\"; }"
                + " public String summary() { return \"on machines somewhere else\"; }"
                + " public java.util.List<Parameter> parameters() { return java.util.List.of("
                + "Parameter.withDefault(\"zone\", Parameter.Type.STRING, \"north\", \"where\")); }"
                + " public Testbed open(TestbedContext context) { return new Testbed() {"
                + " public void start(java.util.List<Place> places) { throw new IllegalStateException(\"no machines\"); }"
                + " public void close() {} }; } }";
        Path jar =
                jar("cloud", compiled("Cloud", body), "META-INF/services/org.diperf.core.spi.TestbedPlugin", "Cloud");
        try (Plugins plugins = load(jar)) {
            assertThat(plugins.broken()).isEmpty();
            Registry.Found<TestbedPlugin> found =
                    plugins.testbeds().find("cloud").orElseThrow();
            assertThat(found.source()).isEqualTo(jar.toString());
            assertThat(plugins.testbeds().found()).contains(found);
            assertThat(found.plugin().parameters())
                    .containsExactly(Parameter.withDefault("zone", Parameter.Type.STRING, "north", "where"));
        }
        Path second = Files.copy(jar, folder.resolve("cloud-2.jar"));
        assertThat(onlyReason(jar, second)).contains("testbed plugin 'cloud' exists twice");
    }

    /** What libraries look up their parts through, as code of a plugin sees it. */
    private static final String LOADER = "Thread.currentThread().getContextClassLoader().getName()";

    private static final String KIND = " implements %sPlugin { public String id() { return \"kind\"; }"
            + " public String summary() { return " + LOADER + "; }";

    @Test
    void aTestbedOfAJarAndWhatItMakesAreEnteredWithTheJarsLoader() throws Exception {
        String body = "public final class Cloud" + KIND.formatted("Testbed")
                + " public String serviceHost(Parameters with) { return " + LOADER + "; }"
                + " public Testbed open(TestbedContext context) { return new Testbed() {"
                + " public void start(java.util.List<Place> places) { throw new IllegalStateException(" + LOADER
                + "); }"
                + " public java.util.Optional<Monitor> monitor() { return java.util.Optional.of("
                + "readings -> readings.note(" + LOADER + ")); }"
                + " public void close() {} }; } }";
        Path jar = jar("cloud", compiled("Cloud", body), "META-INF/services/" + TestbedPlugin.class.getName(), "Cloud");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (Plugins plugins = load(jar)) {
            TestbedPlugin plugin = plugins.testbeds().plugin("kind").orElseThrow();
            assertThat(plugin.summary()).startsWith("plugin ");
            assertThat(plugin.serviceHost(Parameters.read(List.of(), Map.of(), 0)))
                    .startsWith("plugin ");
            try (Testbed testbed = plugin.open(proxy(TestbedContext.class, note -> {}))) {
                assertThatThrownBy(() -> testbed.start(List.of()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("plugin ");
                List<String> notes = new ArrayList<>();
                testbed.monitor().orElseThrow().sample(proxy(Readings.class, notes::add));
                assertThat(notes.get(0)).startsWith("plugin ");
            }
        }
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void aMonitorOfAJarIsEnteredWithTheJarsLoader() throws Exception {
        String body = "public final class Watch" + KIND.formatted("Monitor")
                + " public Monitor open(MonitorContext context) { String opened = " + LOADER + ";"
                + " return readings -> { readings.note(opened); readings.note(" + LOADER + "); }; } }";
        Path jar = jar("watch", compiled("Watch", body), "META-INF/services/" + MonitorPlugin.class.getName(), "Watch");
        try (Plugins plugins = load(jar);
                Monitor monitor =
                        plugins.monitors().plugin("kind").orElseThrow().open(proxy(MonitorContext.class, note -> {}))) {
            List<String> notes = new ArrayList<>();
            monitor.sample(proxy(Readings.class, notes::add));
            assertThat(notes).hasSize(2).allMatch(loader -> loader.startsWith("plugin "));
        }
    }

    @Test
    void aJourneyOfAJarIsEnteredWithTheJarsLoaderOnTheThreadOfItsClient() throws Exception {
        String body = "public final class Shop implements JavaJourney {"
                + " public java.util.List<JourneyStep> steps() { return java.util.List.of(JourneyStep.named(\"a\")"
                + ".with(\"loader\", " + LOADER + ")); }"
                + " public void go(JourneyContext context) { throw new IllegalStateException(" + LOADER + "); } }";
        Path jar = jar("shop", compiled("Shop", body), "META-INF/services/" + JavaJourney.class.getName(), "Shop");
        try (Plugins plugins = load(jar)) {
            Registry.Found<JavaJourney> found = plugins.journeys().find("Shop").orElseThrow();
            assertThat(found.plugin().steps().get(0).with().get("loader").toString())
                    .startsWith("plugin ");
            JavaJourney ofAClient = found.maker().get();
            assertThat(found.maker().get()).isNotSameAs(ofAClient);
            List<String> seen = new ArrayList<>();
            Thread client = new Thread(() -> {
                try {
                    ofAClient.go(proxy(JourneyContext.class, note -> {}));
                } catch (Exception e) {
                    seen.add(e.getMessage());
                }
            });
            client.start();
            client.join();
            assertThat(seen.get(0)).startsWith("plugin ");
        }
    }

    /** Makes a context of which nothing is asked but to take notes. */
    private static <T> T proxy(Class<T> type, Consumer<String> notes) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            notes.accept(String.valueOf(given[0]));
            return null;
        }));
    }

    @Test
    void aBrokenJarIsToldAndTheOthersWork() throws IOException {
        Path corrupt = Files.writeString(folder.resolve("corrupt.jar"), "no zip");
        Path throwing =
                plugin("ThrowingClient", "public ThrowingClient() { throw new IllegalStateException(\"boom\"); }");
        Path good = plugin("GoodClient", "");
        try (Plugins plugins = load(corrupt, folder.resolve("missing.jar"), throwing, good)) {
            assertThat(plugins.clients().find("good")).isPresent();
            assertThat(plugins.broken()).hasSize(3);
            assertThat(plugins.broken().get(0).reason()).startsWith("is not a jar");
            assertThat(plugins.broken().get(1).reason()).startsWith("no such file");
            assertThat(plugins.broken().get(2).reason()).contains("boom");
        }
    }

    @Test
    void aClassFileOfANewerJavaNamesBothVersions() throws IOException {
        Path jar = plugin("NewClient", "");
        Path classes = folder.resolve("classes-NewClient");
        Path file = classes.resolve("NewClient.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = (byte) 200; // the major version: Java 156
        Files.write(file, bytes);
        assertThat(onlyReason(jar(jar.getFileName() + "-new", classes, CLIENT, "NewClient")))
                .startsWith(
                        "needs Java 156, but this is Java " + Runtime.version().feature());
    }

    @Test
    void aJarWithoutAProviderOrWithoutItsClassSaysSo() throws IOException {
        Path classes = compiled("Nothing", "public class Nothing {}");
        assertThat(onlyReason(jar("nothing", classes, "", "")))
                .startsWith("contains no plugin: add META-INF/services/");
        assertThat(onlyReason(jar("absent", classes, CLIENT, "org.example.Absent")))
                .isEqualTo("refers to the class org.example.Absent in META-INF/services, but does not contain it");
    }

    @Test
    void ofTwoWithTheSameIdTheFirstStays() throws IOException {
        Path first = plugin("TwinClient", "");
        Path second = Files.copy(first, folder.resolve("second.jar"));
        assertThat(onlyReason(first, second)).contains("'twin' exists twice", first.toString(), second.toString());
        try (Plugins plugins = load(first, second)) {
            assertThat(plugins.clients().find("twin").orElseThrow().source()).isEqualTo(first.toString());
        }
    }

    @Test
    void faultsOfDeclarationAreToldAtLoad() throws IOException {
        assertThat(onlyReason(plugin("FinalClient", "@Param(help = \"x\", or = \"1\") final int x = 1;")))
                .contains("remove final and static");
        assertThat(onlyReason(plugin("OddClient", "@Param(help = \"x\") Thread x;")))
                .contains("got java.lang.Thread");
        assertThat(onlyReason(plugin("BadIdClient", "public String id() { return \"Bad Id\"; }")))
                .startsWith("plugin ID 'Bad Id'");
        assertThat(onlyReason(plugin("DefaultClient", "@Param(help = \"x\", or = \"many\") int x;")))
                .contains("the default of its parameter 'x' cannot be used");
        String metric = "org.diperf.core.spi.Metric";
        assertThat(onlyReason(plugin("LooseClient", "static " + metric + " x = " + metric + ".of(\"x\", \"ms\");")))
                .contains("LooseClient.x", "make it final");
        assertThat(onlyReason(plugin(
                        "SameClient",
                        "static final " + metric + " X = " + metric + ".of(\"x\", \"ms\"); static final " + metric
                                + " Y = " + metric + ".of(\"x\", \"1\");")))
                .contains("two metrics are named 'x'");
    }

    private Path starter(String name, String id, String parameter) throws IOException {
        String body = "public final class " + name + " implements StarterPlugin { public String id() { return \"" + id
                + "\"; } public String summary() { return \"x\"; } public String client() { return \"x\"; }"
                + " public String example() { return \"x\"; }"
                + " public java.util.List<Parameter> parameters() { return java.util.List.of(" + parameter + "); }"
                + " public Draft draft(String source, Given given) { return null; } }";
        return jar(name, compiled(name, body), "META-INF/services/" + StarterPlugin.class.getName(), name);
    }

    private static String optional(String name) {
        return "Parameter.optional(\"" + name + "\", Parameter.Type.STRING, \"x\")";
    }

    @Test
    void aStarterWhoseOptionIsInUseIsToldAtLoad() throws IOException {
        assertThat(onlyReason(starter("Force", "force", "")))
                .isEqualTo(
                        "plugin 'force': expected options of 'init' that are not in use, got --force, which belongs to"
                                + " 'init'; rename its ID");
        assertThat(onlyReason(starter("Aimed", "aimed", optional("target"))))
                .contains("got --target, which belongs to 'init'; rename its parameter");
        assertThat(onlyReason(starter("Same", "same", optional("same")))).contains("got --same");
        assertThat(onlyReason(starter("Must", "must", "Parameter.required(\"x\", Parameter.Type.STRING, \"x\")")))
                .contains("got the required 'x'; give it a default");

        Path first = starter("Trace", "trace", optional("depth"));
        assertThat(onlyReason(first, starter("Depth", "depth", "")))
                .contains("got --depth, which belongs to the starter 'trace'; rename its ID");
        assertThat(onlyReason(first, starter("Dive", "dive", optional("depth"))))
                .contains("got --depth, which belongs to the starter 'trace'; rename its parameter");
        assertThat(onlyReason(first, starter("Twin", "trace", ""))).contains("starter plugin 'trace' exists twice");
        try (Plugins plugins = load(first, starter("Other", "other", optional("width")))) {
            assertThat(plugins.broken()).isEmpty();
            assertThat(plugins.starters().ids()).containsExactly("trace", "other");
        }
    }

    /** A one-class plugin with numbers of its own. */
    public static final class CountingClient implements BlockingClient {
        private static final Metric LINES = new Metric("lines", "1", "lines in an answer");

        /** No metric of the plugin: it belongs to a client. */
        final Metric own = Metric.of("own", "ms");

        @Override
        public void call(Call call) {
            call.metric(LINES, 3);
        }
    }

    @Test
    void theMetricsOfAClassAreItsConstants() throws Exception {
        ClientPlugin plugin = Plugins.ofClass(CountingClient.class);
        assertThat(plugin.metrics()).containsExactly(CountingClient.LINES);
        List<Url> targets = List.of(Url.of("counting://x"));
        try (PluginHarness harness =
                        new PluginHarness(plugin, targets, Map.of(), Duration.ofSeconds(1), folder, new JdkLoop());
                PluginHarness.Owned client = harness.client(1)) {
            assertThat(client.call().metrics()).isEqualTo(Map.of("lines", 3.0));
        }
    }

    /** A one-class plugin with a field of each type. */
    public static final class EveryClient implements BlockingClient {
        @Param(help = "s")
        String string = "";

        @Param(help = "t")
        Text text = Text.parse("", 0);

        @Param(help = "i", or = "-3")
        int whole;

        @Param(help = "d", or = "2.5")
        double number;

        @Param(help = "b", or = "true")
        boolean flag;

        @Param(help = "u", or = "250ms")
        Duration duration = Duration.ZERO;

        @Param(help = "l", or = "")
        List<String> list = List.of("unset");

        @Param(help = "m")
        Map<String, String> map = Map.of();

        @Override
        public void call(Call call) {
            call.fail(String.join(
                    " ",
                    string,
                    text.of(call),
                    Integer.toString(whole),
                    Double.toString(number),
                    Boolean.toString(flag),
                    duration.toString(),
                    list.toString(),
                    map.toString()));
        }
    }

    @Test
    void fieldsOfEveryTypeAreSetBeforeTheClientIsOpened() throws Exception {
        ClientPlugin plugin = Plugins.ofClass(EveryClient.class);
        Map<String, ?> with = Map.of("string", "a", "text", "${client}", "map", Map.of("k", "v"));
        List<Url> targets = List.of(Url.of("every://x"));
        try (PluginHarness harness =
                        new PluginHarness(plugin, targets, with, Duration.ofSeconds(1), folder, new JdkLoop());
                PluginHarness.Owned client = harness.client(7)) {
            CallProbe call = client.call();
            assertThat(call.failure()).isEqualTo("a 7 -3 2.5 true PT0.25S [] {k=v}");
        }
        Map<String, ?> tooLarge = Map.of("string", "a", "text", "b", "map", Map.of(), "whole", 1L << 40);
        assertThatThrownBy(() ->
                        new PluginHarness(plugin, targets, tooLarge, Duration.ofSeconds(1), folder, new JdkLoop()))
                .hasMessageContaining("got 1099511627776");
    }
}
