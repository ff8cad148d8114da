package org.diperf.plugins.gram;

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
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.diperf.core.spi.Parameters;
import org.diperf.plugins.lib.gsi.GsiCredentials;

/** An authority, users whom it names, and their proxies. */
record GsiWorld(Path folder) {

    static final String USER = "/O=Grid/OU=test/CN=Test User";
    private static final String AUTHORITY = "CN=Test CA,OU=test,O=Grid";
    private static final KeyPair KEYS = keys();
    private static final Instant NOW = Instant.now();

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes everything anew in a folder: a proxy of the user, one that has ended, one of somebody else, one of no authority. */
    static GsiWorld make(Path folder) throws Exception {
        Files.createDirectories(folder.resolve("trusted"));
        X509Certificate authority = certificate(AUTHORITY, AUTHORITY, KEYS, KEYS, true);
        for (boolean one : new boolean[] {true, false}) {
            String hash = OpensslTruststoreHelper.getOpenSSLCAHash(new X500Principal(AUTHORITY), one);
            Files.writeString(
                    folder.resolve("trusted").resolve(hash + ".0"), pem("CERTIFICATE", authority.getEncoded()));
            Files.writeString(
                    folder.resolve("trusted").resolve(hash + ".signing_policy"),
                    "access_id_CA X509 '/O=Grid/OU=test/CN=Test CA'\npos_rights globus CA:sign\n"
                            + "cond_subjects globus '\"/O=Grid/OU=test/*\"'\n");
        }
        KeyPair keys = keys();
        Instant end = NOW.plus(Duration.ofHours(12));
        X509Certificate user = certificate("CN=Test User,OU=test,O=Grid", AUTHORITY, keys, KEYS, false);
        proxy(folder.resolve("proxy.pem"), user, keys, end);
        proxy(folder.resolve("ended.pem"), user, keys, NOW.minus(Duration.ofMinutes(10)));
        proxy(
                folder.resolve("other.pem"),
                certificate("CN=Other User,OU=test,O=Grid", AUTHORITY, keys, KEYS, false),
                keys,
                end);
        proxy(
                folder.resolve("stranger.pem"),
                certificate("CN=Test User,OU=test,O=Grid", "CN=Nobody,OU=test,O=Grid", keys, keys, false),
                keys,
                end);
        return new GsiWorld(folder);
    }

    private static X509Certificate certificate(
            String subject, String issuer, KeyPair keys, KeyPair issuers, boolean authority) throws Exception {
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
                new KeyUsage(authority ? KeyUsage.keyCertSign : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(issuers.getPrivate())));
    }

    private static void proxy(Path file, X509Certificate user, KeyPair keys, Instant end) throws Exception {
        ProxyCertificateOptions options = new ProxyCertificateOptions(new X509Certificate[] {user});
        options.setValidityBounds(Date.from(NOW.minus(Duration.ofHours(1))), Date.from(end));
        options.setKeyLength(2048);
        ProxyCertificate made = ProxyGenerator.generate(options, keys.getPrivate());
        StringBuilder all = new StringBuilder();
        PrivateKey key = made.getPrivateKey();
        all.append(pem("CERTIFICATE", made.getCertificateChain()[0].getEncoded()));
        all.append(pem("PRIVATE KEY", key.getEncoded()));
        all.append(pem("CERTIFICATE", user.getEncoded()));
        Files.writeString(file, all);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    /** Returns parameters of the user, and some more. */
    Map<String, Object> with(Object... more) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "rsl",
                "&(executable=/bin/true)",
                "proxy-file",
                folder.resolve("proxy.pem").toString(),
                "ca-dir",
                folder.resolve("trusted").toString()));
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    GsiCredentials credentials(String file) throws IOException {
        Map<String, Object> with = with("proxy-file", folder.resolve(file).toString());
        return GsiCredentials.of(Parameters.read(new GramPlugin().parameters(), with, 1), "a test wants it");
    }
}
