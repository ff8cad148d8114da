package org.diperf.plugins.lib.gridftp.control;

import java.io.IOException;

/** How commands and replies are protected once a control channel is authenticated (RFC 2228). */
public interface Protection {

    /** Wraps one command, which has its end of line, into the one to send instead, without the end of line. */
    String wrap(String command) throws IOException;

    /** Unwraps what stands in one line of a protected reply, in base 64. */
    byte[] unwrap(String base64) throws IOException;
}
