package org.diperf.controller.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TesterCacheTests {

    /** What a JVM says of itself that runs with such an archive. */
    private static final String SHARING = "mixed mode, sharing";

    @TempDir
    Path work;

    /** A controller's jar that begins with a tester's entries; the tester's directory is the same for all. */
    private EmbeddedTesterJar carried(String name, String tester) throws Exception {
        Path jar = work.resolve(name);
        ByteArrayOutputStream entries = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(entries)) {
            out.putNextEntry(new JarEntry("diperf-tester.directory"));
            out.write(" and its directory".getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new JarEntry("diperf-tester.properties"));
            String whole = tester + " and its directory";
            out.write(("size=" + whole.length() + "\nsha256=" + Integer.toHexString(tester.hashCode()) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        Files.write(jar, tester.getBytes(StandardCharsets.UTF_8));
        Files.write(jar, entries.toByteArray(), StandardOpenOption.APPEND);
        return EmbeddedTesterJar.in(jar).orElseThrow();
    }

    private Optional<Path> jar(EmbeddedTesterJar carried) {
        return TesterCache.jar(carried, work, Optional.of(work.resolve("cache/diperf")));
    }

    private Path folderOf(Path jar) {
        return work.resolve("cache/diperf")
                .resolve(work.resolve("cache/diperf").relativize(jar).getName(0));
    }

    @Test
    void theSameTesterIsKeptOnceForItsOwnerAlone() throws Exception {
        Path first = jar(carried("a.jar", "tester")).orElseThrow();
        FileTime made = Files.getLastModifiedTime(first);
        Path second = jar(carried("b.jar", "tester")).orElseThrow();
        assertThat(second).isEqualTo(first).hasContent("tester and its directory");
        assertThat(Files.getLastModifiedTime(second)).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.resolve("cache/diperf"))))
                .isEqualTo("rwx------");
        assertThat(jar(carried("c.jar", "another")).orElseThrow()).isNotEqualTo(first);
    }

    @Test
    void aTesterThatWasCutOffIsMadeAgain() throws Exception {
        Path jar = jar(carried("a.jar", "tester")).orElseThrow();
        Files.writeString(jar, "tes");
        assertThat(jar(carried("a.jar", "tester")).orElseThrow()).isEqualTo(jar).hasContent("tester and its directory");
    }

    @Test
    void aControllerThatWasCutOffIsNoTester() throws Exception {
        EmbeddedTesterJar carried = carried("a.jar", "tester");
        EmbeddedTesterJar longer = new EmbeddedTesterJar(carried.within(), carried.sha256(), 1_000_000);
        assertThatThrownBy(() -> longer.writeTo(work.resolve("tester.jar")))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("Expected 999982 bytes");
    }

    @Test
    void aJarWithoutATesterSaysSo() throws Exception {
        Path jar = work.resolve("plain.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("a"));
        }
        assertThat(EmbeddedTesterJar.in(jar)).isEmpty();
    }

    @Test
    void aFolderThatOthersMayWriteToIsNotUsed() throws Exception {
        Path first = jar(carried("a.jar", "tester")).orElseThrow();
        Files.setPosixFilePermissions(folderOf(first), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(jar(carried("a.jar", "tester"))).isEmpty();
        assertThat(TesterCache.jar(carried("a.jar", "tester"), work, Optional.empty()))
                .isEmpty();
    }

    @Test
    void whatWasNotUsedForAMonthIsForgotten() throws Exception {
        Path old = jar(carried("a.jar", "tester")).orElseThrow();
        Files.setLastModifiedTime(folderOf(old), FileTime.from(Instant.now().minus(Duration.ofDays(40))));
        jar(carried("b.jar", "another"));
        assertThat(old).doesNotExist();
    }

    @Test
    void thereIsNoArchiveForAnotherJavaOrWithFlagsOfTheUsersOwn() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<Path> jar = List.of(work.resolve("diperf-tester.jar"));
        assertThat(ClassArchive.find(java, List.of("-Xmx256m"), jar, "http", SHARING))
                .isPresent();
        assertThat(ClassArchive.find("/other/java", List.of(), jar, "http", SHARING))
                .isEmpty();
        assertThat(ClassArchive.find(java, List.of("-XX:SharedArchiveFile=mine.jsa"), jar, "http", SHARING))
                .isEmpty();
        assertThat(ClassArchive.find(java, List.of(), List.of(work.resolve("classes")), "http", SHARING))
                .isEmpty();
    }

    @Test
    void thereIsNoArchiveOfAJavaThatHasNoneOfItsOwnClasses() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertThat(ClassArchive.find(
                        java,
                        List.of(),
                        List.of(work.resolve("diperf-tester.jar")),
                        "http",
                        "mixed mode, emulated-client"))
                .isEmpty();
    }

    @Test
    void anArchiveIsForTheJarOfItsTimeAndAnEmptyOneIsNotAskedForAgain() throws Exception {
        Path jar = Files.writeString(work.resolve("controller.jar"), "jar");
        ClassArchive archive = new ClassArchive(work.resolve("controller.jsa"), jar);
        assertThat(archive.isMissing()).isTrue();
        assertThat(archive.use()).isEmpty();

        Files.writeString(archive.file(), "classes");
        Files.setLastModifiedTime(archive.file(), Files.getLastModifiedTime(jar));
        assertThat(archive.isMissing()).isFalse();
        assertThat(archive.use()).contains("-XX:SharedArchiveFile=" + archive.file());

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(3_600)));
        assertThat(archive.isMissing()).isTrue();
        assertThat(archive.use()).isEmpty();

        Files.writeString(archive.file(), "");
        Files.setLastModifiedTime(archive.file(), Files.getLastModifiedTime(jar));
        assertThat(archive.isMissing()).isFalse();
        assertThat(archive.use()).isEmpty();
    }
}
