package org.diperf.plugins.lib.gsi;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.diperf.core.spi.Parameters;

/**
 * An authority, a host and users whom it names, and their proxies, for real servers and for those of tests. One pair of keys serves
 * the authority and another one all whom it names, because making them takes longer than most tests.
 */
public record GsiWorld(Path folder) {

    /** The user, as Globus writes names. */
    public static final String USER = "/O=Grid/OU=test/CN=Test User";

    private static final String AUTHORITY = "CN=Test CA,OU=test,O=Grid";
    private static final String ACCOUNT =
            "root".equals(System.getProperty("user.name")) ? "nobody" : System.getProperty("user.name");
    private static final int KEY_BITS = 2048;
    private static final KeyPair AUTHORITYS = keys();
    private static final KeyPair OTHERS = keys();
    private static final Instant NOW = Instant.now();

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Makes everything anew in a folder: the authority in {@code trusted}; the certificate and key of {@code localhost}; of the user
     * {@code proxy.pem} and {@code ended.pem}, a proxy that has ended; {@code other.pem} of somebody else; {@code stranger.pem} of
     * no authority that is trusted; a map of the user to an account.
     */
    public static GsiWorld make(Path folder) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        GsiWorld world = new GsiWorld(folder);
        Path trusted = Files.createDirectories(folder.resolve("trusted"));
        String authority = pem(
                "CERTIFICATE",
                certificate(AUTHORITY, AUTHORITY, AUTHORITYS, AUTHORITYS).getEncoded());
        for (boolean one : new boolean[] {true, false}) {
            String hash = OpensslTruststoreHelper.getOpenSSLCAHash(new X500Principal(AUTHORITY), one);
            Files.writeString(trusted.resolve(hash + ".0"), authority);
            Files.writeString(
                    trusted.resolve(hash + ".signing_policy"),
                    "access_id_CA X509 '/O=Grid/OU=test/CN=Test CA'\npos_rights globus CA:sign\n"
                            + "cond_subjects globus '\"/O=Grid/OU=test/*\"'\n");
        }
        world.write("host-cert.pem", pem("CERTIFICATE", issued("localhost").getEncoded()));
        world.write("host-key.pem", pem("PRIVATE KEY", OTHERS.getPrivate().getEncoded()));
        Instant end = NOW.plus(Duration.ofHours(12));
        X509Certificate user = issued("Test User");
        world.proxy("proxy.pem", user, end);
        world.proxy("ended.pem", user, NOW.minus(Duration.ofMinutes(10)));
        world.proxy("other.pem", issued("Other User"), end);
        world.proxy("stranger.pem", strange("CN=Nobody,OU=test,O=Grid"), end);
        world.write("grid-mapfile", "\"" + USER + "\" " + ACCOUNT + "\n");
        return world;
    }

    /** Makes a certificate by somebody whom nobody knows. */
    static X509Certificate strange(String issuer) throws Exception {
        return certificate("CN=Test User,OU=test,O=Grid", issuer, OTHERS, OTHERS);
    }

    private static X509Certificate issued(String name) throws Exception {
        return certificate("CN=" + name + ",OU=test,O=Grid", AUTHORITY, OTHERS, AUTHORITYS);
    }

    private static X509Certificate certificate(String subject, String issuer, KeyPair keys, KeyPair issuers)
            throws Exception {
        boolean authority = subject.equals(issuer);
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Principal(issuer),
                BigInteger.valueOf(subject.hashCode() & 0x7fff_ffffL),
                Date.from(NOW.minus(Duration.ofHours(2))),
                Date.from(NOW.plus(Duration.ofDays(1))),
                new X500Principal(subject),
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
        builder.addExtension(
                Extension.keyUsage,
                true,
                new KeyUsage(
                        authority
                                ? KeyUsage.keyCertSign | KeyUsage.cRLSign
                                : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        if (subject.startsWith("CN=localhost,")) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            }));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(issuers.getPrivate())));
    }

    private void proxy(String name, X509Certificate user, Instant end) throws Exception {
        ProxyCertificateOptions options = new ProxyCertificateOptions(new X509Certificate[] {user});
        options.setValidityBounds(Date.from(NOW.minus(Duration.ofHours(1))), Date.from(end));
        options.setPublicKey(OTHERS.getPublic());
        ProxyCertificate made = ProxyGenerator.generate(options, OTHERS.getPrivate());
        write(
                name,
                pem("CERTIFICATE", made.getCertificateChain()[0].getEncoded())
                        + pem("PRIVATE KEY", OTHERS.getPrivate().getEncoded())
                        + pem("CERTIFICATE", user.getEncoded()));
    }

    private void write(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        String mode = text.contains("PRIVATE KEY") ? "rw-------" : "rw-r--r--";
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Returns what a server's library reads from its environment to show the host's certificate. */
    public Map<String, String> serverEnvironment() {
        return Map.of(
                "X509_CERT_DIR",
                path("trusted"),
                "GRIDMAP",
                path("grid-mapfile"),
                "X509_USER_CERT",
                path("host-cert.pem"),
                "X509_USER_KEY",
                path("host-key.pem"));
    }

    /** Returns what a user's programs read from their environment to show the proxy. */
    public Map<String, String> userEnvironment() {
        return Map.of("X509_CERT_DIR", path("trusted"), "X509_USER_PROXY", path("proxy.pem"));
    }

    /**
     * Returns parameters of clients of the user.
     *
     * @param more names and values by turns, which come before
     */
    public Map<String, Object> with(Object... more) {
        Map<String, Object> all = new HashMap<>(Map.of("proxy-file", path("proxy.pem"), "ca-dir", path("trusted")));
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    /** Reads one of the credentials, as a plugin does. */
    public GsiCredentials credentials(String file) throws IOException {
        Parameters with = Parameters.read(
                List.of(GsiCredentials.PROXY_FILE, GsiCredentials.CA_DIR), with("proxy-file", path(file)), 1);
        return GsiCredentials.of(with, "a test needs it");
    }
}
