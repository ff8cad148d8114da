package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class QuickOptionsTests {

    @TempDir
    private Path folder = Path.of("");

    private static String experiment(String url, String... options) throws UsageException {
        QuickOptions quick = new QuickOptions();
        new CommandLine(quick).setExpandAtFiles(false).parseArgs(options);
        return quick.experiment(url);
    }

    @Test
    void tenClientsForTenSecondsAreTheDefault() throws UsageException {
        assertThat(experiment("http://a/"))
                .isEqualTo("target: \"http://a/\"\nload: { clients: 10, run-for: \"10s\" }\nmeasure: { skip: auto }\n");
    }

    @Test
    void aNumberOfCallsEndsTheRunUnlessTheDurationDoesBefore() throws UsageException {
        assertThat(experiment("http://a/", "-n", "200")).contains("load: { clients: 10, calls: 200 }\n");
        assertThat(experiment("http://a/", "-n", "3")).contains("load: { clients: 3, calls: 3 }\n");
        assertThat(experiment("http://a/", "-n", "200", "-c", "50", "-d", "5s"))
                .contains("load: { clients: 50, calls: 200, run-for: \"5s\" }\n");
    }

    @Test
    void shortOptionsSayTheSame() throws UsageException {
        assertThat(experiment("https://a/", "-c", "5", "-d", "3s", "-m", "PUT", "-H", "A: b", "-b", "x", "-k"))
                .isEqualTo(experiment(
                        "https://a/",
                        "--clients=5",
                        "--for=3s",
                        "--method=PUT",
                        "--header=A:b",
                        "--body=x",
                        "--insecure"));
        assertThat(experiment("http://a/", "-r", "5")).isEqualTo(experiment("http://a/", "--rate=5"));
    }

    @Test
    void aBodyIsPostedUnlessAMethodIsNamed() throws UsageException {
        assertThat(experiment("http://a/", "--body", "x")).contains("method: \"POST\"", "body: \"x\"");
        assertThat(experiment("http://a/", "--body", "x", "--method", "PUT")).contains("method: \"PUT\"");
    }

    @Test
    void aBodyOfJsonSaysThatItIsUnlessAHeaderSaysWhatItIs() throws UsageException {
        String told = "\"Content-Type\": \"application/json\"";
        assertThat(experiment("http://a/", "--body", "{\"x\": 3}")).contains(told);
        assertThat(experiment("http://a/", "--body", "[1]", "-H", "Accept: text/plain"))
                .contains(told, "\"Accept\": \"text/plain\"");
        assertThat(experiment("http://a/", "--body", "{}", "-H", "content-type: text/json"))
                .contains("text/json")
                .doesNotContain("application/json");
        for (String text : List.of("x", "3", "{x", "{} and more", "a=[1]")) {
            assertThat(experiment("http://a/", "--body", text)).as(text).doesNotContain("application/json");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-c 5 -r 5 | choose one",
                "-r 5 --think 1s | --think",
                "-r fast | --rate: expected a rate such as 100, 100/s or 60/min, got 'fast'",
                "-d 10 | --for: expected a duration",
                "--think soon | --think: expected a duration",
                "-c many | --clients: expected a whole number, got 'many'",
                "-n many | --calls: expected a whole number, got 'many'",
                "-n 5 -r 5 | --calls counts the calls of --clients, got it with --rate",
                "-H Accept | --header: expected a name and a value",
                "-H a:1 -H A:2 | --header: 'A' is specified twice",
                "-b @/no/such/file | got nothing at '/no/such/file'",
                "-b @/ | got the folder '/'",
                "-k | --insecure requires an https URL"
            })
    void whatDoesNotFitIsTold(String options, String told) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> experiment("http://a/", options.split(" ")))
                .withMessageContaining(told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-m GET", "-H a:b", "-b x", "-k"})
    void whatIsOfHttpGoesWithNoOtherScheme(String options) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> experiment("tcp://127.0.0.1:7/", options.split(" ")))
                .withMessageContainingAll("requires an http", "got 'tcp://127.0.0.1:7/'", "diperf plugins tcp");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-c 5 | --set load.clients=5",
                "-r 5 | --set load.open.rate=5",
                "-n 5 | --set load.calls=5",
                "-d 5s | --set load.run-for=5s",
                "-r 5 -d 5s | --set load.open.rate=5",
                "-m PUT | --set client.with.method=PUT",
                "-H a:b | --set client.with.headers.NAME=VALUE",
                "-b x | --set client.with.body=TEXT"
            })
    void forAFileTheKeyIsNamed(String options, String told) throws IOException {
        Path file = Files.writeString(
                folder.resolve("a.yml"), "target: http://127.0.0.1:1/\nload: { clients: 1, run-for: 1s }\n");
        List<String> arguments = new ArrayList<>(List.of("check", file.toString()));
        arguments.addAll(List.of(options.split(" ")));
        Outcome outcome = Outcome.of(arguments);

        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("requires a URL", file.toString(), told);
    }

    @Test
    void withoutAUrlOptionsOfOneAreRefused() {
        assertThat(Outcome.of("run", "-c", "5"))
                .satisfies(outcome -> assertThat(outcome.code()).isEqualTo(ExitCode.USAGE))
                .satisfies(outcome -> assertThat(outcome.err()).contains("--clients requires a URL, got none"));
        assertThat(Outcome.of("run", "--resume", folder.toString(), "--rate", "5")
                        .err())
                .contains("--rate requires a URL, got --resume");
    }

    @Test
    void checkShowsWhatRunWouldDoAndMakesThatCall() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        Path body = Files.writeString(folder.resolve("body"), "from a \"file\"\n");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext("/", exchange -> {
            seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-Kind") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try {
            String address = "127.0.0.1:" + server.getAddress().getPort() + "/a?b=c";
            List<String> options =
                    List.of("-c", "3", "-d", "30s", "-H", "X-Kind: it's \"q\" \\z", "-m", "PUT", "--call");
            List<String> arguments = new ArrayList<>(List.of("check", address, "-b", "line\n${call}\ttab"));
            arguments.addAll(options);
            Outcome outcome = Outcome.of(arguments);
            arguments.set(3, "@" + body);
            Outcome file = Outcome.of(arguments);

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.code()).isZero();
            assertThat(outcome.out())
                    .contains("http://" + address, "3 clients", "0:30", "method: PUT", "headers: X-Kind: it's");
            assertThat(file.code()).isZero();
        } finally {
            server.stop(0);
        }
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0)).startsWith("PUT /a?b=c it's \"q\" \\z line\n").endsWith("\ttab");
        assertThat(seen.get(1)).endsWith("from a \"file\"\n");
    }
}
