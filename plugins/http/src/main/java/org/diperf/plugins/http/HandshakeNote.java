package org.diperf.plugins.http;

import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Says for people why a TLS handshake failed: what the JDK says of it, and what the server showed. */
final class HandshakeNote {

    private static final int MOST_CAUSES = 8;

    private HandshakeNote() {}

    /** @param server host and port that were asked */
    static String of(Throwable failure, SslHandler tls, String server) {
        Throwable cause = failure;
        for (int i = 0; i < MOST_CAUSES && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return "TLS handshake with " + server + " failed: " + cause.getMessage() + certificate(tls);
    }

    private static String certificate(SslHandler tls) {
        SSLSession session = tls.engine().getHandshakeSession();
        try {
            Certificate[] shown = session == null ? new Certificate[0] : session.getPeerCertificates();
            if (shown.length > 0 && shown[0] instanceof X509Certificate certificate) {
                return "\nits certificate: " + certificate.getSubjectX500Principal() + ", of "
                        + certificate.getIssuerX500Principal() + ", for " + names(certificate) + ", valid from "
                        + certificate.getNotBefore().toInstant() + " to "
                        + certificate.getNotAfter().toInstant();
            }
        } catch (SSLPeerUnverifiedException | CertificateParsingException none) {
            // The handshake did not come so far, or names are none that can be read.
        }
        return "";
    }

    private static List<String> names(X509Certificate certificate) throws CertificateParsingException {
        List<String> names = new ArrayList<>();
        if (certificate.getSubjectAlternativeNames() != null) {
            certificate.getSubjectAlternativeNames().forEach(each -> names.add(String.valueOf(each.get(1))));
        }
        return names;
    }
}
