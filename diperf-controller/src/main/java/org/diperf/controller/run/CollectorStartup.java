package org.diperf.controller.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.progress.RunFailedException;

/** A collector that is being made on a thread of its own, while the caller starts testers. */
final class CollectorStartup implements AutoCloseable {

    private final CompletableFuture<Collector> made = new CompletableFuture<>();

    private final Relays relays;

    /** Begins at once. */
    CollectorStartup(Relays relays, Callable<Collector> maker) {
        this.relays = relays;
        Thread thread = new Thread(
                () -> {
                    try {
                        made.complete(maker.call());
                    } catch (Exception | LinkageError e) {
                        made.completeExceptionally(e);
                    }
                },
                "diperf-controller-collector-start");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits until the collector listens.
     *
     * @throws RunFailedException when it cannot
     */
    Collector await() throws RunFailedException, InterruptedException {
        try {
            return made.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RunFailedException failed) {
                throw failed;
            }
            throw new RunFailedException("Could not listen for testers: " + e.getCause(), e);
        }
    }

    /** Makes a tester's ticket, as soon as that can be; see {@link Relays#ticket}. */
    String ticket(int tester) {
        return relays.ticket(made.join(), tester);
    }

    /** Makes a tester's ticket that leads elsewhere, as soon as that can be. */
    String ticket(int tester, String host, int port) {
        return made.join().tickets().tester(tester, List.of(host), port);
    }

    /** Completes when a tester has joined; never, where there is no collector. */
    CompletableFuture<Void> joined(int tester) {
        return made.thenCompose(collector -> collector.joined(tester));
    }

    /** Returns the address at which this machine reaches the collector, as soon as it listens. */
    InetSocketAddress address() {
        InetSocketAddress listening = made.join().address();
        return listening.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getPort())
                : listening;
    }

    /** Tells all testers to exit, where there is a collector. */
    void bye() {
        if (made.isDone() && !made.isCompletedExceptionally()) {
            made.join().bye();
        }
    }

    @Override
    public void close() throws IOException {
        made.exceptionally(failed -> null).join();
        if (!made.isCompletedExceptionally()) {
            made.join().close();
        }
    }
}
