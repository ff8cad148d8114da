package org.diperf.plugins.process;

import java.io.IOException;

/** A program that could not be started; the message is a failure kind. */
public final class CannotStartException extends IOException {

    /** Makes one with a message such as {@code cannot start: ENOENT, no such file: nosuch}. */
    public CannotStartException(String message) {
        super(message);
    }
}
