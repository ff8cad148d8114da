package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MainTests {

    @TempDir
    private Path folder = Path.of("");

    /** What a command left. */
    private record Said(int code, String out, String err) {}

    private static Said diperf(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
        return new Said(code, out.toString(), err.toString());
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("experiment.yml"), yaml).toString();
    }

    @Test
    void theVersionNamesDiperfAndJava() {
        Said said = diperf("--version");
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("DiPerF ").contains(System.getProperty("java.version"));
    }

    @Test
    void theHelpListsExactlyTheCommandsThatExist() {
        Said said = diperf("--help");
        assertThat(said.code()).isZero();
        assertThat(said.out())
                .contains(
                        "run",
                        "check",
                        "init",
                        "report",
                        "predict",
                        "compare",
                        "verify",
                        "import",
                        "export",
                        "plugins",
                        "nodes",
                        "schema",
                        "tester",
                        "relay",
                        "time-server",
                        "server",
                        "serve ",
                        "try",
                        "--stacktrace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "check",
                "report",
                "predict",
                "compare",
                "verify",
                "import",
                "export",
                "plugins",
                "schema",
                "tester",
                "completion",
                "init",
                "help",
                "version",
                "runs"
            })
    void theHelpOfACommandTeaches(String command) {
        Said said = diperf(command, "--help");
        assertThat(said.code()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .startsWith("Usage: diperf " + command)
                .contains("Exit code")
                .contains("diperf " + command)
                .containsIgnoringCase("example");
        assertThat(said.out().lines()).allMatch(line -> line.length() <= 120);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rum | run",
                "run --oot x | --out",
                "plugins htp | http",
                "plugins a b | b",
                "report | RUN_DIR",
                "check | FILE",
                "run x.yml --clients 5 | no such file",
                "run http://127.0.0.1/ --clients 5 --rate 5/s | choose one",
                "plugins hgmr | Did you mean 'hgrm'?",
                "run no-such-file.yml | no such file; check the path, or give the address",
                "check no-such-file.yml | no such file; check the path, or give the address",
                "report no-such-folder | no-such-folder",
                "schema --plugins no-such-folder | no-such-folder"
            })
    void badUsageIsExitCodeTwoAndSaysWhatWasMeant(String line, String hint) {
        Said said = diperf(line.split(" "));
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains(hint).doesNotContain("\tat ");
    }

    @Test
    void aBadFileIsExitCodeTwoWithItsPlace() throws IOException {
        String file = file("target: http://127.0.0.1:1/\nload: {clents: 5, run-for: 1s}\n");
        for (String command : List.of("run", "check")) {
            Said said = diperf(command, file);
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).contains(file + ":2:8: ").contains("Did you mean 'clients'?");
        }
    }

    @Test
    void aFolderWithFilesIsRefusedBeforeAnythingStarts() throws IOException {
        String file = file("target: http://127.0.0.1:1/\nload: {clients: 5, run-for: 1s}\n");
        Said said = diperf("run", file, "--out", folder.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--out").contains(folder.toString());
        assertThat(folder.toFile().list()).containsExactly("experiment.yml");
    }

    @Test
    void aTargetThatCannotBeReachedIsExitCodeThree() throws IOException {
        int closed = FreePorts.take();
        String file = file("target: http://127.0.0.1:" + closed + "/\nload: {clients: 5, run-for: 1s}\n");
        Said said = diperf("check", file);
        assertThat(said.code()).isEqualTo(3);
        assertThat(said.out() + said.err()).contains("127.0.0.1:" + closed);
        Said run = diperf("run", file, "--out", folder.resolve("out").toString());
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("127.0.0.1:" + closed).doesNotContain("\tat ");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void checkShowsTheTimelineAndStartsNothing() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String file = file("target: http://127.0.0.1:" + socket.getLocalPort()
                    + "/\ntestbed: {testers: 2}\nload: {clients: 5, start-every: 1s, run-for: 56s}\n");
            Said said = diperf("check", file, "--set", "load.clients=10");
            assertThat(said.err()).isEmpty();
            assertThat(said.code()).isZero();
            assertThat(said.out()).contains("1:05").contains("10 clients").contains("local");
            assertThat(folder.toFile().list()).containsExactly("experiment.yml");
        }
    }

    @Test
    void checkExpectsNoServiceThatTheRunStarts() throws IOException {
        int port = FreePorts.take();
        String nobody = "target: http://127.0.0.1:" + port + "/\nload: {clients: 5, run-for: 1s}\n";
        assertThat(diperf("check", file(nobody)).code()).isEqualTo(3);
        Said said = diperf("check", file(nobody + "service: {start: ./serve}\n"));
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("the run starts it on local: ./serve");
    }

    @Test
    void checkFailsWhereTheRunWouldNotStartItsService() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String target = "target: http://127.0.0.1:" + socket.getLocalPort() + "/\n";
            String load = "load: {clients: 5, run-for: 1s}\n";
            Said there = diperf("check", file(target + load + "service: {start: ./serve}\n"));
            assertThat(there.code()).isEqualTo(3);
            assertThat(there.out()).contains("but the run should start the service: stop it, or remove 'service'");
            Said trials = diperf("check", file(target + load + "service: {start: ./serve}\ntrials: {count: 2}\n"));
            assertThat(trials.code()).isEqualTo(3);
            // Such as a proxy in front of the service, and one that nobody asks.
            for (String ready : List.of("tcp://127.0.0.1:" + FreePorts.take(), "log:up")) {
                Said other =
                        diperf("check", file(target + load + "service: {start: ./serve, ready: '" + ready + "'}\n"));
                assertThat(other.code()).as(other.out()).isZero();
                assertThat(other.out()).contains("the run starts it on local: ./serve");
            }
        }
    }

    @Test
    void pluginsAreListedWithWhereTheyCameFrom() {
        Said said = diperf("plugins");
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("http", "exec", "stream", "in-process", "local", "manual", "bundled");
        Said http = diperf("plugins", "http");
        assertThat(http.code()).isZero();
        assertThat(http.out()).contains("method", "default", "GET", "expect");
        Said csv = diperf("plugins", "csv");
        assertThat(csv.code()).isZero();
        assertThat(csv.out()).contains("csv: ", "from: bundled", "diperf export RUN_DIR --format csv");
    }

    @Test
    void aBrokenPluginIsNamedAndTheOthersWork() throws IOException {
        Files.writeString(folder.resolve("broken.jar"), "no jar");
        Said said = diperf("plugins", "--plugins", folder.toString());
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("http");
        assertThat(said.err()).contains("broken.jar").contains("is not a jar");
    }

    @Test
    void theSchemaIsPrintedAlone() {
        Said said = diperf("schema");
        assertThat(said.code()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).startsWith("{").contains("http://json-schema.org/draft-07/schema#");
    }

    @Test
    void aBadTicketIsExitCodeTwo() throws IOException {
        String ticket = Files.writeString(folder.resolve("ticket"), "nonsense").toString();
        assertThat(diperf("tester", "--ticket", ticket).code()).isEqualTo(2);
    }

    /** As the JVM decodes arguments and variables in a locale without the characters they have. */
    @Test
    void anArgumentThatCouldNotBeDecodedIsRefused() {
        Outcome outcome = Outcome.of("run", "http://127.0.0.1:1/gr\uFFFD\uFFFDe");
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).contains("gr\uFFFD\uFFFDe", "the locale cannot decode", "LC_ALL=C.UTF-8");
    }
}
