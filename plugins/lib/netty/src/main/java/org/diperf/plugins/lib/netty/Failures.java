package org.diperf.plugins.lib.netty;

import io.netty.channel.ChannelException;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.diperf.core.spi.Failure;

/** Says in a few words, the same for equal causes, why a connection failed. */
public final class Failures {

    /** What the other side said before it hung up, in the words of the JDK and in those of BoringSSL. */
    private static final Pattern ALERT = Pattern.compile("(?:Received fatal alert: |_ALERT_)([A-Za-z_]+)");

    private static final String ACCEPT_ANY = "accept any certificate with client.with.insecure=true (https: -k)";

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
            return tls(failure);
        }
        // Messages of what is not known may hold addresses.
        String name = failure.getClass().getSimpleName();
        return Failure.known(failure).orElseGet(() -> Failure.ofService(name));
    }

    /** Says why a handshake failed; the connection's own failures included. */
    public static Failure handshake(Throwable thrown) {
        if (thrown instanceof ClosedChannelException) {
            return tls("closed in the handshake");
        }
        Failure failure = of(thrown);
        return failure.kind().startsWith("tls: ") ? failure : failure.in("tls");
    }

    private static Failure tls(Throwable failure) {
        String message = "";
        boolean selfSigned = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            message = String.valueOf(cause.getMessage());
            // The messages of these hold bytes, times and names.
            if (cause instanceof NotSslRecordException) {
                return tls("the server does not speak it")
                        .remedied("this port speaks no TLS: did you mean the scheme without it, such as http://?");
            }
            if (cause instanceof CertificateExpiredException) {
                return tls("certificate expired").remedied("renew it, or " + ACCEPT_ANY);
            }
            if (cause instanceof CertificateNotYetValidException) {
                return tls("certificate not yet valid").remedied("correct the clocks, or " + ACCEPT_ANY);
            }
            selfSigned |= cause instanceof RecordingTrustManager.Refused told && isSelfSigned(told.certificate());
            if (cause instanceof CertPathBuilderException) {
                return tls("certificate not trusted")
                        .remedied((selfSigned ? "it is self-signed: " : "") + "trust it with client.with.ca=FILE, or "
                                + ACCEPT_ANY);
            }
            if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
                return tls("certificate is for another host")
                        .remedied("use a name that is in the certificate (client.with.server-name), or " + ACCEPT_ANY);
            }
        }
        Matcher alert = ALERT.matcher(message);
        return tls(alert.find() ? "Received fatal alert: " + alert.group(1).toLowerCase(Locale.ROOT) : message);
    }

    private static Failure tls(String what) {
        return Failure.ofService("tls: " + what);
    }

    private static boolean isSelfSigned(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }
}
