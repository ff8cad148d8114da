package org.diperf.plugins.lib.netty;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManagerFactory;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** Which servers a plugin's TLS connections trust, as two parameters of the plugin say. */
public final class Trust {

    /** Any certificate will do. */
    public static final Parameter INSECURE =
            Parameter.withDefault("insecure", Type.BOOLEAN, "false", "accept any certificate");

    /** Certificates to trust instead of those of the JVM. */
    public static final Parameter CA = Parameter.optional(
                    "ca", Type.STRING, "PEM file on the tester with trusted certificates")
            .suchAs("/etc/ssl/certs/ca-certificates.crt");

    private Trust() {}

    /**
     * Checks the parameters.
     *
     * @throws IllegalArgumentException when both are given
     */
    public static void check(Parameters with) {
        if (with.bool("insecure") && with.has("ca")) {
            throw new IllegalArgumentException(
                    "insecure: expected either insecure: true or ca, got both; drop insecure to trust only the ca");
        }
    }

    /** Returns how the name in a certificate is checked; {@code null}: it is not. */
    static @Nullable String identification(Parameters with) {
        return with.bool("insecure") ? null : "HTTPS";
    }

    /**
     * Returns who decides.
     *
     * @throws IOException when the certificates cannot be read
     */
    static TrustManagerFactory factory(Parameters with) throws IOException {
        if (with.bool("insecure")) {
            return InsecureTrustManagerFactory.INSTANCE;
        }
        if (!with.has("ca")) {
            return ofMachine();
        }
        Path ca = Path.of(with.string("ca"));
        if (!Files.isReadable(ca)) {
            throw new IOException("ca: expected a PEM file on the tester, got none at " + ca);
        }
        try (InputStream in = Files.newInputStream(ca)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry(String.valueOf(trusted.size()), each);
            }
            if (trusted.size() > 0) {
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(trusted);
                return RecordingTrustManager.of(factory);
            }
        } catch (GeneralSecurityException notCertificates) {
            // said below
        }
        throw new IOException("ca: expected a PEM file with certificates, got something else in " + ca);
    }

    /** Returns who trusts what the JVM trusts. */
    private static TrustManagerFactory ofMachine() throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return RecordingTrustManager.of(factory);
        } catch (GeneralSecurityException e) {
            throw new IOException("Expected the certificates that the JVM trusts, got: " + e.getMessage(), e);
        }
    }
}
