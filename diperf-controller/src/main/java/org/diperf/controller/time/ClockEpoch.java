package org.diperf.controller.time;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Names this machine's monotonic clock: it begins anew with each boot, and so does its name. */
public final class ClockEpoch {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private ClockEpoch() {}

    /** Returns the same number above 0 to all who ask between two boots; a random one where the system names no boots. */
    public static long ofThisBoot() {
        long name;
        try {
            byte[] boot =
                    Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip().getBytes(StandardCharsets.US_ASCII);
            name = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(boot))
                    .getLong();
        } catch (IOException e) {
            name = new SecureRandom().nextLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java, got none", e);
        }
        return Math.max(1, name & Long.MAX_VALUE);
    }
}
