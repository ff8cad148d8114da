package org.diperf.tester.link;

import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
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
            return chain.length > 0 && chain[0] instanceof X509Certificate certificate
                    ? Role.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }
}
