package org.diperf.controller.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Sends back what it is sent (RFC 862), to many thousand connections in one thread. Argument: {@code PORT}. */
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
        while (true) {
            selector.select(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept(listening, selector);
                    } else {
                        echo((SocketChannel) key.channel(), bytes);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
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
