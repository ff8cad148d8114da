package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer does first: the jar alone in an empty folder. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class QuickstartIT {

    @TempDir
    Path work;

    @Tag("quick")
    @Test
    @NeedsCalmMachine
    void theJarAloneInAnEmptyFolderRunsTheQuickstart() throws Exception {
        Path jar = Files.copy(Command.controllerJar(), work.resolve("diperf-controller.jar"));
        boolean stolen;
        // A job keeps no classes of a jar that is soon removed.
        try (Command diperf = Command.start(work, Map.of("CI", "true"), Command.plainCommandLine(jar, "run"))) {
            int code = diperf.exitCode();
            // On a machine whose hypervisor takes the processors away, the quickstart rightly doubts its numbers.
            stolen = diperf.output().contains("the hypervisor withheld processors");
            assertThat(code).as(diperf.output()).isEqualTo(stolen ? 99 : 0);
            assertThat(diperf.output()).contains("report", "runs/latest/report.html");
        }
        RunFolder run = new RunFolder(work.resolve("runs/latest"));
        assertThat(run.path().resolve("report.html")).isNotEmptyFile();
        assertThat(run.summary().get("verdict").asString()).isEqualTo(stolen ? "suspect" : "valid");
        // 8 workers of 20 ms give 400 a second; the tester must find that and not its own limit.
        assertThat(run.summary().get("measured").get("throughput").get("mean").asDouble())
                .isBetween(stolen ? 200.0 : 370.0, 402.0);
        assertThat(run.path().resolve("control")).doesNotExist();
    }

    @Tag("quick")
    @Test
    void aPluginJarBesideTheControllerIsListedAndRun() throws Exception {
        Path jar = Files.copy(Command.controllerJar(), work.resolve("diperf-controller.jar"));
        EchoPlugin.copyTo(Files.createDirectory(work.resolve("plugins")));
        try (Command diperf = Command.start(work, Command.commandLine(jar, "plugins"))) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            assertThat(diperf.output()).contains("echo", "echo-plugin.jar");
        }
        try (EchoServer server = new EchoServer();
                Command diperf = Command.start(
                        work,
                        Command.commandLine(
                                jar, "run", server.url(), "--clients", "4", "--for", "2s", "--out", "echo"))) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        assertThat(new RunFolder(work.resolve("echo")).calls("ok")).isGreaterThan(100);
    }
}
