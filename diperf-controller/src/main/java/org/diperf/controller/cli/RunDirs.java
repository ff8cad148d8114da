package org.diperf.controller.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Folders of runs that the user named. */
final class RunDirs {

    private RunDirs() {}

    /** @throws UsageException when it is no folder */
    static void check(Path runDir) throws UsageException {
        if (!Files.isDirectory(runDir)) {
            throw new UsageException("Wanted the folder of a run, found "
                    + (Files.exists(runDir) ? "a file" : "nothing") + " at " + runDir + ". Runs are in runs/");
        }
    }
}
