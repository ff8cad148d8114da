package org.diperf.plugins.lib.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/**
 * How the clients of a session show themselves to servers by TLS, as parameters of the plugin say: by whose certificate, under which name
 * of the server, by which versions and ciphers, and whether they resume sessions. Thread-safe.
 */
public final class ClientTls {

    private static final Parameter CERT = Parameter.optional(
                    "cert",
                    Type.TEXT,
                    "PEM file on the tester with the client's certificate and any intermediate certificates")
            .suchAs("\"/srv/client-${client}.pem\"");
    private static final Parameter KEY = Parameter.optional(
                    "key", Type.TEXT, "PEM file on the tester with the certificate's key, if it is not in cert")
            .suchAs("\"/srv/client-${client}.key\"");
    private static final Parameter SERVER_NAME = Parameter.optional(
                    "server-name",
                    Type.STRING,
                    "server name in the handshake (SNI) and in its certificate, if different from the target's")
            .suchAs("www.example.org");
    private static final Parameter VERSIONS = Parameter.optional(
                    "tls-versions", Type.TEXTS, "TLS versions to offer; default: those of the JVM")
            .suchAs("[TLSv1.3]");
    private static final Parameter CIPHERS = Parameter.optional(
                    "ciphers", Type.TEXTS, "cipher suites to offer, in order of preference; default: those of the JVM")
            .suchAs("[TLS_AES_128_GCM_SHA256]");
    private static final Parameter RESUMPTION = Parameter.withDefault(
            "tls-resumption",
            Type.BOOLEAN,
            "true",
            "whether new connections resume TLS sessions from the same client's earlier connections");

    /** What {@link #check} and the constructor read, next to those of {@link Trust}. */
    public static final List<Parameter> PARAMETERS =
            List.of(Trust.INSECURE, Trust.CA, CERT, KEY, SERVER_NAME, VERSIONS, CIPHERS, RESUMPTION);

    /** Whose certificate it is, by its files; empty: nobody's. */
    private record Owner(String cert, String key) {}

    private static final Owner NOBODY = new Owner("", "");

    private final Parameters with;
    private final String[] protocols;
    private final @Nullable Text cert;
    private final @Nullable Text key;
    private final @Nullable String serverName;
    private final boolean resumes;
    private final TrustManagerFactory trust;
    private final Map<Owner, SslContext> contexts = new ConcurrentHashMap<>();

    /**
     * Reads what all clients have in common, and the certificate where that is one for all.
     *
     * @param protocols to be offered by ALPN, in order of preference; none: it is not used
     * @throws IOException when certificates or keys cannot be read
     */
    public ClientTls(Parameters with, String... protocols) throws IOException {
        this.with = with;
        this.protocols = protocols;
        this.cert = with.has("cert") ? with.text("cert") : null;
        this.key = with.has("key") ? with.text("key") : null;
        this.serverName = with.has("server-name") ? with.string("server-name") : null;
        this.resumes = with.bool("tls-resumption");
        this.trust = Trust.factory(with);
        if (!isOfCalls(with)) {
            Owner only = cert == null ? NOBODY : new Owner(cert.fixed(), key == null ? cert.fixed() : key.fixed());
            contexts.put(only, make(only));
        }
    }

    /**
     * Checks the parameters.
     *
     * @throws IllegalArgumentException when they cannot be together, or name what the JVM does not have
     */
    public static void check(Parameters with) {
        Trust.check(with);
        if (with.has("key") && !with.has("cert")) {
            throw new IllegalArgumentException(
                    "key: expected cert too, got only key; add the certificate for that key");
        }
        checkNames("tls-versions", with, SSLParameters::getProtocols);
        checkNames("ciphers", with, SSLParameters::getCipherSuites);
    }

    private static void checkNames(String parameter, Parameters with, Function<SSLParameters, String[]> names) {
        List<Text> wanted = with.texts(parameter);
        if (wanted.isEmpty()) {
            // A JVM takes its time to say what it knows.
            return;
        }
        Set<String> known = new TreeSet<>(List.of(names.apply(defaultContext().getSupportedSSLParameters())));
        for (Text name : wanted) {
            if (!known.contains(name.fixed())) {
                throw new IllegalArgumentException(
                        parameter + ": expected one of " + String.join(", ", known) + ", got '" + name.fixed() + "'");
            }
        }
    }

    private static SSLContext defaultContext() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM has no TLS support", e);
        }
    }

    /** Lists what decides how connections are secured, which requests on one connection have to share. */
    public static List<Object> ofConnections(Parameters with) {
        return List.of(
                with.bool("insecure"),
                with.has("ca") ? with.string("ca") : "",
                with.has("cert") ? with.text("cert").toString() : "",
                with.has("key") ? with.text("key").toString() : "",
                with.has("server-name") ? with.string("server-name") : "",
                with.texts("tls-versions").stream().map(Text::fixed).toList(),
                with.texts("ciphers").stream().map(Text::fixed).toList(),
                with.bool("tls-resumption"));
    }

    /** Returns whether clients have certificates of their own. */
    public static boolean isOfCalls(Parameters with) {
        return varies(with, "cert") || varies(with, "key");
    }

    private static boolean varies(Parameters with, String parameter) {
        return with.has(parameter) && !with.text(parameter).isConstant();
    }

    /** The connections of one certificate's owner to one server. */
    private record Secured(ClientTls by, SslContext context, TargetAddress server) implements Security {

        @Override
        public SslHandler handler(ByteBufAllocator alloc) {
            return by.handler(context, alloc, server);
        }
    }

    /**
     * Returns what secures the connections to a server of the client that makes a call.
     *
     * @throws IOException when the certificate or its key cannot be read
     */
    public Security of(Call call, TargetAddress server) throws IOException {
        Owner owner = NOBODY;
        if (cert != null) {
            String file = cert.of(call);
            owner = new Owner(file, key == null ? file : key.of(call));
        }
        SslContext known = contexts.get(owner);
        if (known == null) {
            known = make(owner);
            contexts.put(owner, known);
        }
        return new Secured(this, known, server);
    }

    /**
     * Returns what secures connections of no client in particular: with the certificate where that is one for all, else with none.
     *
     * @throws IOException when the certificate or its key cannot be read
     */
    public Security ofAll(TargetAddress server) throws IOException {
        SslContext context =
                isOfCalls(with) ? make(NOBODY) : contexts.values().iterator().next();
        return new Secured(this, context, server);
    }

    private SslHandler handler(SslContext context, ByteBufAllocator alloc, TargetAddress server) {
        SslHandler handler = context.newHandler(alloc, serverName == null ? server.host() : serverName, server.port());
        handler.setHandshakeTimeoutMillis(0);
        SSLEngine engine = handler.engine();
        if (serverName != null || !server.isAddress()) {
            // Of themselves engines name no host that has no dot, as services of containers have none.
            SSLParameters parameters = engine.getSSLParameters();
            String name = serverName == null ? server.host() : serverName;
            parameters.setServerNames(
                    List.of(new SNIHostName(name.replaceFirst("\\.$", "").getBytes(StandardCharsets.UTF_8))));
            engine.setSSLParameters(parameters);
        }
        if (!resumes) {
            handler.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    engine.getSession().invalidate();
                }
            });
        }
        return handler;
    }

    private SslContext make(Owner owner) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(provider());
        builder.trustManager(trust).endpointIdentificationAlgorithm(Trust.identification(with));
        if (protocols.length > 0) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    protocols));
        }
        List<String> versions =
                with.texts("tls-versions").stream().map(Text::fixed).toList();
        if (!versions.isEmpty()) {
            builder.protocols(versions);
        }
        List<String> ciphers = with.texts("ciphers").stream().map(Text::fixed).toList();
        if (!ciphers.isEmpty()) {
            builder.ciphers(ciphers);
        }
        if (!owner.equals(NOBODY)) {
            File chain = readable("cert", owner.cert);
            File secret = readable("key", owner.key);
            try {
                builder.keyManager(chain, secret);
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        e.getMessage() != null && e.getMessage().contains("certificate")
                                ? "cert: expected a PEM file with a certificate, got something else in " + chain
                                : "key: expected a PEM file with an unencrypted PKCS #8 private key, got something else in "
                                        + secret + "; convert other formats with openssl pkcs8 -topk8 -nocrypt",
                        e);
            }
        }
        try {
            SslContext made = builder.build();
            if (!resumes && made.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(false);
            }
            return made;
        } catch (IOException e) {
            throw new IOException(
                    "cert: expected a certificate and its matching key, got a mismatch in " + owner.cert + " and "
                            + owner.key + ": " + e.getMessage(),
                    e);
        }
    }

    /** BoringSSL where it loads, which needs a fraction of the JDK's time; but its suites of TLS 1.3 cannot be chosen. */
    private SslProvider provider() {
        return OpenSsl.isAvailable() && with.texts("ciphers").isEmpty() ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    private static File readable(String parameter, String path) throws IOException {
        Path file = Path.of(path);
        if (path.isEmpty() || !Files.isReadable(file)) {
            throw new IOException(parameter + ": expected a PEM file on the tester, got none at '" + path + "'");
        }
        return file.toFile();
    }
}
