package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header blocks of one connection. A block that is byte for byte the one before means the same, as long as it refers to nothing
 * that has been put into the table since; comparing costs a tenth of decoding. Servers such as nginx have each response put the same
 * fields into the table and never refer to it: what such a block does to the table is done when another kind of block comes. Confined to
 * its connection.
 */
final class HeaderReader {

    /** Most that the fields of a block may take, decoded; as Netty counts it. */
    static final int MAX_LIST_BYTES = 64 << 10;

    private static final int MAX_KNOWN_BYTES = 1 << 10;

    /** So often the same block fills the table, of which an entry takes at least 32 bytes; once more leaves it as it is. */
    private static final int FILLS_TABLE = 4096 / 32 + 1;

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, true, MAX_LIST_BYTES);
    private final Known head = new Known();
    private final Known trailers = new Known();

    private static final class Known {
        private ByteBuf block = Unpooled.EMPTY_BUFFER;
        private @Nullable Fields fields;
        private Effect effect = Effect.NONE;
        /** How often it has come without the table's being told. */
        private int owed;
    }

    /** What a block has to do with the table. */
    enum Effect {
        /** Neither refers to it nor changes it. */
        NONE,
        /** Refers to what is in it, and leaves it alone. */
        REFERS,
        /** Puts fields into it, and refers to none. */
        INSERTS,
        /** Anything else, or it is no block. */
        ANY
    }

    /**
     * Reads a block.
     *
     * @param isTrailers whether it comes after the body
     * @return what it says; {@code null} where that is malformed, so that its stream cannot go on
     * @throws ConnectionErrorException where nothing can be read after it
     */
    @Nullable
    Fields read(int stream, ByteBuf in, int from, int count, boolean isTrailers) throws ConnectionErrorException {
        Known known = isTrailers ? trailers : head;
        Fields same = known.fields;
        if (same != null
                && count == known.block.readableBytes()
                && ByteBufUtil.equals(in, from, known.block, 0, count)) {
            if (known.effect == Effect.INSERTS) {
                owe(known, isTrailers ? head : trailers);
            }
            return same;
        }
        settle(head);
        settle(trailers);
        Effect effect = effect(in, from, from + count);
        if (effect == Effect.INSERTS || effect == Effect.ANY) {
            forget(head);
            forget(trailers);
        }
        Fields fields = decode(stream, in.slice(from, count));
        if (fields == null || !fields.isUsable()) {
            return null;
        }
        if (effect != Effect.ANY && count <= MAX_KNOWN_BYTES) {
            if (known.block.capacity() < count) {
                known.block = Unpooled.buffer(count);
            }
            known.block.clear().writeBytes(in, from, count);
            known.fields = fields;
            known.effect = effect;
        }
        return fields;
    }

    /** Notes that a block has put its fields into the table once more. */
    private void owe(Known known, Known other) throws ConnectionErrorException {
        settle(other);
        forget(other);
        known.owed = Math.min(known.owed + 1, FILLS_TABLE);
    }

    /** Forgets a block that means something else once the table has changed. */
    private static void forget(Known known) {
        if (known.effect == Effect.REFERS) {
            known.fields = null;
        }
    }

    /** Does to the table what a block has done that was not decoded. */
    private void settle(Known known) throws ConnectionErrorException {
        for (; known.owed > 0; known.owed--) {
            var unused = decode(1, known.block.slice());
        }
    }

    private @Nullable Fields decode(int stream, ByteBuf block) throws ConnectionErrorException {
        try {
            return new Fields(decoder.decodeHeaders(stream, block));
        } catch (Http2Exception e) {
            if (Http2Exception.isStreamError(e)) {
                return null;
            }
            throw new ConnectionErrorException(ErrorCode.COMPRESSION_ERROR, "a header block that cannot be read");
        }
    }

    /** Returns what a block has to do with the table. */
    static Effect effect(ByteBuf in, int from, int end) {
        boolean refers = false;
        boolean inserts = false;
        int at = from;
        while (at >= 0 && at < end) {
            int mark = in.getUnsignedByte(at);
            if (mark >= 0x20 && mark < 0x40) {
                return Effect.ANY; // a size of the table
            }
            // Of the index that begins here.
            int bits = mark >= 0x80 ? 7 : mark >= 0x40 ? 6 : 4;
            int most = (1 << bits) - 1;
            int index = mark & most;
            inserts |= bits == 6;
            refers |= index > StaticTable.LENGTH
                    || (index == most && at + 1 < end && index + in.getUnsignedByte(at + 1) > StaticTable.LENGTH);
            at = afterInteger(in, at, end, bits);
            if (bits != 7) {
                at = index == 0 ? afterString(in, at, end) : at;
                at = afterString(in, at, end);
            }
        }
        if (at != end || (refers && inserts)) {
            return Effect.ANY;
        }
        return refers ? Effect.REFERS : inserts ? Effect.INSERTS : Effect.NONE;
    }

    /** Returns where the next thing begins, -1 where this one does not end. */
    private static int afterInteger(ByteBuf in, int from, int end, int bits) {
        if (from < 0 || from >= end) {
            return -1;
        }
        int most = (1 << bits) - 1;
        int at = from + 1;
        if ((in.getByte(from) & most) == most) {
            while (at < end && in.getByte(at) < 0) {
                at++;
            }
            at++;
        }
        return at <= end ? at : -1;
    }

    private static int afterString(ByteBuf in, int from, int end) {
        int at = afterInteger(in, from, end, 7);
        if (at < 0) {
            return -1;
        }
        long length = in.getByte(from) & 0x7f;
        if (length == 0x7f) {
            int shift = 0;
            for (int i = from + 1; i < at && shift < 35; i++, shift += 7) {
                length += (in.getByte(i) & 0x7fL) << shift;
            }
        }
        return length <= end - at ? at + (int) length : -1;
    }
}
