package org.diperf.controller.cli;

import picocli.CommandLine.Option;

/** The options of every command. */
final class Common {

    static final String STACKTRACE = "--stacktrace";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Option(names = STACKTRACE, description = "Show the stack trace of an error.")
    private boolean stacktrace;

    /** Says whether help was asked for. */
    boolean help() {
        return help;
    }

    /** Says whether stack traces are wanted. */
    boolean stacktrace() {
        return stacktrace;
    }
}
