package org.diperf.plugins.iperf;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;

/** A way to a server over which connections go untouched, and a known set of the datagrams to the server is lost. */
final class Way implements AutoCloseable {

    private static final int MAX_BYTES = 65_536;
    private static final int HELLO_BYTES = 4;

    private final InetSocketAddress server;
    private final LongPredicate lost;
    private final long lateMillis;
    private final ServerSocket listening;
    private final DatagramSocket here;
    private final Map<SocketAddress, DatagramSocket> there = new ConcurrentHashMap<>();
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final AtomicLong datagrams = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** @param lost whether the datagram of this number, from 1, is lost; greetings are not counted */
    Way(InetSocketAddress server, LongPredicate lost) throws IOException {
        this(server, lost, 0);
    }

    /** @param lateMillis by which what the server says on the first connection comes after all else */
    Way(InetSocketAddress server, LongPredicate lost, long lateMillis) throws IOException {
        this.server = server;
        this.lost = lost;
        this.lateMillis = lateMillis;
        int port = FreePorts.take();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        listening = new ServerSocket(port, 50, loopback);
        here = new DatagramSocket(new InetSocketAddress(loopback, port));
        here.setReceiveBufferSize(1 << 20);
        start(this::acceptAll);
        start(this::forwardAll);
    }

    Url uri() {
        return Url.of("iperf://127.0.0.1:" + listening.getLocalPort());
    }

    long dropped() {
        return dropped.get();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException closed) {
                // the way is closed, or one of its ends
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() throws IOException {
        for (int number = 0; ; number++) {
            long late = number == 0 ? lateMillis : 0;
            Socket from = listening.accept();
            Socket to = new Socket(server.getAddress(), server.getPort());
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            open.add(from);
            open.add(to);
            start(() -> copy(from, to, 0));
            start(() -> copy(to, from, late));
        }
    }

    private static void copy(Socket from, Socket to, long lateMillis) throws IOException {
        byte[] buffer = new byte[MAX_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(lateMillis));
                out.write(buffer, 0, count);
            }
        } catch (SocketException closed) {
            from.close();
            to.close();
        }
    }

    private void forwardAll() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[MAX_BYTES], MAX_BYTES);
        while (true) {
            packet.setLength(MAX_BYTES);
            here.receive(packet);
            DatagramSocket onward = there.computeIfAbsent(packet.getSocketAddress(), this::onward);
            if (packet.getLength() > HELLO_BYTES && lost.test(datagrams.incrementAndGet())) {
                dropped.incrementAndGet();
            } else {
                onward.send(new DatagramPacket(packet.getData(), packet.getLength(), server));
            }
        }
    }

    private DatagramSocket onward(SocketAddress client) {
        try {
            DatagramSocket made = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            open.add(made);
            start(() -> {
                DatagramPacket back = new DatagramPacket(new byte[MAX_BYTES], MAX_BYTES);
                while (true) {
                    back.setLength(MAX_BYTES);
                    made.receive(back);
                    here.send(new DatagramPacket(back.getData(), back.getLength(), client));
                }
            });
            return made;
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        here.close();
        for (Closeable each : open) {
            each.close();
        }
    }
}
