package org.diperf.core.sample;

import java.io.IOException;

/** A block that cannot be used; the message says what was wanted and what was found. */
public final class CorruptBlockException extends IOException {

    /** Makes one with its reason. */
    public CorruptBlockException(String message) {
        super(message);
    }
}
