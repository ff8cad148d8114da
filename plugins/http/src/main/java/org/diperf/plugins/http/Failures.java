package org.diperf.plugins.http;

import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says in few words, the same for equal causes, why a connection failed. */
final class Failures {

    private Failures() {}

    static String kind(Throwable failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        if (failure instanceof SSLException || failure.getCause() instanceof SSLException) {
            return "tls: " + deepest(failure);
        }
        if (message.contains("connection refused")) {
            return "connection refused";
        }
        if (message.contains("connection reset") || message.contains("broken pipe")) {
            return "connection reset";
        }
        if (failure instanceof NoRouteToHostException || message.contains("no route to host")) {
            return "no route to host";
        }
        if (message.contains("network is unreachable")) {
            return "network unreachable";
        }
        if (message.contains("timed out")) {
            return "connection timed out";
        }
        if (message.contains("cannot assign requested address") || message.contains("address already in use")) {
            return "no free local port or address";
        }
        if (message.contains("too many open files")) {
            return "too many open files";
        }
        if (failure instanceof ClosedChannelException) {
            return "connection closed";
        }
        return failure.getClass().getSimpleName();
    }

    private static String deepest(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
