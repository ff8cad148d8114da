package org.diperf.controller.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a CI job wants to be told of thresholds and verdict. */
final class VerdictOptions {

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Write thresholds and verdict as JUnit XML, for CI jobs.")
    @Nullable
    Path junit;

    @Option(names = "--strict", description = "Treat a suspect verdict as a failed threshold (exit code 99).")
    boolean strict;

    @Option(
            names = "--explain",
            description =
                    "Also print what the verdict rests on: confidence intervals, send lag, clocks, and all notes.")
    boolean explain;
}
