package org.diperf.tester.engine;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Failure;
import org.diperf.tester.engine.loop.CallSlot;
import org.diperf.tester.engine.loop.SystemThreads;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client among asynchronous ones of the same simulated user: a thread of its own makes its calls, which costs two
 * wake-ups a call. Its methods are for the owner's loop; the blocking client is for that thread alone.
 */
final class ThreadBackedClient implements AsyncClient {

    private static final Runnable END = () -> {};

    private final BlockingClient client;
    private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private @Nullable Thread thread;
    private @Nullable String unusable;

    ThreadBackedClient(BlockingClient client) {
        this.client = client;
    }

    @Override
    public void open(Context context) {
        work.add(() -> open(client, context));
        thread = new SystemThreads().start("diperf-client-" + context.client(), this::live);
    }

    private void open(BlockingClient opening, Context context) {
        try {
            opening.open(context);
            if (opening.selfTimed()) {
                unusable = Outcome.ofFailure(
                        Failure.ofExperiment("a client that times its own calls cannot be a step of a journey"));
            }
        } catch (Throwable thrown) {
            unusable = Outcome.ofFailure(Failure.of(thrown));
        }
    }

    @Override
    public void call(Call call) {
        CallSlot slot = (CallSlot) call;
        long ticket = slot.ticket();
        slot.endsByReturning();
        work.add(() -> make(slot, ticket));
    }

    @Override
    public void cancel(Call call) {
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public void close() {
        work.add(END);
    }

    private void live() {
        Runnable next = null;
        while (next != END) {
            try {
                next = work.take();
                next.run();
            } catch (InterruptedException meantForACallThatHasEnded) {
                next = null;
            }
        }
        try {
            client.close();
        } catch (Throwable thrown) {
            // Its calls have all ended; nothing of the run is lost.
        }
    }

    private void make(CallSlot call, long ticket) {
        String thrownAs = unusable;
        if (thrownAs == null) {
            try {
                client.call(call);
            } catch (Throwable thrown) {
                thrownAs = Outcome.ofFailure(Failure.of(thrown));
            }
        }
        // Not for the next one.
        Thread.interrupted();
        call.returned(ticket, thrownAs);
    }
}
