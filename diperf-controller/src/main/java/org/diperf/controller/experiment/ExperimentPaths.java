package org.diperf.controller.experiment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths in an experiment file, which are relative to the folder of that file. */
final class ExperimentPaths {

    private ExperimentPaths() {}

    /**
     * Returns where a path leads.
     *
     * @param source the experiment file
     * @throws InvalidPathException when either is not a path
     */
    static Path resolve(String source, String path) {
        Path folder = Path.of(source).toAbsolutePath().getParent();
        return folder == null ? Path.of(path) : folder.resolve(path).normalize();
    }

    /** Makes a path absolute, so that the resolved experiment finds it from its own folder; one that is invalid stays. */
    static String absolute(String source, String path) {
        try {
            return resolve(source, path).toString();
        } catch (InvalidPathException reportedLater) {
            return path;
        }
    }
}
