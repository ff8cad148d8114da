package org.diperf.tester.engine;

import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/** The call of one blocking client. It ends when the client's method returns; {@code fail} only decides how. */
final class BlockingCall extends OneCall {

    private final Runnable lateEnd;
    private @Nullable String failure;
    private long current;

    /** @param lateEnd counts an end with an old ticket */
    BlockingCall(RunSetup setup, int client, Runnable lateEnd) {
        super(setup, client);
        this.lateEnd = lateEnd;
    }

    synchronized void begin(long ticket) {
        current = ticket;
        failure = null;
    }

    /** Ends the call; gives what the client said, {@code null} when nothing bad. */
    synchronized @Nullable String finish() {
        current = 0;
        return failure;
    }

    @Override
    public synchronized void ok(long ticket) {
        if (ticket != current) {
            lateEnd.run();
        }
    }

    @Override
    public synchronized void fail(long ticket, String kind) {
        if (ticket != current) {
            lateEnd.run();
        } else if (failure == null) {
            failure = Outcome.ofFailure(kind);
        }
    }
}
