package org.diperf.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command of archive and package, {@code dist/src/bin/diperf}, with a Java that only says how it was called. */
@Timeout(30)
class LauncherTests {

    private static final Path LAUNCHER =
            Path.of("../dist/src/bin/diperf").toAbsolutePath().normalize();

    /** Writes its arguments and makes the archive that it is asked for. */
    private static final String JAVA = """
            #!/bin/sh
            for argument do
                case $argument in -XX:ArchiveClassesAtExit=*) echo classes >"${argument#*=}" ;; esac
            done
            echo "java $*" | tee -a "$CALLS"
            """;

    @TempDir
    Path work;

    private Path home = Path.of("");

    @BeforeEach
    void install() throws IOException {
        home = work.resolve("opt/with space/diperf");
        Path launcher = Files.createDirectories(home.resolve("bin")).resolve("diperf");
        Files.copy(LAUNCHER, launcher);
        executable(launcher);
        Files.writeString(Files.createDirectories(home.resolve("lib")).resolve("diperf.jar"), "jar");
        java(work.resolve("jdk"), "17.0.15+6");
    }

    private static void java(Path folder, String version) throws IOException {
        Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
        Files.writeString(java, JAVA);
        executable(java);
        Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17\"\nJAVA_RUNTIME_VERSION=\"" + version + "\"\n");
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What a command said, on both streams. */
    private record Said(int code, String text) {}

    private Said diperf(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/diperf").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("CALLS", work.resolve("calls").toString());
        builder.environment().put("XDG_CACHE_HOME", work.resolve("cache").toString());
        builder.environment().put("JAVA_HOME", work.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    private List<Path> archives() throws IOException {
        if (!Files.exists(work.resolve("cache"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(work.resolve("cache"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private long timesCalled() throws IOException {
        return Files.readAllLines(work.resolve("calls")).size();
    }

    @Test
    void theFirstRunKeepsItsClassesAndLaterCommandsUseThem() throws Exception {
        Said first = diperf(Map.of(), "run", "http://127.0.0.1/");
        assertThat(first.code()).as(first.text()).isZero();
        assertThat(first.text()).contains("preparing");
        assertThat(archives())
                .singleElement()
                .satisfies(file -> assertThat(file).hasContent("classes"));
        assertThat(timesCalled()).isEqualTo(2);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.resolve("cache/diperf"))))
                .isEqualTo("rwx------");

        Said second = diperf(Map.of(), "report");
        assertThat(second.text())
                .doesNotContain("preparing")
                .contains("-XX:SharedArchiveFile=" + archives().get(0))
                .endsWith("-jar " + home.resolve("lib/diperf.jar") + " report\n");
        assertThat(timesCalled()).isEqualTo(3);
    }

    @Test
    void itPassesOnHowItWasCalled() throws Exception {
        assertThat(diperf(Map.of(), "report").text())
                .contains(" -Ddiperf.called=" + home.resolve("bin/diperf") + " -jar ");
        assertThat(diperf(Map.of("PATH", home.resolve("bin") + ":/usr/bin:/bin"), "report")
                        .text())
                .contains(" -Ddiperf.called=diperf -jar ");
        assertThat(diperf(Map.of("DIPERF_CALLED", "./diperf"), "report").text())
                .contains(" -Ddiperf.called=./diperf -jar ");
    }

    @Test
    void aRunDoesWithoutTheOptimisingCompilerWhatReadsManyCallsHasIt() throws Exception {
        assertThat(diperf(Map.of("CI", "true"), "run", "http://127.0.0.1/").text())
                .contains("-XX:TieredStopAtLevel=1");
        assertThat(diperf(Map.of(), "check", "orders.yml").text()).contains("-XX:TieredStopAtLevel=1");
        for (String command : List.of("report", "compare", "calibrate", "tester", "relay", "time-server")) {
            assertThat(diperf(Map.of(), command).text()).as(command).doesNotContain("TieredStopAtLevel");
        }
        assertThat(diperf(Map.of("CI", "true", "DIPERF_JAVA_OPTS", "-XX:TieredStopAtLevel=4"), "run")
                        .text())
                .containsPattern("StopAtLevel=1 .*StopAtLevel=4 ");
    }

    /** A package's jar has the time of its release, which is before the first run of the one that it replaces. */
    @Test
    void anotherJarOrAnotherJavaHasClassesOfItsOwn() throws Exception {
        diperf(Map.of(), "run");
        for (int seconds : new int[] {-3_600, 60}) {
            Files.setLastModifiedTime(
                    home.resolve("lib/diperf.jar"), FileTime.from(Instant.now().plusSeconds(seconds)));
            assertThat(diperf(Map.of(), "run").text()).contains("preparing");
            assertThat(diperf(Map.of(), "run").text()).doesNotContain("preparing");
            assertThat(archives()).hasSize(1);
        }

        java(work.resolve("jdk"), "21.0.2+1");
        assertThat(diperf(Map.of(), "run").text()).contains("preparing");
        assertThat(archives()).hasSize(2);
    }

    @Test
    void nothingIsPreparedForHelpInJobsOfIntegrationOrWithClassesOfTheUsersOwn() throws Exception {
        for (Said said : List.of(
                diperf(Map.of(), "--version"),
                diperf(Map.of(), "help", "run"),
                diperf(Map.of(), "run", "--help"),
                diperf(Map.of("CI", "true"), "run"),
                diperf(Map.of("DIPERF_JAVA_OPTS", "-Xshare:off"), "run"),
                diperf(Map.of(), "report"))) {
            assertThat(said.code()).as(said.text()).isZero();
            assertThat(said.text()).doesNotContain("preparing").doesNotContain("SharedArchiveFile");
        }
        assertThat(archives()).isEmpty();
    }

    @Test
    void aFolderThatCannotBeMadeKeepsNothingFromRunning() throws Exception {
        Files.writeString(work.resolve("file"), "");
        Said said = diperf(Map.of("XDG_CACHE_HOME", work.resolve("file/cache").toString()), "run");
        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text()).doesNotContain("SharedArchiveFile").endsWith(" run\n");
    }

    @Test
    void theJavaThatCameAlongIsUsed() throws Exception {
        java(home.resolve("lib/runtime"), "17.0.21");
        Said said = diperf(Map.of("JAVA_HOME", "/nonexistent"), "report");
        assertThat(said.text())
                .contains("-Dsun.awt.fontconfig=" + home.resolve("lib/runtime/lib/fontconfig.properties"));
    }

    @Test
    void aMissingOrOldJavaIsNamed() throws Exception {
        Said none = diperf(Map.of("JAVA_HOME", work.resolve("nothing").toString()), "run");
        assertThat(none.code()).isEqualTo(3);
        assertThat(none.text()).contains("expected a Java 17 or later, got none", "apt-get install");

        java(work.resolve("jdk"), "11.0.2+9");
        Said old = diperf(Map.of(), "run");
        assertThat(old.code()).isEqualTo(3);
        assertThat(old.text()).contains("expected a Java 17 or later, got 11.0.2+9 at " + work.resolve("jdk/bin/java"));
    }
}
