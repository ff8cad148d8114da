package org.diperf.tester.engine;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.diperf.core.sample.Outcome;

/** Words for exceptions: short, and equal for equal causes, because failures are counted by them. */
final class Failures {

    private Failures() {}

    /** Makes an outcome of what a client threw. */
    static String describe(Throwable thrown) {
        return Outcome.ofFailure(words(thrown));
    }

    private static String words(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.startsWith("connection refused")) {
            return "connection refused";
        }
        if (lower.contains("connection reset")) {
            return "connection reset";
        }
        if (lower.contains("broken pipe")) {
            return "broken pipe";
        }
        if (cause instanceof NoRouteToHostException) {
            return "no route to host";
        }
        if (cause instanceof UnknownHostException) {
            return "unknown host " + message;
        }
        if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
            return "timed out in the client";
        }
        if (cause instanceof ConnectException && lower.contains("timed out")) {
            return "connection timed out";
        }
        if (cause instanceof ClosedChannelException) {
            return "connection closed";
        }
        if (cause instanceof EOFException) {
            return "connection closed early";
        }
        if (cause instanceof InterruptedException) {
            return "interrupted";
        }
        if (cause instanceof SocketException && !message.isEmpty()) {
            return message;
        }
        String name = cause.getClass().getSimpleName();
        return (name.isEmpty() ? cause.getClass().getName() : name) + (message.isEmpty() ? "" : ": " + message);
    }
}
