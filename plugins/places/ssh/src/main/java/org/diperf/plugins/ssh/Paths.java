package org.diperf.plugins.ssh;

import java.nio.file.Path;

/** Reads paths of this machine as they stand in an experiment file. */
final class Paths {

    private Paths() {}

    /** Returns the path; {@code ~/} is the user's home. */
    static Path expand(String text) {
        return text.equals("~") || text.startsWith("~/")
                ? Path.of(System.getProperty("user.home") + text.substring(1))
                : Path.of(text);
    }
}
