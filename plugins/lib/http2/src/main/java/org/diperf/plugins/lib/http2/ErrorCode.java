package org.diperf.plugins.lib.http2;

/** Why a stream or a connection ends (RFC 9113, section 7). */
final class ErrorCode {

    static final int NO_ERROR = 0;
    static final int PROTOCOL_ERROR = 1;
    static final int FLOW_CONTROL_ERROR = 3;
    static final int STREAM_CLOSED = 5;
    static final int FRAME_SIZE_ERROR = 6;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    static final int COMPRESSION_ERROR = 9;
    static final int ENHANCE_YOUR_CALM = 11;

    private static final String[] NAMES = {
        "NO_ERROR",
        "PROTOCOL_ERROR",
        "INTERNAL_ERROR",
        "FLOW_CONTROL_ERROR",
        "SETTINGS_TIMEOUT",
        "STREAM_CLOSED",
        "FRAME_SIZE_ERROR",
        "REFUSED_STREAM",
        "CANCEL",
        "COMPRESSION_ERROR",
        "CONNECT_ERROR",
        "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY",
        "HTTP_1_1_REQUIRED"
    };

    private ErrorCode() {}

    /** Returns the name of a code as the RFC has it; all that it has no name for are one. */
    static String name(int code) {
        return code >= 0 && code < NAMES.length ? NAMES[code] : "an unknown error";
    }
}
