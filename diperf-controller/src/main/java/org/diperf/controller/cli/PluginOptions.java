package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.testbed.ControllerJar;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where plugin jars are looked for: {@code plugins/} next to DiPerF's jar, and what {@code --plugins} names. */
final class PluginOptions {

    @Option(
            names = "--plugins",
            paramLabel = "DIR",
            description = "Folder of plugin jars, in addition to plugins/ next to DiPerF's jar.")
    @Nullable
    Path folder;

    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec command;

    /**
     * The plugins found, with what must be released.
     *
     * @param copies of the jars; {@code null}: there are none
     * @param words see {@link PluginOptions#words}
     */
    record Loaded(
            Plugins plugins, List<Path> jars, @Nullable ScratchFolder copies, String words) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            plugins.close();
            if (copies != null) {
                copies.close();
            }
        }
    }

    /** Finds the option before the command is known that may have it, because plugins add commands. */
    static PluginOptions among(String[] args) {
        PluginOptions found = new PluginOptions();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("--plugins=")) {
                found.folder = Path.of(args[i].substring("--plugins=".length()));
            } else if (args[i].equals("--plugins") && i + 1 < args.length) {
                found.folder = Path.of(args[i + 1]);
            }
        }
        return found;
    }

    /** Returns the option as it is added to a command that needs the same plugins; empty where it was not given. */
    String words() {
        return folder == null ? "" : " --plugins " + Commands.quoted(folder.toString());
    }

    Loaded load() throws UsageException, IOException {
        return load(null);
    }

    /**
     * Loads the plugins, and the journeys in Java that an experiment needs.
     *
     * @param what file or URL as given; {@code null}: none
     */
    Loaded load(@Nullable String what) throws UsageException, IOException {
        List<Path> jars = new ArrayList<>(jarsIn(besideOurJar()));
        if (folder != null) {
            if (!Files.isDirectory(folder)) {
                throw new UsageException("--plugins: expected a folder of plugin jars, got "
                        + (Files.exists(folder) ? "a file" : "nothing") + " at " + folder);
            }
            List<Path> given = jarsIn(folder);
            if (given.isEmpty() && command != null) {
                command.commandLine()
                        .getErr()
                        .println("warning: --plugins: expected a folder of plugin jars, got no jar in " + folder
                                + "; build the plugin, or specify the folder that contains its jar");
            }
            for (Path jar : given) {
                if (jars.stream().noneMatch(known -> same(known, jar))) {
                    jars.add(jar);
                }
            }
        }
        List<Path> sources = command != null && Commands.isWatched(command) ? List.of() : javaFiles(what);
        if (jars.isEmpty() && sources.isEmpty()) {
            return new Loaded(Plugins.bundled(), List.of(), null, words());
        }
        ScratchFolder copies = ScratchFolder.temporary();
        try {
            for (Path file : sources) {
                jars.add(JavaFile.compile(file, copies.path(), jars));
            }
        } catch (UsageException | IOException e) {
            copies.close();
            throw e;
        }
        return new Loaded(Plugins.load(jars, copies.path()), List.copyOf(jars), copies, words());
    }

    private static List<Path> javaFiles(@Nullable String what) {
        if (what == null || !what.matches("(?s).*\\.(java|ya?ml|json)")) {
            return List.of();
        }
        Path file = Path.of(what);
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        return JavaFile.isOne(file) ? List.of(file) : ExperimentFile.javaFiles(file);
    }

    private static boolean same(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable Path besideOurJar() {
        return ControllerJar.find()
                .map(Path::getParent)
                .map(folder -> folder.resolve("plugins"))
                .orElse(null);
    }

    private static List<Path> jarsIn(@Nullable Path folder) throws IOException {
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .map(Path::toAbsolutePath)
                    .sorted()
                    .toList();
        }
    }
}
