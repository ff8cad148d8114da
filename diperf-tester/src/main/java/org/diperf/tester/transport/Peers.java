package org.diperf.tester.transport;

import io.netty.handler.ssl.SslHandler;
import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.diperf.core.security.Role;

/** Tells who is at the other end of a TLS connection whose handshake is over. */
public final class Peers {

    private Peers() {}

    /** Reads the holder from the peer's certificate, whose chain the handshake has checked. */
    public static Optional<Role.Holder> holder(SslHandler tls) {
        try {
            Certificate[] chain = tls.engine().getSession().getPeerCertificates();
            if (chain.length == 0) {
                return Optional.empty();
            }
            // The session keeps its certificates as long as the connection lasts, and what they were asked for besides:
            // taken apart they are five times as large, and ten thousand testers have ten thousand of them.
            Certificate copy = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(chain[0].getEncoded()));
            return copy instanceof X509Certificate certificate ? Role.of(certificate) : Optional.empty();
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            return Optional.empty();
        }
    }
}
