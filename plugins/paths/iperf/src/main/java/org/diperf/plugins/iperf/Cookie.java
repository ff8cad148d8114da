package org.diperf.plugins.iperf;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** What tells a test's connections from those of others: 36 characters and a zero. */
final class Cookie {

    static final int BYTES = 37;

    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Cookie() {}

    /** Makes one that nobody can guess. */
    static byte[] fresh() {
        StringBuilder text = new StringBuilder(BYTES);
        for (int i = 0; i < BYTES - 1; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text.append('\0').toString().getBytes(StandardCharsets.US_ASCII);
    }
}
