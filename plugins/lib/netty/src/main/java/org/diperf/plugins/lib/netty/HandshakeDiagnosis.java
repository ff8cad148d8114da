package org.diperf.plugins.lib.netty;

import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Says for people why a TLS handshake failed: what the JDK says of it, and what the server showed. */
public final class HandshakeDiagnosis {

    private static final int MAX_CAUSES = 8;

    private HandshakeDiagnosis() {}

    /**
     * Says it in a line or two.
     *
     * @param server host and port that were asked
     */
    public static String of(Throwable failure, SslHandler tls, String server) {
        Throwable cause = failure;
        X509Certificate refused = null;
        for (int i = 0; i < MAX_CAUSES && cause.getCause() != null; i++) {
            cause = cause.getCause();
            refused = cause instanceof RecordingTrustManager.Refused told ? told.certificate() : refused;
        }
        X509Certificate shown = refused == null ? shown(tls) : refused;
        return "TLS handshake with " + server + " failed: " + cause.getMessage()
                + (shown == null ? "" : "\nits certificate: " + words(shown));
    }

    /** Returns the certificate that the other side has shown; {@code null}: the handshake did not come so far. */
    private static @Nullable X509Certificate shown(SslHandler tls) {
        SSLSession session = tls.engine().getHandshakeSession();
        try {
            Certificate[] shown = session == null ? new Certificate[0] : session.getPeerCertificates();
            return shown.length > 0 && shown[0] instanceof X509Certificate certificate ? certificate : null;
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    private static String words(X509Certificate certificate) {
        String names = "";
        try {
            names = ", for " + names(certificate);
        } catch (CertificateParsingException e) {
            // Names that cannot be read are none.
        }
        return certificate.getSubjectX500Principal() + ", of " + certificate.getIssuerX500Principal() + names
                + ", valid from " + certificate.getNotBefore().toInstant() + " to "
                + certificate.getNotAfter().toInstant();
    }

    private static List<String> names(X509Certificate certificate) throws CertificateParsingException {
        List<String> names = new ArrayList<>();
        if (certificate.getSubjectAlternativeNames() != null) {
            certificate.getSubjectAlternativeNames().forEach(each -> names.add(String.valueOf(each.get(1))));
        }
        return names;
    }
}
