package org.diperf.plugins.lib.http2;

/** A connection error (RFC 9113, section 5.4.1): the other side has broken the protocol so that the connection cannot go on. */
final class ConnectionErrorException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * @param code of {@link ErrorCode}
     * @param message what it did, in a few words, the same for equal cases
     */
    ConnectionErrorException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
