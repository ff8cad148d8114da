package org.diperf.plugins.lib.netty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * A TCP server on the loopback that answers the calls of a rehearsal, on a thread and a selector of its own: what the JVM learns of this code
 * shall not mix with what it learns of the clients' loops. Everything but {@link #close} is confined to the thread.
 */
public final class LoopbackServer implements StandIn, Runnable {

    /** The server's side of one connection. */
    public interface Conversation {

        /**
         * Takes what has come; what is left in the buffer is offered again with more behind it.
         *
         * @param out takes what to send: a few bytes for one call at a time, which always fit into the socket's buffer
         * @return whether to go on; else the connection is closed
         */
        boolean take(ByteBuffer in, ByteArrayOutputStream out) throws IOException;
    }

    private static final class Peer {
        private final Conversation conversation;
        private ByteBuffer input = ByteBuffer.allocate(MIN_INPUT_BYTES);

        Peer(Conversation conversation) {
            this.conversation = conversation;
        }
    }

    private static final int MIN_INPUT_BYTES = 16 << 10;
    private static final int MAX_INPUT_BYTES = 16 << 20;
    private static final long JOIN_MILLIS = 500;

    private final ServerSocketChannel server = ServerSocketChannel.open();
    private final Selector selector = Selector.open();
    private final Supplier<Conversation> conversations;
    private final Url target;
    private final Thread thread = new Thread(this, "diperf-stand-in");
    private volatile boolean closed;

    private LoopbackServer(String scheme, String path, Supplier<Conversation> conversations) throws IOException {
        this.conversations = conversations;
        server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        target = Url.of(scheme + "://127.0.0.1:" + server.socket().getLocalPort() + path);
    }

    /**
     * Starts one.
     *
     * @param scheme of its target
     * @param path of its target, with the query, such as {@code /}
     * @param conversations makes the server's side of each connection, on the server's thread
     */
    public static LoopbackServer start(String scheme, String path, Supplier<Conversation> conversations)
            throws IOException {
        LoopbackServer made = new LoopbackServer(scheme, path, conversations);
        made.thread.setDaemon(true);
        made.thread.start();
        return made;
    }

    @Override
    public Url target() {
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
                accepted.register(selector, SelectionKey.OP_READ, new Peer(conversations.get()));
            }
        } else if (key.isValid() && key.channel() instanceof SocketChannel connection) {
            try {
                if (!read(connection, key.attachment())) {
                    connection.close();
                }
            } catch (IOException | RuntimeException e) {
                connection.close();
            }
        }
    }

    private static boolean read(SocketChannel connection, @Nullable Object attached) throws IOException {
        if (!(attached instanceof Peer peer) || connection.read(peer.input) < 0) {
            return false;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean goesOn = peer.conversation.take(peer.input.flip(), out);
        peer.input.compact();
        if (!peer.input.hasRemaining()) {
            peer.input = ByteBuffer.allocate(2 * peer.input.capacity()).put(peer.input.flip());
        }
        connection.write(ByteBuffer.wrap(out.toByteArray()));
        return goesOn && peer.input.capacity() <= MAX_INPUT_BYTES;
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
