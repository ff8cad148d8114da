package org.diperf.controller;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.spi.Client;

/**
 * Makes a plugin jar for testers in processes of their own, of a client class that may be in none: with all that is in the folder, or
 * the jar, that the class comes from, and with that class alone as a plugin.
 */
final class ClientJar {

    private static final String SERVICE = "META-INF/services/" + Client.class.getName();
    private static final String SERVICES = "META-INF/services/org.diperf.";
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final String SIGNATURE = "META-INF/[^/]+\\.(?:SF|RSA|DSA|EC)";

    private ClientJar() {}

    /** @param folder where the jar is to be */
    static Path pack(Class<? extends Client> type, Path folder) throws IOException, RunFailedException {
        Path from = source(type);
        Path jar = folder.resolve(type.getSimpleName() + ".jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            add(out, SERVICE, (type.getName() + "\n").getBytes(StandardCharsets.UTF_8));
            if (Files.isDirectory(from)) {
                addAll(out, from);
            } else {
                try (FileSystem files = FileSystems.newFileSystem(from)) {
                    addAll(out, files.getPath("/"));
                }
            }
        }
        return jar;
    }

    private static Path source(Class<?> type) throws RunFailedException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            if (source != null && source.getLocation() != null) {
                return Path.of(source.getLocation().toURI());
            }
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            // It comes from elsewhere than a file.
        }
        throw new RunFailedException("Expected the folder or jar of " + type.getName()
                + " to pass it to the testers, got a class that was not loaded from a file; use testbed "
                + "in-process, or build a plugin jar");
    }

    private static void addAll(JarOutputStream out, Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('\\', '/');
            if (!name.startsWith(SERVICES) && !name.equals(MANIFEST) && !name.matches(SIGNATURE)) {
                try (InputStream in = Files.newInputStream(file)) {
                    add(out, name, in.readAllBytes());
                }
            }
        }
    }

    private static void add(JarOutputStream out, String name, byte[] content) throws IOException {
        JarEntry entry = new JarEntry(name);
        // The same classes make the same jar.
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
    }
}
