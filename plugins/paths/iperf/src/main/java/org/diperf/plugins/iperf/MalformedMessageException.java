package org.diperf.plugins.iperf;

/** What came is none of the protocol's messages. */
final class MalformedMessageException extends Exception {

    private static final long serialVersionUID = 1;

    /** @param message the same for equal causes: failures are counted by it */
    MalformedMessageException(String message) {
        super(message);
    }
}
