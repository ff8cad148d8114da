package org.diperf.core.security;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one run: a certificate authority on the curve P-256, what it signs, and the token. Immutable and
 * thread-safe. Lives in the controller; a tester sees only its ticket.
 */
public final class RunCredentials {

    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String ORGANISATIONAL_UNIT = "2.5.4.11";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
    private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
    private static final int DIGITAL_SIGNATURE = 0x80;
    private static final int CERTIFICATE_SIGN = 0x04;
    private static final int TOKEN_BYTES = 32;
    private static final int RUN_BYTES = 16;
    private static final Duration BEFORE = Duration.ofDays(1);
    private static final Duration AFTER = Duration.ofDays(30);

    private final SecureRandom random;
    private final Instant now;
    private final KeyPair authorityKeys;
    private final byte[] authorityName;
    private final X509Certificate authority;
    private final String token;

    /** A certificate and its key. */
    public record Identity(X509Certificate certificate, PrivateKey key) {
        /** Shows the subject, not the key. */
        @Override
        public String toString() {
            return "Identity[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    /**
     * Makes the keys of a run.
     *
     * @param now certificates hold from a day before this to 30 days after it: clocks of testers may be wrong
     */
    public RunCredentials(Instant now, SecureRandom random) {
        this.now = now;
        this.random = random;
        byte[] secret = new byte[TOKEN_BYTES];
        random.nextBytes(secret);
        this.token = HexFormat.of().formatHex(secret);
        byte[] run = new byte[8];
        random.nextBytes(run);
        this.authorityKeys = newKeys();
        this.authorityName = name("authority", HexFormat.of().formatHex(run));
        this.authority = sign(authorityName, authorityKeys.getPublic(), null);
    }

    private RunCredentials(Instant now, SecureRandom random, PrivateKey key, X509Certificate authority, String token) {
        this.now = now;
        this.random = random;
        this.authorityKeys = new KeyPair(authority.getPublicKey(), key);
        this.authorityName = authority.getSubjectX500Principal().getEncoded();
        this.authority = authority;
        this.token = token;
    }

    /**
     * Goes on with the keys of a run whose controller has died.
     *
     * @param text what {@link #write} gave
     * @param now as for a new run
     * @throws IllegalArgumentException when the text is none of these
     */
    public static RunCredentials parse(String text, Instant now, SecureRandom random) {
        Map<String, String> fields = new HashMap<>();
        text.lines().filter(line -> line.contains(": ")).forEach(line -> {
            String[] parts = line.split(": ", 2);
            fields.put(parts[0], parts[1]);
        });
        try {
            Base64.Decoder base64 = Base64.getDecoder();
            PrivateKey key = KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(base64.decode(field(fields, "key"))));
            X509Certificate authority = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(base64.decode(field(fields, "authority"))));
            return new RunCredentials(now, random, key, authority, field(fields, "token"));
        } catch (GeneralSecurityException e) {
            // The cause's message could repeat a piece of the key; its kind is enough.
            throw new IllegalArgumentException("Expected the keys of a run as its controller wrote them, got damaged"
                    + " ones (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Expected a line '" + name + ":' in the keys of the run, got none");
        }
        return value;
    }

    /** Writes all of it, as a text: the run's greatest secret, for a file that only its owner can read. */
    public String write() {
        Base64.Encoder base64 = Base64.getEncoder();
        try {
            return "authority: " + base64.encodeToString(authority.getEncoded()) + "\nkey: "
                    + base64.encodeToString(authorityKeys.getPrivate().getEncoded()) + "\ntoken: " + token + "\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The run's certificate cannot be encoded", e);
        }
    }

    /** Returns the certificate that both sides trust, and no other. */
    public X509Certificate authority() {
        return authority;
    }

    /** Names the run of a token, which the name does not reveal: 32 hexadecimal digits of a digest. */
    public static String runOf(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(("diperf run " + token).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest, 0, RUN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected support for SHA-256 in this JDK, got none", e);
        }
    }

    /** Returns the secret that a hello must hold: 64 hexadecimal digits. */
    public String token() {
        return token;
    }

    /** Compares a token with this run's, in a time that does not depend on where they differ. */
    public boolean isToken(String found) {
        return MessageDigest.isEqual(found.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes a certificate with a new key.
     *
     * @param number of the tester or relay; 0 for the controller
     */
    public Identity issue(Role role, int number) {
        KeyPair keys = newKeys();
        X509Certificate certificate = sign(name(role.unit(), Integer.toString(number)), keys.getPublic(), role);
        return new Identity(certificate, keys.getPrivate());
    }

    private KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This JDK has no elliptic curve P-256; it needs the module jdk.crypto.ec", e);
        }
    }

    private static byte[] name(String unit, String commonName) {
        return Der.sequence(attribute(ORGANISATIONAL_UNIT, unit), attribute(COMMON_NAME, commonName));
    }

    private static byte[] attribute(String type, String text) {
        return Der.setOfOne(Der.sequence(Der.identifier(type), Der.text(text)));
    }

    /** Signs a certificate (RFC 5280, 4.1); a role of {@code null} makes the authority's own. */
    private X509Certificate sign(byte[] subject, PublicKey key, @Nullable Role role) {
        byte[] algorithm = Der.sequence(Der.identifier(ECDSA_WITH_SHA256));
        // 127 random bits below a set one: positive, never zero, at most 20 octets.
        BigInteger serial = new BigInteger(127, random).setBit(127);
        byte[] body = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)),
                Der.integer(serial),
                algorithm,
                authorityName,
                Der.sequence(Der.time(now.minus(BEFORE)), Der.time(now.plus(AFTER))),
                subject,
                key.getEncoded(),
                Der.explicit(3, extensions(key, role)));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(authorityKeys.getPrivate(), random);
            signature.update(body);
            byte[] certificate = Der.sequence(body, algorithm, Der.bits(signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot sign a certificate with ECDSA", e);
        }
    }

    private byte[] extensions(PublicKey key, @Nullable Role role) {
        byte[] subjectKey = extension(SUBJECT_KEY_IDENTIFIER, false, Der.octets(keyIdentifier(key)));
        byte[] authorityKey = extension(
                AUTHORITY_KEY_IDENTIFIER,
                false,
                Der.sequence(Der.implicitOctets(0, keyIdentifier(authorityKeys.getPublic()))));
        if (role == null) {
            return Der.sequence(
                    extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.bool(true), Der.integer(BigInteger.ZERO))),
                    extension(KEY_USAGE, true, Der.namedBits(CERTIFICATE_SIGN)),
                    subjectKey);
        }
        byte[] server = Der.identifier(SERVER_AUTHENTICATION);
        byte[] client = Der.identifier(CLIENT_AUTHENTICATION);
        byte[] purposes = switch (role) {
            case TESTER -> Der.sequence(client);
            // A controller dials relays that cannot dial it.
            case CONTROLLER, RELAY -> Der.sequence(server, client);
        };
        return Der.sequence(
                extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                extension(KEY_USAGE, true, Der.namedBits(DIGITAL_SIGNATURE)),
                extension(EXTENDED_KEY_USAGE, false, purposes),
                subjectKey,
                authorityKey);
    }

    private static byte[] extension(String id, boolean critical, byte[] content) {
        return critical
                ? Der.sequence(Der.identifier(id), Der.bool(true), Der.octets(content))
                : Der.sequence(Der.identifier(id), Der.octets(content));
    }

    private static byte[] keyIdentifier(PublicKey key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return Arrays.copyOf(digest, 20);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no SHA-256", e);
        }
    }

    /** Shows nothing that is secret. */
    @Override
    public String toString() {
        return "RunCredentials[" + authority.getSubjectX500Principal() + "]";
    }
}
