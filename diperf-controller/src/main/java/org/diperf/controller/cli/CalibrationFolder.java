package org.diperf.controller.cli;

import java.nio.file.Path;
import org.diperf.controller.calibrate.CalibrationFiles;
import org.diperf.controller.calibrate.Machine;

/** Where this user's calibrations are: {@code $XDG_STATE_HOME/diperf/calibration}, or under {@code ~/.local/state}. */
final class CalibrationFolder {

    private CalibrationFolder() {}

    /** Returns the files there, for this machine and version. */
    static CalibrationFiles files() {
        return new CalibrationFiles(path(), Machine.here(), Version.diperf());
    }

    private static Path path() {
        String states = System.getenv("XDG_STATE_HOME");
        // By the XDG Base Directory Specification a path that is not absolute is to be ignored.
        Path state = states != null && states.startsWith("/")
                ? Path.of(states)
                : Path.of(System.getProperty("user.home"), ".local", "state");
        return state.resolve("diperf").resolve("calibration");
    }
}
