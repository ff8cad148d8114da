package org.diperf.controller.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.core.plugin.Plugins;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where plugin jars are looked for. */
final class PluginOption {

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            description = "Folder with plugin jars. Default: plugins/ beside the controller jar, if it is there.")
    private @Nullable Path folder;

    /** Plugins that were loaded, with the jars they came from; close it to remove the copies. */
    record Loaded(Plugins plugins, List<Path> jars, @Nullable Path copies) implements AutoCloseable {

        @Override
        public void close() throws FailureException {
            plugins.close();
            if (copies == null) {
                return;
            }
            try (Stream<Path> files = Files.walk(copies)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new FailureException("Wanted to remove " + copies + ", found: " + e.getMessage(), e);
            }
        }
    }

    /** Loads the bundled plugins and those of the folder; says on {@code terminal.err} which are broken. */
    Loaded load(Terminal terminal) throws UsageException, FailureException {
        Loaded loaded = load();
        for (Plugins.Broken broken : loaded.plugins().broken()) {
            terminal.err().println("warning: plugin " + broken.source() + " cannot be used: " + broken.reason());
        }
        return loaded;
    }

    private Loaded load() throws UsageException, FailureException {
        List<Path> jars = jars();
        if (jars.isEmpty()) {
            return new Loaded(Plugins.bundled(), jars, null);
        }
        try {
            Path copies = Files.createTempDirectory("diperf-plugins-");
            return new Loaded(Plugins.load(jars, copies), jars, copies);
        } catch (IOException e) {
            throw new FailureException("Wanted a temporary folder for plugin jars, found: " + e.getMessage(), e);
        }
    }

    private List<Path> jars() throws UsageException, FailureException {
        Path from = folder == null ? besideTheJar() : folder;
        if (from == null || folder == null && !Files.isDirectory(from)) {
            return List.of();
        }
        if (!Files.isDirectory(from)) {
            throw new UsageException("--plugins wanted a folder with jars, found " + from
                    + (Files.exists(from) ? ", a file; name its folder" : ", which does not exist"));
        }
        List<Path> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(from)) {
            files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .sorted()
                    .forEach(jars::add);
        } catch (IOException e) {
            throw new FailureException("Wanted to list the plugin jars in " + from + ", found: " + e.getMessage(), e);
        }
        return jars;
    }

    private static @Nullable Path besideTheJar() {
        try {
            java.security.CodeSource source =
                    Main.class.getProtectionDomain().getCodeSource();
            if (source == null) {
                return null;
            }
            Path jar = Path.of(source.getLocation().toURI());
            Path parent = jar.getParent();
            return Files.isRegularFile(jar) && parent != null ? parent.resolve("plugins") : null;
        } catch (URISyntaxException notAFile) {
            return null;
        }
    }
}
