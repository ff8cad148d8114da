package org.diperf.controller.progress;

/** A run that could not be carried out; the message says what was wanted, what was found, what to do. */
public class RunFailedException extends Exception {

    /** Makes one with its reason. */
    public RunFailedException(String message) {
        super(message);
    }

    /** Makes one with its reason and cause. */
    public RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns one of the same kind with other words, and without its cause. */
    public RunFailedException saying(String message) {
        return new RunFailedException(message);
    }
}
