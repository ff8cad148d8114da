package org.diperf.plugins.gridftp;

import io.netty.channel.ChannelException;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;

/** Says in few words, the same for equal causes, why something failed. */
final class Failures {

    private static final String[] KNOWN = {
        "connection refused",
        "connection reset",
        "broken pipe",
        "no route to host",
        "network is unreachable",
        "too many open files",
        "timed out",
        "no space left on device",
        "permission denied",
        "no such file or directory",
    };

    private Failures() {}

    static String kind(Throwable thrown) {
        Throwable failure = thrown;
        // A socket that cannot be made is wrapped twice: by the library, and by the reflection that it uses.
        while ((failure instanceof ChannelException || failure instanceof ReflectiveOperationException)
                && failure.getCause() != null) {
            failure = failure.getCause();
        }
        if (failure instanceof ReplyReader.MalformedReplyException || failure instanceof DataFault) {
            return String.valueOf(failure.getMessage());
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        for (String known : KNOWN) {
            if (message.contains(known)) {
                return known;
            }
        }
        if (message.contains("cannot assign requested address") || message.contains("address already in use")) {
            return "no free local port or address";
        }
        return failure instanceof ClosedChannelException
                ? "connection closed"
                : failure.getClass().getSimpleName();
    }
}
