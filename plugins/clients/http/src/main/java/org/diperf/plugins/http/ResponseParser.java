package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1.1 responses (RFC 9112) as their bytes arrive, however these are split. Bodies are counted and skipped.
 * Allocates nothing per response. Confined to its connection's event loop.
 *
 * <p>What a response may not be larger than: 64 KiB of header, 4 KiB for the line before a chunk.
 */
final class ResponseParser {

    static final int MAX_HEADER_BYTES = 64 << 10;
    static final int MAX_CHUNK_LINE_BYTES = 4 << 10;

    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] CONNECTION = ascii("connection");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] CLOSE = ascii("close");
    private static final byte[] KEEP_ALIVE = ascii("keep-alive");
    private static final byte[] VERSION = ascii("HTTP/1.");
    private static final long NO_LENGTH = -1;
    private static final int NOT_WHOLE = -1;
    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int MAX_CHUNK_DIGITS = 15;

    /** What a response needs next. */
    private enum State {
        STATUS_LINE,
        HEADER,
        BODY,
        BODY_UNTIL_CLOSE,
        CHUNK_LINE,
        CHUNK,
        CHUNK_END,
        TRAILER,
        DONE,
        BAD
    }

    /** How the request changes what its response looks like. */
    enum Request {
        /** The response has a body where its header says so. */
        ORDINARY,
        /** The response has no body, whatever its header says. */
        HEAD,
        /** A response of 2xx has no body: from then on the connection is a tunnel. */
        CONNECT
    }

    /** Takes more of a response than its status and its size. */
    interface Sink {

        /**
         * Takes a line of a head.
         *
         * @param line used again for others
         * @param first whether it is the status line, of this response or of an interim one before it
         */
        void line(byte[] line, int length, boolean first);

        /** Takes the end of the final head. */
        void bodyBegins();

        /** Takes the next bytes of the body, without the framing of chunks; the buffer's position must stay. */
        void body(ByteBuf in, int count);
    }

    private static final byte[] CACHE_STATUS = ascii("cache-status");
    private static final byte[] X_CACHE = ascii("x-cache");

    /** Longer lines are rare, and are not kept from one response to the next. */
    private static final int USUAL_LINE_BYTES = 4 << 10;

    private final HeaderCache known;
    private final Memory memory;
    private final boolean cached;
    /** Grows when it is needed: most connections see only heads that are known. */
    private byte[] line = {};

    private int lineLength;
    private int headerBytes;
    private State state = State.STATUS_LINE;
    private Request request = Request.ORDINARY;
    private int status;
    private boolean begun;
    private boolean keepAlive = true;
    private boolean chunked;
    private boolean encoded;
    private long length = NO_LENGTH;
    private long remaining;
    private long bodyBytes;
    private CacheStatus cacheStatus = CacheStatus.NONE;
    private CacheStatus xCache = CacheStatus.NONE;
    private boolean asked;
    private @Nullable String fault;
    private boolean full;
    private @Nullable Sink sink;

    /**
     * @param known shared with the other connections of the loop
     * @param cached whether to read what caches on the way say
     * @param memory counts what long lines take
     */
    ResponseParser(HeaderCache known, boolean cached, Memory memory) {
        this.memory = memory;
        this.known = known;
        this.cached = cached;
    }

    /** Makes ready for the response to the next request. */
    void reset(Request request) {
        reset(request, null);
    }

    /**
     * Makes ready for the response to the next request.
     *
     * @param to takes what comes; {@code null}: nobody wants it
     */
    void reset(Request request, @Nullable Sink to) {
        this.request = request;
        sink = to;
        state = State.STATUS_LINE;
        lineLength = 0;
        headerBytes = 0;
        status = 0;
        begun = false;
        bodyBytes = 0;
        fault = null;
        full = false;
        forget();
        forgetHeader();
    }

    /** Lets go of a long line. */
    void forget() {
        if (line.length > USUAL_LINE_BYTES) {
            memory.resize(line.length, 0);
            line = new byte[0];
        }
    }

    private void forgetHeader() {
        keepAlive = true;
        chunked = false;
        encoded = false;
        length = NO_LENGTH;
        cacheStatus = CacheStatus.NONE;
        xCache = CacheStatus.NONE;
        asked = false;
    }

    /**
     * Takes the next bytes, up to the response's end.
     *
     * @return whether the response has ended; see {@link #fault}
     */
    boolean read(ByteBuf in) {
        boolean fresh = !begun;
        begun |= in.isReadable();
        if (fresh && sink == null && known.begins(in)) {
            takeKnownHead(in);
        }
        int start = fresh ? in.readerIndex() : NOT_WHOLE;
        while (state != State.DONE && state != State.BAD && in.isReadable()) {
            switch (state) {
                case BODY, CHUNK -> skip(in);
                case BODY_UNTIL_CLOSE -> {
                    pass(in, in.readableBytes());
                    bodyBytes += in.readableBytes();
                    in.skipBytes(in.readableBytes());
                }
                default -> {
                    if (readLine(in)) {
                        boolean ofHead = state == State.HEADER;
                        endLine();
                        lineLength = 0;
                        if (ofHead && state != State.HEADER && start != NOT_WHOLE) {
                            keepHead(in, start);
                            start = NOT_WHOLE;
                        }
                    }
                }
            }
        }
        return state == State.DONE || state == State.BAD;
    }

    private void takeKnownHead(ByteBuf in) {
        in.skipBytes(known.length());
        headerBytes = known.length();
        status = known.status();
        keepAlive = known.keepAlive();
        chunked = known.chunked();
        encoded = chunked;
        length = known.contentLength();
        cacheStatus = known.cache();
        endHeader();
    }

    /** Keeps the head of a final response whose body has an end of its own. */
    private void keepHead(ByteBuf in, int start) {
        boolean ends = encoded ? chunked : length != NO_LENGTH;
        if (status >= 200 && ends && state != State.BAD) {
            known.keep(in, start, status, keepAlive, chunked, length, cache());
        }
    }

    /**
     * Takes the end of the connection.
     *
     * @return whether that was where this response ends
     */
    boolean readEnd() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.DONE;
        }
        return state == State.DONE;
    }

    private void skip(ByteBuf in) {
        int count = (int) Math.min(remaining, in.readableBytes());
        pass(in, count);
        in.skipBytes(count);
        remaining -= count;
        bodyBytes += count;
        if (remaining == 0) {
            state = state == State.BODY ? State.DONE : State.CHUNK_END;
        }
    }

    private void pass(ByteBuf in, int count) {
        if (sink != null) {
            sink.body(in, count);
        }
    }

    /** Gathers a line, without its end, and says whether that was there. */
    private boolean readLine(ByteBuf in) {
        int available = in.readableBytes();
        int before = in.bytesBefore((byte) '\n');
        int count = before < 0 ? available : before;
        boolean ofChunk = state == State.CHUNK_LINE || state == State.CHUNK_END;
        if (ofChunk) {
            if (lineLength + count > MAX_CHUNK_LINE_BYTES) {
                bad("chunk line over 4 KiB");
                return false;
            }
        } else {
            headerBytes += before < 0 ? count : count + 1;
            if (headerBytes > MAX_HEADER_BYTES) {
                bad("header over 64 KiB");
                return false;
            }
        }
        if (lineLength + count > line.length) {
            int wider = Math.max(Math.max(128, 2 * line.length), lineLength + count);
            if (wider > USUAL_LINE_BYTES && !memory.resize(line.length > USUAL_LINE_BYTES ? line.length : 0, wider)) {
                full = true;
                bad("long line");
                return false;
            }
            line = Arrays.copyOf(line, wider);
        }
        in.readBytes(line, lineLength, count);
        lineLength += count;
        if (before < 0) {
            return false;
        }
        in.skipBytes(1);
        if (lineLength > 0 && line[lineLength - 1] == '\r') {
            lineLength--;
        }
        return true;
    }

    private void endLine() {
        if (sink != null && lineLength > 0 && (state == State.STATUS_LINE || state == State.HEADER)) {
            sink.line(line, lineLength, state == State.STATUS_LINE);
        }
        switch (state) {
            case STATUS_LINE -> statusLine();
            case HEADER -> {
                if (lineLength == 0) {
                    endHeader();
                } else {
                    headerLine();
                }
            }
            case CHUNK_LINE -> chunkLine();
            case CHUNK_END -> {
                if (lineLength == 0) {
                    state = State.CHUNK_LINE;
                } else {
                    bad("chunk longer than its declared size");
                }
            }
            case TRAILER -> {
                if (lineLength == 0) {
                    state = State.DONE;
                }
            }
            default -> throw new IllegalStateException("Unexpected line in state " + state);
        }
    }

    private void statusLine() {
        int digits = VERSION.length + 2;
        if (!matches(0, VERSION) || lineLength < digits + 3 || line[digits - 1] != ' ') {
            bad("status line");
            return;
        }
        int value = 0;
        for (int i = digits; i < digits + 3; i++) {
            int digit = line[i] - '0';
            if (digit < 0 || digit > 9) {
                bad("status line");
                return;
            }
            value = 10 * value + digit;
        }
        if (value < 100 || (lineLength > digits + 3 && line[digits + 3] != ' ')) {
            bad("status line");
            return;
        }
        status = value;
        keepAlive = line[VERSION.length] != '0';
        state = State.HEADER;
    }

    private void headerLine() {
        if (line[0] == ' ' || line[0] == '\t') {
            return; // continues the line before it, which is none of those that count here
        }
        int colon = 0;
        while (colon < lineLength && line[colon] != ':') {
            colon++;
        }
        if (colon == lineLength || colon == 0) {
            bad("header line without a name");
            return;
        }
        if (colon == CONTENT_LENGTH.length && matches(0, CONTENT_LENGTH)) {
            contentLength(colon + 1);
        } else if (colon == TRANSFER_ENCODING.length && matches(0, TRANSFER_ENCODING)) {
            encoded = true;
            chunked = endsWith(CHUNKED);
        } else if (colon == CONNECTION.length && matches(0, CONNECTION)) {
            if (contains(colon + 1, CLOSE)) {
                keepAlive = false;
            } else if (contains(colon + 1, KEEP_ALIVE)) {
                keepAlive = true;
            }
        } else if (cached && colon == CACHE_STATUS.length && matches(0, CACHE_STATUS)) {
            cacheStatus = CacheStatus.ofCacheStatus(line, colon + 1, lineLength);
            asked = CacheStatus.asked(line, colon + 1, lineLength);
        } else if (cached && colon == X_CACHE.length && matches(0, X_CACHE)) {
            xCache = CacheStatus.ofXCache(line, colon + 1, lineLength);
        }
    }

    private void contentLength(int from) {
        int at = from;
        int end = lineLength;
        while (at < end && isBlank(line[at])) {
            at++;
        }
        while (end > at && isBlank(line[end - 1])) {
            end--;
        }
        long value = 0;
        boolean usable = at < end && end - at <= MAX_LENGTH_DIGITS;
        for (; usable && at < end; at++) {
            int digit = line[at] - '0';
            usable = digit >= 0 && digit <= 9;
            value = 10 * value + digit;
        }
        if (!usable || (length != NO_LENGTH && length != value)) {
            bad("content-length");
            return;
        }
        length = value;
    }

    private void endHeader() {
        boolean interim = status < 200 && status != 101;
        if (interim) {
            state = State.STATUS_LINE;
            forgetHeader();
            return;
        }
        if (sink != null) {
            sink.bodyBegins();
        }
        if (status == 101) {
            keepAlive = false;
            state = State.DONE;
        } else if (request == Request.HEAD
                || status == 204
                || status == 304
                || (request == Request.CONNECT && status < 300)) {
            state = State.DONE;
        } else if (chunked) {
            state = State.CHUNK_LINE;
        } else if (encoded || length == NO_LENGTH) {
            keepAlive = false;
            state = State.BODY_UNTIL_CLOSE;
        } else {
            remaining = length;
            state = length == 0 ? State.DONE : State.BODY;
        }
    }

    private void chunkLine() {
        long size = 0;
        int at = 0;
        for (; at < lineLength; at++) {
            int digit = Character.digit(line[at], 16);
            if (digit < 0) {
                break;
            }
            size = 16 * size + digit;
            if (at >= MAX_CHUNK_DIGITS) {
                bad("chunk size");
                return;
            }
        }
        if (at == 0 || (at < lineLength && line[at] != ';' && !isBlank(line[at]))) {
            bad("chunk size");
            return;
        }
        remaining = size;
        state = size == 0 ? State.TRAILER : State.CHUNK;
    }

    private void bad(String what) {
        fault = "bad response: " + what;
        keepAlive = false;
        state = State.BAD;
    }

    private boolean matches(int at, byte[] word) {
        if (at < 0 || at + word.length > lineLength) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (lower(line[at + i]) != lower(word[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean endsWith(byte[] word) {
        int end = lineLength;
        while (end > 0 && isBlank(line[end - 1])) {
            end--;
        }
        return end >= word.length && matches(end - word.length, word);
    }

    private boolean contains(int from, byte[] word) {
        for (int at = from; at + word.length <= lineLength; at++) {
            if (matches(at, word)) {
                return true;
            }
        }
        return false;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
    }

    private static boolean isBlank(byte letter) {
        return letter == ' ' || letter == '\t';
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** Says why the response could not be understood, as a failure kind; {@code null} when it could. */
    @Nullable
    String fault() {
        return fault;
    }

    /** Says the same as a failure, which is the generator's where there is no memory left. */
    @Nullable
    Failure failure() {
        return full ? Memory.FULL : fault == null ? null : Failure.ofService(fault);
    }

    /** Says what a cache on the way did. */
    CacheStatus cache() {
        if (cacheStatus != CacheStatus.NONE) {
            return cacheStatus;
        }
        return asked && xCache == CacheStatus.HIT ? CacheStatus.REVALIDATED : xCache;
    }

    /** Returns the status of the response, from 100 to 999, or 0 before there is one. */
    int status() {
        return status;
    }

    /** Returns whether any byte of the response has arrived. */
    boolean begun() {
        return begun;
    }

    /** Returns whether the connection may take another request after this response. */
    boolean keepAlive() {
        return keepAlive;
    }

    /** Counts the bytes of the body, without the framing of chunks. */
    long bodyBytes() {
        return bodyBytes;
    }
}
