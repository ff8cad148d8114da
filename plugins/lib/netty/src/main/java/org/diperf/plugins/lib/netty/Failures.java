package org.diperf.plugins.lib.netty;

import io.netty.channel.ChannelException;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.diperf.core.spi.Failure;

/** Says in a few words, the same for equal causes, why a connection failed. */
public final class Failures {

    /** What the other side said before it hung up, in the words of the JDK and in those of BoringSSL. */
    private static final Pattern ALERT = Pattern.compile("(?:Received fatal alert: |_ALERT_)([A-Za-z_]+)");

    private Failures() {}

    /** Names the cause of a failure of a connection, and whose fault it was. */
    public static Failure of(Throwable thrown) {
        Throwable failure = thrown;
        // A socket that cannot be made is wrapped twice: by the library, and by the reflection that it uses.
        while ((failure instanceof ChannelException || failure instanceof ReflectiveOperationException)
                && failure.getCause() != null) {
            failure = failure.getCause();
        }
        if (failure instanceof SSLException || failure.getCause() instanceof SSLException) {
            return Failure.ofService("tls: " + tls(failure));
        }
        // Messages of what is not known may hold addresses.
        String name = failure.getClass().getSimpleName();
        return Failure.known(failure).orElseGet(() -> Failure.ofService(name));
    }

    /** Says why a handshake failed; the connection's own failures included. */
    public static Failure handshake(Throwable thrown) {
        if (thrown instanceof ClosedChannelException) {
            return Failure.ofService("tls: closed in the handshake");
        }
        Failure failure = of(thrown);
        return failure.kind().startsWith("tls: ") ? failure : failure.in("tls");
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
        Matcher alert = ALERT.matcher(message);
        return alert.find() ? "Received fatal alert: " + alert.group(1).toLowerCase(Locale.ROOT) : message;
    }
}
