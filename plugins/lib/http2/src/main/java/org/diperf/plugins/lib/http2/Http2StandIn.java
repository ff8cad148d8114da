package org.diperf.plugins.lib.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.diperf.core.spi.StandIn;
import org.jspecify.annotations.Nullable;

/**
 * Answers every request of HTTP/2 with the same frames and reads none of them, on a thread and a selector of its own: what the JVM learns
 * of this code shall not mix with what it learns of the clients' loops. Everything but {@link #close} is confined to the thread.
 */
public final class Http2StandIn implements StandIn, Runnable {

    private static final int PREFACE_BYTES = 24;
    private static final int HEADER_BYTES = 9;
    private static final int INPUT_BYTES = 64 << 10;
    private static final int LARGE_WINDOW = 0x3fff_ffff;
    private static final long JOIN_MILLIS = 500;

    private final ServerSocketChannel server;
    private final Selector selector;
    private final URI target;
    private final byte[] head;
    private final byte[] body;
    private final byte[] trailers;
    private final Thread thread = new Thread(this, "diperf-stand-in");
    private volatile boolean closed;

    /** What is known of a connection. */
    private static final class Peer {
        private final ByteBuffer input = ByteBuffer.allocate(INPUT_BYTES);
        private int toSkip = PREFACE_BYTES;
        private boolean greeted;
    }

    private Http2StandIn(String scheme, byte[] head, byte[] body, byte[] trailers) throws IOException {
        this.head = head;
        this.body = body;
        this.trailers = trailers;
        selector = Selector.open();
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        target = URI.create(scheme + "://127.0.0.1:" + server.socket().getLocalPort() + "/");
    }

    /** Starts one that answers with a few bytes of text. */
    public static Http2StandIn start() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x88); // :status 200
        literal(head, 31, "text/plain");
        literal(head, 28, "6");
        return start("http", head.toByteArray(), "hello\n".getBytes(StandardCharsets.US_ASCII), new byte[0]);
    }

    /** Starts one that answers as a service of gRPC does: with a message of no bytes, which is one of any type, and OK. */
    public static Http2StandIn startGrpc() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(0x88); // :status 200
        literal(head, 31, "application/grpc");
        ByteArrayOutputStream trailers = new ByteArrayOutputStream();
        trailers.write(0);
        text(trailers, "grpc-status");
        text(trailers, "0");
        return start("grpc", head.toByteArray(), new byte[5], trailers.toByteArray());
    }

    private static Http2StandIn start(String scheme, byte[] head, byte[] body, byte[] trailers) throws IOException {
        Http2StandIn made = new Http2StandIn(scheme, head, body, trailers);
        made.thread.setDaemon(true);
        made.thread.start();
        return made;
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
    public URI target() {
        return target;
    }

    @Override
    public void run() {
        try (selector;
                server) {
            while (!closed) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException e) {
            // Nobody is answered any more; the rehearsal ends by its time.
        }
    }

    private void serve(SelectionKey key) throws IOException {
        if (key.isValid() && key.isAcceptable()) {
            SocketChannel accepted = server.accept();
            if (accepted != null) {
                accepted.configureBlocking(false);
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                accepted.register(selector, SelectionKey.OP_READ, new Peer());
            }
        } else if (key.isValid() && key.channel() instanceof SocketChannel connection) {
            try {
                read(connection, key.attachment());
            } catch (IOException e) {
                connection.close();
            }
        }
    }

    private void read(SocketChannel connection, @Nullable Object attached) throws IOException {
        if (!(attached instanceof Peer peer) || connection.read(peer.input) < 0) {
            connection.close();
            return;
        }
        ByteBuffer in = peer.input.flip();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (in.hasRemaining()) {
            if (peer.toSkip > 0) {
                int skipped = Math.min(peer.toSkip, in.remaining());
                in.position(in.position() + skipped);
                peer.toSkip -= skipped;
            } else if (in.remaining() < HEADER_BYTES) {
                break;
            } else {
                frame(peer, in, out);
            }
        }
        in.compact();
        if (out.size() > 0) {
            // A few bytes for one call at a time always fit into the socket's buffer.
            connection.write(ByteBuffer.wrap(out.toByteArray()));
        }
    }

    private void frame(Peer peer, ByteBuffer in, ByteArrayOutputStream out) {
        int at = in.position();
        int length = in.getInt(at) >>> 8;
        int type = in.get(at + 3);
        int flags = in.get(at + 4);
        int stream = in.getInt(at + 5);
        in.position(at + HEADER_BYTES);
        peer.toSkip = length;
        if (!peer.greeted) {
            peer.greeted = true;
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

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
