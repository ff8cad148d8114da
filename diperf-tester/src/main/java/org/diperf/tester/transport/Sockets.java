package org.diperf.tester.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.FastThreadLocalThread;

/** Chooses the transport of the wire: epoll where it loads, NIO elsewhere. */
public final class Sockets {

    static {
        // Netty tells the JDK's flight recorder of its buffers; its classes alone take a tenth of a second to load.
        byDefault("io.netty.jfr.enabled", "false");
        // It looks for leaks in one of 128 buffers, by their stacks: 2.4 % of a tester's time over TLS.
        byDefault("io.netty.leakDetection.level", "disabled");
    }

    private static void byDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private Sockets() {}

    /** Makes a group of one event loop whose daemon thread has this name. */
    public static EventLoopGroup oneLoop(String threadName) {
        return new MultiThreadIoEventLoopGroup(
                1,
                (Runnable work) -> {
                    Thread thread = new FastThreadLocalThread(work, threadName);
                    thread.setDaemon(true);
                    return thread;
                },
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** Returns the code that speaks TLS: native where it loads, the JDK's elsewhere. */
    public static SslProvider tls() {
        return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
    }

    /** Returns the kind of sockets that connect. */
    public static Class<? extends SocketChannel> connecting() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** Returns the kind of sockets for datagrams. */
    public static Class<? extends DatagramChannel> datagrams() {
        return Epoll.isAvailable() ? EpollDatagramChannel.class : NioDatagramChannel.class;
    }

    /** Returns the kind of sockets that listen. */
    public static Class<? extends ServerSocketChannel> listening() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}
