package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Writes the frames of one connection into its owner's buffer. Confined to its connection. */
final class FrameWriter {

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int NO_PUSHES = 2;
    private static final int INITIAL_WINDOW = 4;
    private static final int MAX_HEADERS = 6;

    private final Http2Connection.Owner owner;
    private final HeaderWriter fields = new HeaderWriter();

    FrameWriter(Http2Connection.Owner owner) {
        this.owner = owner;
    }

    /** Begins the connection: says what this side takes. */
    void greet() {
        ByteBuf out = owner.out();
        out.writeBytes(PREFACE);
        Frame.begin(out, 3 * 6, Frame.SETTINGS, 0, 0);
        out.writeShort(NO_PUSHES).writeInt(0);
        out.writeShort(INITIAL_WINDOW).writeInt(Http2Connection.WINDOW_BYTES);
        out.writeShort(MAX_HEADERS).writeInt(HeaderReader.MAX_LIST_BYTES);
    }

    /** Takes what the peer says of the size of its table of header fields. */
    void peerTable(long size) {
        fields.peerTable(size);
    }

    /** Writes the head of a request, in as many frames as it takes. */
    void headers(RequestHead head, int id, boolean ends) {
        ByteBuf out = owner.out();
        int at = out.writerIndex();
        out.ensureWritable(Frame.HEADER_BYTES);
        out.writerIndex(at + Frame.HEADER_BYTES);
        int from = at + Frame.HEADER_BYTES;
        fields.write(head, out);
        int length = out.writerIndex() - from;
        int flags = ends ? Frame.END_STREAM : 0;
        if (length <= Frame.MAX_BYTES) {
            out.setInt(at, length << 8 | Frame.HEADERS)
                    .setByte(at + 4, flags | Frame.END_HEADERS)
                    .setInt(at + 5, id);
            return;
        }
        byte[] whole = new byte[length];
        out.getBytes(from, whole).writerIndex(at);
        for (int done = 0; done < length; ) {
            int count = Math.min(Frame.MAX_BYTES, length - done);
            boolean last = done + count == length;
            Frame.begin(
                    out,
                    count,
                    done == 0 ? Frame.HEADERS : Frame.CONTINUATION,
                    (done == 0 ? flags : 0) | (last ? Frame.END_HEADERS : 0),
                    id);
            out.writeBytes(whole, done, count);
            done += count;
        }
    }

    void data(int id, byte[] bytes, int from, int count, boolean ends) {
        ByteBuf out = owner.out();
        Frame.begin(out, count, Frame.DATA, ends ? Frame.END_STREAM : 0, id);
        out.writeBytes(bytes, from, count);
    }

    void reset(int id, int code) {
        number(Frame.RST_STREAM, id, code);
    }

    void windowUpdate(int id, int bytes) {
        number(Frame.WINDOW_UPDATE, id, bytes);
    }

    private void number(int type, int id, int number) {
        ByteBuf out = owner.out();
        Frame.begin(out, Integer.BYTES, type, 0, id);
        out.writeInt(number);
    }

    void acknowledgeSettings() {
        Frame.begin(owner.out(), 0, Frame.SETTINGS, Frame.ACK, 0);
    }

    void acknowledgePing(long content) {
        ByteBuf out = owner.out();
        Frame.begin(out, Long.BYTES, Frame.PING, Frame.ACK, 0);
        out.writeLong(content);
    }

    /** Says goodbye to a peer that has not kept to the rules. */
    void goAway(int code) {
        ByteBuf out = owner.out();
        Frame.begin(out, 2 * Integer.BYTES, Frame.GOAWAY, 0, 0);
        out.writeInt(0).writeInt(code);
    }
}
