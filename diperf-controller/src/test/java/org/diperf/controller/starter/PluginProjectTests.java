package org.diperf.controller.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.diperf.controller.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

@Timeout(120)
class PluginProjectTests {

    @TempDir
    private Path folder = Path.of("");

    private final PluginProject project = new PluginProject("price-quote", "0.1.0-SNAPSHOT");

    /** Compiles what lies below one folder into another, for Java 17, with all warnings as errors. */
    private static void compile(Path sources, Path classes, String classPath) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(
                List.of("--release", "17", "-proc:none", "-Xlint:all,-try", "-Werror", "-cp", classPath));
        arguments.addAll(List.of("-d", Files.createDirectories(classes).toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> arguments.add(file.toString()));
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = compiler.run(null, said, said, arguments.toArray(String[]::new));
        assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    private void write() throws IOException {
        for (Map.Entry<String, String> file : project.files().entrySet()) {
            Path to = folder.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(to.getParent()));
            Files.writeString(to, file.getValue());
        }
    }

    /** Runs all tests of a class with the contract's own, and returns what came of them. */
    private static TestExecutionSummary run(Class<?> tests) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build());
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(tests))
                        .build(),
                summary);
        return summary.getSummary();
    }

    @Test
    void itCompilesItsTestsPassAndItsJarIsAPlugin() throws Exception {
        write();
        String ours = System.getProperty("java.class.path");
        Path classes = folder.resolve("target/classes");
        Path tests = folder.resolve("target/test-classes");
        compile(folder.resolve("src/main/java"), classes, ours);
        compile(folder.resolve("src/test/java"), tests, ours + System.getProperty("path.separator") + classes);

        URL[] urls = {classes.toUri().toURL(), tests.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, PluginProjectTests.class.getClassLoader())) {
            TestExecutionSummary summary = run(loader.loadClass(project.className() + "Tests"));
            StringWriter failures = new StringWriter();
            summary.printFailuresTo(new PrintWriter(failures));
            assertThat(summary.getTotalFailureCount()).as(failures.toString()).isZero();
            assertThat(summary.getTestsSucceededCount()).isGreaterThan(6);
        }
        jar(classes, folder.resolve("target/price-quote.jar"));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = {
            "plugins", "price-quote", "--plugins", folder.resolve("target").toString()
        };
        int code = Main.run(arguments, new PrintWriter(out), new PrintWriter(err));
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString()).contains("price-quote://", "line", "hello ${call}");
    }

    private void jar(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files =
                        Stream.concat(Files.walk(classes), Files.walk(folder.resolve("src/main/resources")))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path from = file.startsWith(classes) ? classes : folder.resolve("src/main/resources");
                out.putNextEntry(new JarEntry(from.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    @Test
    void noPlaceholderIsLeft() {
        assertThat(project.files().values()).noneMatch(text -> text.matches("(?s).*@[a-z]+@.*"));
        assertThat(project.files()).hasSize(7);
    }

    @Test
    void itsReadmeAndTestSayThatTheServiceOfTheTestSpeaksLines() {
        String tests = project.files().entrySet().stream()
                .filter(file -> file.getKey().endsWith("PriceQuoteClientTests.java"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        String readme = Objects.requireNonNull(project.files().get("README.md"));
        assertThat(tests).contains("change {@code answer()} below as well: it is the service, and speaks lines");
        assertThat(tests).contains("static void answer(");
        assertThat(readme).contains("`answer()` there is the service, and speaks lines");
    }

    /** Versions that resolve here resolve for users too. */
    @Test
    void itsVersionsAreThoseOfTheBuild() throws IOException {
        String build = Files.readString(Path.of("..", "pom.xml"));
        Matcher named = Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([0-9][^<]*)</version>")
                .matcher(project.files().entrySet().stream()
                        .filter(file -> file.getKey().matches("pom.xml|repository/.*[.]pom"))
                        .map(Map.Entry::getValue)
                        .collect(Collectors.joining()));
        List<String> seen = new ArrayList<>();
        while (named.find()) {
            String name = named.group(1);
            String version = Pattern.quote(named.group(2));
            if (!List.of("price-quote", "diperf-core").contains(name)) {
                seen.add(name);
                String wanted = switch (name) {
                    case "junit-jupiter" -> "<junit5.version>" + version + "</junit5.version>";
                    case "slf4j-api" -> "<slf4j.version>" + version + "</slf4j.version>";
                    default -> "<artifactId>" + name + "</artifactId>\\s*<version>" + version + "</version>";
                };
                assertThat(build).as(name).containsPattern(wanted);
            }
        }
        assertThat(seen)
                .contains(
                        "junit-jupiter",
                        "assertj-core",
                        "jspecify",
                        "slf4j-api",
                        "maven-compiler-plugin",
                        "maven-surefire-plugin",
                        "maven-jar-plugin",
                        "maven-resources-plugin");
    }
}
