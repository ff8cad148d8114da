package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Folders of runs that the user named, or means. */
final class RunDirs {

    /** Where runs are unless the user chose another place. */
    static final Path RUNS = Path.of("runs");

    private RunDirs() {}

    /**
     * Returns the folder that a command is about, and says which it is where nobody named one.
     *
     * @param named by the user; {@code null}: the latest run is meant
     * @throws UsageException when it is no folder, or there is no latest run
     */
    static Path given(@Nullable Path named, CommandSpec command) throws UsageException, IOException {
        if (named != null) {
            check(named);
            return named;
        }
        Path latest = latest(RUNS, command.name());
        command.commandLine()
                .getErr()
                .println("run     " + latest + ", which is "
                        + latest.toRealPath().getFileName());
        command.commandLine().getErr().flush();
        return latest;
    }

    /**
     * Returns the link to the latest run.
     *
     * @param command that wants it
     * @throws UsageException when there is none
     */
    static Path latest(Path runs, String command) throws UsageException {
        Path latest = runs.resolve("latest");
        if (!Files.isDirectory(latest)) {
            throw new UsageException(command + ": no RUN_DIR was given, and there is no " + latest
                    + " here; name the folder of a run, or make one with: diperf run");
        }
        return latest;
    }

    /** @throws UsageException when it is no folder */
    static void check(Path runDir) throws UsageException {
        if (!Files.isDirectory(runDir)) {
            throw new UsageException("Expected the folder of a run, got "
                    + (Files.exists(runDir) ? "a file" : "nothing") + " at " + runDir
                    + "; 'diperf runs' lists those in runs/");
        }
    }
}
