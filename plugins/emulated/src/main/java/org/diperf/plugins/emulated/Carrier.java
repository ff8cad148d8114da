package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.topology.Change;

/** What carries the packets between the hosts of a lab. Confined to one thread. */
interface Carrier extends AutoCloseable {

    /** Names it as the experiment file does. */
    String name();

    /** Names the device that is to become a host's only one; empty: hosts get theirs in {@link #awaitReady}. */
    String device(int host);

    /**
     * Returns when packets are carried in time. The hosts have been made.
     *
     * @param listener is told of changes of links, by another thread
     */
    void awaitReady(Engine.ChangeListener listener) throws IOException, InterruptedException;

    /**
     * Takes note that the load begins at an instant, and what is to change during it.
     *
     * @param startNanos of this machine's monotonic clock
     * @param changes of links, in the order of their instants
     * @throws IllegalArgumentException if this carrier cannot change links
     */
    void begun(long startNanos, List<Change.Order> changes) throws IOException;

    /**
     * Counts packets that hosts and routers have dropped because it did not take them in time.
     *
     * @throws IOException if that cannot be read
     */
    long droppedBefore(Lab lab) throws IOException;

    /** Completes with its process when that has ended; never where it is the kernel. */
    CompletableFuture<Process> ended();

    /** Returns what is known of its work; empty: it does not carry packets yet. */
    Optional<CarrierStatistics> account();

    /** Has it end; what it has done until then it has said. */
    void end() throws IOException, InterruptedException;

    @Override
    void close() throws InterruptedException;
}
