package org.diperf.plugins.lib.gsi;

import java.security.cert.CertificateException;

/** A peer's certificates are not trusted; the message says why in a few words, the same for equal causes. */
final class UntrustedPeerException extends CertificateException {

    private static final long serialVersionUID = 1;

    UntrustedPeerException(String message) {
        super(message);
    }
}
