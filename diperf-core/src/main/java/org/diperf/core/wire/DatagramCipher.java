package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One end of a way by sealed datagrams: a key for each direction, by AES-128-GCM, handed out at the enrolment. The nonce
 * is a counter that never comes again under its key; what comes again, or 128 datagrams late, is not opened. Big-endian:
 *
 * <pre>
 *  0  int8   version, {@value #VERSION}
 *  1  int32  id of the enrolment
 *  5  int64  counter, from 1
 * 13         sealed content, then its tag of 16 bytes; the 13 bytes before are under the tag
 * </pre>
 *
 * Confined to one thread, with all others that share its {@link Engine}.
 */
public final class DatagramCipher {

    /** Bytes of a key. */
    public static final int KEY_BYTES = 16;

    /** Bytes that sealing adds. */
    public static final int OVERHEAD = 13 + 16;

    private static final int VERSION = 0xD1;
    private static final int HEADER = 13;
    private static final int ID_AT = 1;
    private static final int COUNTER_AT = 5;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int WINDOW = 128;

    private final int id;
    private final SecretKeySpec sealing;
    private final SecretKeySpec opening;
    private final Engine engine;
    private long sealed;
    private long newest;
    /** Bit n: the counter newest - n came; the second word has those from 64 on. */
    private long seen;

    private long seenBefore;

    /** The cipher of a thread: a key is put in for each datagram, which costs less than a cipher for each tester. */
    public static final class Engine {

        private final Cipher cipher;
        private final byte[] nonce = new byte[NONCE_BYTES];

        /** Makes one for the thread that will use it. */
        public Engine() {
            try {
                cipher = Cipher.getInstance("AES/GCM/NoPadding");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Expected support for AES/GCM in this JDK, got none", e);
            }
        }

        private void init(int mode, SecretKeySpec key, int id, long counter) throws GeneralSecurityException {
            ByteBuffer.wrap(nonce).putInt(id).putLong(counter);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        }
    }

    /**
     * Makes one end.
     *
     * @param sealing key of the direction from here
     * @param opening key of the direction to here, another one
     */
    public DatagramCipher(int id, byte[] sealing, byte[] opening, Engine engine) {
        if (sealing.length != KEY_BYTES || opening.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "Expected keys of " + KEY_BYTES + " bytes, got " + sealing.length + " and " + opening.length);
        }
        this.id = id;
        this.sealing = new SecretKeySpec(sealing, "AES");
        this.opening = new SecretKeySpec(opening, "AES");
        this.engine = engine;
    }

    /** Reads whose datagram this claims to be; 0: it is none of ours. */
    public static int idOf(ByteBuffer datagram) {
        return datagram.remaining() < OVERHEAD || (datagram.get(datagram.position()) & 0xFF) != VERSION
                ? 0
                : datagram.getInt(datagram.position() + ID_AT);
    }

    /**
     * Seals content.
     *
     * @param content consumed
     * @param datagram gets it at its position; has room for {@link #OVERHEAD} more bytes
     */
    public void seal(ByteBuffer content, ByteBuffer datagram) {
        int begin = datagram.position();
        long counter = ++sealed;
        datagram.put((byte) VERSION).putInt(id).putLong(counter);
        try {
            engine.init(Cipher.ENCRYPT_MODE, sealing, id, counter);
            engine.cipher.updateAAD(datagram.duplicate().position(begin).limit(begin + HEADER));
            engine.cipher.doFinal(content, datagram);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected room for a sealed datagram, got " + datagram.remaining(), e);
        }
    }

    /**
     * Opens a datagram.
     *
     * @param datagram consumed
     * @param content gets what was sealed, at its position
     * @return false when it is not for us, was changed on its way, came before, or is too old
     */
    public boolean open(ByteBuffer datagram, ByteBuffer content) {
        if (idOf(datagram) != id || content.remaining() < datagram.remaining() - OVERHEAD) {
            return false;
        }
        int begin = datagram.position();
        long counter = datagram.getLong(begin + COUNTER_AT);
        if (counter < 1 || isOld(counter)) {
            return false;
        }
        int at = content.position();
        try {
            engine.init(Cipher.DECRYPT_MODE, opening, id, counter);
            engine.cipher.updateAAD(datagram.duplicate().limit(begin + HEADER));
            engine.cipher.doFinal(datagram.position(begin + HEADER), content);
        } catch (GeneralSecurityException e) {
            content.position(at);
            return false;
        }
        note(counter);
        return true;
    }

    private boolean isOld(long counter) {
        long age = newest - counter;
        if (age < 0) {
            return false;
        }
        return age >= WINDOW || (age < 64 ? seen >>> age & 1 : seenBefore >>> age - 64 & 1) == 1;
    }

    private void note(long counter) {
        long ahead = counter - newest;
        if (ahead > 0) {
            if (ahead >= WINDOW) {
                seen = 0;
                seenBefore = 0;
            } else if (ahead >= 64) {
                seenBefore = ahead == 64 ? seen : seen << ahead - 64;
                seen = 0;
            } else {
                seenBefore = seenBefore << ahead | seen >>> 64 - ahead;
                seen <<= ahead;
            }
            seen |= 1;
            newest = counter;
        } else if (-ahead < 64) {
            seen |= 1L << -ahead;
        } else {
            seenBefore |= 1L << -ahead - 64;
        }
    }
}
