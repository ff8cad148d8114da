package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our counts against the lines of a real nginx's access log. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NginxIT {

    private static final Path EXAMPLES =
            Path.of("..", "examples").toAbsolutePath().normalize();

    @TempDir
    Path work;

    @BeforeEach
    void nginxIsInstalled() {
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
    }

    @Tag("quick")
    @Test
    void aClosedLoadIsCountedExactlyAsInTheServersLog() throws Exception {
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.start(work)) {
            run = run(
                    0,
                    "http-nginx.yml",
                    "--set",
                    "target=" + nginx.url("/"),
                    "--set",
                    "client.with.path=/?id=${client}-${call}",
                    "--set",
                    "load.run-for=4s");
            log = nginx.stopAndReadLog();
        }
        assertThat(run.calls("ok")).isEqualTo(log.size()).isGreaterThan(1_000);
        assertThat(run.calls("total")).isEqualTo(log.size());
    }

    @Test
    void anOpenLoadIsCountedExactlyAsInTheServersLog() throws Exception {
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.start(work)) {
            run = run(0, "http-open.yml", "--set", "target=" + nginx.url("/"));
            log = nginx.stopAndReadLog();
        }
        assertThat(run.calls("ok")).isEqualTo(log.size());
        // 500/s for 8 s after a ramp of 2 s: 4,500 expected; a Poisson count is within five standard deviations.
        assertThat(run.calls("planned")).isBetween(4_500L - 5 * 67, 4_500L + 5 * 67);
        assertThat(run.calls("sent") + run.calls("dropped")).isEqualTo(run.calls("planned"));
    }

    @Test
    void everyCallOfARunCutShortByCtrlCIsExplained() throws Exception {
        assumeTrue(Command.installed("script"), "script is not installed: apt-get install bsdutils");
        Map<String, String> recorded;
        List<String> log;
        RunFolder run;
        try (Nginx nginx = Nginx.start(work)) {
            String line = String.join(
                    " ",
                    Command.commandLine(
                            Command.controllerJar(),
                            "run",
                            EXAMPLES.resolve("http-nginx.yml").toString(),
                            "--set",
                            "'target=" + nginx.url("/") + "'",
                            "--set",
                            "'client.with.path=/slow?id=${client}-${call}'",
                            "--out",
                            work.resolve("run").toString()));
            try (Command terminal = Command.start(work, List.of("script", "-qfec", line, "/dev/null"))) {
                // The clients' first calls of some 4 s end between 4 and 6 s, their second ones not before 8 s.
                terminal.awaitOutput(output -> output.contains("0:07/"));
                terminal.type("\u0003");
                assertThat(terminal.exitCode()).as(terminal.output()).isEqualTo(130);
            }
            log = nginx.stopAndReadLog();
            run = new RunFolder(work.resolve("run"));
            recorded = run.outcomesByCall();
        }
        Set<String> logged =
                log.stream().map(each -> each.replaceAll(".*id=", "")).collect(Collectors.toCollection(TreeSet::new));
        Set<String> ended = named(recorded, false);
        Set<String> unfinished = named(recorded, true);
        assertThat(logged).hasSameSizeAs(log);
        assertThat(logged).as("every ended call is in the log").containsAll(ended);
        logged.removeAll(ended);
        assertThat(unfinished).as("what else is in the log was in flight").containsAll(logged);
        // Most of the 8 clients are within their second calls; on a busy machine some are between two.
        assertThat(unfinished).isNotEmpty();
        assertThat(unfinished.stream().map(each -> each.replaceAll("-.*", "")))
                .as("a client has one call under way at most")
                .doesNotHaveDuplicates();
        assertThat(run.path().resolve("report.html")).exists();
    }

    private static Set<String> named(Map<String, String> recorded, boolean unfinished) {
        return recorded.entrySet().stream()
                .filter(entry -> entry.getValue().equals("unfinished") == unfinished)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Tag("quick")
    @Test
    void anExecutableIsRunOncePerCall() throws Exception {
        assumeTrue(Command.installed("curl"), "curl is not installed: apt-get install curl");
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.start(work)) {
            // With pauses, so that what runs next to it is not starved.
            run = run(0, "exec-curl.yml", "--set", "target=" + nginx.url("/"), "--set", "load.think=20ms");
            log = nginx.stopAndReadLog();
        }
        assertThat(run.calls("ok")).isEqualTo(log.size()).isGreaterThan(50);
    }

    @Tag("quick")
    @Test
    void aStreamingProgramsLinesAreItsCalls() throws Exception {
        assumeTrue(Command.installed("curl"), "curl is not installed: apt-get install curl");
        RunFolder run;
        List<String> log;
        try (Nginx nginx = Nginx.start(work)) {
            run = run(0, "stream-shell.yml", "--set", "target=" + nginx.url("/"), "--set", "load.run-for=4s");
            log = nginx.stopAndReadLog();
        }
        // Each of the two programs is killed at its end: at most one request each that it could not report.
        assertThat((long) log.size() - run.calls("ok")).isBetween(0L, 2L);
        assertThat(run.calls("ok")).isGreaterThan(30);
    }

    private RunFolder run(int exitCode, String example, String... more) throws IOException, InterruptedException {
        Path out = work.resolve("run");
        List<String> arguments = new ArrayList<>(
                List.of("run", "--no-report", EXAMPLES.resolve(example).toString(), "--out", out.toString()));
        // How fast the answers come is the machine's affair.
        arguments.addAll(List.of("--set", "thresholds=[failed < 1%]"));
        arguments.addAll(List.of(more));
        try (Command diperf = Command.diperf(work, arguments.toArray(String[]::new))) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(exitCode);
        }
        assertThat(Files.isDirectory(out)).isTrue();
        return new RunFolder(out);
    }
}
