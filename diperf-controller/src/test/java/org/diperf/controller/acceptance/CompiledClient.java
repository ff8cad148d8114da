package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes plugin jars of one class, as an author would. */
final class CompiledClient {

    private CompiledClient() {}

    /**
     * Compiles a client and packs it.
     *
     * @param name of the class, which is in no package
     */
    static void jar(Path work, Path jar, String name, String source) throws IOException {
        Path folder = Files.createTempDirectory(work, "compiled");
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        Path core = Path.of(URI.create(org.diperf.core.spi.AsyncClient.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, messages, messages, "-cp", core.toString(), "-d", folder.toString(), file.toString());
        assertThat(result).as(messages.toString(StandardCharsets.UTF_8)).isZero();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> classes = Files.list(folder)) {
            for (Path compiled :
                    classes.filter(each -> each.toString().endsWith(".class")).toList()) {
                out.putNextEntry(new JarEntry(compiled.getFileName().toString()));
                out.write(Files.readAllBytes(compiled));
            }
            out.putNextEntry(new JarEntry("META-INF/services/org.diperf.core.spi.Client"));
            out.write((name + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(List.of(jar)).allMatch(Files::exists);
    }
}
