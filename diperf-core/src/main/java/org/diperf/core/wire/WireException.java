package org.diperf.core.wire;

import java.io.IOException;

/** Bytes that are not a valid frame; the message says what was wanted and what was found. */
public final class WireException extends IOException {

    /** Makes one with its reason. */
    public WireException(String message) {
        super(message);
    }

    /** Makes one with its reason and cause. */
    public WireException(String message, Throwable cause) {
        super(message, cause);
    }
}
