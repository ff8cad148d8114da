package org.diperf.plugins.lib.netty;

import org.diperf.core.spi.Call;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;

/** What clients tell of the connections that their calls made. */
public final class ConnectionReporter {

    /** Time to set up a TCP connection. */
    public static final Metric CONNECT =
            new Metric("connect", "ms", "time to set up the TCP connection, if the call opened one");

    /** Time to secure it. */
    public static final Metric TLS = new Metric("tls", "ms", "time of the TLS handshake, if the call performed one");

    /** Whether connections are kept. */
    public static final Parameter KEEP = Parameter.withDefault(
                    "connection",
                    Type.STRING,
                    "keep",
                    "keep the connection for the next call, or open a new one for every call")
            .oneOf("keep", "new");

    private static final double NANOS_PER_MILLI = 1e6;

    private ConnectionReporter() {}

    /**
     * Tells of a call's connection.
     *
     * @param connectNanos what setting it up took; -1: the call made none
     * @param tlsNanos what the handshake took; -1: there was none
     */
    public static void tell(Call call, long connectNanos, long tlsNanos) {
        if (connectNanos >= 0) {
            call.firstOnConnection();
        }
        tell(call, CONNECT, connectNanos);
        tell(call, TLS, tlsNanos);
    }

    /** Tells what something took, unless that is -1: there was nothing. */
    public static void tell(Call call, Metric metric, long nanos) {
        if (nanos >= 0) {
            call.metric(metric, nanos / NANOS_PER_MILLI);
        }
    }

    /**
     * Tells what something took that may have ended with the call, see {@link Call#metric(Metric, long, long)}.
     *
     * @param fromNanos when it began
     * @param nanos how long it took; -1: there was nothing
     */
    public static void tell(Call call, Metric metric, long fromNanos, long nanos) {
        if (nanos >= 0) {
            call.metric(metric, fromNanos, fromNanos + nanos);
        }
    }
}
