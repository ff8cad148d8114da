package org.diperf.plugins.gram;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.diperf.core.spi.Url;

/** Requests of one caller whose replies somebody waits for, a few at once. Thread-safe. */
final class Requests {

    /** A gatekeeper begins a process for each. */
    private static final int AT_ONCE = 8;

    private final CallerIdentity caller;
    private final EventLoop loop;

    Requests(CallerIdentity caller, EventLoop loop) {
        this.caller = caller;
        this.loop = loop;
    }

    /** Asks a gatekeeper whether it knows us and the service. */
    CompletableFuture<Exchange> ping(Gatekeeper gatekeeper) {
        return begin(
                gatekeeper,
                Exchange.Peer.GATEKEEPER,
                "ping/" + gatekeeper.contact().service(),
                "",
                "ping");
    }

    /** Submits a job, with a proxy. */
    CompletableFuture<Exchange> submit(Gatekeeper gatekeeper, String callback, String rsl) {
        return begin(
                gatekeeper,
                Exchange.Peer.GATEKEEPER_WITH_PROXY,
                "/" + gatekeeper.contact().service(),
                GramMessage.jobRequest(callback, rsl),
                "submit");
    }

    /**
     * Asks a job manager.
     *
     * @param job what it calls the job
     */
    CompletableFuture<Exchange> ask(Gatekeeper gatekeeper, Url job, String what) {
        byte[] request = GramMessage.post(job.path(), String.valueOf(job.host()), GramMessage.query(what));
        return begin(gatekeeper, Exchange.Peer.JOB_MANAGER, job.port(), request, what);
    }

    private CompletableFuture<Exchange> begin(
            Gatekeeper gatekeeper, Exchange.Peer peer, String path, String message, String name) {
        byte[] request = GramMessage.post(path, gatekeeper.contact().server().host(), message);
        return begin(gatekeeper, peer, gatekeeper.contact().server().port(), request, name);
    }

    private CompletableFuture<Exchange> begin(
            Gatekeeper gatekeeper, Exchange.Peer peer, int port, byte[] request, String name) {
        CompletableFuture<Exchange> ended = new CompletableFuture<>();
        Exchange exchange = new Exchange(caller, gatekeeper, loop, peer, port, request, name, ended::complete);
        loop.execute(exchange::begin);
        return ended;
    }

    /** Makes a request for each, and waits for all replies; returns them in the same order. */
    static <T> List<Exchange> each(List<T> all, Function<T, CompletableFuture<Exchange>> request)
            throws InterruptedException {
        List<CompletableFuture<Exchange>> begun = new ArrayList<>();
        List<Exchange> ended = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            while (begun.size() < Math.min(all.size(), i + AT_ONCE)) {
                begun.add(request.apply(all.get(begun.size())));
            }
            ended.add(awaited(begun.get(i)));
        }
        return ended;
    }

    private static Exchange awaited(CompletableFuture<Exchange> exchange) throws InterruptedException {
        try {
            // Every step of it has its time limit.
            return exchange.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
