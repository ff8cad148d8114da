package org.diperf.plugins.lib.netty;

import io.netty.channel.ChannelException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says in few words, the same for equal causes, why a connection failed. */
public final class Failures {

    private Failures() {}

    /** Names the cause of a failure of a connection. */
    public static String kind(Throwable thrown) {
        Throwable failure = thrown;
        // A socket that cannot be made is wrapped twice: by the library, and by the reflection that it uses.
        while ((failure instanceof ChannelException || failure instanceof ReflectiveOperationException)
                && failure.getCause() != null) {
            failure = failure.getCause();
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        if (failure instanceof SSLException || failure.getCause() instanceof SSLException) {
            return "tls: " + tls(failure);
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

    /** Says why a handshake failed; the connection's own failures included. */
    public static String handshake(Throwable failure) {
        if (failure instanceof ClosedChannelException) {
            return "tls: closed in the handshake";
        }
        String kind = kind(failure);
        return kind.startsWith("tls: ") ? kind : "tls: " + kind;
    }

    private static String tls(Throwable failure) {
        String message = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            message = String.valueOf(cause.getMessage());
            // The messages of these hold bytes, times and names.
            if (cause instanceof NotSslRecordException) {
                return "the server does not speak it";
            }
            if (cause instanceof CertificateExpiredException) {
                return "certificate expired";
            }
            if (cause instanceof CertificateNotYetValidException) {
                return "certificate not yet valid";
            }
            if (cause instanceof CertPathBuilderException) {
                return "certificate not trusted";
            }
            if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
                return "certificate is for another host";
            }
        }
        return message;
    }
}
