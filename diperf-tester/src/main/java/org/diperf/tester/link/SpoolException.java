package org.diperf.tester.link;

import java.io.IOException;

/** A file that cannot be taken as the spool of a tester; the message names it and says why. Nothing was taken of it. */
public final class SpoolException extends IOException {

    private static final long serialVersionUID = 1;

    /** Makes one. */
    public SpoolException(String message) {
        super(message);
    }
}
