import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Sends back what it gets, on one thread: the service of {@code echo.yml}. Run it as it stands: {@code java
 * EchoServer.java 7007}.
 */
public final class EchoServer {

    private static final int BACKLOG = 4096;
    private static final int BUFFER_BYTES = 64 << 10;

    private EchoServer() {}

    /** @param arguments the port on the loopback address, and optionally another address */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            System.err.println("Usage: java EchoServer.java PORT [ADDRESS]");
            System.exit(2);
        }
        InetAddress address =
                arguments.length > 1 ? InetAddress.getByName(arguments[1]) : InetAddress.getLoopbackAddress();
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(address, Integer.parseInt(arguments[0])), BACKLOG);
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (true) {
            selector.select(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept(selector, listener);
                    } else {
                        echo(key, buffer);
                    }
                } catch (IOException gone) {
                    close(key);
                }
            });
        }
    }

    private static void accept(Selector selector, ServerSocketChannel listener) throws IOException {
        for (SocketChannel made = listener.accept(); made != null; made = listener.accept()) {
            made.setOption(StandardSocketOptions.TCP_NODELAY, true);
            made.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    /** Echoes what there is; what the socket does not take waits with its key, and nothing is read meanwhile. */
    private static void echo(SelectionKey key, ByteBuffer buffer) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer left = (ByteBuffer) key.attachment();
        if (left == null) {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                close(key);
                return;
            }
            left = buffer.flip();
        }
        channel.write(left);
        if (!left.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
        } else if (left == buffer) {
            key.attach(ByteBuffer.allocate(left.remaining()).put(left).flip());
            key.interestOps(SelectionKey.OP_WRITE);
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            key.cancel();
        }
    }
}
