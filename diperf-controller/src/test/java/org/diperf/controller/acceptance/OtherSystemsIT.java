package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.controller.quickstart.WaitingService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What works where there is nothing that only Linux has: no epoll and no io_uring, no TLS in native code, no function of the
 * C library (so no {@code posix_spawn}), no {@code /proc}. docs/install.md says what is missing then.
 */
@Timeout(120)
class OtherSystemsIT {

    /** Netty without its libraries, and JNA without the one that it needs for anything. */
    private static final List<String> WITHOUT_NATIVES = List.of(
            "-Dio.netty.transport.noNative=true",
            "-Dio.netty.handler.ssl.noOpenSsl=true",
            "-Djna.nosys=true",
            "-Djna.nounpack=true",
            "-Djna.boot.library.path=/nonexistent");

    private static final long SERVICE_NANOS = 5_000_000L;

    @TempDir
    Path work;

    private RunFolder run(String... arguments) throws Exception {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"), "only root can hide /proc");
        assumeTrue(Command.installed("unshare"), "unshare is not installed: apt-get install util-linux");
        // A name space of its own, which the testers inherit, in which /proc is an empty folder.
        List<String> command = new ArrayList<>(
                List.of("unshare", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh"));
        command.add(Command.java());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(WITHOUT_NATIVES);
        command.addAll(List.of("-jar", Command.controllerJar().toString(), "run"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--out", "run", "--set", "testbed.jvm=" + list(WITHOUT_NATIVES)));
        // A program finds the libraries next to it by /proc too.
        Path libraries = Path.of(System.getProperty("java.home"), "lib");
        Map<String, String> environment = Map.of("LD_LIBRARY_PATH", libraries + ":" + libraries.resolve("server"));
        try (Command diperf = Command.start(work, environment, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        RunFolder run = new RunFolder(work.resolve("run"));
        assertThat(run.path().resolve("report.html")).isNotEmptyFile();
        assertThat(run.summary().get("testers").get("lost").asInt()).isZero();
        return run;
    }

    private static String list(List<String> flags) {
        return flags.stream().map(flag -> "\"" + flag + "\"").collect(Collectors.joining(", ", "[", "]"));
    }

    @Test
    void httpIsMeasured() throws Exception {
        try (WaitingService service = new WaitingService(8, SERVICE_NANOS, SERVICE_NANOS, 1)) {
            RunFolder run = run(service.uri().toString(), "--clients", "4", "--for", "2s");

            // 4 clients that wait 5 ms for each answer make 1,600 calls in 2 s at most; on a busy machine far fewer.
            assertThat(run.calls("ok")).isBetween(20L, 1_700L);
            assertThat(run.calls("failed")).isZero();
            // What the JVM knows is known, what the kernel tells is not.
            assertThat(ofTester(run, "cpu_percent")).isNotEmpty();
            assertThat(ofTester(run, "starved_percent")).isEmpty();
            assertThat(ofTester(run, "host_cpu_cores")).isEmpty();
            assertThat(ofTester(run, "latency_source")).isEqualTo("clients");
        }
    }

    /** Returns a field of the only tester. */
    private static String ofTester(RunFolder run, String column) throws IOException {
        List<String> lines = Files.readAllLines(run.path().resolve("testers.csv"));
        assertThat(lines).hasSize(2);
        int at = List.of(lines.get(0).split(",", -1)).indexOf(column);
        assertThat(at).as(column).isNotNegative();
        return lines.get(1).split(",", -1)[at];
    }

    @Test
    void programsAreMeasured() throws Exception {
        Path file = Files.writeString(work.resolve("programs.yml"), """
                name: programs
                target: exec://localhost/
                client: { plugin: exec, with: { command: [sh, -c, "sleep 0.05"] } }
                load: { clients: 2, run-for: 2s, timeout: 5s }
                """);

        RunFolder run = run(file.toString());

        assertThat(run.calls("ok")).isBetween(10L, 80L);
        assertThat(run.calls("failed")).isZero();
        assertThat(run.path().resolve("run.log")).content().contains("exec without process groups");
    }
}
