package org.diperf.controller.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The summary of a GitHub Actions step: a file of Markdown to which the step's commands add. */
final class StepSummary {

    /** No summary is wanted. */
    static final StepSummary NONE = new StepSummary(null);

    static final String VARIABLE = "GITHUB_STEP_SUMMARY";

    /** GitHub takes no more of a step, and drops all of a summary that is larger. */
    static final int MAX_BYTES = 1 << 20;

    private final @Nullable Path file;

    private StepSummary(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Finds the summary of the step that runs this process.
     *
     * @throws UsageException when the environment names none that can be written
     */
    static StepSummary of(Map<String, String> environment) throws UsageException {
        String named = environment.getOrDefault(VARIABLE, "");
        String wanted = "--github-summary: expected the file specified by $" + VARIABLE + ", got ";
        if (named.isEmpty()) {
            throw new UsageException(wanted
                    + "none: it is set in the steps of a GitHub Actions job. Elsewhere, drop the option, or set the "
                    + "variable to a file");
        }
        Path file = Path.of(named).toAbsolutePath();
        Path folder = file.getParent();
        boolean canBeMade = !Files.exists(file) && folder != null && Files.isWritable(folder);
        if (!canBeMade && !(Files.isRegularFile(file) && Files.isWritable(file))) {
            throw new UsageException(wanted + file + ", which is not writable; is it mounted in the step's container?");
        }
        return new StepSummary(file);
    }

    /**
     * Adds a text. One that does not fit, or cannot be written, is left out: what the command found stands in its other outputs.
     *
     * @param err is told of that
     */
    void append(String markdown, PrintWriter err) {
        if (file == null) {
            return;
        }
        byte[] bytes = (markdown + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            long before = Files.exists(file) ? Files.size(file) : 0;
            if (before + bytes.length > MAX_BYTES) {
                err.println("warning: the step's summary already has " + before + " bytes, and GitHub accepts at most "
                        + MAX_BYTES + ": nothing was added to it. Use a separate step for each command");
                return;
            }
            Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            err.println("warning: nothing was added to the step's summary " + file + ": " + e);
        }
    }
}
