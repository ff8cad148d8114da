package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A machine is calibrated, and runs on it say how near they came. On a busy machine too: the numbers are then small. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CalibrateIT {

    @TempDir
    private Path work = Path.of("");

    private Path temporary = Path.of("");

    @BeforeEach
    void temporaryFilesHaveAFolderOfTheirOwn() throws IOException {
        temporary = Files.createDirectory(work.resolve("tmp"));
    }

    private Command diperf(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Command.commandLine(Command.controllerJar(), arguments));
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        return Command.start(
                work, Map.of("XDG_STATE_HOME", work.resolve("state").toString()), command);
    }

    private List<Path> kept() throws IOException {
        Path folder = work.resolve("state/diperf/calibration");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .as("temporary folders")
                    .noneMatch(name -> name.startsWith("diperf"));
        }
        assertThat(ProcessHandle.allProcesses()
                        .flatMap(process -> process.info().commandLine().stream())
                        .filter(line -> line.contains(temporary.toString())))
                .as("processes")
                .isEmpty();
    }

    @Test
    void aMachineIsCalibratedAndItsRunsSayHowNearTheyCame() throws Exception {
        try (Command diperf = diperf("calibrate", "--for", "9s")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output())
                    .contains(
                            "highest rate",
                            "open load",
                            "CPU per call",
                            "send lag",
                            "error bound",
                            "idle",
                            "others",
                            "kept in ");
            assertNothingIsLeft();
        }
        assertThat(kept()).hasSize(1);
        JsonNode found = JsonMapper.shared().readTree(Files.readAllBytes(kept().get(0)));
        double rate = found.at("/fullSpeed/callsPerSecond").asDouble();
        assertThat(rate).isGreaterThan(100);
        assertThat(found.at("/fullSpeed/cpuMicrosPerCall").asDouble()).isPositive();
        assertThat(found.at("/openLoad/ratePerSecond").asDouble()).isBetween(0.09 * rate, 0.51 * rate);
        assertThat(found.at("/openLoad/callsPerSecond").asDouble(-1)).isBetween(0.0, 0.55 * rate);
        assertThat(found.at("/openLoad/droppedPercent").asDouble() < 0.1
                        || found.at("/openLoad/before").size() == 4)
                .as("what is told was sent, or nothing was: %s", found.get("openLoad"))
                .isTrue();
        assertThat(found.at("/openLoad/sendLagMillis/p99").asDouble())
                .isGreaterThanOrEqualTo(found.at("/openLoad/sendLagMillis/p50").asDouble())
                .isPositive();
        assertThat(found.at("/idle/longestStallMillis").asDouble(-1)).isNotNegative();
        assertThat(found.at("/others/usedPercent").asDouble(-1)).isBetween(0.0, 100.0);
        assertThat(found.at("/machine/processors").asInt())
                .isEqualTo(Runtime.getRuntime().availableProcessors());

        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            assertRunsSayHowNearTheyCame(
                    rate, "http://127.0.0.1:" + server.getAddress().getPort() + "/");
        } finally {
            server.stop(0);
        }
        try (Command diperf = diperf("calibrate")) {
            diperf.awaitOutput(output -> output.contains("it is from DiPerF 0.0.1, this is "));
            interrupt(diperf);
            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
        }
        assertNothingIsLeft();
    }

    private void assertRunsSayHowNearTheyCame(double rate, String url) throws Exception {
        try (Command diperf = diperf("run", url, "--rate", "50/s", "--for", "2s", "--out", "run")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).contains(" that a tester on ", " reached in calibration");
        }
        JsonNode nearest = new RunFolder(work.resolve("run")).summary().at("/generator/calibration");
        assertThat(nearest.get("rate").asDouble()).isEqualTo(rate);
        assertThat(nearest.get("share").asDouble() * rate)
                .isCloseTo(nearest.get("callsPerSecond").asDouble(), withinPercentage(1));
        assertThat(nearest.get("callsPerSecond").asDouble()).isBetween(10.0, 60.0);
        assertThat(Files.readString(work.resolve("run/report.html"))).contains("reached in calibration");

        Files.writeString(
                kept().get(0), Files.readString(kept().get(0)).replaceAll("(\"diperfVersion\" : \")[^\"]*", "$10.0.1"));
        try (Command diperf = diperf("run", "--no-report", url, "--rate", "50/s", "--for", "2s", "--out", "other")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).doesNotContain("calibrated");
        }
    }

    @Test
    void whoInterruptsItLeavesNothing() throws Exception {
        try (Command diperf = diperf("calibrate", "--for", "60s")) {
            diperf.awaitOutput(output -> output.contains("measuring"));
            interrupt(diperf);

            assertThat(diperf.exitCode()).as(diperf.output()).isEqualTo(130);
            assertNothingIsLeft();
        }
        assertThat(kept()).isEmpty();
    }

    private static void interrupt(Command diperf) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", String.valueOf(diperf.process().pid()))
                .start()
                .waitFor();
    }

    @Test
    void aClientWithoutAStandInIsRefused() throws Exception {
        try (Command diperf = diperf("calibrate", "--client", "exec")) {
            assertThat(diperf.exitCode()).isEqualTo(2);
            assertThat(diperf.output()).contains("--client", "got 'exec'", "choose one of", "http");
            assertNothingIsLeft();
        }
        assertThat(kept()).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void theResultCanBeWrittenElsewhere() throws Exception {
        try (Command diperf =
                diperf("calibrate", "--for", "9s", "--client", "time", "--no-progress", "--out", "t.json")) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output())
                    .contains("kept in t.json; runs do not use it")
                    .doesNotContain("measuring");
        }
        assertThat(kept()).isEmpty();
        assertThat(JsonMapper.shared()
                        .readTree(Files.readAllBytes(work.resolve("t.json")))
                        .get("client")
                        .asString())
                .isEqualTo("time");
    }
}
