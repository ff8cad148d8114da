package org.diperf.plugins.nws;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.StandIn;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * The other end of probes: answers each connection on a thread of its own, and refuses more than some at once. Only one probes at a
 * time: whoever asked first has the turn until its probe ends, its connection does, or nothing of it comes for as long as NWS waits.
 * Thread-safe.
 */
final class Sensor implements StandIn {

    private static final int MAX_AT_ONCE = 64;
    /** NWS's time-out of a probe. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int READ_BYTES = 256 << 10;

    private final ServerSocketChannel listening;
    private final InetSocketAddress address;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final Semaphore turn = new Semaphore(1, true);
    private final NanoClock clock;
    private final ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "diperf-nws-sensor-watch");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable SocketChannel probing;
    private volatile long heardNanos;

    /**
     * Starts one.
     *
     * @param listen where; port 0 means any free one
     * @throws IOException when the port cannot be had
     */
    Sensor(InetSocketAddress listen) throws IOException {
        this(listen, PATIENCE, NanoClock.SYSTEM);
    }

    /** @param patience after which a probe of which nothing comes loses its turn */
    Sensor(InetSocketAddress listen, Duration patience, NanoClock clock) throws IOException {
        this.clock = clock;
        listening = ServerSocketChannel.open();
        try {
            listening.bind(listen);
            address = (InetSocketAddress) listening.getLocalAddress();
        } catch (IOException e) {
            listening.close();
            throw e;
        }
        start("diperf-nws-sensor", this::acceptAll);
        long every = Math.max(1, patience.toNanos() / 4);
        watch.scheduleAtFixedRate(() -> endSilent(patience.toNanos()), every, every, TimeUnit.NANOSECONDS);
    }

    /** Ends the probe that has the turn if nothing came of it. */
    private void endSilent(long patienceNanos) {
        SocketChannel holder = probing;
        if (holder != null && clock.nanoTime() - heardNanos > patienceNanos) {
            try {
                holder.close();
            } catch (IOException e) {
                // it is closed
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // the sensor, or whoever probes it
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll() throws IOException {
        while (true) {
            SocketChannel accepted = listening.accept();
            if (open.size() >= MAX_AT_ONCE) {
                accepted.close();
                continue;
            }
            open.add(accepted);
            start("diperf-nws-sensor-probe", () -> {
                try (accepted) {
                    answer(accepted);
                } finally {
                    open.remove(accepted);
                }
            });
        }
    }

    private void answer(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer greeting = ByteBuffer.allocate(Probe.GREETING_BYTES);
        if (!fill(channel, greeting)) {
            return;
        }
        greeting.flip();
        int magic = greeting.getInt();
        long size = greeting.getLong();
        int buffer = greeting.getInt();
        if (magic != Probe.MAGIC
                || size < 1
                || size > Settings.MAX_SIZE
                || buffer < 1
                || buffer > Settings.MAX_BUFFER) {
            return;
        }
        channel.setOption(StandardSocketOptions.SO_RCVBUF, buffer);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, buffer);
        turn.acquireUninterruptibly();
        try {
            heardNanos = clock.nanoTime();
            probing = channel;
            probe(channel, size);
        } finally {
            probing = null;
            turn.release();
        }
        // The client closes; so no port of this side has to wait.
        fill(channel, ByteBuffer.allocate(1));
    }

    private void probe(SocketChannel channel, long size) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        channel.write(one);
        if (!fill(channel, one.clear())) {
            return;
        }
        channel.write(one.flip());
        heardNanos = clock.nanoTime();
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) Math.min(READ_BYTES, size));
        for (long left = size; left > 0; ) {
            bytes.clear().limit((int) Math.min(bytes.capacity(), left));
            int count = channel.read(bytes);
            if (count < 0) {
                return;
            }
            left -= count;
            heardNanos = clock.nanoTime();
        }
        channel.write(one.clear());
    }

    private static boolean fill(SocketChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Url target() {
        String host = address.getAddress().getHostAddress();
        return Url.of("nws://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
    }

    @Override
    public void close() {
        watch.shutdownNow();
        try {
            listening.close();
            for (SocketChannel each : open) {
                each.close();
            }
        } catch (IOException e) {
            // it is closed
        }
    }
}
