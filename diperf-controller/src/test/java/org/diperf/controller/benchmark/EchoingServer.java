package org.diperf.controller.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Sends back what it is sent (RFC 862), to many thousand connections in one thread. Arguments: {@code PORT [FILE]}; the
 * first eight bytes of the file, in the machine's order, are the count of reads that were answered so far.
 */
public final class EchoingServer {

    private EchoingServer() {}

    /** Serves until it is terminated. */
    public static void main(String[] arguments) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 16_384);
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer bytes = ByteBuffer.allocateDirect(16 << 10);
        LongBuffer answered = counter(arguments);
        while (true) {
            selector.select(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept(listening, selector);
                    } else {
                        echo((SocketChannel) key.channel(), bytes);
                        answered.put(0, answered.get(0) + 1);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static LongBuffer counter(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            return LongBuffer.allocate(1);
        }
        try (FileChannel file = FileChannel.open(
                Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        }
    }

    private static void accept(ServerSocketChannel listening, Selector selector) throws IOException {
        for (SocketChannel channel = listening.accept(); channel != null; channel = listening.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    private static void echo(SocketChannel channel, ByteBuffer bytes) throws IOException {
        try {
            if (channel.read(bytes.clear()) < 0) {
                channel.close();
            } else {
                channel.write(bytes.flip());
            }
        } catch (IOException reset) {
            channel.close();
        }
    }
}
