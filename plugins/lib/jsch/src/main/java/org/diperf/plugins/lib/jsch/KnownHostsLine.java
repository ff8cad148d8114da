package org.diperf.plugins.lib.jsch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A line of {@code known_hosts}, as sshd(8) describes it.
 *
 * @param number of the line, from 1
 * @param marker {@code @revoked}, {@code @cert-authority} or empty
 * @param patterns hosts, separated by commas, or one hashed host
 * @param key in the form of the protocol
 */
record KnownHostsLine(int number, String marker, String patterns, byte[] key) {

    private static final String HASHED = "|1|";

    /** Reads a line; {@code null} for comments and for what no version of OpenSSH would read. */
    static @Nullable KnownHostsLine parse(String line, int number) {
        String[] words = line.strip().split("\\s+");
        int first = words[0].startsWith("@") ? 1 : 0;
        if (words[0].isEmpty() || words[0].startsWith("#") || words.length < first + 3) {
            return null;
        }
        try {
            byte[] key = Base64.getDecoder().decode(words[first + 2]);
            typeOf(key);
            return new KnownHostsLine(number, first == 1 ? words[0] : "", words[first], key);
        } catch (IllegalArgumentException noKey) {
            return null;
        }
    }

    /** Reads the type, the first text in a key. */
    static String typeOf(byte[] key) {
        ByteBuffer buffer = ByteBuffer.wrap(key);
        int length = key.length < 4 ? -1 : buffer.getInt();
        if (length < 1 || length > Math.min(64, buffer.remaining())) {
            throw new IllegalArgumentException("no host key");
        }
        return new String(key, 4, length, StandardCharsets.US_ASCII);
    }

    /** Names a key as OpenSSH shows it. */
    static String fingerprint(byte[] key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java, got none", e);
        }
    }

    String type() {
        return typeOf(key);
    }

    boolean isRevoked() {
        return marker.equals("@revoked");
    }

    boolean isPlain() {
        return marker.isEmpty();
    }

    /** Returns whether the line is about this host, as {@link KnownHosts#nameOf} names it. */
    boolean covers(String host) {
        if (patterns.startsWith(HASHED)) {
            return hashed(host);
        }
        boolean covered = false;
        for (String pattern : patterns.split(",")) {
            boolean not = pattern.startsWith("!");
            if (matches(not ? pattern.substring(1) : pattern, host)) {
                if (not) {
                    return false;
                }
                covered = true;
            }
        }
        return covered;
    }

    private static boolean matches(String pattern, String host) {
        StringBuilder regex = new StringBuilder("(?i)");
        for (char c : pattern.toCharArray()) {
            regex.append(c == '*' ? ".*" : c == '?' ? "." : java.util.regex.Pattern.quote(String.valueOf(c)));
        }
        return host.matches(regex.toString());
    }

    private boolean hashed(String host) {
        String[] parts = patterns.substring(HASHED.length()).split("\\|");
        if (parts.length != 2) {
            return false;
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(parts[0]), "HmacSHA1"));
            byte[] wanted = Base64.getDecoder().decode(parts[1]);
            return MessageDigest.isEqual(wanted, mac.doFinal(host.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException | IllegalArgumentException damaged) {
            return false;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KnownHostsLine that
                && number == that.number
                && marker.equals(that.marker)
                && patterns.equals(that.patterns)
                && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return 31 * patterns.hashCode() + Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return "line " + number + ": " + patterns + " " + fingerprint(key);
    }
}
