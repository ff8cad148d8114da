package org.diperf.tester.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.wire.PluginJar;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class JarCheckTests {

    @TempDir
    Path folder;

    private Path one;
    private Path other;

    @BeforeEach
    void makeTwoJarsOfOneName() throws IOException {
        one = jar("one/x.jar", "one");
        other = jar("other/x.jar", "other");
    }

    private Path jar(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    @Test
    void twoJarsOfOneNameAreBothFound() throws IOException {
        List<PluginJar> wanted = List.of(JarCheck.of(one), JarCheck.of(other));
        assertThat(JarCheck.difference(wanted, List.of(other, one))).isEmpty();
    }

    @Test
    void aCopyOfAnotherNameIsFound() throws IOException {
        assertThat(JarCheck.difference(List.of(JarCheck.of(one)), List.of(jar("0-x.jar", "one"))))
                .isEmpty();
    }

    @Test
    void aJarOfTheNameWithOtherContentIsNamed() throws IOException {
        PluginJar wanted = JarCheck.of(one);
        assertThat(JarCheck.difference(List.of(wanted), List.of(other)))
                .hasValue("Expected the plugin jar 'x.jar' with SHA-256 " + wanted.sha256() + ", got SHA-256 "
                        + JarCheck.of(other).sha256() + ": copy the controller's jar to this tester");
    }

    @Test
    void aJarThatIsNotHereIsAskedFor() throws IOException {
        PluginJar wanted = JarCheck.of(one);
        assertThat(JarCheck.difference(List.of(wanted), List.of()))
                .hasValue("Expected the plugin jar 'x.jar' with SHA-256 " + wanted.sha256()
                        + ", got no such jar: pass it with --plugin");
    }
}
