package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wide area between two sockets of this machine, for UDP and TCP at one port number: each way has its delay, its jitter
 * and, for datagrams, its loss. Bytes of a connection stay in order; datagrams may overtake each other.
 */
final class DelayRelay implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    /**
     * One way.
     *
     * @param delayNanos that all take at least
     * @param jitterNanos mean of what comes on top, exponentially distributed
     * @param loss share of the datagrams that do not arrive
     */
    record Way(long delayNanos, double jitterNanos, double loss) {

        static Way ofMillis(double delay, double jitter, double loss) {
            return new Way((long) (delay * 1e6), jitter * 1e6, loss);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private record Due(long dueNanos, long number, Work work) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            Due due = (Due) other;
            int byTime = Long.compare(dueNanos - due.dueNanos, 0);
            return byTime != 0 ? byTime : Long.compare(number, due.number);
        }
    }

    private final InetSocketAddress to;
    private final Way there;
    private final Way back;
    private final Random random;
    private final DelayQueue<Due> queue = new DelayQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final List<AutoCloseable> sockets = new CopyOnWriteArrayList<>();
    private final Map<SocketAddress, DatagramSocket> askers = new ConcurrentHashMap<>();
    private final DatagramSocket datagrams;

    /** Opens UDP and TCP at the address and carries to the other. */
    DelayRelay(InetSocketAddress listen, InetSocketAddress to, Way there, Way back, long seed) throws IOException {
        this.to = to;
        this.there = there;
        this.back = back;
        this.random = new Random(seed);
        this.datagrams = new DatagramSocket(listen);
        sockets.add(datagrams);
        ServerSocket server = new ServerSocket();
        sockets.add(server);
        server.bind(listen);
        daemon("relay-clock", this::deliver);
        daemon("relay-udp", this::carryDatagrams);
        daemon("relay-tcp", () -> {
            while (true) {
                connect(server.accept());
            }
        });
    }

    private static void daemon(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // the test is over, or one of the two has gone
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void deliver() {
        try {
            while (true) {
                try {
                    queue.take().work.run();
                } catch (IOException gone) {
                    // that one is not delivered
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void later(long dueNanos, Work work) {
        queue.add(new Due(dueNanos, numbers.incrementAndGet(), work));
    }

    private synchronized long dueNanos(Way way) {
        return System.nanoTime() + way.delayNanos + (long) (-Math.log(1 - random.nextDouble()) * way.jitterNanos);
    }

    private synchronized boolean isLost(Way way) {
        return random.nextDouble() < way.loss;
    }

    private void carryDatagrams() throws IOException {
        while (true) {
            DatagramPacket packet = receive(datagrams);
            DatagramSocket upstream = askers.get(packet.getSocketAddress());
            if (upstream == null) {
                upstream = upstream(packet.getSocketAddress());
            }
            DatagramSocket sender = upstream;
            if (!isLost(there)) {
                later(dueNanos(there), () -> sender.send(new DatagramPacket(packet.getData(), packet.getLength(), to)));
            }
        }
    }

    private DatagramSocket upstream(SocketAddress asker) throws IOException {
        DatagramSocket made = new DatagramSocket();
        sockets.add(made);
        askers.put(asker, made);
        daemon("relay-udp-back", () -> {
            while (true) {
                DatagramPacket packet = receive(made);
                if (!isLost(back)) {
                    later(
                            dueNanos(back),
                            () -> datagrams.send(new DatagramPacket(packet.getData(), packet.getLength(), asker)));
                }
            }
        });
        return made;
    }

    private static DatagramPacket receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2_048], 2_048);
        socket.receive(packet);
        return packet;
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket(to.getAddress(), to.getPort());
        sockets.add(near);
        sockets.add(far);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        daemon("relay-tcp-there", () -> carry(near, far, there));
        daemon("relay-tcp-back", () -> carry(far, near, back));
    }

    private void carry(Socket from, Socket into, Way way) throws IOException {
        InputStream in = from.getInputStream();
        byte[] buffer = new byte[BUFFER];
        long last = System.nanoTime();
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            byte[] bytes = Arrays.copyOf(buffer, count);
            long due = dueNanos(way);
            last = due - last > 0 ? due : last;
            later(last, () -> into.getOutputStream().write(bytes));
        }
        later(last, into::close);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable socket : sockets) {
            socket.close();
        }
    }
}
