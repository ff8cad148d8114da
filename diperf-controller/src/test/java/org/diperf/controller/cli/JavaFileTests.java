package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Journeys in one Java file, from the file to the calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JavaFileTests {

    private static final String TWO_STEPS = """
            import java.util.List;
            import org.diperf.core.spi.JavaJourney;
            import org.diperf.core.spi.JourneyContext;
            import org.diperf.core.spi.JourneyStep;

            public final class TwoSteps implements JavaJourney {

                private static final JourneyStep FIRST =
                        JourneyStep.named("first").with("path", "/a?n=${n}").check("body", "== a");
                private static final JourneyStep SECOND = JourneyStep.named("second").with("path", "/b");

                @Override
                public String experiment() {
                    return "EXPERIMENT";
                }

                @Override
                public List<JourneyStep> steps() {
                    return List.of(FIRST, SECOND);
                }

                @Override
                public List<String> values() {
                    return List.of("n");
                }

                @Override
                public void go(JourneyContext user) throws Exception {
                    user.set("n", String.valueOf(user.iteration()));
                    if (user.call(FIRST).body().equals("a")) {
                        user.call(SECOND);
                    }
                }
            }
            """;

    @TempDir
    Path folder;

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("TwoSteps.java"), text);
    }

    private interface Doing {
        void with(int port, List<String> asked) throws Exception;
    }

    private static void atService(Doing doing) throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            byte[] body = exchange.getRequestURI().getPath().substring(1).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            doing.with(server.getAddress().getPort(), asked);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aFileRunsAndTheFileThatItLeavesRunsAgain() throws Exception {
        atService((port, asked) -> {
            Path file = write(TWO_STEPS.replace(
                    "EXPERIMENT",
                    "{target: http://127.0.0.1:" + port + ", seed: 1, testbed: {kind: in-process},"
                            + " load: {clients: 1, calls: 3}, measure: {window: whole}}"));
            Path run = folder.resolve("run");
            Outcome outcome =
                    Outcome.of(List.of("run", file.toString(), "--out", run.toString(), "--no-report", "--quiet"));
            assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
            assertThat(asked).containsExactly("/a?n=0", "/b", "/a?n=1", "/b", "/a?n=2", "/b");
            assertThat(Files.readString(run.resolve("summary.json"))).contains("\"two-steps\"");
            asked.clear();
            Path again = folder.resolve("again");
            Outcome second = Outcome.of(List.of(
                    "run",
                    run.resolve("experiment.yml").toString(),
                    "--out",
                    again.toString(),
                    "--no-report",
                    "--quiet"));
            assertThat(second.code()).as(second.err() + second.out()).isZero();
            assertThat(asked).hasSize(6);
        });
    }

    @Test
    void anExperimentNamesAFileBesideJourneysOfItsOwnAndTryShowsOne() throws Exception {
        atService((port, asked) -> {
            write(TWO_STEPS.replace("EXPERIMENT", ""));
            Path file = Files.writeString(folder.resolve("mix.yml"), """
                    target: http://127.0.0.1:%d
                    testbed: { kind: in-process }
                    load: { clients: 2, calls: 40 }
                    measure: { window: whole }
                    client:
                      journeys:
                        coded: { weight: 3, java: TwoSteps.java }
                        plain: { steps: [ { name: third, with: { path: /c } } ] }
                    thresholds: [ journeys.coded.failed < 1, journeys.plain.failed < 1 ]
                    """.formatted(port));
            Outcome outcome = Outcome.of(List.of(
                    "run", file.toString(), "--out", folder.resolve("run").toString(), "--no-report", "--quiet"));
            assertThat(outcome.code()).as(outcome.err() + outcome.out()).isZero();
            assertThat(asked).contains("/b", "/c");
            assertThat(asked.stream().filter("/b"::equals)).hasSizeGreaterThan((int)
                    asked.stream().filter("/c"::equals).count());
            Outcome tried = Outcome.of(List.of("try", file.toString(), "--set", "client.journeys.plain.weight=0"));
            assertThat(tried.code()).as(tried.err() + tried.out()).isZero();
            assertThat(tried.out()).contains("first: ok", "/a?n=0");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // What is wrong, its place, and what is said of it.
                "JourneyStep.named(\"second\")|JourneyStep.nme(\"second\")|TwoSteps.java:10:|cannot find symbol",
                "public final class TwoSteps|final class TwoSteps|one public class that implements| got none",
                "implements JavaJourney|implements Runnable|TwoSteps.java:|errors",
                "\"path\", \"/b\"|\"pth\", \"/b\"|Did you mean 'path'|journeys.two-steps.steps",
                "?n=${n}|?n=${m}|TwoSteps.java|'${m}'",
                "named(\"second\")|named(\"first\")|into its own|'first'",
                "EXPERIMENT|''|experiment()|client.journeys.two-steps.java",
            })
    void whatIsWrongWithAFileIsSaidWithItsPlace(String good, String bad, String where, String what) throws Exception {
        String experiment = "{target: http://127.0.0.1:1, load: {clients: 1, run-for: 1s}}";
        String text = TWO_STEPS.replace(good, bad).replace("EXPERIMENT", experiment);
        Outcome outcome = Outcome.of(List.of("run", write(text).toString()));
        assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(2);
        assertThat(outcome.err()).contains(where, what).doesNotContain("at org.diperf");
    }
}
