package org.diperf.plugins.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** What is refused of an experiment, as the program shows it: with all defaults. */
@Timeout(30)
class CapsTests {

    private static final Optional<Duration> MINUTE = Optional.of(Duration.ofMinutes(1));

    @TempDir
    private Path outside = Path.of("");

    private Path folder = Path.of("");
    private Caps caps = new Caps(0, 0, Duration.ZERO, Set.of(), Set.of(), Path.of(""));

    @BeforeEach
    void make() throws IOException {
        folder = Files.createDirectory(outside.resolve("inside")).toRealPath();
        caps = new Caps(
                100, 10, Duration.ofMinutes(2), Set.of("127.0.0.1", "[::1]", "localhost"), Set.of("http"), folder);
    }

    /** Reads {@code {key: value}} over a harmless experiment. */
    @SuppressWarnings("unchecked") // keys are texts
    private Map<String, Object> experiment(String json) {
        Map<String, Object> keys = new LinkedHashMap<>(read("""
                {"name": "a", "labels": {}, "seed": 1, "target": "http://127.0.0.1:8080/", "deploy": {}, "monitors": [],
                 "client": {"plugin": "http", "with": {"method": "GET", "path": "/etc", "follow": 0}, "requests": []},
                 "testbed": {"kind": "local", "testers": 1, "jvm": ["-XX:+UseSerialGC", "-Xms256m", "-Xmx256m"]},
                 "load": {"clients": 10, "run-for": "1m"},
                 "controller": {"listen": "127.0.0.1", "advertise": "127.0.0.1", "ports": "any"}}"""));
        ((Map<String, Object>) keys.get("testbed"))
                .put(
                        "java",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        keys.putAll(read(json.replace("OUTSIDE", outside.toString()).replace("INSIDE", folder.toString())));
        return keys;
    }

    @SuppressWarnings("unchecked") // keys are texts
    private static Map<String, Object> read(String json) {
        return JsonMapper.shared().readValue(json, Map.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}",
                "{\"load\": {\"open\": {\"rate\": \"100/s\", \"for\": \"1m\"}}}",
                "{\"load\": {\"search\": {\"rate\": \"1/s..100/s\", \"while\": [\"failed < 1%\"]}}}",
                "{\"load\": {\"levels\": {\"clients\": [1, 10]}}}",
                "{\"target\": {\"each\": [\"http://localhost:1/\", \"http://[::1]:2/\"]}}",
                "{\"monitors\": [{\"kind\": \"host\"}]}",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"path\": \"/${random:1..9}/a\", \"body\": \"a: ../b\"}}}",
                "{\"data\": {\"users\": {\"file\": \"INSIDE/users.csv\"}}}"
            })
    void whatIsWithinThemIsAdmitted(String json) throws IOException {
        Files.createFile(folder.resolve("users.csv"));
        assertThat(caps.admit(experiment(json), MINUTE, Duration.ZERO)).isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"target\": \"http://example.org/\"} | expected a host of | 'example.org'",
                "{\"target\": \"http://127.0.0.1@example.org/\"} | expected a host of | 'example.org'",
                "{\"target\": \"http://${users.host}/\"} | expected a host of | '${users.host}'",
                "{\"target\": \"exec:/bin/true\"} | expected a target such as | 'exec:/bin/true'",
                "{\"client\": {\"plugin\": \"exec\"}} | expected a client of [http] | 'exec'",
                "{\"client\": {\"plugin\": \"http\", \"journeys\": {\"a\": {\"steps\": [{\"plugin\": \"exec\"}]}}}} | expected a client of | 'exec'",
                "{\"client\": {\"plugin\": \"http\", \"journeys\": {\"a\": {\"steps\": [{\"target\": \"http://x.org\"}]}}}} | host of | 'x.org'",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"proxy\": \"http://10.0.0.1:3128\"}}} | host of | '10.0.0.1'",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"path\": \"//x.org/\"}}} | host of | 'x.org'",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"follow\": 3}}} | no redirects | 'follow: 3'",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body-file\": \"OUTSIDE/secret\"}}} | expected files in | secret",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body\": \"@OUTSIDE/secret\"}}} | expected files in | secret",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body\": \"@OUTSIDE/secret;type=a/b\"}}} | expected files in | secret",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body\": \"${secret:file:OUTSIDE/secret}\"}}} | expected files in | secret",
                "{\"data\": {\"a\": {\"file\": \"INSIDE/../secret\"}}} | without '..' | secret",
                "{\"data\": {\"a\": {\"file\": \"INSIDE/link\"}}} | expected files in | link",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body-file\": \"../../secret\"}}} | without '..' | body-file",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"body\": \"@${users.file}\"}}} | a fixed path | ${users.file}",
                "{\"client\": {\"plugin\": \"http\", \"with\": {\"cert\": \"/srv/${users.name}.pem\"}}} | a fixed path | cert",
                "{\"load\": {\"open\": {\"rate\": \"101/s\", \"for\": \"1m\"}}} | at most 100/s | 101/s",
                "{\"load\": {\"stages\": [{\"for\": \"1m\", \"rate\": \"6001/min\"}]}} | at most 100/s | 100.01",
                "{\"load\": {\"search\": {\"rate\": \"1/s..5000/s\"}}} | at most 100/s | 5000/s",
                "{\"load\": {\"clients\": 11}} | at most 10 clients | 11",
                "{\"load\": {\"levels\": {\"clients\": [1, 99]}}} | at most 10 clients | 99",
                "{\"load\": {\"replay\": {}}} | expected a load of | 'replay'",
                "{\"testbed\": {\"kind\": \"ssh\"}} | expected a testbed of kind | 'ssh'",
                "{\"testbed\": {\"testers\": 1000}} | testers | got 1000",
                "{\"testbed\": {\"java\": \"/bin/sh\"}} | usual Java | /bin/sh",
                "{\"testbed\": {\"jvm\": [\"-XX:OnError=touch x\"]}} | usual Java | OnError",
                "{\"controller\": {\"listen\": \"0.0.0.0\"}} | a controller at 127.0.0.1 | 0.0.0.0",
                "{\"service\": {\"start\": \"rm x\"}} | an experiment without 'service' | remove it",
                "{\"outputs\": [{\"otlp\": \"http://127.0.0.1/\"}]} | without 'outputs' | remove it",
                "{\"monitors\": [{\"kind\": \"ssh-host\"}]} | expected a monitor of kind | 'ssh-host'"
            })
    void whatIsBeyondThemIsRefused(String json, String expected, String got) throws IOException {
        Files.createFile(outside.resolve("secret"));
        Files.createSymbolicLink(folder.resolve("link"), outside.resolve("secret"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> caps.admit(experiment(json), MINUTE, Duration.ZERO))
                .withMessageContainingAll(expected, got);
    }

    @Test
    void groupsAddUpAndSoDoRuns() {
        String group = "{\"load\": {\"clients\": 6, \"open\": {\"rate\": \"60/s\"}}}";
        Map<String, Object> two = experiment("{\"groups\": {\"a\": " + group + ", \"b\": " + group + "}}");
        two.remove("load");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> caps.admit(two, MINUTE, Duration.ZERO))
                .withMessageContaining("120/s");

        Duration first = caps.admit(experiment("{}"), MINUTE, Duration.ZERO);
        Duration second = caps.admit(experiment("{}"), MINUTE, first);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> caps.admit(experiment("{}"), MINUTE, second))
                .withMessageContaining("expected at most 2m of load, got 3m");
    }

    @Test
    void aLoadWithoutAKnownEndIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> caps.admit(experiment("{}"), Optional.empty(), Duration.ZERO))
                .withMessageContaining("add run-for");
    }

    @Test
    void pathsOfAgentsStayInside() throws IOException {
        Files.createFile(outside.resolve("secret"));
        Files.createFile(folder.resolve("mine.yml"));
        Files.createSymbolicLink(folder.resolve("link"), outside.resolve("secret"));
        assertThat(caps.inside("mine.yml")).isEqualTo(folder.resolve("mine.yml"));
        for (String named : List.of("../secret", "link", "/etc/passwd", "none", "a\0b")) {
            assertThatIllegalArgumentException()
                    .as(named)
                    .isThrownBy(() -> caps.inside(named))
                    .withMessageContaining("expected a file or folder in " + folder);
        }
    }
}
