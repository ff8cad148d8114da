package org.diperf.tester.link;

/** How a tester's process ends. */
public final class ExitCode {

    /** The controller said goodbye. */
    public static final int DONE = 0;

    /** The command line or the ticket cannot be used. */
    public static final int USAGE = 2;

    /** The controller was silent for too long; samples that it had not acknowledged are gone. */
    public static final int CONTROLLER_GONE = 3;

    /** The controller did not let this tester in. */
    public static final int REJECTED = 4;

    /** This tester could not carry out its assignment. */
    public static final int REFUSED = 5;

    /** Somebody asked it to stop. */
    public static final int TERMINATED = 6;

    private ExitCode() {}
}
