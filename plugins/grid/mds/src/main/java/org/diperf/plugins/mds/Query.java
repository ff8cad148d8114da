package org.diperf.plugins.mds;

import io.netty.buffer.ByteBuf;
import java.io.InputStream;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.netty.HttpClientConnection;
import org.jspecify.annotations.Nullable;

/**
 * One call's query and what came of it; used again for the client's next call. Belongs to the event loop from when a
 * connection is asked until it has ended, and to the client otherwise.
 */
final class Query implements HttpClientConnection.Exchange {

    /** Makes of a response by HTTP what is wanted of it; gives the kind of failure, {@code null} for none. */
    interface Reading {
        @Nullable
        String read(int status, InputStream body, Query into);
    }

    private final NanoClock clock;
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
    Query(NanoClock clock, Runnable whenEnded, Reading reading) {
        this.clock = clock;
        this.whenEnded = whenEnded;
        this.reading = reading;
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

    @Override
    public byte[] request() {
        return request;
    }

    @Override
    public @Nullable Dialogue dialogue() {
        return dialogue;
    }

    @Override
    public void connected(long toConnectNanos, long toSecureNanos) {
        connectNanos = toConnectNanos;
        tlsNanos = toSecureNanos;
    }

    @Override
    public void sending(long nowNanos) {
        sentNanos = nowNanos;
        bytes += requestBytes;
    }

    /** Marks the first of the answer; later ones do not count. */
    @Override
    public void came() {
        if (firstByteNanos < 0) {
            firstByteNanos = clock.nanoTime() - sentNanos;
        }
    }

    @Override
    public void bytes(int count) {
        bytes += count;
    }

    @Override
    public void answered(int status, InputStream body) {
        String kind = reading.read(status, body, this);
        end(kind == null ? null : Failure.ofService(kind));
    }

    @Override
    public void failed(Failure why) {
        end(why);
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
