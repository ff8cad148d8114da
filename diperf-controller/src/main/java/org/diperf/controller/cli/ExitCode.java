package org.diperf.controller.cli;

/** How a command ends. 1 is left to the JVM and our own bugs. */
final class ExitCode {

    static final int DONE = 0;
    static final int BUG = 1;
    static final int USAGE = 2;
    static final int NOT_CARRIED_OUT = 3;
    static final int THRESHOLD = 99;
    static final int INTERRUPTED = 130;
    static final int TERMINATED = 143;

    private ExitCode() {}
}
