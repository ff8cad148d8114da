package org.diperf.plugins.lib.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.StandIn;
import org.diperf.plugins.lib.netty.LoopbackServer;

/** Answers every request of HTTP/2 with the same frames and reads none of them. Confined to its {@link LoopbackServer}. */
public final class Http2StandIn implements LoopbackServer.Conversation {

    private static final int PREFACE_BYTES = 24;
    private static final int HEADER_BYTES = 9;
    private static final int LARGE_WINDOW = 0x3fff_ffff;

    private final byte[] head;
    private final byte[] body;
    private final byte[] trailers;
    private int toSkip = PREFACE_BYTES;
    private boolean greeted;

    private Http2StandIn(byte[] head, byte[] body, byte[] trailers) {
        this.head = head;
        this.body = body;
        this.trailers = trailers;
    }

    /** Starts a server that answers with a few bytes of text. */
    public static StandIn start() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x88); // :status 200
        literal(head, 31, "text/plain");
        literal(head, 28, "6");
        byte[] text = "hello\n".getBytes(StandardCharsets.US_ASCII);
        return LoopbackServer.start("http", "/", () -> new Http2StandIn(head.toByteArray(), text, new byte[0]));
    }

    /**
     * Starts a server that answers as a service of gRPC does: with a message of no bytes, which is one of any type, and OK.
     *
     * @param path of its target
     */
    public static StandIn startGrpc(String path) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x88); // :status 200
        literal(head, 31, "application/grpc");
        ByteArrayOutputStream trailers = new ByteArrayOutputStream();
        trailers.write(0);
        text(trailers, "grpc-status");
        text(trailers, "0");
        return LoopbackServer.start(
                "grpc", path, () -> new Http2StandIn(head.toByteArray(), new byte[5], trailers.toByteArray()));
    }

    /** Writes a field that stays out of the table, by the place of its name in the static one. */
    private static void literal(ByteArrayOutputStream block, int name, String value) {
        block.write(0xf);
        block.write(name - 0xf);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public boolean take(ByteBuffer in, ByteArrayOutputStream out) {
        while (in.hasRemaining()) {
            if (toSkip > 0) {
                int skipped = Math.min(toSkip, in.remaining());
                in.position(in.position() + skipped);
                toSkip -= skipped;
            } else if (in.remaining() < HEADER_BYTES) {
                break;
            } else {
                frame(in, out);
            }
        }
        return true;
    }

    private void frame(ByteBuffer in, ByteArrayOutputStream out) {
        int at = in.position();
        int length = in.getInt(at) >>> 8;
        int type = in.get(at + 3);
        int flags = in.get(at + 4);
        int stream = in.getInt(at + 5);
        in.position(at + HEADER_BYTES);
        toSkip = length;
        if (!greeted) {
            greeted = true;
            frame(out, 4, 0, 0, bytes(ByteBuffer.allocate(6).putShort((short) 4).putInt(LARGE_WINDOW)));
            frame(out, 8, 0, 0, bytes(ByteBuffer.allocate(4).putInt(LARGE_WINDOW)));
        }
        boolean ends = (flags & 1) != 0;
        if (type == 4 && !ends) {
            frame(out, 4, 1, 0, new byte[0]);
        } else if (type <= 1 && ends) {
            frame(out, 1, 4, stream, head);
            frame(out, 0, trailers.length == 0 ? 1 : 0, stream, body);
            if (trailers.length > 0) {
                frame(out, 1, 5, stream, trailers);
            }
        }
    }

    private static byte[] bytes(ByteBuffer filled) {
        return filled.array();
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.writeBytes(bytes(ByteBuffer.allocate(HEADER_BYTES)
                .putShort((short) (payload.length >>> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)));
        out.writeBytes(payload);
    }
}
