package org.diperf.plugins.lib.http2;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the bodies of requests on one connection, each stream in turn, as the windows of both allow and the socket takes them. Confined to
 * its connection.
 */
final class BodySender {

    /** Bodies are not written while more than this waits to be sent. */
    static final int MAX_UNSENT_BYTES = 64 << 10;

    static final int RFC_WINDOW = 65_535;

    private static final long MAX_WINDOW = 0x7fff_ffffL;

    private final Http2Connection.Owner owner;
    private final FrameWriter frames;
    /** Streams with something to send that their windows allow, as far as is known. */
    private final ArrayDeque<Http2Stream> sending = new ArrayDeque<>();

    private long streamWindow = RFC_WINDOW;
    private int mostBytes = Frame.MAX_BYTES;
    private long window = RFC_WINDOW;
    private boolean socketFull;
    private boolean pumping;
    private boolean closed;
    private boolean hasSent;

    BodySender(Http2Connection.Owner owner, FrameWriter frames) {
        this.owner = owner;
        this.frames = frames;
    }

    /** Takes a stream in whose head has not been written. */
    void opens(Http2Stream stream) {
        stream.sendWindow = streamWindow;
        stream.isQueued = false;
    }

    /** Sends what a stream has, once there is room for it. */
    void send(Http2Stream stream) {
        queue(stream);
        pump();
    }

    private void queue(Http2Stream stream) {
        if (!stream.isQueued) {
            stream.isQueued = true;
            sending.add(stream);
        }
    }

    /** Forgets a stream that has ended. */
    void remove(Http2Stream stream) {
        if (stream.isQueued) {
            sending.remove(stream);
            stream.isQueued = false;
        }
    }

    /** Sends nothing any more. */
    void close() {
        closed = true;
    }

    /** Notes whether the socket has more to send than it should. */
    void socketFull(boolean full) {
        socketFull = full;
        if (!full && !sending.isEmpty()) {
            pump();
        }
    }

    /** Returns whether anything has been sent since this was asked last. */
    boolean hasSent() {
        boolean since = hasSent;
        hasSent = false;
        return since;
    }

    /** Writes of each stream in turn what windows and socket take. */
    void pump() {
        if (pumping) {
            return; // what was queued meanwhile has its turn there
        }
        pumping = true;
        boolean any = false;
        while (!socketFull && !closed && !sending.isEmpty() && owner.out().readableBytes() < MAX_UNSENT_BYTES) {
            Http2Stream stream = sending.peek();
            int left = stream.body.length - stream.sentTo;
            if (left > 0 && window <= 0) {
                break;
            }
            sending.remove();
            stream.isQueued = false;
            if (left > 0 && stream.sendWindow <= 0) {
                continue; // it is queued again when its window grows
            }
            sendSome(stream, (int) Math.min(Math.min(left, mostBytes), Math.min(window, stream.sendWindow)));
            any = true;
        }
        pumping = false;
        if (any) {
            hasSent = true;
            owner.flush();
        }
    }

    private void sendSome(Http2Stream stream, int bytes) {
        int count = Math.max(0, bytes);
        boolean all = stream.sentTo + count == stream.body.length;
        frames.data(stream.id, stream.body, stream.sentTo, count, all && stream.endsWithBody);
        stream.sentTo += count;
        stream.sendWindow -= count;
        window -= count;
        if (all) {
            stream.bodySent = true;
            owner.written(stream);
            if (!stream.endsWithBody) {
                stream.sent();
            }
        } else {
            queue(stream);
        }
    }

    /** Takes what the peer says of the size of frames. */
    void peerFrame(long value) throws ConnectionErrorException {
        if (value < Frame.MAX_BYTES || value > 0xff_ffff) {
            throw new ConnectionErrorException(ErrorCode.PROTOCOL_ERROR, "a setting out of range: MAX_FRAME_SIZE");
        }
        mostBytes = (int) Math.min(value, Frame.MAX_BYTES);
    }

    /** Takes what the peer says of the windows of streams, those that are open included. */
    void peerWindow(long value, List<Http2Stream> open) throws ConnectionErrorException {
        if (value > MAX_WINDOW) {
            throw new ConnectionErrorException(
                    ErrorCode.FLOW_CONTROL_ERROR, "a setting out of range: INITIAL_WINDOW_SIZE");
        }
        long more = value - streamWindow;
        streamWindow = value;
        if (more == 0) {
            return;
        }
        for (Http2Stream stream : open) {
            stream.sendWindow += more;
            if (stream.sendWindow > MAX_WINDOW) {
                throw new ConnectionErrorException(ErrorCode.FLOW_CONTROL_ERROR, "a window that is too large");
            }
            requeue(stream);
        }
    }

    private void requeue(Http2Stream stream) {
        if (!stream.bodySent && stream.sendWindow > 0) {
            queue(stream);
        }
    }

    /** Lets the connection's window grow. */
    void grow(int more) throws ConnectionErrorException {
        window += more;
        String wrong = wrong(more, window);
        if (wrong != null) {
            throw new ConnectionErrorException(
                    more == 0 ? ErrorCode.PROTOCOL_ERROR : ErrorCode.FLOW_CONTROL_ERROR, wrong);
        }
        pump();
    }

    /**
     * Lets a stream's window grow.
     *
     * @return what is wrong with that; {@code null}: nothing
     */
    @Nullable
    String grow(Http2Stream stream, int more) {
        stream.sendWindow += more;
        String wrong = wrong(more, stream.sendWindow);
        if (wrong == null) {
            requeue(stream);
            pump();
        }
        return wrong;
    }

    private static @Nullable String wrong(int more, long window) {
        if (more == 0) {
            return "a window update of zero";
        }
        return window > MAX_WINDOW ? "a window that is too large" : null;
    }
}
