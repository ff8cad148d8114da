package org.diperf.controller.cli;

import java.util.function.Supplier;

/** Something that the user wrote cannot be used; the message says what was expected, what was given, what to do. */
final class UsageException extends Exception {

    UsageException(String message) {
        super(message);
    }

    /**
     * Reads what the user wrote.
     *
     * @param what such as the option's name, with which the message begins
     * @param read throws an {@link IllegalArgumentException} that says what is wrong
     */
    static <T> T reading(String what, Supplier<T> read) throws UsageException {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(what + ": " + e.getMessage());
        }
    }
}
