package org.diperf.tester.engine;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Context;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.tester.engine.loop.SystemThreads;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client among asynchronous ones of the same simulated user: a thread of its own makes its calls, which costs two
 * wake-ups a call. Its methods are for the owner's loop; the blocking client is for that thread alone.
 */
final class OffLoopClient implements AsyncClient {

    private static final Runnable END = () -> {};

    private final BlockingClient client;
    private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private @Nullable Thread thread;
    private @Nullable Failure unusable;

    OffLoopClient(BlockingClient client) {
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
                unusable = Failure.ofExperiment("a client that times its calls itself can be no step of a journey");
            }
        } catch (Throwable thrown) {
            unusable = Failure.of(thrown);
        }
    }

    @Override
    public void call(Call call) {
        long ticket = call.ticket();
        work.add(() -> new Made(call, ticket).make());
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

    /** One call, as the blocking client sees it: what it says only decides how the call ends. */
    private final class Made implements Call {

        private final Call call;
        private final long ticket;
        private @Nullable Failure said;

        Made(Call call, long ticket) {
            this.call = call;
            this.ticket = ticket;
        }

        void make() {
            Failure failure = unusable;
            if (failure == null) {
                try {
                    client.call(this);
                    failure = said;
                } catch (Throwable thrown) {
                    failure = said == null ? Failure.of(thrown) : said;
                }
            }
            // Not for the next one.
            Thread.interrupted();
            if (failure == null) {
                call.ok(ticket);
            } else {
                call.fail(ticket, failure);
            }
        }

        @Override
        public long number() {
            return call.number();
        }

        @Override
        public long iteration() {
            return call.iteration();
        }

        @Override
        public int client() {
            return call.client();
        }

        @Override
        public URI target() {
            return call.target();
        }

        @Override
        public int targetIndex() {
            return call.targetIndex();
        }

        @Override
        public long ticket() {
            return ticket;
        }

        @Override
        public int request() {
            return call.request();
        }

        @Override
        public String value(String name) {
            return call.value(name);
        }

        @Override
        public boolean hasValue(String name) {
            return call.hasValue(name);
        }

        @Override
        public boolean wantsAnswer() {
            return call.wantsAnswer();
        }

        @Override
        public boolean wantsFailedAnswer() {
            return call.wantsFailedAnswer();
        }

        @Override
        public void answer(Answer answer) {
            call.answer(answer);
        }

        @Override
        public @Nullable Dialogue dialogue() {
            return call.dialogue();
        }

        @Override
        public void bytes(long count) {
            call.bytes(count);
        }

        @Override
        public void firstOnConnection() {
            call.firstOnConnection();
        }

        @Override
        public void metric(Metric metric, double value) {
            call.metric(metric, value);
        }

        @Override
        public void metric(Metric metric, long fromNanos, long toNanos) {
            call.metric(metric, fromNanos, toNanos);
        }

        @Override
        public void tookAtLeast(long fromNanos, long toNanos) {
            call.tookAtLeast(fromNanos, toNanos);
        }

        @Override
        public void ok(long ofTicket) {
            // The call ends when its method returns.
        }

        @Override
        public void fail(long ofTicket, Failure failure) {
            if (said == null && ofTicket == ticket) {
                said = failure;
            }
        }
    }
}
