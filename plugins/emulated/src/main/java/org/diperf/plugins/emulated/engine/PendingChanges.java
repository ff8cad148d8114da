package org.diperf.plugins.emulated.engine;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.diperf.plugins.emulated.topology.Change;
import org.jspecify.annotations.Nullable;

/**
 * Changes of links that are to be made, and when the load begins. Any thread may add some; the thread that carries packets makes them.
 */
final class PendingChanges {

    private final Queue<Change.Order> orders = new ConcurrentLinkedQueue<>();
    private final Engine.ChangeListener listener;
    private volatile long loadNanos = Long.MAX_VALUE;

    PendingChanges(Engine.ChangeListener listener) {
        this.listener = listener;
    }

    /** Adds one that is not due before those that were added. */
    void add(Change.Order order) {
        orders.add(order);
    }

    /** Says when the load begins. */
    void loadFrom(long atNanos) {
        loadNanos = atNanos;
    }

    /** Returns whether the load has begun since it was asked before. */
    boolean takeBegin(long nowNanos) {
        if (nowNanos < loadNanos) {
            return false;
        }
        loadNanos = Long.MAX_VALUE;
        return true;
    }

    /** Returns when the next is due; {@link Long#MAX_VALUE}: none is known. */
    long nextNanos() {
        Change.Order next = orders.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos();
    }

    /**
     * Makes all that are due.
     *
     * @param carriers of the links; {@code null}: they show none
     */
    void make(Network network, @Nullable LinkCarriers carriers, long nowNanos) throws IOException {
        for (Change.Order next = orders.peek(); next != null && next.atNanos() <= nowNanos; next = orders.peek()) {
            orders.remove();
            network.change(next.parts(), nowNanos);
            if (carriers != null) {
                carriers.follow(next.parts());
            }
            listener.changed(next.number(), nowNanos);
        }
    }
}
