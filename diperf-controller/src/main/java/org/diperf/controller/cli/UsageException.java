package org.diperf.controller.cli;

/** Arguments that cannot be used together, or at all. */
final class UsageException extends Exception {

    UsageException(String message) {
        super(message);
    }
}
