package org.diperf.plugins.http;

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
import java.util.Locale;
import org.diperf.core.spi.StandIn;
import org.jspecify.annotations.Nullable;

/**
 * Answers every request with the same few bytes, on a thread and a selector of its own: what the JVM learns of this code
 * shall not mix with what it learns of the clients' loops. Everything but {@link #close} is confined to the thread.
 */
final class HttpStandIn implements StandIn, Runnable {

    private static final byte[] HEAD = ("HTTP/1.1 200 OK\r\nServer: diperf\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 6\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BODY = "hello\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "\r\ncontent-length:";
    private static final long JOIN_MILLIS = 500;

    private final ServerSocketChannel server;
    private final Selector selector;
    private final URI target;
    private final Thread thread = new Thread(this, "diperf-stand-in");
    private final ByteBuffer input = ByteBuffer.allocateDirect(1 << 16);
    private volatile boolean closed;

    /** What is known of one connection's request. */
    private static final class Request {
        private final StringBuilder head = new StringBuilder();
        private long bodyLeft;
    }

    private HttpStandIn() throws IOException {
        selector = Selector.open();
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        target = URI.create("http://127.0.0.1:" + server.socket().getLocalPort() + "/");
    }

    static HttpStandIn start() throws IOException {
        HttpStandIn made = new HttpStandIn();
        made.thread.setDaemon(true);
        made.thread.start();
        return made;
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
                accepted.register(selector, SelectionKey.OP_READ, new Request());
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
        input.clear();
        if (connection.read(input) < 0 || !(attached instanceof Request request)) {
            connection.close();
            return;
        }
        input.flip();
        while (input.hasRemaining()) {
            if (request.bodyLeft > 0) {
                int skipped = (int) Math.min(request.bodyLeft, input.remaining());
                input.position(input.position() + skipped);
                request.bodyLeft -= skipped;
                continue;
            }
            request.head.append((char) input.get());
            if (endsHead(request.head)) {
                request.bodyLeft = bodyLength(request.head);
                answer(connection, request.head.indexOf("HEAD ") == 0);
                request.head.setLength(0);
            }
        }
    }

    private static boolean endsHead(StringBuilder head) {
        int n = head.length();
        return n >= 4
                && head.charAt(n - 1) == '\n'
                && head.charAt(n - 2) == '\r'
                && head.charAt(n - 3) == '\n'
                && head.charAt(n - 4) == '\r';
    }

    private static long bodyLength(StringBuilder head) {
        String text = head.toString().toLowerCase(Locale.ROOT);
        int at = text.indexOf(LENGTH);
        if (at < 0) {
            return 0;
        }
        String value = text.substring(at + LENGTH.length(), text.indexOf("\r\n", at + 2))
                .strip();
        return Long.parseLong(value);
    }

    /** A few bytes for one call at a time always fit into the socket's buffer. */
    private static void answer(SocketChannel connection, boolean headOnly) throws IOException {
        ByteBuffer response = ByteBuffer.allocate(HEAD.length + BODY.length).put(HEAD);
        if (!headOnly) {
            response.put(BODY);
        }
        connection.write(response.flip());
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
