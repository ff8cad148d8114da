package org.diperf.plugins.weather;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.NanoClock;

/**
 * What is registered, each until its time is up. An object replaces the one of its name. Bounded: beyond {@link #MAX_OBJECTS}, or {@link
 * #MAX_CHARS} together, a new one is refused. Thread-safe.
 */
final class Registry {

    static final int MAX_OBJECTS = 20_000;
    static final long MAX_CHARS = 6L << 20;

    private static final long EACH_NANOS = 1_000_000_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private final NanoClock clock;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long chars;
    private long expiredNanos;

    private record Entry(Attributes object, int length, long beganNanos, long lastsNanos) {

        boolean isOver(long nowNanos) {
            return lastsNanos != FOREVER && nowNanos - beganNanos >= lastsNanos;
        }
    }

    Registry(NanoClock clock) {
        this.clock = clock;
        expiredNanos = clock.nanoTime();
    }

    /**
     * Registers an object.
     *
     * @param seconds until it expires; 0 means never
     * @return whether it was taken
     */
    synchronized boolean register(Attributes object, long seconds) {
        if (object.name().isEmpty()) {
            return false;
        }
        expire();
        int length = object.text().length();
        Entry before = entries.get(object.name());
        long after = chars + length - (before == null ? 0 : before.length());
        if (after > MAX_CHARS || before == null && entries.size() >= MAX_OBJECTS) {
            return false;
        }
        chars = after;
        entries.put(
                object.name(),
                new Entry(object, length, clock.nanoTime(), seconds == 0 ? FOREVER : seconds * 1_000_000_000L));
        return true;
    }

    /** Forgets what is over; not at each message, because it takes time in proportion to all. */
    private void expire() {
        long now = clock.nanoTime();
        if (now - expiredNanos < EACH_NANOS) {
            return;
        }
        expiredNanos = now;
        entries.values().removeIf(each -> {
            boolean over = each.isOver(now);
            if (over) {
                chars -= each.length();
            }
            return over;
        });
    }

    /** Returns the objects that fit, as they are sent. */
    String search(Filter filter) {
        List<Entry> all;
        synchronized (this) {
            all = List.copyOf(entries.values());
        }
        long now = clock.nanoTime();
        StringBuilder found = new StringBuilder();
        for (Entry each : all) {
            if (!each.isOver(now) && filter.matches(each.object())) {
                found.append(each.object().text());
            }
        }
        return found.toString();
    }

    /** Forgets the objects that fit. */
    synchronized void unregister(Filter filter) {
        entries.values().removeIf(each -> {
            boolean fits = filter.matches(each.object());
            if (fits) {
                chars -= each.length();
            }
            return fits;
        });
    }
}
