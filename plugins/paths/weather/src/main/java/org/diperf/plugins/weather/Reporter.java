package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends measurements to a memory, and registers their series. Whoever measures never waits: what the memory does not take in time stays in a
 * queue; what does not fit there is dropped, and said.
 */
final class Reporter implements AutoCloseable {

    private static final int QUEUE = 10_000;
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final InetSocketAddress memory;
    private final String memoryName;
    private final Registrar registrar;
    private final BlockingQueue<Stored> queue = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicBoolean dropped = new AtomicBoolean();
    private final Consumer<String> tell;
    private final Thread thread;
    private @Nullable Link link;

    private record Stored(Series series, double unixSeconds, double value) {}

    /** @param tell is told once that values are dropped, on any thread */
    Reporter(InetSocketAddress memory, Registrar registrar, Consumer<String> tell) {
        this.memory = memory;
        this.registrar = registrar;
        this.tell = tell;
        memoryName = memory.getHostString() + ":" + memory.getPort();
        thread = Host.start("diperf-nws-reporter", this::send);
    }

    void store(Series series, double unixSeconds, double value) {
        if (!queue.offer(new Stored(series, unixSeconds, value))) {
            drop();
        }
    }

    private void drop() {
        if (!dropped.getAndSet(true)) {
            tell.accept("memory " + memoryName + " does not take all values: from now on some are dropped");
        }
    }

    private void send() {
        try {
            while (true) {
                Stored next = queue.take();
                while (!isStored(next) && !Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(AGAIN_NANOS);
                }
            }
        } catch (InterruptedException e) {
            // it is closed
        }
    }

    private boolean isStored(Stored next) {
        try {
            byte[] data = State.write(
                    next.series().name(), next.unixSeconds(), List.of(State.record(next.unixSeconds(), next.value())));
            if (asked(new Message(Message.STORE_STATE, data)) == Message.STATE_STORED) {
                registrar.add(next.series().registered(memoryName));
            } else {
                drop();
            }
            return true;
        } catch (IllegalArgumentException e) {
            // A name that no memory takes, such as a longer one.
            drop();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks over a connection that stays open while values come; returns the type of the answer. */
    private int asked(Message request) throws IOException {
        Link open = link;
        if (open == null) {
            open = Link.to(memory, Host.PATIENCE);
            link = open;
        }
        try {
            open.send(request, Host.PATIENCE);
            return open.receive(Host.PATIENCE, Attributes.MAX_CHARS).type();
        } catch (IOException e) {
            open.close();
            link = null;
            throw e;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
