package org.diperf.junit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.Diperf;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.spi.Client;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The experiment of one test: what is to be run, and what came of it. Confined to the test's thread. */
final class ExperimentSession {

    private static final String EXPERIMENT = "experiment.yml";

    private final Diperf.Run run;
    private final Path folder;
    private @Nullable Analysis result;
    private boolean shared;

    private ExperimentSession(Diperf.Run run, Path folder) {
        this.run = run;
        this.folder = folder;
    }

    /**
     * Prepares the experiment of a test.
     *
     * @param folder for the run; one of an earlier run is deleted
     * @throws ExtensionConfigurationException when the annotation names what is not there
     */
    static ExperimentSession begin(Experiment experiment, Path folder, ExtensionContext context) throws IOException {
        Diperf.Run run = experiment.value().isEmpty()
                ? Diperf.experiment().name(context.getRequiredTestMethod().getName())
                : Diperf.experiment(file(experiment.value(), context.getRequiredTestClass()));
        if (experiment.client() != Client.class) {
            run.client(experiment.client());
        }
        run.testbed(experiment.testbed());
        for (String set : experiment.set()) {
            int equals = set.indexOf('=');
            if (equals < 1) {
                throw new ExtensionConfigurationException(
                        "@Experiment(set): expected PATH=VALUE such as load.clients=10, got '" + set + "'");
            }
            run.set(set.substring(0, equals), set.substring(equals + 1));
        }
        empty(folder);
        ExperimentSession session = new ExperimentSession(run.out(folder), folder);
        run.whenDone((written, analysis) -> {
            session.result = analysis;
            Attachment.attach(context, written);
        });
        return session;
    }

    /** Returns what is to be run. */
    Diperf.Run run() {
        return run;
    }

    /** Returns what is to be run to a method of the test class, which may set more. */
    Diperf.Run share() {
        shared = true;
        return run;
    }

    /** Returns whether a method of the test class may have set what to run. */
    boolean isShared() {
        return shared;
    }

    /** Returns the result; {@code null}: the experiment has not been run. */
    @Nullable
    Analysis result() {
        return result;
    }

    Path folder() {
        return folder;
    }

    private static Path file(String name, Class<?> test) {
        Path file = Path.of(name);
        if (Files.exists(file)) {
            return file;
        }
        URL resource = test.getResource(name.startsWith("/") ? name : "/" + name);
        resource = resource == null ? test.getResource(name) : resource;
        if (resource == null) {
            throw new ExtensionConfigurationException("@Experiment: expected an experiment file, got nothing at "
                    + file.toAbsolutePath() + " and no resource '" + name + "' on the test's class path");
        }
        try {
            if (resource.getProtocol().equals("file")) {
                return Path.of(resource.toURI());
            }
        } catch (URISyntaxException e) {
            throw new ExtensionConfigurationException(
                    "@Experiment: found " + resource + ", which is not a file path", e);
        }
        throw new ExtensionConfigurationException("@Experiment: expected a file, got " + resource
                + "; an experiment and the files next to it cannot be in a jar");
    }

    /** Deletes an earlier run; a folder of anything else stays. */
    private static void empty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            if (!Files.exists(folder.resolve(EXPERIMENT)) && entries.findAny().isPresent()) {
                throw new ExtensionConfigurationException("Expected an empty folder or an earlier run, got other "
                        + "files in "
                        + folder.toAbsolutePath() + "; move them, or set diperf.directory");
            }
        }
        FolderTree.delete(folder);
    }
}
