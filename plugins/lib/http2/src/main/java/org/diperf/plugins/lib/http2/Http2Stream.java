package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * One client's exchange: a request and what comes back. Used again for the client's next one, so that none needs an object of its own.
 * Everything here is called on the event loop of the connection.
 */
public abstract class Http2Stream {

    static final byte[] NOTHING = {};

    // What the connection knows of it.
    int id;
    long sendWindow;
    int consumed;
    boolean answered;
    long expectedBytes;
    long bodyBytes;
    boolean isQueued;

    // What is to be sent.
    @Nullable
    RequestHead head;

    byte[] body = NOTHING;
    int sentTo;
    boolean endsWithBody;
    boolean bodySent;

    // What the link knows of it.
    Http2Link.@Nullable Carrier carrier;

    byte[] firstBody = NOTHING;
    boolean firstEnds;
    boolean isHeadOnly;
    long waitsSince;
    /** Number of the first connection that could have been made for it while it waits. */
    long firstAttempt;
    /** Whether all that was given to be sent so far has been, and when. */
    boolean written;

    long writtenNanos;
    long connectNanos;
    long tlsNanos;
    long waitNanos;
    int resent;
    long looksBefore;

    /** Takes what is said; {@code null}: nobody will look. */
    @Nullable
    Dialogue dialogue;

    /** Makes one for a client. */
    protected Http2Stream() {}

    /** Tells of the request, which leaves now. */
    final void tellRequest(RequestHead leaving) {
        Dialogue telling = dialogue;
        if (telling != null) {
            leaving.tell(telling);
            telling.sent(firstBody);
        }
    }

    /** Tells of fields that came. */
    final void tell(Fields fields) {
        Dialogue telling = dialogue;
        if (telling != null) {
            telling.received(fields.shown());
        }
    }

    /** Tells of bytes of the body that came. */
    final void tell(ByteBuf in, int from, int count) {
        Dialogue telling = dialogue;
        if (telling != null && count > 0 && in.nioBufferCount() == 1) {
            telling.received(in.internalNioBuffer(from, count));
        }
    }

    /** Tells what went wrong. */
    final void remark(String text) {
        Dialogue telling = dialogue;
        if (telling != null) {
            telling.note(text);
        }
    }

    /** Takes the header fields of the final response. */
    protected abstract void head(Fields fields);

    /**
     * Takes the next bytes of the body.
     *
     * @param in valid during the call only
     */
    protected abstract void data(ByteBuf in, int from, int count);

    /** Takes the trailers. */
    protected abstract void trailers(Fields fields);

    /**
     * Takes the end of the exchange; the last thing that is done, so that the next one may begin within it.
     *
     * @param failure {@code null}: the response came whole
     */
    protected abstract void ended(@Nullable Failure failure);

    /** Hears that all that was given to be sent has been taken, so that more can be given by {@link Http2Link#send}. */
    protected void sent() {}

    /** Returns whether the connection is to be kept for others when the exchange has ended; asked then. */
    protected boolean keepsConnection() {
        return true;
    }

    /** Hears that nobody has processed the request, so that it is sent again from its beginning. */
    protected void restarts() {}

    /** Returns the time to connect, -1 where the exchange found a connection. */
    public final long connectNanos() {
        return connectNanos;
    }

    /** Returns the time of the TLS handshake, -1 where there was none. */
    public final long tlsNanos() {
        return tlsNanos;
    }

    /** Returns how long the request waited for a stream, -1 where it did not. */
    public final long waitNanos() {
        return waitNanos;
    }

    /** Returns when that came of which the exchange is being told; to be asked within that. */
    protected final long cameNanos() {
        Http2Link.Carrier on = carrier;
        return on == null ? writtenNanos : on.cameNanos();
    }

    /** Returns how long after the request was written that came of which the exchange is being told; -1 where it has not been. */
    protected final long sinceWrittenNanos() {
        return written ? cameNanos() - writtenNanos : -1;
    }

    /** Returns when the request was written, the last time. */
    protected final long writtenNanos() {
        return writtenNanos;
    }

    /** Counts how often the request was sent again because nobody had processed it. */
    public final int resent() {
        return resent;
    }

    /** Counts the bytes of the body that have come. */
    public final long bodyBytes() {
        return bodyBytes;
    }

    /** Returns whether the final response has begun. */
    public final boolean isAnswered() {
        return answered;
    }

    /**
     * Forgets the exchange before.
     *
     * @param ofRequest {@code null}: it only connects
     */
    final void begin(@Nullable RequestHead ofRequest, byte[] ofBody, boolean ends, boolean headOnly) {
        head = ofRequest;
        firstBody = ofBody;
        firstEnds = ends;
        isHeadOnly = headOnly;
        connectNanos = -1;
        tlsNanos = -1;
        waitNanos = -1;
        resent = 0;
        rewind();
    }

    /** Sets everything to how it is before the request is sent. */
    final void rewind() {
        id = 0;
        answered = false;
        written = false;
        expectedBytes = Fields.NONE;
        bodyBytes = 0;
        consumed = 0;
        toSend(firstBody, firstEnds);
    }

    final void toSend(byte[] bytes, boolean ends) {
        body = bytes;
        sentTo = 0;
        endsWithBody = ends;
        bodySent = bytes.length == 0 && !ends;
    }

    /** Returns whether the request has been sent to its end. */
    final boolean isRequestEnded() {
        return bodySent && endsWithBody;
    }
}
