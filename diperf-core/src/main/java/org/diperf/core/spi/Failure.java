package org.diperf.core.spi;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Why a call failed, and whose fault it was. Immutable.
 *
 * @param fault whose
 * @param kind the cause in a few words, the same for equal causes ({@code "status 503"}): failures are counted by it;
 *     truncated to 200 characters
 * @param remedy what the user can do about it, in a few words, shown next to the cause; truncated to 200 characters; empty: nothing
 *     that is known
 */
public record Failure(Fault fault, String kind, String remedy) {

    private static final Failure REFUSED =
            ofService("connection refused").remedied("start the service, or correct the host and port of the target");
    private static final Failure RESET = ofService("connection reset");
    private static final Failure NO_PORT = ofGenerator("no free local port or address");

    /** Parts of system messages, in lower case: failures of the service or the network, then what the load-generating machine is out of. */
    private static final List<Map.Entry<String, Failure>> SIGNS = List.of(
            Map.entry("connection refused", REFUSED),
            Map.entry("connection reset", RESET),
            Map.entry("broken pipe", RESET),
            Map.entry("no route to host", ofService("no route to host")),
            Map.entry("network is unreachable", ofService("network unreachable")),
            Map.entry("too many open files", ofGenerator("too many open files")),
            Map.entry("cannot assign requested address", NO_PORT),
            Map.entry("address already in use", NO_PORT),
            Map.entry("no buffer space", ofGenerator("no buffer space")),
            Map.entry("cannot allocate memory", ofGenerator("not enough memory")),
            Map.entry("no space left on device", ofGenerator("no space left on device")));

    /** Makes a failure about which nothing can be done that is known. */
    public Failure(Fault fault, String kind) {
        this(fault, kind, "");
    }

    /** Makes a failure that is the service's fault. */
    public static Failure ofService(String kind) {
        return new Failure(Fault.SERVICE, kind);
    }

    /** Makes a failure that is the fault of the machine that generates the load. */
    public static Failure ofGenerator(String kind) {
        return new Failure(Fault.GENERATOR, kind);
    }

    /** Makes a failure that is the experiment's fault. */
    public static Failure ofExperiment(String kind) {
        return new Failure(Fault.EXPERIMENT, kind);
    }

    /**
     * Classifies an exception: as {@link #known} does, otherwise by its class and message, as the service's fault.
     */
    public static Failure of(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        return known(cause).orElseGet(() -> ofService(described(cause)));
    }

    /**
     * Classifies an exception whose cause the JDK or the operating system reports: a failed connection, or this machine
     * running out of something.
     *
     * @return empty for any other cause
     */
    public static Optional<Failure> known(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof FailedCallException told) {
            return Optional.of(told.failure());
        }
        if (cause instanceof OutOfMemoryError) {
            return Optional.of(ofGenerator(described(cause)));
        }
        String message = message(cause).toLowerCase(Locale.ROOT);
        for (Map.Entry<String, Failure> sign : SIGNS) {
            if (message.contains(sign.getKey())) {
                return Optional.of(sign.getValue());
            }
        }
        if (cause instanceof UnknownHostException) {
            return Optional.of(ofService("unknown host " + message(cause))
                    .remedied("correct the host name of the target, or make it resolvable"));
        }
        return cause instanceof PortUnreachableException
                ? Optional.of(REFUSED)
                : byClass(cause, message).map(Failure::ofService);
    }

    private static Optional<String> byClass(Throwable cause, String message) {
        if (cause instanceof NoRouteToHostException) {
            return Optional.of("no route to host");
        }
        if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
            return Optional.of("timed out in the client");
        }
        if (cause instanceof IOException && message.contains("timed out")) {
            return Optional.of("connection timed out");
        }
        if (cause instanceof ClosedChannelException) {
            return Optional.of("connection closed");
        }
        if (cause instanceof EOFException) {
            return Optional.of("connection closed early");
        }
        return cause instanceof InterruptedException ? Optional.of("interrupted") : Optional.empty();
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof ExecutionException
                        || cause instanceof CompletionException
                        || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String described(Throwable cause) {
        String name = cause.getClass().getSimpleName();
        String message = message(cause);
        if (cause instanceof SocketException && !message.isEmpty()) {
            return message;
        }
        return (name.isEmpty() ? cause.getClass().getName() : name) + (message.isEmpty() ? "" : ": " + message);
    }

    private static String message(Throwable cause) {
        return cause.getMessage() == null ? "" : cause.getMessage();
    }

    /** Returns the same failure with the place where it happened in front of its kind: {@code "proxy: connection refused"}. */
    public Failure in(String where) {
        return new Failure(fault, where + ": " + kind, remedy);
    }

    /**
     * Returns the same failure with what the user can do about it.
     *
     * @param by in a few words, as an order: {@code "start the service"}
     */
    public Failure remedied(String by) {
        return new Failure(fault, kind, by);
    }
}
