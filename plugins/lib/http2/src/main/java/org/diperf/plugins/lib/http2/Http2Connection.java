package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * A client's side of one HTTP/2 connection (RFC 9113), without its I/O: what came is given to it, and what is to be sent is put into its
 * owner's buffer. Whatever the other side does, each stream ends once, and no more memory is used than
 * {@link HeaderBlocks#MAX_BLOCK_BYTES} and one frame for what came. Confined to its event loop; an exchange allocates nothing.
 */
final class Http2Connection implements FrameReader.Receiver, HeaderBlocks.Receiver {

    /** What of bodies may be under way: they are counted and let go, so this is not memory, and is given back once half of it has come. */
    static final int WINDOW_BYTES = 16 << 20;

    /**
     * Streams that a server is taken to allow until it has said how many: servers of gRPC in Java end the connection when there are more of
     * them than it allows.
     */
    static final int STREAMS_AT_FIRST = 1;

    /** Frames that may come without one that belongs to a response. */
    static final int MAX_IDLE_FRAMES = 10_000;

    /** Answers to what the other side sends may not wait for it beyond this. */
    static final int MAX_UNREAD_BYTES = 1 << 20;

    /** Whoever does the I/O. Called on the event loop. */
    interface Owner {

        /** Returns the buffer into which is written what is to be sent. */
        ByteBuf out();

        /** Something is to be sent. */
        void flush();

        /** All that a stream has been given to send is in the buffer. */
        void written(Http2Stream stream);

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
    private final FrameWriter out;
    private final FrameReader frames = new FrameReader(this);
    private final HeaderBlocks blocks = new HeaderBlocks(this);
    private final HeaderReader reader = new HeaderReader();
    private final StreamTable streams = new StreamTable();
    private final BodySender sender;
    private final AbandonedStreams givenUp = new AbandonedStreams();

    private long next;
    private boolean greeted;
    private boolean draining;
    private boolean closed;
    private int lastProcessed = Integer.MAX_VALUE;
    private long maxStreams = STREAMS_AT_FIRST;
    private int consumed;
    private int idleFrames;
    private long looks;

    // The DATA frame under way.
    private int dataLength;
    private boolean dataEnds;
    private @Nullable Http2Stream dataOf;

    Http2Connection(Owner owner) {
        this(owner, 1);
    }

    /** @param firstStream its id, odd */
    Http2Connection(Owner owner, long firstStream) {
        this.owner = owner;
        this.next = firstStream;
        this.out = new FrameWriter(owner);
        this.sender = new BodySender(owner, out);
    }

    /** Begins: says what this side takes. */
    void greet() {
        out.greet();
        out.windowUpdate(0, WINDOW_BYTES - BodySender.RFC_WINDOW);
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

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** Sends the request of a stream; {@link #canOpen} has to be true. */
    void open(Http2Stream stream, RequestHead head) {
        stream.id = (int) next;
        next += 2;
        sender.opens(stream);
        stream.looksBefore = looks;
        streams.add(stream);
        boolean ends = stream.body.length == 0 && stream.endsWithBody;
        out.headers(head, stream.id, ends);
        if (ends) {
            stream.bodySent = true;
            owner.written(stream);
        } else if (stream.bodySent) {
            owner.written(stream);
            stream.sent();
        } else {
            sender.send(stream);
        }
        if (next > Integer.MAX_VALUE) {
            drain();
        }
        owner.flush();
    }

    /** Sends more of a request whose last part has been sent. */
    void send(Http2Stream stream, byte[] bytes, boolean ends) {
        stream.toSend(bytes, ends);
        if (!stream.bodySent) {
            sender.send(stream);
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
        released();
    }

    private void reset(Http2Stream stream, int code) {
        out.reset(stream.id, code);
        givenUp.add(stream.id);
        remove(stream);
        owner.flush();
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
            close();
            for (Http2Stream stream : streams.all()) {
                remove(stream);
                owner.ended(stream, stream.answered ? within : before);
            }
            owner.changed();
        }
    }

    private void close() {
        closed = true;
        sender.close();
    }

    /** Notes whether the socket has more to send than it should. */
    void socketFull(boolean full) {
        sender.socketFull(full);
    }

    // ---- streams that end ----

    private void remove(Http2Stream stream) {
        streams.remove(stream);
        sender.remove(stream);
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
            close();
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
            malformed(stream, "content-length does not match the body");
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
            frames.read(in);
        } catch (ConnectionErrorException e) {
            broken(e);
        }
        if (!closed && owner.out().readableBytes() > MAX_UNREAD_BYTES) {
            broken(new ConnectionErrorException(ErrorCode.ENHANCE_YOUR_CALM, "answers to it are not read"));
        }
    }

    private void broken(ConnectionErrorException e) {
        if (closed) {
            return;
        }
        out.goAway(e.code());
        Failure why = Failure.ofService("http/2: " + e.getMessage());
        end(why, why);
        owner.over();
    }

    @Override
    public void frame(int type, int flags, int id, ByteBuf in, int from, int length) throws ConnectionErrorException {
        wantsNoOther(type, id);
        idle();
        switch (type) {
            case Frame.HEADERS -> {
                wantsOpened(id, "HEADERS");
                blocks.begins(in, from, length, flags, id);
            }
            case Frame.PRIORITY -> priority(length, id);
            case Frame.RST_STREAM -> rstStream(in, from, length, id);
            case Frame.SETTINGS -> settings(in, from, length, flags, id);
            case Frame.PUSH_PROMISE -> throw protocol("a push that was not allowed");
            case Frame.PING -> ping(in, from, length, flags, id);
            case Frame.GOAWAY -> goAway(in, from, length, id);
            case Frame.WINDOW_UPDATE -> windowUpdate(in, from, length, id);
            case Frame.CONTINUATION -> blocks.goesOn(in, from, length, flags);
            default -> {} // others may come, and mean nothing
        }
    }

    private void wantsNoOther(int type, int id) throws ConnectionErrorException {
        if (blocks.forbids(type, id)) {
            throw protocol("another frame within a header block");
        }
    }

    /** Counts a frame that is of no response, as far as is known. */
    private void idle() throws ConnectionErrorException {
        if (++idleFrames > MAX_IDLE_FRAMES) {
            if (!sender.hasSent()) {
                throw new ConnectionErrorException(
                        ErrorCode.ENHANCE_YOUR_CALM, "too many frames that belong to no response");
            }
            idleFrames = 0;
        }
    }

    private static ConnectionErrorException protocol(String what) {
        return new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, what);
    }

    private void wantsOpened(int id, String frame) throws ConnectionErrorException {
        if ((id & 1) == 0 || id >= next) {
            throw protocol("a frame on a stream that was not opened: " + frame);
        }
    }

    /** Finds the stream of a frame; {@code null}: it is one that this side has given up, of which frames may still be under way. */
    private @Nullable Http2Stream stream(int id, String frame) throws ConnectionErrorException {
        wantsOpened(id, frame);
        return streams.get(id);
    }

    private void wantsGivenUp(int id) throws ConnectionErrorException {
        if (!givenUp.mayBe(id)) {
            throw new ConnectionErrorException(ErrorCode.STREAM_CLOSED, "a frame on a stream that had ended");
        }
    }

    // ---- DATA ----

    @Override
    public void dataBegins(int id, int flags, int length) throws ConnectionErrorException {
        wantsNoOther(Frame.DATA, id);
        Http2Stream stream = stream(id, "DATA");
        if (length > 0) {
            idleFrames = 0;
        } else {
            idle();
        }
        dataOf = stream;
        dataLength = length;
        dataEnds = (flags & Frame.END_STREAM) != 0;
        if (stream == null) {
            wantsGivenUp(id);
        } else if (!stream.answered) {
            malformed(stream, "a body before the status");
        }
    }

    @Override
    public void data(ByteBuf in, int from, int count) {
        Http2Stream stream = dataOf;
        if (stream != null) {
            stream.bodyBytes += count;
            stream.tell(in, from, count);
            stream.data(in, from, count);
        }
    }

    @Override
    public void dataEnds() {
        consumed += dataLength;
        if (consumed >= WINDOW_BYTES / 2) {
            out.windowUpdate(0, consumed);
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
            out.windowUpdate(stream.id, stream.consumed);
            stream.consumed = 0;
            owner.flush();
        }
    }

    // ---- header blocks ----

    @Override
    public void headerBlock(ByteBuf in, int from, int length, int id, boolean ends) throws ConnectionErrorException {
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
            stream.tell(fields);
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
        stream.tell(fields);
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

    private static void priority(int length, int id) throws ConnectionErrorException {
        if (id == 0) {
            throw protocol("PRIORITY on the connection");
        }
        Frame.wantsLength(length == 5, "PRIORITY");
    }

    private void rstStream(ByteBuf in, int from, int length, int id) throws ConnectionErrorException {
        Frame.wantsLength(length == 4, "RST_STREAM");
        Http2Stream stream = stream(id, "RST_STREAM");
        if (stream == null) {
            return;
        }
        int code = in.getInt(from);
        if (code == ErrorCode.REFUSED_STREAM) {
            refused(stream);
        } else {
            resetByServer(stream, code);
        }
    }

    /** Takes that the server says it has not begun with a stream; one that it has answered would be done twice if it were sent again. */
    private void refused(Http2Stream stream) {
        if (stream.answered) {
            resetByServer(stream, ErrorCode.REFUSED_STREAM);
        } else {
            remove(stream);
            released();
            owner.refused(stream);
        }
    }

    private void resetByServer(Http2Stream stream, int code) {
        finish(stream, Failure.ofService("reset by the server: " + ErrorCode.name(code)));
    }

    private void settings(ByteBuf in, int from, int length, int flags, int id) throws ConnectionErrorException {
        if (id != 0) {
            throw protocol("SETTINGS on a stream");
        }
        boolean acknowledges = (flags & Frame.ACK) != 0;
        Frame.wantsLength(acknowledges ? length == 0 : length % 6 == 0, "SETTINGS");
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
        out.acknowledgeSettings();
        sender.pump();
        owner.changed();
        owner.flush();
    }

    private void setting(int name, long value) throws ConnectionErrorException {
        switch (name) {
            case 1 -> out.peerTable(value);
            case 2 -> {
                if (value != 0) {
                    throw protocol("a setting not allowed for servers: ENABLE_PUSH");
                }
            }
            case 3 -> maxStreams = value;
            case 4 -> sender.peerWindow(value, streams.all());
            case 5 -> sender.peerFrame(value);
            default -> {} // others may come, and mean nothing
        }
    }

    private void ping(ByteBuf in, int from, int length, int flags, int id) throws ConnectionErrorException {
        if (id != 0) {
            throw protocol("PING on a stream");
        }
        Frame.wantsLength(length == 8, "PING");
        if ((flags & Frame.ACK) == 0) {
            out.acknowledgePing(in.getLong(from));
            owner.flush();
        }
    }

    private void goAway(ByteBuf in, int from, int length, int id) throws ConnectionErrorException {
        if (id != 0) {
            throw protocol("GOAWAY on a stream");
        }
        Frame.wantsLength(length >= 8, "GOAWAY");
        lastProcessed = Math.min(lastProcessed, in.getInt(from) & 0x7fff_ffff);
        if (!draining) {
            draining = true;
            owner.changed();
        }
        for (Http2Stream stream : streams.all()) {
            // One that ended in the meantime, by what the owner did, has another number or none.
            if (stream.id > lastProcessed && streams.get(stream.id) == stream) {
                refused(stream);
            }
        }
        overIfDrained();
    }

    private void windowUpdate(ByteBuf in, int from, int length, int id) throws ConnectionErrorException {
        Frame.wantsLength(length == 4, "WINDOW_UPDATE");
        int more = in.getInt(from) & 0x7fff_ffff;
        if (id == 0) {
            sender.grow(more);
            return;
        }
        Http2Stream stream = stream(id, "WINDOW_UPDATE");
        if (stream == null) {
            return;
        }
        String wrong = sender.grow(stream, more);
        if (wrong != null) {
            malformed(stream, wrong);
        }
    }
}
