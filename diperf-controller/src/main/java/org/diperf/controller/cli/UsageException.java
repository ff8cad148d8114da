package org.diperf.controller.cli;

/** Something that the user wrote cannot be used; the message says what was wanted, what was found, what to do. */
final class UsageException extends Exception {

    UsageException(String message) {
        super(message);
    }
}
