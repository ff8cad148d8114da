package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.diperf.plugins.lib.netty.LoopBuffers;

/**
 * The header section of the last response, and what it meant: the same bytes mean the same again, and comparing them
 * costs a tenth of reading them. Only heads that came whole, of at most 1 KiB, after which the
 * length of the body is known.
 */
final class HeaderCache {

    private static final int MAX_BYTES = 1 << 10;

    private final ByteBuf head = LoopBuffers.of(MAX_BYTES);
    private int length;
    private int status;
    private boolean keepAlive;
    private boolean chunked;
    private long contentLength;
    private CacheStatus cache = CacheStatus.NONE;

    /** Returns whether the readable bytes begin with the known head. */
    boolean begins(ByteBuf in) {
        return length > 0 && in.readableBytes() >= length && ByteBufUtil.equals(in, in.readerIndex(), head, 0, length);
    }

    /** Keeps the bytes from an index up to the reader index, where they are not too many. */
    void keep(
            ByteBuf in,
            int from,
            int status,
            boolean keepAlive,
            boolean chunked,
            long contentLength,
            CacheStatus cache) {
        int count = in.readerIndex() - from;
        if (count <= MAX_BYTES) {
            head.clear().writeBytes(in, from, count);
            this.length = count;
            this.status = status;
            this.keepAlive = keepAlive;
            this.chunked = chunked;
            this.contentLength = contentLength;
            this.cache = cache;
        }
    }

    int length() {
        return length;
    }

    int status() {
        return status;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    boolean chunked() {
        return chunked;
    }

    /** Returns what {@code Content-Length} said, if anything. */
    long contentLength() {
        return contentLength;
    }

    CacheStatus cache() {
        return cache;
    }
}
