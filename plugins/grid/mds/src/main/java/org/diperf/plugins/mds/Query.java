package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * One call's query and what came of it; used again for the client's next call. Belongs to the event loop from when a
 * connection is asked until it has ended, and to the client otherwise.
 */
final class Query {

    /** Makes of an answer what is wanted of it. */
    interface Reading {

        /**
         * Reads an answer.
         *
         * @return the kind of failure, {@code null} for none
         */
        @Nullable
        String read(int status, InputStream body, XMLInputFactory readers, Query into);
    }

    private final Runnable whenEnded;
    private final Reading reading;

    /** What to send: an LDAP operation without its envelope, or a whole HTTP request. */
    byte[] request = {};
    /** How many bytes of the request are payload. */
    int requestBytes;

    long sentNanos;
    long connectNanos = -1;
    long tlsNanos = -1;
    long bindNanos = -1;
    long firstByteNanos = -1;
    long bytes;
    int entries;

    @Nullable
    Failure failure;

    /** Takes what is said; {@code null}: nobody will look. */
    @Nullable
    Dialogue dialogue;

    /** The number of its message, 0 where none was sent. */
    int id;

    /** Whether it waited for another connection before the one that it waits for. */
    boolean waitedBefore;

    private boolean underWay;

    /**
     * @param reading of answers by HTTP
     */
    Query(Runnable whenEnded, Reading reading) {
        this.whenEnded = whenEnded;
        this.reading = reading;
    }

    /** Reads an answer by HTTP; gives the kind of failure. */
    @Nullable
    String read(int status, InputStream body, XMLInputFactory readers) {
        return reading.read(status, body, readers, this);
    }

    void begin(byte[] request, int requestBytes) {
        this.request = request;
        this.requestBytes = requestBytes;
        connectNanos = -1;
        tlsNanos = -1;
        bindNanos = -1;
        firstByteNanos = -1;
        bytes = 0;
        entries = 0;
        failure = null;
        id = 0;
        waitedBefore = false;
        underWay = true;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Returns whether it is under way and was sent, so that its answer may come. */
    boolean isSent() {
        return underWay && bytes > 0;
    }

    /** Marks it as sent. */
    void sent(long nowNanos) {
        sentNanos = nowNanos;
        bytes += requestBytes;
        Dialogue telling = dialogue;
        if (telling != null) {
            telling.sent(request);
        }
    }

    /** Marks the first of the answer; later ones do not count. */
    void answered(NanoClock clock) {
        if (firstByteNanos < 0) {
            firstByteNanos = clock.nanoTime() - sentNanos;
        }
    }

    /** Notes what came of its answer, before it is read. */
    void came(ByteBuf in) {
        Dialogue telling = dialogue;
        if (telling != null && in.isReadable() && in.nioBufferCount() == 1) {
            telling.received(in.internalNioBuffer(in.readerIndex(), in.readableBytes()));
        }
    }

    /** Ends it, with why it failed or {@code null}; the last thing to do, because the next one may begin within it. */
    void end(@Nullable Failure why) {
        if (underWay) {
            underWay = false;
            failure = why;
            whenEnded.run();
        }
    }
}
