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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command of archive and package, {@code dist/src/bin/diperf}, with a Java that only says how it was called. */
@Timeout(30)
class LauncherTests {

    private static final Path LAUNCHER =
            Path.of("../dist/src/bin/diperf").toAbsolutePath().normalize();

    private static final Pattern KEPT = Pattern.compile(" -Ddiperf.classes=(.*run\\.jsa) ");
    /** Writes its arguments. */
    private static final String JAVA = """
            #!/bin/sh
            echo "java $*"
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
        builder.environment().put("XDG_CACHE_HOME", work.resolve("cache").toString());
        builder.environment().put("JAVA_HOME", work.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    /** Makes the archive that the first run of a jar is asked for; empty: there is none. */
    private Optional<Path> makeClasses(Said first, String content) throws IOException {
        Matcher asked = KEPT.matcher(first.text());
        if (!asked.find()) {
            return Optional.empty();
        }
        Path classes = Path.of(asked.group(1));
        assertThat(first.text())
                .contains("-XX:DumpLoadedClassList=" + classes + ".")
                .doesNotContain("SharedArchiveFile");
        Files.writeString(classes, content);
        Files.setLastModifiedTime(classes, Files.getLastModifiedTime(home.resolve("lib/diperf.jar")));
        return Optional.of(classes);
    }

    @Test
    void theFirstRunKeepsItsClassesAndLaterCommandsUseThem() throws Exception {
        Said first = diperf(Map.of(), "run", "http://127.0.0.1/");
        Path classes = makeClasses(first, "classes").orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.resolve("cache/diperf"))))
                .isEqualTo("rwx------");

        Said second = diperf(Map.of(), "report");
        assertThat(second.text())
                .contains("-XX:SharedArchiveFile=" + classes)
                .endsWith("-jar " + home.resolve("lib/diperf.jar") + " report\n");
    }

    @Test
    void aJavaThatMakesNoneIsNotAskedAgain() throws Exception {
        assertThat(makeClasses(diperf(Map.of(), "run"), "")).isPresent();
        assertThat(diperf(Map.of(), "run").text()).doesNotContain("SharedArchiveFile", "DumpLoadedClassList");
    }

    @Test
    void itPassesOnHowItWasCalled() throws Exception {
        assertThat(diperf(Map.of(), "report").text())
                .contains(" -Ddiperf.called=" + home.resolve("bin/diperf") + " -jar ");
        assertThat(diperf(Map.of("PATH", home.resolve("bin") + ":/usr/bin:/bin"), "report")
                        .text())
                .contains(" -Ddiperf.called=diperf -jar ");
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
        Path classes = makeClasses(diperf(Map.of(), "run"), "classes").orElseThrow();
        for (int seconds : new int[] {-3_600, 60}) {
            Files.setLastModifiedTime(
                    home.resolve("lib/diperf.jar"), FileTime.from(Instant.now().plusSeconds(seconds)));
            assertThat(makeClasses(diperf(Map.of(), "run"), "classes")).hasValue(classes);
            assertThat(diperf(Map.of(), "run").text()).contains("-XX:SharedArchiveFile=" + classes);
        }

        java(work.resolve("jdk"), "21.0.2+1");
        assertThat(makeClasses(diperf(Map.of(), "run"), "classes")).isPresent().isNotEqualTo(Optional.of(classes));
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
            assertThat(said.text()).doesNotContain("DumpLoadedClassList", "SharedArchiveFile");
        }
        assertThat(work.resolve("cache")).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeMadeKeepsNothingFromRunning() throws Exception {
        Files.writeString(work.resolve("file"), "");
        Said said = diperf(Map.of("XDG_CACHE_HOME", work.resolve("file/cache").toString()), "run");
        assertThat(said.code()).as(said.text()).isZero();
        assertThat(said.text()).doesNotContain("DumpLoadedClassList").endsWith(" run\n");
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
