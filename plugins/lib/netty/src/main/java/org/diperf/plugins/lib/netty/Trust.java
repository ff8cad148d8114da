package org.diperf.plugins.lib.netty;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;

/** Which servers a plugin's TLS connections trust, as two parameters of the plugin say. */
public final class Trust {

    /** Any certificate will do. */
    public static final Parameter INSECURE =
            Parameter.withDefault("insecure", Type.BOOLEAN, "false", "accept any certificate");

    /** Certificates to trust instead of those of the JVM. */
    public static final Parameter CA = Parameter.optional(
                    "ca", Type.STRING, "PEM file on the tester with the certificates to trust")
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
                    "insecure: wanted either insecure: true or ca, found both; drop insecure to trust the ca alone");
        }
    }

    /**
     * Makes what connections share.
     *
     * @throws IOException when the certificates cannot be read
     */
    public static SslContext of(Parameters with) throws IOException {
        // The JDK's own engine: the same on every machine that a tester may find itself on.
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (with.bool("insecure")) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else {
            builder.endpointIdentificationAlgorithm("HTTPS");
            if (with.has("ca")) {
                Path ca = Path.of(with.string("ca"));
                if (!Files.isReadable(ca)) {
                    throw new IOException("ca: wanted a PEM file on the tester, found none at " + ca);
                }
                try {
                    builder.trustManager(ca.toFile());
                } catch (IllegalArgumentException e) {
                    throw new IOException("ca: wanted a PEM file with certificates, found something else in " + ca, e);
                }
            }
        }
        return builder.build();
    }
}
