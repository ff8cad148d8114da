package org.diperf.plugins.lib.gsi;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.Failures;

/** Says why two sides could not authenticate each other. */
public final class GsiFailures {

    private static final String NO_TLS = "the server does not speak TLS";

    /** What stands before the name of what the other side said before it hung up. */
    private static final String ALERT = "tls: Received fatal alert: ";

    /** What BoringSSL says of what it found itself; numbers and names of its parts stand before. */
    private static final Pattern NATIVE = Pattern.compile("OPENSSL_internal:([A-Za-z0-9_]+)");

    private static final Map<String, String> REFUSALS = Map.of(
            "certificate_expired", "expired",
            "certificate_revoked", "revoked",
            "unknown_ca", "unknown CA",
            "bad_certificate", "bad certificate",
            "unsupported_certificate", "unsupported certificate",
            // By TLS' definition: for some other reason.
            "certificate_unknown", "no reason given");

    private GsiFailures() {}

    /** Says why the handshake of a connection failed; the connection's own failures included. */
    public static Failure handshake(Throwable failure) {
        return failure instanceof ClosedChannelException
                ? Failure.ofService("GSI: closed during the handshake")
                : of(failure);
    }

    /** Says why a handshake failed, in words that are the same for equal causes. */
    public static Failure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException || cause instanceof CertificateException) {
                return Failure.ofService("GSI: " + certificate(cause));
            }
            // Its message holds the bytes that came.
            if (cause instanceof NotSslRecordException) {
                return Failure.ofService("GSI: " + NO_TLS);
            }
        }
        Failure why = failure instanceof SSLException
                ? Failure.ofService(tls(Failures.of(failure).kind(), String.valueOf(failure.getMessage())))
                : Failures.of(failure);
        return why.in("GSI");
    }

    private static String certificate(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof UntrustedPeerException) {
            return message;
        }
        if (cause instanceof CertificateExpiredException) {
            return "certificate expired";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "certificate not yet valid";
        }
        return message.startsWith("No subject alternative") || message.startsWith("No name matching")
                ? "certificate is for another host"
                : "certificate not trusted";
    }

    private static String tls(String kind, String message) {
        if (kind.startsWith(ALERT)) {
            String name = kind.substring(ALERT.length());
            String refusal = REFUSALS.get(name);
            return refusal == null
                    ? "the server ended the handshake: " + words(name)
                    : "the server refused the credential: " + refusal;
        }
        if (message.contains("WRONG_VERSION_NUMBER") || message.startsWith("Unsupported or unrecognized SSL message")) {
            return NO_TLS;
        }
        Matcher own = NATIVE.matcher(message);
        return own.find() ? words(own.group(1)) : message;
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
