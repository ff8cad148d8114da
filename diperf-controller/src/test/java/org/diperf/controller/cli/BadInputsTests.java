package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What people get wrong, and what they are told: the exit code, what was wanted, what was found and what to do, never a
 * stack trace, and never the exit code of a bug.
 */
@Timeout(120)
class BadInputsTests {

    private static final String TARGET = "target: http://127.0.0.1:1/\n";
    private static final String LOAD = "load: { clients: 2, run-for: 1s }\n";
    private static final String TESTBED = "testbed: { kind: in-process }\n";

    @TempDir
    Path folder;

    /** Makes the command line, given an empty folder and a port that takes connections. */
    private interface Input {
        List<String> arguments(Path folder, int port) throws IOException;
    }

    /**
     * One bad input.
     *
     * @param name what is wrong
     * @param code the exit code wanted
     * @param said what standard error must contain
     */
    private record Bad(String name, Input input, int code, List<String> said) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Bad bad(String name, Input input, int code, String... said) {
        return new Bad(name, input, code, List.of(said));
    }

    /** An experiment file that cannot be used. */
    private static Bad file(String name, String yaml, String... said) {
        return file(2, name, yaml, said);
    }

    /** An experiment file; {@code PORT} in it is one that takes connections. */
    private static Bad file(int code, String name, String yaml, String... said) {
        return bad(name, (folder, port) -> run(write(folder, yaml, port), folder), code, said);
    }

    private static Bad load(String name, String load, String... said) {
        return file(name, TARGET + "load: " + load + "\n", said);
    }

    private static Bad more(String name, String more, String... said) {
        return file(name, TARGET + LOAD + more + "\n", said);
    }

    private static String write(Path folder, String yaml, int port) throws IOException {
        return Files.writeString(folder.resolve("bad.yml"), yaml.replace("PORT", String.valueOf(port)))
                .toString();
    }

    private static List<String> run(String file, Path folder, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("run", file, "--out", folder.resolve("out").toString(), "--no-progress"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static List<String> good(Path folder, String... more) throws IOException {
        return run(write(folder, TARGET + TESTBED + LOAD, 0), folder, more);
    }

    static Stream<Bad> files() {
        return Stream.of(
                bad(
                        "no file",
                        (f, p) -> run(f + "/none.yml", f),
                        2,
                        "none.yml",
                        "no such file",
                        "check the path",
                        "localhost:8080"),
                bad("a folder", (f, p) -> run(f.toString(), f), 2, "got a folder", "specify a file in it"),
                bad("a name that is no path", (f, p) -> run("a\0b.yml", f), 2, "invalid path"),
                file("empty", "", "got an empty file", "target: http://", "load:"),
                file("only a comment", "# nothing\n", "got an empty file"),
                file("not YAML", "target: [1, 2\nload: }", "bad.yml:2:5", "not YAML or JSON", "expected a comma"),
                file("a tab", "target: x\n\tload: 1\n", "bad.yml:2:1", "not YAML or JSON"),
                file("a list", "- a\n- b\n", "bad.yml:1:1", "expected an experiment", "got a list"),
                file("a text", "hello\n", "bad.yml:1:1", "expected an experiment", "got 'hello'"),
                file("binary", "target: \0\0", "line 1, column 9: expected text in UTF-8, got byte 0x00"),
                bad(
                        "expected text in UTF-8, got byte 0x",
                        (f, p) -> run(
                                Files.write(f.resolve("bad.yml"), new byte[] {'a', ':', ' ', (byte) 0xff, (byte) 0xfe})
                                        .toString(),
                                f),
                        2,
                        "expected text in UTF-8, got byte 0x"),
                file("too big", "#".repeat(2 << 20), "2097152 bytes", "at most 1 MiB"),
                file("two documents", TARGET + LOAD + "---\nname: b\n", "bad.yml:4:1", "one document"),
                file("an alias", TARGET + "load: &a { clients: 1, run-for: 1s }\nlabels: *a\n", "bad.yml:3:9", "alias"),
                file("deep", "a: " + "[".repeat(100), "levels of nesting"),
                more(
                        "unknown key",
                        "thresholdz: [failed < 1%]",
                        "bad.yml:3:1",
                        "'thresholdz'",
                        "Did you mean",
                        "thresholds"),
                load("unknown key below", "{ clients: 1, run-fro: 1s }", "bad.yml:2:21", "'run-fro'", "run-for"),
                more(
                        "duplicate key",
                        "load: { clients: 3, run-for: 1s }",
                        "bad.yml:3:1",
                        "'load' again",
                        "first on line 2"),
                file("wrong type", TARGET + "load: 5\n", "bad.yml:2:7", "expected a load such as", "got '5'"),
                load("a list for a number", "{ clients: [1], run-for: 1s }", "load.clients", "got a list"),
                more("environment", "name: ${env:DIPERF_NO_SUCH}", "DIPERF_NO_SUCH", "set it"),
                more("bad name", "name: a b/c", "name: expected letters, digits", "'a b/c'"));
    }

    static Stream<Bad> loads() {
        return Stream.of(
                load("duration without unit", "{ clients: 1, run-for: 10 }", "load.run-for", "10s", "got '10'"),
                load("negative duration", "{ clients: 1, run-for: -10s }", "load.run-for", "got '-10s'"),
                load("endless duration", "{ clients: 1, run-for: 99999999999h }", "load.run-for", "expected"),
                load("more than a year", "{ clients: 1, run-for: 9000h }", "load.run-for", "a year"),
                load("timeout past a year", "{ clients: 1, run-for: 1s, timeout: 2000000h }", "load.timeout", "a year"),
                load("zero clients", "{ clients: 0, run-for: 1s }", "load.clients", "from 1", "got '0'"),
                load("negative clients", "{ clients: -3, run-for: 1s }", "load.clients", "got '-3'"),
                load("half a client", "{ clients: 1.5, run-for: 1s }", "load.clients", "whole number", "got '1.5'"),
                load("zero timeout", "{ clients: 1, run-for: 1s, timeout: 0s }", "load.timeout", "more than 0"),
                load("zero length", "{ clients: 1, run-for: 0s }", "load.run-for", "more than 0"),
                load("no length", "{ clients: 1 }", "load.run-for", "is missing"),
                load(
                        "rate of days",
                        "{ open: { rate: 100/day, for: 1s } }",
                        "load.open.rate",
                        "100/s",
                        "got '100/day'"),
                load("zero rate", "{ open: { rate: 0/s, for: 1s } }", "load.open.rate", "more than 0"),
                load("rate in closed load", "{ rate: 10/s, for: 1s }", "open load", "open: { rate"),
                load("arrivals", "{ open: { rate: 1/s, for: 1s, arrivals: poison } }", "Did you mean", "poisson"),
                load(
                        "two models",
                        "{ clients: 1, run-for: 1s, open: { rate: 1/s, for: 1s } }",
                        "exactly one load model"),
                load("think reversed", "{ clients: 1, run-for: 1s, think: { uniform: [2s, 1s] } }", "FROM at most TO"),
                load(
                        "two thinks",
                        "{ clients: 1, run-for: 1s, think: { uniform: [1s, 2s], exponential: 1s } }",
                        "exactly one"),
                file("no load", TARGET, "load: is missing", "clients"),
                more("reversed window", "measure: { window: 9s..2s }", "measure.window", "FROM before TO"),
                more("window past the end", "measure: { window: 0s..9s }", "measure.window", "within the run of 1s"),
                more("all skipped", "measure: { skip: 5s }", "measure.skip", "nothing to measure"),
                more("threshold syntax", "thresholds: [response.p99 << 5ms]", "bad.yml:3:14", "thresholds.0", "<<"),
                more("abort without every", "thresholds: [{ that: failed < 1, abort: true }]", "every: 10s"),
                more("quantum", "report: { quantum: 1parsec }", "report.quantum", "expected a duration"),
                more("ports", "controller: { ports: 70000 }", "controller.ports", "65535"));
    }

    static Stream<Bad> plugins() {
        return Stream.of(
                more("unknown plugin", "client: { plugin: htp }", "client.plugin", "got 'htp'", "Did you mean", "http"),
                more(
                        "unknown parameter",
                        "client: { with: { pth: /a } }",
                        "bad.yml:3:19",
                        "'pth'",
                        "Did you mean",
                        "path"),
                more("bad statuses", "client: { with: { expect: [abc] } }", "client", "expect", "abc"),
                more("bad choice", "client: { with: { connection: kep } }", "connection", "keep"),
                more("bad method", "client: { with: { method: 'G E T' } }", "method", "G E T"),
                more("two bodies", "client: { with: { body: a, body-file: b } }", "body-file", "drop one"),
                more(
                        "number for a switch",
                        "client: { with: { insecure: 7 } }",
                        "client.with.insecure",
                        "true or false"),
                plugin("corrupt jar", jar -> Files.writeString(jar, "PK no zip"), "is not a jar", "again"),
                plugin("newer class", jar -> jar(jar, "Newer", newer()), "needs Java 55", "--release"),
                plugin(
                        "class not in the jar",
                        jar -> jar(jar, "Missing", new byte[0]),
                        "Missing",
                        "refers to the class Missing in"),
                plugin("no plugin in it", jar -> jar(jar, "", new byte[0]), "contains no plugin", "META-INF/services"),
                bad("no plugins folder", (f, p) -> good(f, "--plugins", f + "/none"), 2, "--plugins", "got nothing"),
                bad("unknown ID", (f, p) -> List.of("plugins", "htp"), 2, "'htp'", "Did you mean", "http"),
                file(
                        3,
                        "body-file missing",
                        "target: http://127.0.0.1:PORT/\n" + TESTBED + LOAD
                                + "client: { with: { body-file: /no/such/body } }\n",
                        "/no/such/body"));
    }

    private interface JarMaker {
        void make(Path jar) throws IOException;
    }

    private static Bad plugin(String name, JarMaker maker, String... said) {
        List<String> all = new ArrayList<>(List.of("broken.jar", "got 'brkn'"));
        all.addAll(List.of(said));
        Input input = (folder, port) -> {
            Path plugins = Files.createDirectory(folder.resolve("plugins"));
            maker.make(plugins.resolve("broken.jar"));
            return run(
                    write(folder, TARGET + LOAD + "client: { plugin: brkn }\n", port),
                    folder,
                    "--plugins",
                    plugins.toString());
        };
        return new Bad(name, input, 2, all);
    }

    private static void jar(Path jar, String named, byte[] code) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            Map<String, byte[]> entries = named.isEmpty()
                    ? Map.of("readme.txt", new byte[0])
                    : Map.of("META-INF/services/org.diperf.core.spi.Client", named.getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
            }
            if (code.length > 0) {
                out.putNextEntry(new ZipEntry(named + ".class"));
                out.write(code);
            }
        }
    }

    /** Returns a class as a compiler of Java 55 writes it. */
    private static byte[] newer() throws IOException {
        try (InputStream in = BadInputsTests.class.getResourceAsStream("BadInputsTests.class")) {
            byte[] code = in == null ? new byte[8] : in.readAllBytes();
            code[7] = 99;
            return code;
        }
    }

    static Stream<Bad> targets() {
        return Stream.of(
                file("no target", LOAD, "target: is missing", "URL"),
                file("relative target", "target: localhost\n" + LOAD, "bad.yml:1:9", "no scheme such as http://"),
                file(
                        "unknown scheme",
                        "target: gopher://h/\n" + LOAD,
                        "bad.yml:1:9",
                        "no plugin supports gopher://; specify --plugins DIR"),
                bad(
                        "unknown scheme of a URL",
                        (f, p) -> List.of("run", "kv://127.0.0.1:18777"),
                        2,
                        "kv://127.0.0.1:18777: no plugin supports kv://; specify --plugins DIR"),
                file("misspelt scheme", "target: htpp://h/\n" + LOAD, "Did you mean 'http'? Or specify --plugins DIR"),
                file("no host", "target: http://\n" + LOAD, "http://", "expected"),
                file("bad URL", "target: http://a b/\n" + LOAD, "expected a URL", "cannot contain ' '"),
                file("no targets", "target: { each: [] }\n" + LOAD, "target.each", "at least one URL"),
                file(
                        "unequal one-to-one",
                        "target: { each: ['http://a/'], assign: one-to-one }\n" + LOAD,
                        "round-robin"),
                file(
                        3,
                        "closed port",
                        TARGET + TESTBED + LOAD,
                        "127.0.0.1:1",
                        "start the service",
                        "unreachable: continue"),
                file(
                        3,
                        "unknown host",
                        "target: http://no-such.invalid/\n" + TESTBED + LOAD,
                        "no-such.invalid:80 cannot be reached: unknown host; correct the host name of the target"),
                file(
                        "port too large",
                        "target: http://127.0.0.1:99999/\n" + LOAD,
                        "got 'http://127.0.0.1:99999/': expected a port from 1 to 65535, got 99999"),
                bad(
                        "check, closed port",
                        (f, p) -> List.of("check", write(f, TARGET + LOAD, p)),
                        3,
                        "127.0.0.1:1",
                        "cannot be reached"),
                bad(
                        "--out in use",
                        (f, p) -> {
                            Files.writeString(
                                    Files.createDirectory(f.resolve("out")).resolve("mine"), "x");
                            return good(f);
                        },
                        2,
                        "--out",
                        "nothing was overwritten"),
                bad(
                        "--out is a file",
                        (f, p) -> {
                            Files.writeString(f.resolve("out"), "x");
                            return good(f);
                        },
                        2,
                        "--out",
                        "got a file",
                        "choose another"),
                bad(
                        "--out under a file",
                        (f, p) -> {
                            Files.writeString(f.resolve("taken"), "x");
                            return List.of("run", write(f, TARGET + TESTBED + LOAD, p), "--out", f + "/taken/run");
                        },
                        2,
                        "--out",
                        "choose another"),
                bad(
                        "--out cannot be written",
                        (f, p) -> List.of("run", write(f, TARGET + TESTBED + LOAD, p), "--out", "/proc/diperf"),
                        2,
                        "--out",
                        "choose another"));
    }

    static Stream<Bad> testbeds() {
        String reachable = "target: http://127.0.0.1:PORT/\n" + LOAD;
        return Stream.of(
                more("unknown testbed", "testbed: { kind: lcal }", "testbed.kind", "'lcal'", "Did you mean", "local"),
                more("zero testers", "testbed: { testers: 0 }", "testbed.testers", "got '0'"),
                more("idle testers", "testbed: { testers: 3 }", "testbed.testers", "fewer testers"),
                more("JVM flags as text", "testbed: { jvm: -Xmx1g }", "testbed.jvm", "a list of JVM flags"),
                file(
                        3,
                        "ports taken",
                        reachable + TESTBED + "controller: { ports: PORT }\n",
                        "listen",
                        "controller.ports"),
                file(
                        3,
                        "foreign address",
                        reachable + TESTBED + "controller: { listen: 192.0.2.1 }\n",
                        "listen",
                        "controller.listen"),
                file(
                        3,
                        "no Java",
                        reachable + "testbed: { kind: local, java: /no/such/java }\n",
                        "/no/such/java",
                        "testbed.java"),
                file(
                        3,
                        "no such JVM flag",
                        reachable + "testbed: { kind: local, jvm: ['-XX:+NoSuchFlag'] }\n",
                        "tester-1",
                        "NoSuchFlag",
                        ".log"));
    }

    static Stream<Bad> options() {
        return Stream.of(
                bad("no command of that name", (f, p) -> List.of("rnu"), 2, "rnu", "Did you mean", "run"),
                bad("no option of that name", (f, p) -> good(f, "--quit"), 2, "--quit", "Did you mean", "--quiet"),
                bad("no command", (f, p) -> List.of(), 2, ""),
                bad("two files", (f, p) -> good(f, "other.yml"), 2, "other.yml", "--help"),
                bad("option without value", (f, p) -> List.of("run", "--out"), 2, "--out", "--help"),
                bad(
                        "--set without =",
                        (f, p) -> good(f, "--set", "load.clients"),
                        2,
                        "--set load.clients",
                        "PATH=VALUE"),
                bad(
                        "--set unknown path",
                        (f, p) -> good(f, "--set", "load.clinets=1"),
                        2,
                        "--set",
                        "Did you mean",
                        "clients"),
                bad(
                        "--set bad value",
                        (f, p) -> good(f, "--set", "load.clients=many"),
                        2,
                        "--set load.clients=many",
                        "whole"),
                bad(
                        "--set beyond a list",
                        (f, p) -> good(f, "--set", "thresholds.7=a"),
                        2,
                        "--set thresholds.7=a",
                        "expected"),
                bad(
                        "--clients with a file",
                        (f, p) -> good(f, "--clients", "3"),
                        2,
                        "--clients requires a URL",
                        "--set load.clients=3"),
                bad(
                        "calibrate no client",
                        (f, p) -> List.of("calibrate", "--client", "htp"),
                        2,
                        "--client",
                        "'htp'",
                        "Did you mean 'http'"),
                bad(
                        "calibrate too short",
                        (f, p) -> List.of("calibrate", "--for", "8s"),
                        2,
                        "--for",
                        "expected 9s to 10m"),
                bad("calibrate too long", (f, p) -> List.of("calibrate", "--for", "11m"), 2, "--for", "got '11m'"),
                bad(
                        "calibrate bad --for",
                        (f, p) -> List.of("calibrate", "--for", "x"),
                        2,
                        "--for",
                        "expected a duration"),
                bad(
                        "calibrate into a folder",
                        (f, p) -> List.of("calibrate", "--out", f.toString()),
                        2,
                        "--out",
                        "got a folder",
                        "specify a file in it"),
                bad(
                        "calibrate where nothing can be written",
                        (f, p) -> List.of("calibrate", "--out", write(f, "", p) + "/c.json"),
                        2,
                        "--out",
                        "bad.yml",
                        "choose another"),
                bad("calibrate unknown option", (f, p) -> List.of("calibrate", "--fro", "9s"), 2, "--fro", "--for"),
                bad("--for without a URL", (f, p) -> List.of("run", "--for", "3s"), 2, "--for requires a URL"),
                bad(
                        "--clients and --rate",
                        (f, p) -> run("http://127.0.0.1:1/", f, "--clients", "3", "--rate", "1/s"),
                        2,
                        "choose one"),
                bad(
                        "bad --for",
                        (f, p) -> run("http://127.0.0.1:1/", f, "--for", "soon"),
                        2,
                        "'soon'",
                        "expected a duration",
                        "--for"),
                bad(
                        "bad --clients",
                        (f, p) -> run("http://127.0.0.1:1/", f, "--clients", "x"),
                        2,
                        "'x'",
                        "whole number",
                        "--clients"),
                bad(
                        "bad --rate",
                        (f, p) -> run("http://127.0.0.1:1/", f, "--rate", "5/day"),
                        2,
                        "5/day",
                        "expected a rate",
                        "--rate:"),
                bad(
                        "a URL nobody speaks",
                        (f, p) -> run("gopher://h/", f),
                        2,
                        "gopher://h/: no plugin supports gopher://"),
                bad("report of nothing", (f, p) -> List.of("report", f + "/none"), 2, "Expected a run", "got nothing"),
                bad(
                        "report of a file",
                        (f, p) -> List.of("report", write(f, TARGET, p)),
                        2,
                        "Expected a run",
                        "a file"),
                bad("report of no run", (f, p) -> List.of("report", f.toString()), 3, "run.json", "diperf run"),
                damaged("run.json cut", "{\"format\": \"diperf-run/2\", \"see", "run.json", "not a run record"),
                damaged("run.json of a newer format", "{\"format\": \"diperf-run/9\"}", "run.json", "diperf-run/2"),
                damaged("run.json without its facts", "{\"format\": \"diperf-run/2\"}", "run.json", "not a run record"),
                damaged("run.json is null", "null", "run.json", "not a run record"),
                bad("bad --window", (f, p) -> List.of("report", f.toString(), "--window", "5..1"), 2, "--window"),
                bad(
                        "bad --quantum",
                        (f, p) -> List.of("report", f.toString(), "--quantum", "x"),
                        2,
                        "--quantum",
                        "'x'"),
                bad("zero --smooth", (f, p) -> List.of("report", f.toString(), "--smooth", "0s"), 2, "--smooth"),
                bad(
                        "huge --smooth",
                        (f, p) -> List.of("report", f.toString(), "--smooth", "99999999999"),
                        2,
                        "--smooth"),
                bad("predict without a load", (f, p) -> List.of("predict", f.toString()), 2, "--clients"),
                bad(
                        "predict of no client",
                        (f, p) -> List.of("predict", f.toString(), "--clients", "0"),
                        2,
                        "at least 1"),
                bad("predict of a bad rate", (f, p) -> List.of("predict", f.toString(), "--rate", "fast"), 2, "--rate"),
                bad(
                        "predict of nothing",
                        (f, p) -> List.of("predict", f + "/none", "--clients", "5"),
                        2,
                        "got nothing"),
                bad("no ticket", (f, p) -> List.of("tester", "--ticket", f + "/none"), 2, ""),
                bad("bad ticket", (f, p) -> List.of("tester", "--ticket", write(f, "nonsense", p)), 2, ""));
    }

    private static Bad damaged(String name, String json, String... said) {
        return bad(
                name,
                (folder, port) -> {
                    Files.writeString(folder.resolve("run.json"), json);
                    return List.of("report", folder.toString());
                },
                3,
                said);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"files", "loads", "plugins", "targets", "testbeds", "options"})
    void whoeverGetsItWrongIsToldWhatToDo(Bad bad) throws IOException {
        try (ServerSocket target = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Outcome outcome = Outcome.of(bad.input.arguments(folder, target.getLocalPort()));

            assertThat(outcome.code()).as(outcome.err() + outcome.out()).isEqualTo(bad.code);
            assertThat(outcome.err() + (bad.code == 3 ? outcome.out() : ""))
                    .contains(bad.said)
                    .doesNotContain("at org.diperf", "at java.base", "Exception");
        }
    }
}
