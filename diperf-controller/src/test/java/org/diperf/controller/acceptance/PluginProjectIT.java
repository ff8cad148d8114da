package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Maven builds what {@code diperf init plugin} writes, outside the repository and without a network, into an empty local repository. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
class PluginProjectIT {

    /** A user's client may keep its connection: the project's own service must go on answering others, and on that one too. */
    private static final String KEPT = """
            package org.example.pricequote;

            import static org.assertj.core.api.Assertions.assertThat;

            import java.io.BufferedReader;
            import java.io.InputStreamReader;
            import java.net.Socket;
            import org.diperf.core.spi.Url;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.api.Timeout;

            class KeptConnectionTests extends PriceQuoteClientTests {

                @Test
                @Timeout(20)
                void otherConnectionsAreAnswered() throws Exception {
                    Url service = goodTarget();
                    try (Socket first = new Socket(service.host(), service.port());
                            Socket second = new Socket(service.host(), service.port())) {
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

    @Tag("quick")
    @Test
    void mavenBuildsItAndItsJarIsAClient() throws Exception {
        assumeTrue(Command.installed("mvn"), "mvn is not installed: apt-get install maven");
        try (Command init = Command.diperf(work, "init", "plugin", "price-quote")) {
            assertThat(init.exitCode()).as(init.output()).isZero();
            assertThat(init.output()).contains("cd price-quote && mvn package");
        }
        Path project = work.resolve("price-quote");
        Files.writeString(project.resolve("src/test/java/org/example/pricequote/KeptConnectionTests.java"), KEPT);
        List<String> maven = List.of(
                "mvn",
                "-B",
                "-q",
                "-s",
                settings().toString(),
                "-Dmaven.repo.local=" + work.resolve("empty"),
                "package");
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

    /** Settings of somebody who has nothing but DiPerF's jar: what others have made comes from what this build has fetched. */
    private Path settings() throws IOException {
        String given = System.getProperty("maven.repo.local");
        Path fetched = given != null ? Path.of(given) : Path.of(System.getProperty("user.home"), ".m2", "repository");
        return Files.writeString(
                work.resolve("settings.xml"),
                "<settings><mirrors><mirror><id>here</id><mirrorOf>*,!diperf</mirrorOf><url>" + fetched.toUri()
                        + "</url></mirror></mirrors></settings>");
    }
}
