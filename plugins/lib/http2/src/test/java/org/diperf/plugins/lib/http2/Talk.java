package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** A connection without a socket: what it wrote can be read, and what a server might send is given to it. */
final class Talk implements Http2Connection.Owner {

    static final byte[] NO_BODY = {};

    private static final RequestHead.Family FAMILY = new RequestHead.Family();

    /** A request that never changes. */
    static final RequestHead GET = FAMILY.head()
            .fixed(":method", "GET")
            .fixed(":scheme", "http")
            .fixed(":authority", "a.example")
            .fixed(":path", "/x")
            .fixed("user-agent", "test")
            .build();

    /** An exchange that says how it went. */
    static class Exchange extends Http2Stream {
        final List<Integer> pieces = new ArrayList<>();
        int status;
        String trailers = "";
        int ends;
        int refusals;

        @Nullable
        String failure;

        int headsSent;
        ArrayDeque<byte[]> more = new ArrayDeque<>();

        @Override
        protected void head(Fields fields) {
            status = fields.status();
        }

        @Override
        protected void data(ByteBuf in, int from, int count) {
            pieces.add(count);
        }

        @Override
        protected void trailers(Fields fields) {
            trailers = fields.text().strip();
        }

        @Override
        protected void ended(@Nullable Failure why) {
            ends++;
            failure = why == null ? null : why.kind();
        }

        String outcome() {
            if (refusals > 0) {
                return "refused";
            }
            return ends == 0
                    ? "under way"
                    : failure != null
                            ? failure
                            : "ok " + status + " " + bodyBytes() + (trailers.isEmpty() ? "" : " " + trailers);
        }
    }

    final Http2Connection connection;
    final List<Exchange> exchanges = new ArrayList<>();
    private final ByteBuf out = Unpooled.buffer();
    private int flushed;
    private boolean over;

    Talk() {
        this(1);
    }

    Talk(long firstStream) {
        connection = new Http2Connection(this, firstStream);
        connection.greet();
        out.clear();
    }

    Exchange open() {
        return open(NO_BODY);
    }

    Exchange open(byte[] body) {
        Exchange exchange = new Exchange();
        exchanges.add(exchange);
        begin(exchange, body);
        return exchange;
    }

    /** Begins an exchange with one that has ended, or a new one. */
    void begin(Exchange exchange, byte[] body) {
        exchange.begin(GET, body, true, false);
        connection.open(exchange, GET);
    }

    /** Gives the connection what a server sends, in pieces of at most so many bytes. */
    void server(byte[] sent, int piece) {
        for (int at = 0; at < sent.length; at += piece) {
            ByteBuf in = Unpooled.wrappedBuffer(sent, at, Math.min(piece, sent.length - at));
            connection.received(in);
        }
    }

    void server(Frames frames) {
        server(frames.toBytes(), Integer.MAX_VALUE);
    }

    /** Says what has become of the connection: with the code of the last GOAWAY if it broke. */
    String state() {
        String sent = sent();
        int at = sent.lastIndexOf("GOAWAY ");
        if (at >= 0) {
            return "broken: " + sent.substring(at + 7).split("[ ,]")[0];
        }
        return over ? "over" : connection.isUsable() ? "open" : "draining";
    }

    /** Lists the frames that were written and not yet asked for by {@link #taken}. */
    String sent() {
        List<String> frames = new ArrayList<>();
        ByteBuf in = out.duplicate();
        while (in.readableBytes() >= 9) {
            int length = in.readUnsignedMedium();
            int type = in.readByte();
            int flags = in.readByte();
            int stream = in.readInt();
            ByteBuf payload = in.readSlice(length);
            frames.add(
                    switch (type) {
                        case Frames.DATA -> "DATA " + stream + " " + length + (flags == 1 ? " end" : "");
                        case Frames.HEADERS -> "HEADERS " + stream + (flags == 5 ? " end" : "");
                        case Frames.RST_STREAM -> "RST_STREAM " + stream + " " + ErrorCode.name(payload.readInt());
                        case Frames.SETTINGS -> "SETTINGS" + (flags == 1 ? " ack" : "");
                        case Frames.PING -> "PING" + (flags == 1 ? " ack " : " ") + payload.readLong();
                        case Frames.GOAWAY -> "GOAWAY " + ErrorCode.name(payload.getInt(4));
                        case Frames.WINDOW_UPDATE -> "WINDOW_UPDATE " + stream + " " + payload.readInt();
                        default -> "frame " + type;
                    });
        }
        return String.join(", ", frames);
    }

    /** Returns whether all that was written leaves, without waiting for anything else. */
    boolean allLeaves() {
        return out.writerIndex() == flushed;
    }

    /** Lists the frames that were written, and takes them from the buffer. */
    String taken() {
        String sent = sent();
        out.clear();
        connection.socketFull(false);
        return sent;
    }

    @Override
    public ByteBuf out() {
        return out;
    }

    @Override
    public void flush() {
        flushed = out.writerIndex();
    }

    @Override
    public void written(Http2Stream stream) {}

    @Override
    public void changed() {}

    @Override
    public void refused(Http2Stream stream) {
        ((Exchange) stream).refusals++;
    }

    @Override
    public void ended(Http2Stream stream, @Nullable Failure failure) {
        stream.ended(failure);
    }

    @Override
    public void over() {
        over = true;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
