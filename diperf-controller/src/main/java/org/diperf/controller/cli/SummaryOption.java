package org.diperf.controller.cli;

import picocli.CommandLine.Option;

/** Whether a command adds what it found to the summary of a GitHub Actions step. */
final class SummaryOption {

    @Option(
            names = "--github-summary",
            description =
                    "In a GitHub Actions job: add the verdict, the numbers and the thresholds to the step's summary,"
                            + " the file named by $GITHUB_STEP_SUMMARY.")
    private boolean wanted;

    boolean isWanted() {
        return wanted;
    }

    /** Returns where the summary goes: {@link StepSummary#NONE} if none is wanted. */
    StepSummary page() throws UsageException {
        return wanted ? StepSummary.of(System.getenv()) : StepSummary.NONE;
    }
}
