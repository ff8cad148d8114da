package org.diperf.plugins.lib.netty;

import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts as another one does, and tells of a certificate that it refuses, which the JDK then forgets. Thread-safe. */
final class RecordingTrustManager extends X509ExtendedTrustManager {

    /** A certificate that was refused, for the reason that is its cause. */
    static final class Refused extends CertificateException {

        private static final long serialVersionUID = 1;

        private final X509Certificate certificate;

        private Refused(X509Certificate certificate, CertificateException why) {
            super(why.getMessage(), why);
            this.certificate = certificate;
        }

        X509Certificate certificate() {
            return certificate;
        }
    }

    private final X509ExtendedTrustManager decides;

    private RecordingTrustManager(X509ExtendedTrustManager decides) {
        this.decides = decides;
    }

    /** Makes what trusts as another does, which has been initialised. */
    static TrustManagerFactory of(TrustManagerFactory other) throws GeneralSecurityException {
        for (TrustManager manager : other.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager decides) {
                return new TrustManagerFactoryWrapper(new RecordingTrustManager(decides));
            }
        }
        throw new GeneralSecurityException("Expected an X.509 trust manager, got none");
    }

    /** One of the ways in which a chain is checked. */
    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private static void telling(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            throw chain.length == 0 ? e : new Refused(chain[0], e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        telling(chain, () -> decides.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        telling(chain, () -> decides.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        telling(chain, () -> decides.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        decides.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        decides.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        decides.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return decides.getAcceptedIssuers();
    }
}
