package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

@Timeout(60)
class InitCommandTests {

    @TempDir
    private Path folder = Path.of("");

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    static List<String> clients() {
        try (Plugins plugins = Plugins.bundled()) {
            return plugins.clients().ids();
        }
    }

    private String written(String client) throws IOException {
        Path file = folder.resolve(client + "-test.yml");
        Outcome outcome = Outcome.of("init", file.toString(), "--for", client);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("diperf check " + file, "diperf run " + file);
        return Files.readString(file);
    }

    @Test
    void editorsFindTheSchemaBesideTheFile() throws IOException {
        String yaml = written("http");
        assertThat(yaml).startsWith("# yaml-language-server: $schema=diperf.schema.json\n# A DiPerF experiment");
        Path schema = folder.resolve("diperf.schema.json");
        assertThat(Files.readString(schema))
                .isEqualTo(Outcome.of("schema").out().stripTrailing() + "\n");

        Files.writeString(schema, "{}");
        assertThat(Outcome.of("init", at("other.yml")).code()).isZero();
        assertThat(schema).as("it is the user's").hasContent("{}");
        assertThat(Outcome.of("init", at("other.yml"), "--force").code()).isZero();
        assertThat(Files.size(schema)).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void everyClientHasAFileThatIsAccepted(String client) throws Exception {
        String yaml = written(client);
        try (Plugins plugins = Plugins.bundled()) {
            Experiment experiment = ExperimentFile.open(yaml, "file", List.of(), plugins)
                    .first()
                    .experiment();
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                    .getSchema(ExperimentFile.schema(plugins), InputFormat.JSON);

            assertThat(experiment.name()).isEqualTo(client + "-test");
            assertThat(experiment.client().plugin()).isEqualTo(client);
            assertThat(schema.validate(yaml, InputFormat.YAML)).isEmpty();
            assertThat(schema.validate(withOpenLoad(yaml), InputFormat.YAML)).isEmpty();
            assertThat(ExperimentFile.open(withOpenLoad(yaml), "file", List.of(), plugins)
                            .first()
                            .experiment()
                            .load()
                            .model())
                    .isEqualTo("open");
        }
        assertThat(yaml.lines().filter(line -> !line.startsWith("#   diperf "))).allMatch(line -> line.length() <= 120);
    }

    /** Switches the closed load off and the open one on, as a user would. */
    private static String withOpenLoad(String yaml) {
        int closed = yaml.indexOf("\nload:") + 1;
        int open = yaml.indexOf("# load:");
        int end = yaml.indexOf("\n\n", open);
        return yaml.substring(0, closed) + yaml.substring(open, end).replaceAll("(?m)^# ", "") + yaml.substring(end);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void everyParameterStandsInItWithAValueOfItsType(String client) throws Exception {
        String yaml = written(client);
        try (Plugins plugins = Plugins.bundled()) {
            List<Parameter> declared =
                    plugins.clients().plugin(client).orElseThrow().parameters();
            int from = yaml.indexOf("\nclient:") + 1;
            String on =
                    yaml.substring(from, yaml.indexOf("\n\n", from)).replaceAll("(?m)^( {2}(?: {2})?)# (?=  )?", "$1");
            JsonNode with = new YAMLMapper().readTree(on).path("client").path("with");
            assertThat(with.propertyNames())
                    .containsExactlyInAnyOrderElementsOf(
                            declared.stream().map(Parameter::name).toList());
            Map<?, ?> values = new YAMLMapper().convertValue(with, Map.class);
            for (Parameter parameter : declared) {
                if (!parameter.name().equals("password")) {
                    Map<String, Object> one = Map.of(parameter.name(), values.get(parameter.name()));
                    assertThat(Parameters.read(List.of(parameter), one, 1).has(parameter.name()))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void checkTakesItAsItIsWhenItsTargetIsThere() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.start();
        try {
            String address = "127.0.0.1:" + server.getAddress().getPort() + "/a";
            Outcome init = Outcome.of("init", at("deep/orders"), "--target", address);
            Outcome check = Outcome.of("check", at("deep/orders.yml"));

            assertThat(init.code()).isZero();
            assertThat(check.err()).isEmpty();
            assertThat(check.code()).isZero();
            assertThat(check.out())
                    .contains(
                            "http://" + address,
                            "10 clients",
                            "response.p99 < 1s",
                            "failed < 50%; ends the run on failure, checked every 5s, after 10s");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void theTargetsSchemeChoosesTheClient() throws IOException {
        assertThat(Outcome.of("init", at("a"), "--target", "grpc://h:1").code()).isZero();
        assertThat(Files.readString(folder.resolve("a.yml"))).contains("plugin: grpc", "target: grpc://h:1");
        assertThat(Outcome.of("init", at("b"), "--target", "http://h/", "--for", "exec")
                        .code())
                .isZero();
        assertThat(Files.readString(folder.resolve("b.yml"))).contains("plugin: exec", "target: http://h/");
    }

    @Test
    void nothingIsOverwrittenUnlessThatIsForced() throws IOException {
        Path file = Files.writeString(folder.resolve("a.yml"), "mine");
        Outcome refused = Outcome.of("init", at("a"));

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("a.yml exists", "--force");
        assertThat(file).hasContent("mine");
        assertThat(Outcome.of("init", at("a"), "--force").code()).isZero();
        assertThat(Files.readString(file)).contains("plugin: http");
    }

    @Test
    void aFolderOfAProjectThatHasFilesIsLeftAlone() throws IOException {
        Path pom =
                Files.writeString(Files.createDirectory(folder.resolve("quote")).resolve("notes"), "mine");
        Outcome refused = Outcome.of("init", at("quote"), "--for", "plugin");

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("expected a new or empty folder", "--force");
        Outcome written = Outcome.of("init", "plugin", at("quote"), "--force");
        assertThat(written.code()).isZero();
        assertThat(written.out()).contains("goodTarget() returns a correct answer, answer() returns it");
        assertThat(pom).hasContent("mine");
        assertThat(folder.resolve("quote/pom.xml")).exists();
    }

    @Test
    void aFileInTheWayOfAFolderIsTold() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        Files.createDirectory(folder.resolve("folder.yml"));

        assertThat(Outcome.of("init", at("file/a")).err()).contains("is not a folder");
        assertThat(Outcome.of("init", at("folder.yml"), "--force").err()).contains("got a folder with that name");
    }

    private static final String HAR = """
            {"log": {"entries": [
              {"startedDateTime": "2026-01-01T10:00:00.000Z", "time": 40,
               "request": {"method": "GET", "url": "http://shop.example/", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}]},
               "response": {"status": 200, "headers": [], "content": {"mimeType": "text/html"}}},
              {"startedDateTime": "2026-01-01T10:00:00.050Z", "time": 5,
               "request": {"method": "GET", "url": "http://shop.example/logo.png", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}]},
               "response": {"status": 200, "headers": [], "content": {"mimeType": "image/png"}}},
              {"startedDateTime": "2026-01-01T10:00:03.140Z", "time": 20,
               "request": {"method": "POST", "url": "http://shop.example/orders", "headers": [
                 {"name": "User-Agent", "value": "Browser 1"}, {"name": "Content-Type", "value": "application/json"}],
                 "postData": {"mimeType": "application/json", "text": "{}"}},
               "response": {"status": 201, "headers": [], "content": {"mimeType": "application/json", "text": "{}"}}}
            ]}}
            """;

    /** Browsers record lower-case names of HTTP/2; headers of a step stand in place of its client's. */
    @ParameterizedTest
    @ValueSource(strings = {"User-Agent", "user-agent"})
    void everyStepSendsWhatAllRecordedRequestsHaveAlike(String name) throws Exception {
        Path har = Files.writeString(folder.resolve("shop.har"), HAR.replace("User-Agent", name));
        Outcome init = Outcome.of("init", at("shop"), "--har", har.toString());
        assertThat(init.err()).isEmpty();
        assertThat(init.out()).startsWith("wrote " + at("shop.yml") + ", a journey of 3 requests\n");
        List<RequestSettings> steps;
        try (Plugins plugins = Plugins.bundled()) {
            String text = Files.readString(folder.resolve("shop.yml"));
            assertThat(text).contains("\n# Created from the recording shop.har: ");
            steps = ExperimentFile.parse(text, "made.yml", List.of(), plugins)
                    .experiment()
                    .script()
                    .requests();
        }
        assertThat(steps)
                .hasSize(3)
                .extracting(step -> step.with().get("headers"))
                .allSatisfy(headers -> assertThat(headers)
                        .asInstanceOf(InstanceOfAssertFactories.MAP)
                        .containsEntry(name, "Browser 1"));
        assertThat(steps.get(2).with().get("headers"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsKey("Content-Type");
    }

    @Test
    void whatGoesWithAStarterIsPassedToIt() throws IOException {
        Path har = Files.writeString(folder.resolve("shop.har"), HAR);
        assertThat(Outcome.of("init", at("shop"), "--har", har.toString(), "--without-assets")
                        .out())
                .startsWith(
                        "wrote " + at("shop.yml") + ", a journey of 2 of 3 requests; left out: 1 (--without-assets)\n");
        Path api = Files.writeString(folder.resolve("api.yaml"), "openapi: 3.0.0\npaths: { /items: { get: {} } }\n");
        assertThat(Outcome.of("init", at("api"), "--openapi", api.toString(), "--target", "localhost:1")
                        .out())
                .startsWith("wrote " + at("api.yml") + ", a journey of 1 request\n");
        assertThat(Files.readString(folder.resolve("api.yml"))).contains("target: http://localhost:1\n");
        Files.writeString(api, "openapi: [");
        assertThat(Outcome.of("init", at("b"), "--openapi", api.toString()).err())
                .startsWith("--openapi " + api + ": " + api + ":");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a --without-assets | init: --without-assets requires --har FILE; add it, or drop --without-assets",
                "a --har x --curl y | init: expected one of --har, --curl and --openapi, which create experiments for the"
                        + " client http, got several or a different client; drop one",
                "a --har x --for exec | got several or a different client",
                "a --har x --target http://h/ | init: --target works with --openapi only, got a recording",
                "a --har /nosuch.har | init: expected a file to read, got none at /nosuch.har",
                "a --curl curl | --curl: expected a curl command with a URL",
                "plugin | use 'diperf init plugin quote'",
                "--for plugin | use 'diperf init plugin quote'",
                "plugin --for plugin | use 'diperf init plugin quote'",
                "grpc | use 'diperf init --for grpc', or 'diperf init grpc.yml'",
                "a b | expected one name, got 'a' and 'b'",
                "a --for htp | Did you mean 'http'?",
                "a --target /tmp/x | --target: expected the URL of a service",
                "a --target nosuch://h/ | no default client for nosuch://",
                "http://127.0.0.1:1/ | use: diperf init --target http://127.0.0.1:1/",
                "localhost:8080 | use: diperf init --target localhost:8080",
                "a --for grpc --target http://h/ | expected grpc://HOST:PORT or grpcs://HOST:PORT",
                "a.json | comments, which JSON does not allow",
                "plugin http | expected a new name, got 'http', which another client already",
                "plugin class | is reserved by Java",
                "plugin blocking | is reserved by Java or DiPerF",
                "plugin PriceQuote | use price-quote",
                "plugin 7up | expected a name of lower-case letters",
                "quote --for plugin --target http://h/ | --target works with an experiment"
            })
    void whatCannotBeMeantIsTold(String arguments, String told) {
        Outcome outcome = Outcome.of(Stream.concat(Stream.of("init"), Stream.of(arguments.split(" ")))
                .collect(Collectors.toList()));

        assertThat(outcome.err()).contains(told);
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.out()).isEmpty();
    }
}
