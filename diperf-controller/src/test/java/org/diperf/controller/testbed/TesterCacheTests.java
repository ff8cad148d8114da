package org.diperf.controller.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @TempDir
    Path work;

    private URL carried(String name, String content) throws Exception {
        Path jar = work.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("diperf-tester.jar"));
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return URI.create("jar:" + jar.toUri() + "!/diperf-tester.jar").toURL();
    }

    private Optional<Path> jar(URL carried) {
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
        assertThat(second).isEqualTo(first).hasContent("tester");
        assertThat(Files.getLastModifiedTime(second)).isEqualTo(made);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(work.resolve("cache/diperf"))))
                .isEqualTo("rwx------");
        assertThat(jar(carried("c.jar", "another")).orElseThrow()).isNotEqualTo(first);
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
        assertThat(ClassArchive.find(java, List.of("-Xmx256m"), jar, "http")).isPresent();
        assertThat(ClassArchive.find("/other/java", List.of(), jar, "http")).isEmpty();
        assertThat(ClassArchive.find(java, List.of("-XX:SharedArchiveFile=mine.jsa"), jar, "http"))
                .isEmpty();
        assertThat(ClassArchive.find(java, List.of(), List.of(work.resolve("classes")), "http"))
                .isEmpty();
    }
}
