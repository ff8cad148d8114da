package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Maven builds what {@code diperf init plugin} writes, outside the repository and without a network. The local repository
 * is the user's own but for DiPerF's artifacts, which are those of this build.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class PluginProjectIT {

    private static final Path BUILD = Path.of("..").toAbsolutePath().normalize();

    /** A user's client may keep its connection: the project's own service must go on answering others, and on that one too. */
    private static final String KEPT = """
            package org.example.pricequote;

            import static org.assertj.core.api.Assertions.assertThat;

            import java.io.BufferedReader;
            import java.io.InputStreamReader;
            import java.net.Socket;
            import java.net.URI;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.api.Timeout;

            class KeptConnectionTests extends PriceQuoteClientTests {

                @Test
                @Timeout(20)
                void otherConnectionsAreAnswered() throws Exception {
                    URI service = goodTarget();
                    try (Socket first = new Socket(service.getHost(), service.getPort());
                            Socket second = new Socket(service.getHost(), service.getPort())) {
                        for (Socket each : new Socket[] {first, second, first}) {
                            each.getOutputStream().write("hello\\n".getBytes("UTF-8"));
                            BufferedReader answer = new BufferedReader(new InputStreamReader(each.getInputStream(), "UTF-8"));
                            assertThat(answer.readLine()).isEqualTo("OK");
                        }
                    }
                }
            }
            """;

    @TempDir
    Path work;

    /** JUnit warns of each link that leads out of its folder. */
    @AfterEach
    void removeLinks() throws IOException {
        try (Stream<Path> files = Files.walk(work, 3)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    @Tag("quick")
    @Test
    void mavenBuildsItAndItsJarIsAClient() throws Exception {
        assumeTrue(Command.installed("mvn"), "mvn is not installed: apt-get install maven");
        Path repository = repository();
        try (Command init = Command.diperf(work, "init", "plugin", "price-quote")) {
            assertThat(init.exitCode()).as(init.output()).isZero();
            assertThat(init.output()).contains("cd price-quote && mvn package");
        }
        Path project = work.resolve("price-quote");
        Files.writeString(project.resolve("src/test/java/org/example/pricequote/KeptConnectionTests.java"), KEPT);
        List<String> maven = List.of("mvn", "-B", "-o", "-q", "-Dmaven.repo.local=" + repository, "package");
        try (Command build = Command.start(project, maven)) {
            assertThat(build.exitCode()).as(build.output()).isZero();
        }
        assertThat(project.resolve("target/surefire-reports/TEST-org.example.pricequote.PriceQuoteClientTests.xml"))
                .content()
                .contains("failures=\"0\"", "anErrorInTheAnswerIsAFailedCall");
        assertThat(project.resolve("target/surefire-reports/TEST-org.example.pricequote.KeptConnectionTests.xml"))
                .content()
                .contains("failures=\"0\"", "otherConnectionsAreAnswered");
        try (Command plugins = Command.diperf(project, "plugins", "price-quote", "--plugins", "target")) {
            assertThat(plugins.exitCode()).as(plugins.output()).isZero();
            assertThat(plugins.output()).contains("target/price-quote.jar", "hello ${call}");
        }
        try (Command init = Command.diperf(project, "init", "load", "--for", "price-quote", "--plugins", "target")) {
            assertThat(init.exitCode()).as(init.output()).isZero();
            assertThat(init.output()).doesNotContain("warning");
        }
        assertThat(project.resolve("load.yml")).content().contains("target: price-quote://127.0.0.1:7777");
    }

    /** Makes a local repository of links into the user's own, with this build's core in place of any other. */
    private Path repository() throws IOException {
        String given = System.getProperty("maven.repo.local");
        Path own = given != null ? Path.of(given) : Path.of(System.getProperty("user.home"), ".m2", "repository");
        Path target = BUILD.resolve("diperf-core/target");
        String version = version(target);
        assumeTrue(version != null, "diperf-core is not packaged by this build");
        Path repository = Files.createDirectory(work.resolve("repository"));
        link(own, repository, "org");
        Path org = Files.createDirectory(repository.resolve("org"));
        link(own.resolve("org"), org, "diperf");
        Path parent = Files.createDirectories(org.resolve("diperf/diperf/" + version));
        Files.copy(BUILD.resolve("pom.xml"), parent.resolve("diperf-" + version + ".pom"));
        // The parent takes the versions of all parts from it.
        Path bom = Files.createDirectories(org.resolve("diperf/diperf-bom/" + version));
        Files.copy(BUILD.resolve("diperf-bom/pom.xml"), bom.resolve("diperf-bom-" + version + ".pom"));
        Path core = Files.createDirectories(org.resolve("diperf/diperf-core/" + version));
        Files.copy(BUILD.resolve("diperf-core/pom.xml"), core.resolve("diperf-core-" + version + ".pom"));
        for (String end : List.of(".jar", "-tests.jar")) {
            String name = "diperf-core-" + version + end;
            Files.copy(target.resolve(name), core.resolve(name));
        }
        return repository;
    }

    private static @Nullable String version(Path target) throws IOException {
        try (Stream<Path> files = Files.list(target)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches("diperf-core-[0-9].*-tests\\.jar"))
                    .map(name -> name.replaceAll("^diperf-core-|-tests\\.jar$", ""))
                    .findFirst()
                    .orElse(null);
        }
    }

    private static void link(Path from, Path to, String without) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path each : files.toList()) {
                String name = Objects.requireNonNull(each.getFileName()).toString();
                if (!name.equals(without)) {
                    Files.createSymbolicLink(to.resolve(name), each);
                }
            }
        }
    }
}
