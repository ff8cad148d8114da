package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service under test that the run starts and stops: never left behind, whatever ends the run. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ServiceIT {

    private static final String SERVER = "exec python3 -u -m http.server ";

    @TempDir
    Path work;

    private int port;

    @BeforeEach
    void needsPython() throws Exception {
        assumeTrue(Command.installed("python3"), "needs python3");
        assumeTrue(Command.installed("setsid"), "needs setsid (util-linux)");
        port = FreePorts.take();
    }

    private Path experiment(String service, String length) throws Exception {
        return Files.writeString(
                work.resolve("service.yml"),
                "target: http://127.0.0.1:" + port + "/page.txt\nservice: " + service
                        + "\nload: { clients: 2, run-for: " + length + ", think: 20ms }\n");
    }

    private String server() {
        return "{ deploy: [page.txt], start: '" + SERVER + port + " --bind 127.0.0.1' }";
    }

    private Command run() throws Exception {
        Files.writeString(work.resolve("page.txt"), "hello");
        return Command.diperf(work, "run", "--no-report", "service.yml", "--out", "out", "--no-progress");
    }

    private String runLog() throws Exception {
        return Files.readString(work.resolve("out/run.log"));
    }

    private boolean listens() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void awaitListening(boolean wanted) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (listens() != wanted) {
            assertThat(System.nanoTime())
                    .as("a service that listens: " + wanted)
                    .isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Tag("quick")
    @Test
    void theServiceIsDeployedStartedMeasuredAndStopped() throws Exception {
        experiment(server(), "2s");
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        RunFolder run = new RunFolder(work.resolve("out"));
        assertThat(run.calls("ok")).isPositive();
        assertThat(run.calls("failed")).isZero();
        assertThat(listens()).isFalse();
        assertThat(runLog()).contains("the service under test is ready after", "the service under test was stopped");
        assertThat(work.resolve("out/logs/service.log")).content().contains("GET /page.txt");
        assertThat(Files.readString(work.resolve("out/run.json"))).contains("service under test");
        assertThat(Files.readString(work.resolve("out/experiment.yml"))).contains("ready: tcp://127.0.0.1:" + port);
    }

    @Test
    void aServiceThatCannotStartIsAnErrorWithItsLastWords() throws Exception {
        experiment("{ start: 'echo no such model >&2; exit 4' }", "2s");
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("exit code 4", "no such model", "service.start");
        }
    }

    @Test
    void aServiceThatIsNotReadyInTimeIsAnErrorAndIsStopped() throws Exception {
        experiment("{ start: 'echo $$ > " + work.resolve("pid") + "; sleep 600 & sleep 600', ready-within: 1s }", "2s");
        try (Command diperf = run()) {
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
            assertThat(diperf.output()).contains("ready", "within 1s", "service.ready-within");
        }
        long pid = Long.parseLong(Files.readString(work.resolve("pid")).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aServiceThatDiesDuringTheRunMakesItsNumbersSuspect() throws Exception {
        Path pid = work.resolve("pid");
        Path served = work.resolve("served");
        String start = "echo $$ > " + pid + "; " + SERVER + port + " --bind 127.0.0.1 2> " + served;
        experiment("{ deploy: [page.txt], start: '" + start + "' }", "12s");
        try (Command diperf = run()) {
            diperf.awaitOutput(output -> requests(served) >= 150);
            new ProcessBuilder("kill", "-KILL", Files.readString(pid).strip())
                    .start()
                    .waitFor();
            diperf.exitCode();
        }
        assertThat(runLog()).contains("the service under test ended during the run");
        assertThat(Files.readString(work.resolve("out/summary.json")))
                .contains("the service under test ended during the run", "\"suspect\"");
    }

    /** Counts the requests that the service has logged so far. */
    private static long requests(Path log) {
        if (!Files.exists(log)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("GET /page.txt")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aServiceUnderTestGoesWithAnInterruptedRun() throws Exception {
        experiment(server(), "60s");
        try (Command diperf = run()) {
            awaitListening(true);
            new ProcessBuilder("kill", "-INT", Long.toString(diperf.process().pid()))
                    .start()
                    .waitFor();
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
        }
        assertThat(listens()).isFalse();
    }

    @Test
    void aServiceUnderTestEndsWhenItsControllerIsKilled() throws Exception {
        experiment(server(), "60s");
        try (Command diperf = run()) {
            awaitListening(true);
            diperf.process().destroyForcibly().waitFor();
            awaitListening(false);
        }
    }

    @Test
    void whatRunsThereAlreadyIsNotMistakenForTheService() throws Exception {
        try (ServerSocket taken = new ServerSocket(port, 50, java.net.InetAddress.getLoopbackAddress())) {
            experiment(server(), "2s");
            try (Command diperf = run()) {
                assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(3);
                assertThat(diperf.output()).contains("something answers", "already");
            }
            assertThat(taken.isClosed()).isFalse();
        }
    }
}
