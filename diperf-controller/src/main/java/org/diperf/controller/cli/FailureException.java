package org.diperf.controller.cli;

/** A command that could not be carried out, through no fault of its arguments. */
final class FailureException extends Exception {

    FailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
