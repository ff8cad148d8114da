package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The tag of a {@link TimeDatagram}: the first half of the HMAC-SHA-256 of what is before it, T1 taken as 0, by a key of the run; zeros
 * where there is no key. Confined to one thread.
 */
public final class TimeTag {

    private static final int TAG_BYTES = TimeDatagram.BYTES - TimeDatagram.TAG;

    private final @Nullable Mac mac;
    private final byte[] signed = new byte[TimeDatagram.TAG];
    private final byte[] found = new byte[TAG_BYTES];
    private final byte[] wanted = new byte[TAG_BYTES];
    private final byte[] digest = new byte[32];

    /** @param key of the run; empty: no tags */
    public TimeTag(byte[] key) {
        try {
            mac = key.length == 0 ? null : Mac.getInstance("HmacSHA256");
            if (mac != null) {
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected support for HmacSHA256 in this JDK, got none", e);
        }
    }

    /** Writes the tag into the datagram at index 0. */
    public void sign(ByteBuffer datagram) {
        compute(datagram);
        datagram.put(TimeDatagram.TAG, wanted);
    }

    /** Returns whether the datagram at index 0 bears its tag. */
    public boolean isRight(ByteBuffer datagram) {
        compute(datagram);
        datagram.get(TimeDatagram.TAG, found);
        return MessageDigest.isEqual(wanted, found);
    }

    private void compute(ByteBuffer datagram) {
        if (mac == null) {
            Arrays.fill(wanted, (byte) 0);
            return;
        }
        datagram.get(0, signed);
        Arrays.fill(signed, TimeDatagram.ASKED_AT, TimeDatagram.ASKED_AT + Long.BYTES, (byte) 0);
        mac.update(signed);
        try {
            mac.doFinal(digest, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("32 bytes hold an HMAC-SHA-256", e);
        }
        System.arraycopy(digest, 0, wanted, 0, TAG_BYTES);
    }
}
