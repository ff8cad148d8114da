package org.diperf.plugins.lib.gsi;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.OpensslNameUtils;
import eu.emi.security.authn.x509.impl.PEMCredential;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.plugins.lib.netty.Security;
import org.diperf.plugins.lib.netty.TargetAddress;
import org.jspecify.annotations.Nullable;

/** The GSI credential that a tester's clients log in with, and whom they trust; read once. Thread-safe. */
public final class GsiCredentials implements AutoCloseable {

    /** What the servers' GSI library speaks; its tokens are the records of this version. */
    private static final String PROTOCOL = "TLSv1.2";

    /** Where the credential is. */
    public static final Parameter PROXY_FILE = Parameter.optional(
                    "proxy-file", Type.STRING, "PEM file on the tester with the GSI credential")
            .suchAs("/tmp/x509up_u1000");

    /** Whom it trusts. */
    public static final Parameter CA_DIR = Parameter.optional(
                    "ca-dir", Type.STRING, "folder on the tester with trusted CA certificates")
            .suchAs("/etc/grid-security/certificates");

    private static final Pattern AUTHORITY = Pattern.compile(OpensslTruststoreHelper.CERT_REGEXP);
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private final X509Credential credential;
    private final OpensslCertChainValidator trusted;
    private final SSLContext context;
    private final GsiTrust trust;
    private final ProxySigner full;
    private final ProxySigner limited;
    private @Nullable SslContext nativeServer;
    private @Nullable SslContext nativeClient;

    private GsiCredentials(X509Credential credential, OpensslCertChainValidator trusted) throws IOException {
        this.credential = credential;
        this.trusted = trusted;
        GsiValidator validator = new GsiValidator(trusted);
        this.trust = new GsiTrust(validator, NanoClock.SYSTEM);
        // The credential keeps it enciphered, and takes milliseconds to decipher it.
        PrivateKey key = credential.getKey();
        this.full = new ProxySigner(key, NanoClock.SYSTEM, request -> proxy(request, key, false));
        this.limited = new ProxySigner(key, NanoClock.SYSTEM, request -> proxy(request, key, true));
        try {
            context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {credential.getKeyManager()}, new TrustManager[] {validator}, null);
        } catch (GeneralSecurityException e) {
            throw new IOException("proxy-file: cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the files that the parameters name.
     *
     * @param with has {@link #PROXY_FILE} and {@link #CA_DIR} among its declared parameters
     * @param because what wants them, to be told where one is not given: "a target is gsiftp://"
     * @throws IOException when one is not given or cannot be used, or the credential has ended or not yet begun, with what to do
     */
    public static GsiCredentials of(Parameters with, String because) throws IOException {
        return of(with, because, InstantSource.system());
    }

    static GsiCredentials of(Parameters with, String because, InstantSource clock) throws IOException {
        Path proxy =
                expected(with, PROXY_FILE, "a PEM file with the credential, as created by grid-proxy-init", because);
        Path authorities =
                expected(with, CA_DIR, "a folder with trusted CA certificates, named by their hashes", because);
        if (Files.isDirectory(proxy)) {
            throw new IOException("proxy-file: expected a PEM file with the credential, got a folder at " + proxy
                    + "; specify the file that grid-proxy-init -out writes");
        }
        requireOwnerOnly(proxy);
        X509Credential credential;
        try {
            credential = new PEMCredential(proxy.toString(), (char[]) null);
        } catch (IOException | KeyStoreException | CertificateException e) {
            throw new IOException(
                    "proxy-file: expected a PEM file with a key and its certificates, got something else in " + proxy
                            + ": " + e.getMessage(),
                    e);
        }
        requireValid(credential, proxy, clock.instant());
        requireAuthorities(authorities);
        return new GsiCredentials(credential, new OpensslCertChainValidator(authorities.toString()));
    }

    private static void requireValid(X509Credential credential, Path proxy, Instant now) throws IOException {
        Instant ends = ends(credential);
        if (ends.isBefore(now)) {
            throw new IOException("proxy-file: expected a valid credential, got one that expired at " + ends
                    + "; create a new one with: grid-proxy-init -out " + proxy);
        }
        Instant begins = Arrays.stream(credential.getCertificateChain())
                .map(certificate -> certificate.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        if (begins.isAfter(now)) {
            throw new IOException("proxy-file: expected a valid credential, got one that is not valid before " + begins
                    + ", while this machine's clock shows " + now + "; set the clock, or wait");
        }
    }

    /** Checks that a folder has certificates by names under which they are looked for. */
    private static void requireAuthorities(Path folder) throws IOException {
        String wanted = "ca-dir: expected a folder with trusted CA certificates, named by their hashes, such as "
                + "1a2b3c4d.0 (openssl x509 -subject_hash_old), got ";
        if (!Files.isDirectory(folder)) {
            throw new IOException(wanted + "a file at " + folder + "; specify the folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.noneMatch(file ->
                    AUTHORITY.matcher(String.valueOf(file.getFileName())).matches())) {
                throw new IOException(wanted + "none in " + folder + "; put the CA certificate there");
            }
        }
    }

    private static Path expected(Parameters with, Parameter parameter, String what, String because) throws IOException {
        if (!with.has(parameter.name())) {
            throw new IOException(parameter.name() + ": expected " + what + ", because " + because + "; got none");
        }
        Path path = Path.of(with.string(parameter.name()));
        if (!Files.isReadable(path)) {
            throw new IOException(parameter.name() + ": expected " + what + ", got none at " + path);
        }
        return path;
    }

    /**
     * Checks that nobody but its owner can use a credential, as GSI's own tools do: its key has no passphrase.
     *
     * @throws IOException when others may read or replace it
     */
    private static void requireOwnerOnly(Path proxy) throws IOException {
        Set<PosixFilePermission> found;
        try {
            found = Files.getPosixFilePermissions(proxy);
        } catch (UnsupportedOperationException noModes) {
            return;
        }
        Set<PosixFilePermission> others = EnumSet.copyOf(OTHERS);
        others.retainAll(found);
        if (!others.isEmpty()) {
            throw new IOException(
                    "proxy-file: expected a file that only its owner can read, because its key has no passphrase, "
                            + "got mode " + PosixFilePermissions.toString(found) + " of " + proxy
                            + "; fix it with: chmod 600 " + proxy);
        }
    }

    /** Returns when the credential ends, and with it whatever it signs: when the first of its certificates does. */
    public Instant expires() {
        return ends(credential);
    }

    private static Instant ends(X509Credential credential) {
        return Arrays.stream(credential.getCertificateChain())
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    /** Makes the side of a handshake that connected, which wants the server's certificate to name this host. */
    public SSLEngine client(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {PROTOCOL});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        engine.setUseClientMode(true);
        return engine;
    }

    /** How the connections to a server that its certificate must name are secured. */
    private record ByName(GsiCredentials by, TargetAddress server) implements Security {

        @Override
        public SslHandler handler(ByteBufAllocator alloc) {
            SslHandler handler = new SslHandler(by.client(server.host(), server.port()));
            handler.setHandshakeTimeoutMillis(0);
            return handler;
        }

        @Override
        public Failure handshakeFailure(Throwable cause) {
            return GsiFailures.handshake(cause);
        }
    }

    /** Returns how connections to a server are secured that its certificate must name. */
    public Security security(TargetAddress server) {
        return new ByName(this, server);
    }

    /** Makes the side of a handshake that connected, which leaves it to its caller who the peer may be. */
    public SSLEngine client() {
        SSLEngine engine = context.createSSLEngine();
        engine.setEnabledProtocols(new String[] {PROTOCOL});
        engine.setUseClientMode(true);
        return engine;
    }

    /**
     * As {@link #client(String, int)}, for a connection of TLS and nothing else, which releases the engine. By BoringSSL where it
     * loads, which needs a fraction of the JDK's time.
     *
     * @param host {@code null}: it is left to the caller who the peer may be
     */
    public SSLEngine connection(@Nullable String host, int port) throws IOException {
        if (!OpenSsl.isAvailable()) {
            return host == null ? client() : client(host, port);
        }
        SslContext made = nativeClient();
        if (host == null) {
            return made.newEngine(ByteBufAllocator.DEFAULT);
        }
        SSLEngine engine = made.newEngine(ByteBufAllocator.DEFAULT, host, port);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    private synchronized SslContext nativeClient() throws IOException {
        SslContext made = nativeClient;
        if (made == null) {
            made = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.OPENSSL)
                    .keyManager(keptKeys())
                    .trustManager(trust)
                    .protocols(PROTOCOL)
                    // Set for each engine.
                    .endpointIdentificationAlgorithm(null)
                    .build();
            nativeClient = made;
        }
        return made;
    }

    /**
     * Makes the side of a handshake that was connected to; it wants a certificate, and leaves it to its caller who the peer may
     * be. By BoringSSL where it loads: GSI's clients send the user's name where TLS wants the name of a host, and the JDK
     * refuses that.
     */
    public SSLEngine server() throws IOException {
        if (OpenSsl.isAvailable()) {
            return nativeServer().newEngine(ByteBufAllocator.DEFAULT);
        }
        SSLEngine engine = context.createSSLEngine();
        engine.setEnabledProtocols(new String[] {PROTOCOL});
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        return engine;
    }

    /** Has the key and its certificates be made BoringSSL's once, instead of at every handshake. */
    private KeyManagerFactory keptKeys() {
        return new OpenSslCachingX509KeyManagerFactory(new OneKey(credential.getKeyManager()));
    }

    private static final class OneKey extends KeyManagerFactory {

        OneKey(KeyManager manager) {
            super(
                    new KeyManagerFactorySpi() {
                        @Override
                        protected void engineInit(KeyStore keys, char[] password) {
                            // There is one key, which is known.
                        }

                        @Override
                        protected void engineInit(ManagerFactoryParameters parameters) {
                            // As above.
                        }

                        @Override
                        protected KeyManager[] engineGetKeyManagers() {
                            return new KeyManager[] {manager};
                        }
                    },
                    null,
                    "GSI");
        }
    }

    private synchronized SslContext nativeServer() throws IOException {
        SslContext made = nativeServer;
        if (made == null) {
            made = SslContextBuilder.forServer(keptKeys())
                    .sslProvider(SslProvider.OPENSSL)
                    .trustManager(trust)
                    .clientAuth(ClientAuth.REQUIRE)
                    .protocols(PROTOCOL)
                    .build();
            nativeServer = made;
        }
        return made;
    }

    /**
     * Returns whether a peer acts for the same user as this side.
     *
     * @param peer its certificates, its own first
     */
    public boolean isSelf(X509Certificate[] peer) {
        return ProxyUtils.getOriginalUserDN(peer)
                .equals(ProxyUtils.getOriginalUserDN(credential.getCertificateChain()));
    }

    /**
     * Returns whether a peer is who it should be, or acts for it.
     *
     * @param peer its certificates, its own first
     * @param subject as Globus writes names: {@code /O=Grid/CN=host.example.org}
     */
    public static boolean isNamed(X509Certificate[] peer, String subject) {
        return OpensslNameUtils.normalize(name(peer)).equals(OpensslNameUtils.normalize(subject));
    }

    private static String name(X509Certificate[] certificates) {
        return OpensslNameUtils.convertFromRfc2253(
                ProxyUtils.getOriginalUserDN(certificates).getName(), false);
    }

    /** Returns the user's name as Globus writes it. */
    public String subject() {
        return name(credential.getCertificateChain());
    }

    /** As {@link #delegate(byte[], boolean)}, without a limit. */
    public byte[] delegate(byte[] request) throws IOException {
        return delegate(request, false);
    }

    /**
     * Signs a proxy for a server, which it needs to act for this user.
     *
     * @param request PKCS #10, as the server sent it
     * @param limited whether to sign a limited proxy, for which no gatekeeper of GRAM runs a job
     * @return the certificate, encoded
     * @throws IOException when it is no request
     */
    public byte[] delegate(byte[] request, boolean limited) throws IOException {
        return (limited ? this.limited : full).sign(request);
    }

    private ProxySigner.Made proxy(byte[] request, PrivateKey key, boolean limited) throws IOException {
        try {
            ProxyRequestOptions options =
                    new ProxyRequestOptions(credential.getCertificateChain(), new PKCS10CertificationRequest(request));
            options.setLimited(limited);
            X509Certificate made = ProxyGenerator.generate(options, key)[0];
            return new ProxySigner.Made(made.getEncoded(), made.getSigAlgName());
        } catch (GeneralSecurityException e) {
            throw new IOException("delegation failed", e);
        }
    }

    @Override
    public void close() {
        trusted.dispose();
    }
}
