package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.controller.quickstart.WaitingService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar} without flags, as a user starts it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FastStartIT {

    private static final String SHARED = "-XX:SharedArchiveFile=";

    @TempDir
    Path work;

    private WaitingService service;

    @BeforeEach
    void open() throws IOException {
        service = new WaitingService(4, 5_000_000L, 5_000_000L, 1);
    }

    @AfterEach
    void close() throws IOException {
        service.close();
    }

    private List<String> run(String out) {
        return Command.plainCommandLine(
                Command.controllerJar(),
                "run",
                service.uri().toString(),
                "--clients",
                "2",
                "--for",
                "2s",
                "--out",
                out);
    }

    /** Carries out a command with a cache of its own; what it leaves in the background has ended. */
    private String carryOut(List<String> command, String... environment) throws Exception {
        Map<String, String> all =
                new HashMap<>(Map.of("XDG_CACHE_HOME", work.resolve("cache").toString(), "CI", ""));
        for (int i = 0; i < environment.length; i += 2) {
            all.put(environment[i], environment[i + 1]);
        }
        try (Command diperf = Command.start(work, all, command)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
            return diperf.output();
        } finally {
            awaitQuiet();
        }
    }

    /** Waits until no process is left that has this test's folder among its words. */
    private void awaitQuiet() throws InterruptedException {
        while (ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains(work.toString() + "/"))) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private List<Path> archives() throws IOException {
        Path cache = work.resolve("cache/diperf");
        if (!Files.exists(cache)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(file -> file.toString().contains(".jsa"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private String flagsOf(String run) throws IOException {
        return Files.readString(work.resolve(run).resolve("run.json"));
    }

    @Tag("quick")
    @Test
    void theFirstRunLeavesItsClassesToTheNextAndOneOfAnotherJarMakesThemAnew() throws Exception {
        carryOut(run("first"));
        assertThat(flagsOf("first")).doesNotContain(SHARED);
        // The controller's and the tester's.
        List<Path> archives = archives();
        assertThat(archives).hasSize(2).allSatisfy(file -> assertThat(file).isNotEmptyFile());

        carryOut(run("second"));
        assertThat(flagsOf("second")).contains(SHARED + work.resolve("cache/diperf/classes-"));
        assertThat(flagsOf("second")).contains(SHARED + archives.get(0)).contains(SHARED + archives.get(1));
        assertThat(work.resolve("second/report.html")).isNotEmptyFile();
        assertThat(archives()).isEqualTo(archives);
    }

    @Test
    void nothingIsKeptInAJobInAFolderOfOthersOrWithFlagsOfTheUsersOwn() throws Exception {
        carryOut(run("job"), "CI", "true");
        Path cache = Files.createDirectories(work.resolve("cache/diperf"));
        List<String> flags = new ArrayList<>(run("flags"));
        flags.add(1, "-Xmx300m");
        carryOut(flags);
        assertThat(flagsOf("flags")).contains("-Xmx300m").doesNotContain("TieredStopAtLevel");
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        carryOut(run("open"));
        assertThat(archives().stream().filter(file -> file.toString().contains("controller")))
                .isEmpty();
    }

    /** At a terminal. A {@code setsid} that starts nothing stands for a background that is killed at once. */
    @Test
    void theTerminalHasItsPromptBackWhenTheNumbersAreThereAndAReportThatNobodyCompletesIsMadeByHand() throws Exception {
        assumeTrue(Command.installed("script"), "script is not installed: apt-get install bsdutils");
        List<String> atTerminal = List.of(
                "script",
                "-qefc",
                String.join(" ", run("run")),
                work.resolve("typescript").toString());
        Path killed = Files.createDirectory(work.resolve("bin")).resolve("setsid");
        Files.writeString(killed, "#!/bin/sh\n");
        Files.setPosixFilePermissions(killed, PosixFilePermissions.fromString("rwxr-xr-x"));

        String said = carryOut(atTerminal, "CI", "true", "PATH", killed.getParent() + ":" + System.getenv("PATH"));
        assertThat(said).contains("report.html");
        Path run = work.resolve("run");
        assertThat(run.resolve("summary.json")).isNotEmptyFile();
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("http-equiv=\"refresh\"", " -jar " + Command.controllerJar() + " report " + run);
        assertThat(run.resolve("figures")).doesNotExist();

        carryOut(Command.plainCommandLine(Command.controllerJar(), "report", "run"));
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("id=\"figures\"")
                .doesNotContain("http-equiv=\"refresh\"");

        List<String> again = List.of(
                "script",
                "-qefc",
                String.join(" ", run("again")),
                work.resolve("typescript").toString());
        carryOut(again, "CI", "true");
        assertThat(Files.readString(work.resolve("again/report.html")))
                .contains("id=\"figures\"", "java -jar " + Command.controllerJar() + " run again/experiment.yml")
                .doesNotContain("http-equiv=\"refresh\"");
    }
}
