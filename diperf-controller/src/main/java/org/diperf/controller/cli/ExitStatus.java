package org.diperf.controller.cli;

/** The exit codes of every command. */
final class ExitStatus {

    static final int DONE = 0;
    static final int OUR_BUG = 1;
    static final int USAGE = 2;
    static final int FAILED = 3;
    static final int THRESHOLD = 99;
    static final int INTERRUPTED = 130;
    static final int TERMINATED = 143;

    private ExitStatus() {}
}
