package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header blocks of one connection. A block that is byte for byte the one before means the same, as long as no block in between
 * has changed the table that both refer to; comparing costs a tenth of decoding. Confined to its connection.
 */
final class HeaderReader {

    /** Most that the fields of a block may take, decoded; as Netty counts it. */
    static final int MAX_LIST_BYTES = 64 << 10;

    private static final int MAX_KNOWN_BYTES = 1 << 10;

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true, true, MAX_LIST_BYTES);
    private final Known head = new Known();
    private final Known trailers = new Known();

    private static final class Known {
        private ByteBuf block = Unpooled.EMPTY_BUFFER;
        private @Nullable Fields fields;
    }

    /**
     * Reads a block.
     *
     * @param isTrailers whether it comes after the body
     * @return what it says; {@code null} where that is malformed, so that its stream cannot go on
     * @throws BrokenConnectionException where nothing can be read after it
     */
    @Nullable
    Fields read(int stream, ByteBuf in, int from, int count, boolean isTrailers) throws BrokenConnectionException {
        Known known = isTrailers ? trailers : head;
        Fields same = known.fields;
        if (same != null
                && count == known.block.readableBytes()
                && ByteBufUtil.equals(in, from, known.block, 0, count)) {
            return same;
        }
        boolean keeps = keepsTable(in, from, from + count);
        if (!keeps) {
            head.fields = null;
            trailers.fields = null;
        }
        Fields fields;
        try {
            fields = new Fields(decoder.decodeHeaders(stream, in.slice(from, count)));
        } catch (Http2Exception e) {
            if (Http2Exception.isStreamError(e)) {
                return null;
            }
            throw new BrokenConnectionException(ErrorCode.COMPRESSION_ERROR, "a header block that cannot be read");
        }
        if (!fields.isUsable()) {
            return null;
        }
        if (keeps && count <= MAX_KNOWN_BYTES) {
            if (known.block.capacity() < count) {
                known.block = Unpooled.buffer(count);
            }
            known.block.clear().writeBytes(in, from, count);
            known.fields = fields;
        }
        return fields;
    }

    /** Returns whether every field of a block leaves the table alone; {@code false} too where it is not one. */
    static boolean keepsTable(ByteBuf in, int from, int end) {
        int at = from;
        while (at >= 0 && at < end) {
            int mark = in.getUnsignedByte(at);
            if (mark >= 0x80) {
                at = afterInteger(in, at, end, 7);
            } else if (mark >= 0x20) {
                return false;
            } else {
                boolean named = (mark & 0xf) == 0;
                at = afterInteger(in, at, end, 4);
                at = named ? afterString(in, at, end) : at;
                at = afterString(in, at, end);
            }
        }
        return at == end;
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
