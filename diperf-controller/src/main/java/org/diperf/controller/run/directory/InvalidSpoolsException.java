package org.diperf.controller.run.directory;

/** Copies of spools that the user gave and that cannot be used; the message names each. The run can be resumed again. */
public final class InvalidSpoolsException extends Exception {

    private static final long serialVersionUID = 1;

    public InvalidSpoolsException(String message) {
        super(message);
    }
}
