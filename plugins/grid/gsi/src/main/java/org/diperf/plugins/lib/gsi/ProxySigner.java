package org.diperf.plugins.lib.gsi;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Signs proxies of one credential for servers, one for each log-in. Those of ten minutes have their names, lifetime and extensions in common: a library
 * makes the first, and the others are that one with their own key, number and signature. So a signature is most of what one costs, also
 * in a JVM that has compiled little yet. Thread-safe.
 */
final class ProxySigner {

    private static final long SHARED_NANOS = 600_000_000_000L;
    private static final byte[] COMMON_NAME = {Der.OBJECT_IDENTIFIER, 3, 0x55, 4, 3};

    /** Makes a proxy whatever the request is. */
    interface Maker {

        /**
         * @param request PKCS #10
         * @return the certificate
         * @throws IOException when it is no request
         */
        Made make(byte[] request) throws IOException;
    }

    /**
     * A proxy that was made.
     *
     * @param certificate encoded
     * @param algorithm of its signature, as Java names it
     */
    record Made(byte[] certificate, String algorithm) {}

    private final PrivateKey key;
    private final NanoClock clock;
    private final Maker maker;
    private final SecureRandom numbers = new SecureRandom();
    private volatile @Nullable Shared shared;

    ProxySigner(PrivateKey key, NanoClock clock, Maker maker) {
        this.key = key;
        this.clock = clock;
        this.maker = maker;
    }

    /**
     * What proxies have in common.
     *
     * @param until by the clock
     * @param asked what the requests have in common: all but the key
     * @param serial {@code null} where each has its own
     * @param middle what stands between number and subject: the signature's algorithm, issuer and validity
     * @param subject where each has its own number the names before it, else as it stands
     */
    private record Shared(
            long until,
            byte[] asked,
            String algorithm,
            byte[] version,
            byte @Nullable [] serial,
            byte[] middle,
            byte[] subject,
            byte[] extensions,
            byte[] signature) {}

    /** What is asked for: a key, and the rest. */
    private record Request(byte[] key, byte[] rest) {

        /** @throws IOException when it is no request, or one of an unusual kind */
        static Request of(byte[] request) throws IOException {
            List<Der> parts = Der.only(request).as(Der.SEQUENCE).parts();
            List<Der> asked = parts.get(0).as(Der.SEQUENCE).parts();
            if (parts.size() != 3 || asked.size() < 3) {
                throw new IOException("expected a certificate request, got something else");
            }
            Der key = asked.get(2).as(Der.SEQUENCE);
            Der info = parts.get(0);
            byte[] before = Arrays.copyOfRange(request, info.content(), key.at());
            byte[] behind = Arrays.copyOfRange(request, key.end(), info.end());
            return new Request(key.bytes(), Der.around(Der.SEQUENCE, before, behind));
        }
    }

    /**
     * Signs one.
     *
     * @param request PKCS #10, as the server sent it
     * @return the certificate, encoded
     * @throws IOException when it is no request
     */
    byte[] sign(byte[] request) throws IOException {
        Request asked;
        try {
            asked = Request.of(request);
        } catch (IOException | IndexOutOfBoundsException e) {
            // The library says why, or knows better.
            return maker.make(request).certificate();
        }
        Shared common = shared;
        if (common == null || common.until - clock.nanoTime() < 0 || !Arrays.equals(common.asked, asked.rest)) {
            long until = clock.nanoTime() + SHARED_NANOS;
            Made made = maker.make(request);
            shared = of(made, asked.rest, until);
            return made.certificate();
        }
        try {
            return sign(common, asked.key);
        } catch (GeneralSecurityException e) {
            throw new IOException("delegation failed", e);
        }
    }

    private byte[] sign(Shared common, byte[] asked) throws GeneralSecurityException {
        byte[] serial = common.serial;
        byte[] subject = common.subject;
        if (serial == null) {
            BigInteger number = BigInteger.valueOf(1 + (numbers.nextInt() & 0x3fff_ffffL));
            serial = Der.around(Der.INTEGER, number.toByteArray());
            byte[] name = Der.around(Der.PRINTABLE_STRING, number.toString().getBytes(StandardCharsets.US_ASCII));
            subject =
                    Der.around(Der.SEQUENCE, subject, Der.around(Der.SET, Der.around(Der.SEQUENCE, COMMON_NAME, name)));
        }
        byte[] signed =
                Der.around(Der.SEQUENCE, common.version, serial, common.middle, subject, asked, common.extensions);
        Signature by = Signature.getInstance(common.algorithm);
        by.initSign(key);
        by.update(signed);
        return Der.around(Der.SEQUENCE, signed, common.signature, Der.around(Der.BIT_STRING, new byte[1], by.sign()));
    }

    private static Shared of(Made made, byte[] asked, long until) throws IOException {
        List<Der> parts = Der.only(made.certificate()).parts();
        List<Der> signed = parts.get(0).parts();
        Der serial = signed.get(1).as(Der.INTEGER);
        Der subject = signed.get(5).as(Der.SEQUENCE);
        byte[] middle = Arrays.copyOfRange(made.certificate(), serial.end(), subject.at());
        List<Der> names = subject.parts();
        Der last = names.get(names.size() - 1);
        List<Der> name = last.parts().get(0).parts();
        String number = new BigInteger(serial.contents()).toString();
        boolean numbered = number.equals(new String(name.get(1).contents(), StandardCharsets.US_ASCII))
                && name.get(1).tag() == Der.PRINTABLE_STRING;
        return new Shared(
                until,
                asked,
                made.algorithm(),
                signed.get(0).bytes(),
                numbered ? null : serial.bytes(),
                middle,
                numbered ? Arrays.copyOfRange(made.certificate(), subject.content(), last.at()) : subject.bytes(),
                signed.get(7).bytes(),
                parts.get(1).bytes());
    }
}
