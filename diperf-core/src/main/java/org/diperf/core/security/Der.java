package org.diperf.core.security;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Lays out ASN.1 values by the distinguished encoding rules (ITU-T X.690); as much of it as certificates need. */
final class Der {

    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT_CONSTRUCTED = 0xA0;
    private static final int CONTEXT_PRIMITIVE = 0x80;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, concatenation(parts));
    }

    /** Lays out a set of one; sets of more would want sorting. */
    static byte[] setOfOne(byte[] part) {
        return value(SET, part);
    }

    /** Wraps a value in an explicit context tag. */
    static byte[] explicit(int tag, byte[] part) {
        return value(CONTEXT_CONSTRUCTED | tag, part);
    }

    /** Returns octets an implicit context tag. */
    static byte[] implicitOctets(int tag, byte[] octets) {
        return value(CONTEXT_PRIMITIVE | tag, octets);
    }

    static byte[] bool(boolean truth) {
        return value(BOOLEAN, new byte[] {(byte) (truth ? 0xFF : 0)});
    }

    static byte[] integer(BigInteger number) {
        return value(INTEGER, number.toByteArray());
    }

    static byte[] octets(byte[] octets) {
        return value(OCTET_STRING, octets);
    }

    /** Lays out whole octets as bits. */
    static byte[] bits(byte[] octets) {
        return value(BIT_STRING, concatenation(new byte[] {0}, octets));
    }

    /**
     * Lays out named bits: trailing zeros are not written.
     *
     * @param flags bit 0 of the standard's numbering is the highest bit; at most eight, not all zero
     */
    static byte[] namedBits(int flags) {
        return value(BIT_STRING, new byte[] {(byte) Integer.numberOfTrailingZeros(flags), (byte) flags});
    }

    static byte[] text(String text) {
        return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Lays out an instant to the second; the years to 2049 want the short form (RFC 5280, 4.1.2.5). */
    static byte[] time(Instant instant) {
        boolean brief = instant.atOffset(ZoneOffset.UTC).getYear() < 2050;
        String pattern = brief ? "yyMMddHHmmss'Z'" : "yyyyMMddHHmmss'Z'";
        String text = DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(instant);
        return value(brief ? UTC_TIME : GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Lays out an object identifier in its dotted form. */
    static byte[] identifier(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        base128(content, Long.parseLong(arcs[0]) * 40 + Long.parseLong(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            base128(content, Long.parseLong(arcs[i]));
        }
        return value(OBJECT_IDENTIFIER, content.toByteArray());
    }

    private static void base128(ByteArrayOutputStream to, long number) {
        int groups = Math.max(1, (63 - Long.numberOfLeadingZeros(number)) / 7 + 1);
        for (int group = groups - 1; group >= 0; group--) {
            to.write((int) (number >>> group * 7 & 0x7F) | (group > 0 ? 0x80 : 0));
        }
    }

    private static byte[] value(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int skip = length[0] == 0 ? 1 : 0;
            out.write(0x80 | length.length - skip);
            out.write(length, skip, length.length - skip);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] concatenation(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
