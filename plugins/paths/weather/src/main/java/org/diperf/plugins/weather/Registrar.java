package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;

/**
 * Registers a host's objects with a name server, each at once and again with each beat, so that those of a host that has gone expire, and a
 * name server that was started anew knows all again after a beat. Its thread waits where the name server does not answer; nothing else does.
 */
final class Registrar implements AutoCloseable {

    static final Duration BEAT = Duration.ofSeconds(60);
    private static final int BEATS = 3;
    private static final long AGAIN_MILLIS = 2000;
    private static final int MAX_OBJECTS = 5000;

    private final InetSocketAddress nameServer;
    private final Map<String, Attributes> objects = new LinkedHashMap<>();
    private final List<Attributes> fresh = new ArrayList<>();
    private final Thread thread;

    Registrar(InetSocketAddress nameServer) {
        this.nameServer = nameServer;
        thread = Host.start("diperf-nws-registrar", this::beat);
    }

    /** Registers an object from now on; one of the same name no more. */
    synchronized void add(Attributes object) {
        if (!object.equals(objects.put(object.name(), object))) {
            fresh.add(object);
            if (objects.size() > MAX_OBJECTS) {
                objects.remove(objects.keySet().iterator().next());
            }
            notifyAll();
        }
    }

    /** Registers an object no more; it expires. */
    synchronized void remove(String name) {
        objects.remove(name);
    }

    static void register(InetSocketAddress nameServer, Attributes object, Duration lasts) throws IOException {
        byte[] text = object.text().getBytes(StandardCharsets.ISO_8859_1);
        byte[] data = ByteBuffer.allocate(text.length + Integer.BYTES)
                .put(text)
                .putInt((int) lasts.toSeconds())
                .array();
        Message answer = Link.ask(nameServer, new Message(Message.NS_REGISTER, data), Host.PATIENCE);
        if (answer.type() != Message.NS_REGISTERED) {
            throw new IOException("expected the name server to take '" + object.name() + "', got a refusal");
        }
    }

    private void beat() {
        try {
            long last = NanoClock.SYSTEM.nanoTime();
            while (true) {
                List<Attributes> due = due(last);
                if (due.isEmpty()) {
                    last = NanoClock.SYSTEM.nanoTime();
                    synchronized (this) {
                        due = List.copyOf(objects.values());
                    }
                }
                if (!areRegistered(due)) {
                    synchronized (this) {
                        fresh.removeAll(due);
                        fresh.addAll(due);
                        wait(AGAIN_MILLIS);
                    }
                }
            }
        } catch (InterruptedException e) {
            // it is closed
        }
    }

    /** Waits for objects that are to be registered at once; empty: it is time for all. */
    private synchronized List<Attributes> due(long lastNanos) throws InterruptedException {
        long left = BEAT.toNanos();
        while (fresh.isEmpty() && left > 0) {
            wait(left / 1_000_000 + 1);
            left = BEAT.toNanos() - (NanoClock.SYSTEM.nanoTime() - lastNanos);
        }
        List<Attributes> due = List.copyOf(fresh);
        fresh.clear();
        return due;
    }

    private boolean areRegistered(List<Attributes> due) {
        try {
            for (Attributes each : due) {
                register(nameServer, each, BEAT.multipliedBy(BEATS));
            }
            return true;
        } catch (IOException e) {
            // It is not there yet, or away.
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
