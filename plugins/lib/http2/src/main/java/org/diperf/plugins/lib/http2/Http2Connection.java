package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * A client's side of one HTTP/2 connection (RFC 9113), without its I/O: what came is given to it, and what is to be sent is put into its
 * owner's buffer. Whatever the other side does, each stream ends once, and no more memory is used than {@link #MAX_BLOCK_BYTES} and one frame
 * for what came. Confined to its event loop; an exchange allocates nothing.
 */
final class Http2Connection {

    /** Most that a header block may take, before it is decoded. */
    static final int MAX_BLOCK_BYTES = 64 << 10;

    /** Most CONTINUATION frames of one block. */
    static final int MAX_CONTINUATIONS = 100;

    /** What of bodies may be under way: they are counted and let go, so this is not memory, and is given back once half of it has come. */
    static final int WINDOW_BYTES = 16 << 20;

    /** Streams that a server is taken to allow until it has said how many. */
    static final int STREAMS_AT_FIRST = 100;

    /** Frames that may come without one that belongs to a response. */
    static final int MAX_IDLE_FRAMES = 10_000;

    /** Bodies are not written while more than this waits to be sent. */
    static final int MAX_UNSENT_BYTES = 64 << 10;

    /** Answers to what the other side sends may not wait for it beyond this. */
    static final int MAX_UNREAD_BYTES = 1 << 20;

    private static final int HEADER_BYTES = 9;
    private static final int FRAME_BYTES = 16_384;
    private static final int RFC_WINDOW = 65_535;
    private static final long MOST_WINDOW = 0x7fff_ffffL;
    private static final int RESETS_KEPT = 64;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PRIORITY = 2;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PUSH_PROMISE = 5;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int WITH_PRIORITY = 0x20;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Whoever does the I/O. Called on the event loop. */
    interface Owner {

        /** Returns the buffer into which is written what is to be sent. */
        ByteBuf out();

        /** Something is to be sent. */
        void flush();

        /** Streams can be opened that could not, or none can be opened any more. */
        void changed();

        /** A stream was not processed, surely: it can be sent again, here or elsewhere. */
        void refused(Http2Stream stream);

        /** A stream has ended. */
        void ended(Http2Stream stream, @Nullable Failure failure);

        /** There is nothing left to do here: what is in the buffer is to be sent, then the socket closed. */
        void over();
    }

    private final Owner owner;
    private final HeaderWriter writer = new HeaderWriter();
    private final HeaderReader reader = new HeaderReader();
    private final StreamTable streams = new StreamTable();
    /** Streams with something to send that their windows allow, as far as is known. */
    private final ArrayDeque<Http2Stream> sending = new ArrayDeque<>();

    private final int[] resets = new int[RESETS_KEPT];
    private int resetCount;

    private long next;
    private boolean greeted;
    private boolean draining;
    private boolean closed;
    private int lastProcessed = Integer.MAX_VALUE;
    private long maxStreams = STREAMS_AT_FIRST;
    private long peerWindow = RFC_WINDOW;
    private int peerFrame = FRAME_BYTES;
    private long sendWindow = RFC_WINDOW;
    private int consumed;
    private int idleFrames;
    private long looks;
    private boolean socketFull;
    private boolean pumping;

    /** What has come of a frame that has not come whole. */
    private @Nullable ByteBuf partial;

    // The DATA frame under way.
    private int dataLeft;
    private int dataLength;
    private int padding;
    private boolean paddingUnknown;
    private boolean dataEnds;
    private @Nullable Http2Stream dataOf;

    // The header block under way.
    private int blockStream;
    private boolean blockEnds;
    private int continuations;
    private @Nullable ByteBuf block;

    Http2Connection(Owner owner) {
        this(owner, 1);
    }

    /** @param firstStream its id, odd */
    Http2Connection(Owner owner, long firstStream) {
        this.owner = owner;
        this.next = firstStream;
    }

    /** Begins: says what this side takes. */
    void greet() {
        ByteBuf out = owner.out();
        out.writeBytes(PREFACE);
        frame(out, 3 * 6, SETTINGS, 0, 0);
        out.writeShort(2).writeInt(0); // no pushes
        out.writeShort(4).writeInt(WINDOW_BYTES);
        out.writeShort(6).writeInt(HeaderReader.MAX_LIST_BYTES);
        windowUpdate(0, WINDOW_BYTES - RFC_WINDOW);
        owner.flush();
    }

    // ---- what this side does ----

    /** Returns whether a stream can be opened now. */
    boolean canOpen() {
        return isUsable() && streams.size() < maxStreams;
    }

    /** Returns whether streams will ever be opened here again. */
    boolean isUsable() {
        return !draining && !closed;
    }

    /** Sends the request of a stream; {@link #canOpen} has to be true. */
    void open(Http2Stream stream, RequestHead head) {
        stream.id = (int) next;
        next += 2;
        stream.sendWindow = peerWindow;
        stream.isQueued = false;
        stream.looksBefore = looks;
        streams.add(stream);
        boolean ends = stream.body.length == 0 && stream.endsWithBody;
        headers(head, stream.id, ends);
        if (ends) {
            stream.bodySent = true;
        } else if (stream.bodySent) {
            stream.sent();
        } else {
            wantsToSend(stream);
        }
        if (next > Integer.MAX_VALUE) {
            drain();
        }
        owner.flush();
    }

    private void headers(RequestHead head, int id, boolean ends) {
        ByteBuf out = owner.out();
        int at = out.writerIndex();
        out.writeZero(HEADER_BYTES);
        int from = out.writerIndex();
        writer.write(head, out);
        int length = out.writerIndex() - from;
        int flags = ends ? END_STREAM : 0;
        if (length <= FRAME_BYTES) {
            out.setMedium(at, length)
                    .setByte(at + 3, HEADERS)
                    .setByte(at + 4, flags | END_HEADERS)
                    .setInt(at + 5, id);
            return;
        }
        byte[] whole = new byte[length];
        out.getBytes(from, whole).writerIndex(at);
        for (int done = 0; done < length; ) {
            int count = Math.min(FRAME_BYTES, length - done);
            boolean last = done + count == length;
            frame(
                    out,
                    count,
                    done == 0 ? HEADERS : CONTINUATION,
                    (done == 0 ? flags : 0) | (last ? END_HEADERS : 0),
                    id);
            out.writeBytes(whole, done, count);
            done += count;
        }
    }

    /** Sends more of a request whose last part has been sent. */
    void send(Http2Stream stream, byte[] bytes, boolean ends) {
        stream.toSend(bytes, ends);
        if (!stream.bodySent) {
            wantsToSend(stream);
            owner.flush();
        }
    }

    /** Gives up a stream that is open here; it ends no more. */
    void reset(Http2Stream stream) {
        reset(stream, ErrorCode.CANCEL);
        if (stream.looksBefore == looks) {
            // Nothing at all has come since: the other side may be gone.
            drain();
        }
        owner.flush();
        released();
    }

    private void reset(Http2Stream stream, int code) {
        frame(owner.out(), 4, RST_STREAM, 0, stream.id);
        owner.out().writeInt(code);
        resets[resetCount++ % RESETS_KEPT] = stream.id;
        remove(stream);
    }

    /** Opens no more streams. */
    void drain() {
        if (!draining && !closed) {
            draining = true;
            owner.changed();
            overIfDrained();
        }
    }

    /**
     * Ends: whatever is open here ends with the reason.
     *
     * @param before of streams whose response has not begun
     * @param within of all others
     */
    void end(Failure before, Failure within) {
        if (!closed) {
            closed = true;
            for (Http2Stream stream : streams.all()) {
                remove(stream);
                owner.ended(stream, stream.answered ? within : before);
            }
            owner.changed();
        }
    }

    /** Notes whether the socket has more to send than it should. */
    void socketFull(boolean full) {
        socketFull = full;
        if (!full && !closed) {
            pump();
        }
    }

    private void wantsToSend(Http2Stream stream) {
        if (!stream.isQueued) {
            stream.isQueued = true;
            sending.add(stream);
        }
        pump();
    }

    /** Writes of each stream in turn what windows and socket take. */
    private void pump() {
        if (pumping) {
            return; // what was queued meanwhile has its turn there
        }
        pumping = true;
        boolean any = false;
        while (!socketFull && !closed && !sending.isEmpty() && owner.out().readableBytes() < MAX_UNSENT_BYTES) {
            Http2Stream stream = sending.peek();
            int left = stream.body.length - stream.sentTo;
            if (left > 0 && sendWindow <= 0) {
                break;
            }
            sending.remove();
            stream.isQueued = false;
            if (left > 0 && stream.sendWindow <= 0) {
                continue; // it is queued again when its window grows
            }
            sendSome(stream, (int) Math.min(
                    Math.min(left, Math.min(peerFrame, FRAME_BYTES)), Math.min(sendWindow, stream.sendWindow)));
            any = true;
        }
        pumping = false;
        if (any) {
            owner.flush();
        }
    }

    private void sendSome(Http2Stream stream, int bytes) {
        int count = Math.max(0, bytes);
        boolean all = stream.sentTo + count == stream.body.length;
        frame(owner.out(), count, DATA, all && stream.endsWithBody ? END_STREAM : 0, stream.id);
        owner.out().writeBytes(stream.body, stream.sentTo, count);
        stream.sentTo += count;
        stream.sendWindow -= count;
        sendWindow -= count;
        idleFrames = 0;
        if (all) {
            stream.bodySent = true;
            if (!stream.endsWithBody) {
                stream.sent();
            }
        } else {
            stream.isQueued = true;
            sending.add(stream);
        }
    }

    private static void frame(ByteBuf out, int length, int type, int flags, int stream) {
        out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }

    private void windowUpdate(int stream, int bytes) {
        frame(owner.out(), 4, WINDOW_UPDATE, 0, stream);
        owner.out().writeInt(bytes);
    }

    // ---- streams that end ----

    private void remove(Http2Stream stream) {
        streams.remove(stream);
        if (stream.isQueued) {
            sending.remove(stream);
            stream.isQueued = false;
        }
        if (dataOf == stream) {
            dataOf = null;
        }
    }

    private void released() {
        if (draining) {
            overIfDrained();
        } else if (streams.size() == maxStreams - 1) {
            owner.changed();
        }
    }

    private void overIfDrained() {
        if (streams.size() == 0 && !closed) {
            closed = true;
            owner.over();
        }
    }

    private void finish(Http2Stream stream, @Nullable Failure failure) {
        remove(stream);
        released();
        owner.ended(stream, failure);
    }

    private void malformed(Http2Stream stream, String what) {
        reset(stream, ErrorCode.PROTOCOL_ERROR);
        released();
        owner.ended(stream, Failure.ofService("bad response: " + what));
    }

    private void endOfStream(Http2Stream stream) {
        if (stream.expectedBytes >= 0 && stream.bodyBytes != stream.expectedBytes) {
            malformed(stream, "content-length is not the body's");
            return;
        }
        if (!stream.isRequestEnded()) {
            // It was answered before it was sent whole, and the rest is of no use.
            reset(stream, ErrorCode.CANCEL);
            released();
            owner.ended(stream, null);
            return;
        }
        finish(stream, null);
    }

    // ---- what the other side does ----

    /** Takes what came; the buffer is read to its end, unless the connection ends before. */
    void received(ByteBuf in) {
        looks++;
        try {
            while (in.isReadable() && !closed) {
                if (dataLeft > 0) {
                    data(in);
                } else if (partial != null && partial.isReadable()) {
                    complete(partial, in);
                } else {
                    next(in);
                }
            }
        } catch (BrokenConnectionException e) {
            broken(e);
        }
        if (!closed && owner.out().readableBytes() > MAX_UNREAD_BYTES) {
            broken(new BrokenConnectionException(ErrorCode.ENHANCE_YOUR_CALM, "answers to it are not read"));
        }
    }

    private void broken(BrokenConnectionException e) {
        if (closed) {
            return;
        }
        frame(owner.out(), 8, GOAWAY, 0, 0);
        owner.out().writeInt(0).writeInt(e.code());
        Failure why = Failure.ofService("http/2: " + e.getMessage());
        end(why, why);
        owner.over();
    }

    private void next(ByteBuf in) throws BrokenConnectionException {
        int have = in.readableBytes();
        if (have < HEADER_BYTES) {
            keep(in, have);
            return;
        }
        int at = in.readerIndex();
        int length = length(in, at);
        if (in.getByte(at + 3) == DATA && blockStream == 0 && greeted) {
            in.skipBytes(HEADER_BYTES);
            beginData(length, in.getByte(at + 4), in.getInt(at + 5));
        } else if (have < HEADER_BYTES + length) {
            keep(in, have);
        } else {
            in.skipBytes(HEADER_BYTES + length);
            frame(in, at, length);
        }
    }

    private int length(ByteBuf in, int at) throws BrokenConnectionException {
        int length = in.getUnsignedMedium(at);
        if (!greeted && in.getByte(at) == 'H' && in.getByte(at + 1) == 'T' && in.getByte(at + 2) == 'T') {
            throw new BrokenConnectionException(ErrorCode.PROTOCOL_ERROR, "the server speaks HTTP/1.1");
        }
        if (!greeted && in.getByte(at + 3) != SETTINGS) {
            throw new BrokenConnectionException(ErrorCode.PROTOCOL_ERROR, "the server does not speak it");
        }
        if (length > FRAME_BYTES) {
            throw new BrokenConnectionException(ErrorCode.FRAME_SIZE_ERROR, "a frame that is too large");
        }
        return length;
    }

    private void keep(ByteBuf in, int count) {
        ByteBuf kept = partial;
        if (kept == null) {
            kept = Unpooled.buffer(Math.max(64, count));
            partial = kept;
        }
        kept.writeBytes(in, count);
    }

    /** Completes a frame of which a part came before. */
    private void complete(ByteBuf kept, ByteBuf in) throws BrokenConnectionException {
        int have = kept.readableBytes();
        int want = have < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + length(kept, 0);
        if (want > have) {
            kept.writeBytes(in, Math.min(want - have, in.readableBytes()));
            have = kept.readableBytes();
            if (have < want) {
                return;
            }
        }
        if (want == HEADER_BYTES) {
            int length = length(kept, 0);
            if (kept.getByte(3) == DATA && blockStream == 0 && greeted) {
                kept.clear();
                beginData(length, kept.getByte(4), kept.getInt(5));
                return;
            }
            if (length > 0) {
                return;
            }
        }
        frame(kept, 0, have - HEADER_BYTES);
        // Large ones are rare, and the connections may be many.
        partial = kept.capacity() > 4096 ? null : kept.clear();
    }

    private void frame(ByteBuf in, int at, int length) throws BrokenConnectionException {
        int type = in.getUnsignedByte(at + 3);
        int flags = in.getByte(at + 4);
        int stream = in.getInt(at + 5) & 0x7fff_ffff;
        int from = at + HEADER_BYTES;
        if (blockStream != 0 && (type != CONTINUATION || stream != blockStream)) {
            throw protocol("another frame within a header block");
        }
        if (++idleFrames > MAX_IDLE_FRAMES) {
            throw new BrokenConnectionException(
                    ErrorCode.ENHANCE_YOUR_CALM, "a flood of frames that belong to no response");
        }
        switch (type) {
            case DATA -> throw protocol("another frame within a header block");
            case HEADERS -> headers(in, from, length, flags, stream);
            case PRIORITY -> priority(length, stream);
            case RST_STREAM -> rstStream(in, from, length, stream);
            case SETTINGS -> settings(in, from, length, flags, stream);
            case PUSH_PROMISE -> throw protocol("a push, which was not allowed");
            case PING -> ping(in, from, length, flags, stream);
            case GOAWAY -> goAway(in, from, length, stream);
            case WINDOW_UPDATE -> windowUpdate(in, from, length, stream);
            case CONTINUATION -> continuation(in, from, length, flags, stream);
            default -> {} // others may come, and mean nothing
        }
    }

    private static BrokenConnectionException protocol(String what) {
        return new BrokenConnectionException(ErrorCode.PROTOCOL_ERROR, what);
    }

    private static void wantsLength(boolean right, String frame) throws BrokenConnectionException {
        if (!right) {
            throw new BrokenConnectionException(ErrorCode.FRAME_SIZE_ERROR, "a frame of the wrong size: " + frame);
        }
    }

    /** Finds the stream of a frame; {@code null}: it is one that this side has given up, of which frames may still be under way. */
    private @Nullable Http2Stream stream(int id, String frame) throws BrokenConnectionException {
        if ((id & 1) == 0 || id >= next) {
            throw protocol("a frame of a stream that nobody opened: " + frame);
        }
        return streams.get(id);
    }

    private void wantsGivenUp(int id) throws BrokenConnectionException {
        if (resetCount > RESETS_KEPT) {
            return;
        }
        for (int i = 0; i < resetCount; i++) {
            if (resets[i] == id) {
                return;
            }
        }
        throw new BrokenConnectionException(ErrorCode.STREAM_CLOSED, "more of a stream after its end");
    }

    // ---- DATA ----

    private void beginData(int length, int flags, int streamWithBit) throws BrokenConnectionException {
        int id = streamWithBit & 0x7fff_ffff;
        Http2Stream stream = stream(id, "DATA");
        if (length == 0 && (flags & PADDED) != 0) {
            wantsLength(false, "DATA");
        }
        if (length > 0) {
            idleFrames = 0;
        } else if (++idleFrames > MAX_IDLE_FRAMES) {
            throw new BrokenConnectionException(
                    ErrorCode.ENHANCE_YOUR_CALM, "a flood of frames that belong to no response");
        }
        dataOf = stream;
        dataLeft = length;
        dataLength = length;
        paddingUnknown = (flags & PADDED) != 0;
        padding = 0;
        dataEnds = (flags & END_STREAM) != 0;
        if (stream == null) {
            wantsGivenUp(id);
        } else if (!stream.answered) {
            malformed(stream, "a body before the status");
        }
        if (length == 0) {
            endData();
        }
    }

    /** Takes the next bytes of a DATA frame. */
    private void data(ByteBuf in) throws BrokenConnectionException {
        if (paddingUnknown) {
            padding = in.readUnsignedByte();
            paddingUnknown = false;
            dataLeft--;
            if (padding > dataLeft) {
                throw protocol("more padding than frame");
            }
        }
        int count = Math.min(in.readableBytes(), dataLeft - padding);
        if (count > 0) {
            dataLeft -= count;
            int from = in.readerIndex();
            in.skipBytes(count);
            Http2Stream stream = dataOf;
            if (stream != null) {
                stream.bodyBytes += count;
                stream.data(in, from, count);
            }
        }
        if (dataLeft <= padding && !closed) {
            int skipped = Math.min(in.readableBytes(), dataLeft);
            in.skipBytes(skipped);
            dataLeft -= skipped;
            padding -= skipped;
            if (dataLeft == 0) {
                endData();
            }
        }
    }

    private void endData() {
        consumed += dataLength;
        if (consumed >= WINDOW_BYTES / 2) {
            windowUpdate(0, consumed);
            consumed = 0;
            owner.flush();
        }
        Http2Stream stream = dataOf;
        dataOf = null;
        if (stream == null) {
            return;
        }
        if (dataEnds) {
            endOfStream(stream);
            return;
        }
        stream.consumed += dataLength;
        if (stream.consumed >= WINDOW_BYTES / 2) {
            windowUpdate(stream.id, stream.consumed);
            stream.consumed = 0;
            owner.flush();
        }
    }

    // ---- header blocks ----

    private void headers(ByteBuf in, int from, int length, int flags, int id) throws BrokenConnectionException {
        stream(id, "HEADERS");
        int at = from;
        int end = from + length;
        if ((flags & PADDED) != 0) {
            wantsLength(length >= 1, "HEADERS");
            end -= in.getUnsignedByte(at);
            at++;
        }
        if ((flags & WITH_PRIORITY) != 0) {
            at += 5;
        }
        if (at > end) {
            throw protocol("more padding than frame");
        }
        boolean ends = (flags & END_STREAM) != 0;
        if ((flags & END_HEADERS) != 0) {
            headerBlock(in, at, end - at, id, ends);
            return;
        }
        blockStream = id;
        blockEnds = ends;
        continuations = 0;
        ByteBuf begun = Unpooled.buffer(2 * Math.max(64, end - at));
        block = begun;
        begun.writeBytes(in, at, end - at);
    }

    private void continuation(ByteBuf in, int from, int length, int flags, int id) throws BrokenConnectionException {
        ByteBuf whole = block;
        if (blockStream == 0 || whole == null) {
            throw protocol("a CONTINUATION of nothing");
        }
        if (whole.readableBytes() + length > MAX_BLOCK_BYTES || ++continuations > MAX_CONTINUATIONS) {
            throw new BrokenConnectionException(ErrorCode.ENHANCE_YOUR_CALM, "a header block without end");
        }
        whole.writeBytes(in, from, length);
        if ((flags & END_HEADERS) == 0) {
            return;
        }
        blockStream = 0;
        block = null;
        headerBlock(whole, 0, whole.readableBytes(), id, blockEnds);
    }

    private void headerBlock(ByteBuf in, int from, int length, int id, boolean ends) throws BrokenConnectionException {
        Http2Stream stream = streams.get(id);
        boolean trailers = stream != null && stream.answered;
        Fields fields = reader.read(id, in, from, length, trailers);
        if (stream == null) {
            wantsGivenUp(id);
            return;
        }
        if (fields == null) {
            malformed(stream, "header fields");
        } else if (trailers) {
            trailers(stream, fields, ends);
        } else {
            head(stream, fields, ends);
        }
    }

    private void head(Http2Stream stream, Fields fields, boolean ends) {
        int status = fields.status();
        if (status == Fields.NONE) {
            malformed(stream, "no status");
        } else if (status < 200) {
            if (ends || status == 101) {
                malformed(stream, "status " + status);
            }
        } else {
            idleFrames = 0;
            stream.answered = true;
            boolean bodiless = stream.isHeadOnly || status == 204 || status == 304;
            stream.expectedBytes = bodiless ? Fields.NONE : fields.contentLength();
            int id = stream.id;
            stream.head(fields);
            if (ends) {
                endIfOpen(stream, id);
            }
        }
    }

    private void trailers(Http2Stream stream, Fields fields, boolean ends) {
        if (!ends || fields.status() != Fields.NONE) {
            malformed(stream, "trailers");
            return;
        }
        idleFrames = 0;
        int id = stream.id;
        stream.trailers(fields);
        endIfOpen(stream, id);
    }

    /** Ends a stream, unless whoever it told of its response has given it up, and may have begun another. */
    private void endIfOpen(Http2Stream stream, int id) {
        if (stream.id == id && streams.get(id) == stream) {
            endOfStream(stream);
        }
    }

    // ---- the other frames ----

    private static void priority(int length, int id) throws BrokenConnectionException {
        if (id == 0) {
            throw protocol("PRIORITY of the connection");
        }
        wantsLength(length == 5, "PRIORITY");
    }

    private void rstStream(ByteBuf in, int from, int length, int id) throws BrokenConnectionException {
        wantsLength(length == 4, "RST_STREAM");
        Http2Stream stream = stream(id, "RST_STREAM");
        if (stream == null) {
            return;
        }
        int code = in.getInt(from);
        if (code == ErrorCode.REFUSED_STREAM) {
            remove(stream);
            released();
            owner.refused(stream);
        } else {
            finish(stream, Failure.ofService("reset by the server: " + ErrorCode.name(code)));
        }
    }

    private void settings(ByteBuf in, int from, int length, int flags, int id) throws BrokenConnectionException {
        if (id != 0) {
            throw protocol("SETTINGS of a stream");
        }
        boolean acknowledges = (flags & ACK) != 0;
        wantsLength(acknowledges ? length == 0 : length % 6 == 0, "SETTINGS");
        if (acknowledges) {
            if (!greeted) {
                throw protocol("the server does not speak it");
            }
            return;
        }
        maxStreams = greeted ? maxStreams : Long.MAX_VALUE;
        for (int at = from; at < from + length; at += 6) {
            setting(in.getUnsignedShort(at), in.getUnsignedInt(at + 2));
        }
        greeted = true;
        frame(owner.out(), 0, SETTINGS, ACK, 0);
        pump();
        owner.changed();
        owner.flush();
    }

    private void setting(int name, long value) throws BrokenConnectionException {
        switch (name) {
            case 1 -> writer.peerTable(value);
            case 2 -> {
                if (value != 0) {
                    throw protocol("a setting that servers do not have: ENABLE_PUSH");
                }
            }
            case 3 -> maxStreams = value;
            case 4 -> initialWindow(value);
            case 5 -> {
                if (value < FRAME_BYTES || value > 0xff_ffff) {
                    throw protocol("a setting out of range: MAX_FRAME_SIZE");
                }
                peerFrame = (int) value;
            }
            default -> {} // others may come, and mean nothing
        }
    }

    private void initialWindow(long value) throws BrokenConnectionException {
        if (value > MOST_WINDOW) {
            throw new BrokenConnectionException(
                    ErrorCode.FLOW_CONTROL_ERROR, "a setting out of range: INITIAL_WINDOW_SIZE");
        }
        long more = value - peerWindow;
        peerWindow = value;
        if (more == 0) {
            return;
        }
        for (Http2Stream stream : streams.all()) {
            stream.sendWindow += more;
            if (stream.sendWindow > MOST_WINDOW) {
                throw new BrokenConnectionException(ErrorCode.FLOW_CONTROL_ERROR, "a window that is too large");
            }
            requeue(stream);
        }
    }

    private void requeue(Http2Stream stream) {
        if (!stream.bodySent && stream.sendWindow > 0 && !stream.isQueued) {
            stream.isQueued = true;
            sending.add(stream);
        }
    }

    private void ping(ByteBuf in, int from, int length, int flags, int id) throws BrokenConnectionException {
        if (id != 0) {
            throw protocol("PING of a stream");
        }
        wantsLength(length == 8, "PING");
        if ((flags & ACK) == 0) {
            ByteBuf out = owner.out();
            frame(out, 8, PING, ACK, 0);
            out.writeLong(in.getLong(from));
            owner.flush();
        }
    }

    private void goAway(ByteBuf in, int from, int length, int id) throws BrokenConnectionException {
        if (id != 0) {
            throw protocol("GOAWAY of a stream");
        }
        wantsLength(length >= 8, "GOAWAY");
        lastProcessed = Math.min(lastProcessed, in.getInt(from) & 0x7fff_ffff);
        if (!draining) {
            draining = true;
            owner.changed();
        }
        for (Http2Stream stream : streams.all()) {
            // One that ended in the meantime, by what the owner did, has another number or none.
            if (stream.id > lastProcessed && streams.get(stream.id) == stream) {
                remove(stream);
                owner.refused(stream);
            }
        }
        overIfDrained();
    }

    private void windowUpdate(ByteBuf in, int from, int length, int id) throws BrokenConnectionException {
        wantsLength(length == 4, "WINDOW_UPDATE");
        int more = in.getInt(from) & 0x7fff_ffff;
        if (id == 0) {
            sendWindow += more;
            if (more == 0 || sendWindow > MOST_WINDOW) {
                throw new BrokenConnectionException(
                        more == 0 ? ErrorCode.PROTOCOL_ERROR : ErrorCode.FLOW_CONTROL_ERROR,
                        more == 0 ? "a window that grows by nothing" : "a window that is too large");
            }
        } else {
            Http2Stream stream = stream(id, "WINDOW_UPDATE");
            if (stream == null) {
                return;
            }
            stream.sendWindow += more;
            if (more == 0 || stream.sendWindow > MOST_WINDOW) {
                malformed(stream, more == 0 ? "a window that grows by nothing" : "a window that is too large");
                return;
            }
            requeue(stream);
        }
        pump();
    }
}
