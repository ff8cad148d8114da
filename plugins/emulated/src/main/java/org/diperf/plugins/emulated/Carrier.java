package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What carries the packets between the hosts of a lab. Confined to one thread. */
interface Carrier extends AutoCloseable {

    /** Names the device that is to become a host's only one; empty: hosts get theirs in {@link #awaitReady}. */
    String device(int host);

    /** Returns when packets are carried in time. The hosts have been made. */
    void awaitReady() throws IOException, InterruptedException;

    /** Completes with its process when that has ended; never where it is the kernel. */
    CompletableFuture<Process> ended();

    /** Has it end; returns what it did, in lines for people. */
    List<String> end() throws IOException;

    @Override
    void close() throws InterruptedException;
}
