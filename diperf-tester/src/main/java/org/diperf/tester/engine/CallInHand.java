package org.diperf.tester.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.BlockingClient;
import org.jspecify.annotations.Nullable;

/**
 * The one call that a blocking client makes at a time, between its thread, which makes it, and the watchdog, which
 * records it when it takes too long: who swaps the ticket has recorded the call.
 */
final class CallInHand {

    private final BlockingWorker worker;
    private final BlockingLoad load;
    private final BlockingCall call;

    /** Ticket of the call in flight, 0 none, negative when it was recorded while the client still holds it. */
    private final AtomicLong running = new AtomicLong();

    private volatile @Nullable Stage stage;
    private volatile long sentNanos;
    private volatile long timeoutNanos;
    private volatile long recordedNanos;
    private volatile long graceNanos;
    private volatile boolean abandoned;
    private long recordedBytes;
    private volatile String recordedOutcome = Outcome.OK;

    CallInHand(BlockingWorker worker, BlockingLoad load, RunSetup setup, int client) {
        this.worker = worker;
        this.load = load;
        this.call = new BlockingCall(setup, client, load.counts()::lateEnd);
    }

    /** Says whether the client holds the call. */
    boolean isHeld() {
        return running.get() != 0;
    }

    /** Says whether the client never came back from the call. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** Counts the bytes that the last call was recorded with; for the client's thread. */
    long recordedBytes() {
        return recordedBytes;
    }

    // ---- the client's thread ----

    /** Gives the outcome with which the last call was recorded; for the client's thread. */
    String recordedOutcome() {
        return recordedOutcome;
    }

    /**
     * Makes this the call of that number, or a step before it.
     *
     * @param step {@link OneCall#NO_STEP} for the call itself
     * @return why no row of data is left for it; {@code null}: it has all it needs
     */
    @Nullable
    String renew(Stage of, long number, int step, long intended) {
        if (step == OneCall.NO_STEP) {
            call.renew(of, number, intended);
        } else {
            call.renewStep(of, number, step, intended);
        }
        return call.takeRows();
    }

    /** Records the call that was renewed as failed without making it. */
    void fail(long atNanos, String outcome) {
        call.sentAt(atNanos);
        load.counts().begun(atNanos);
        recordedBytes = 0;
        load.ended(worker, call, atNanos, outcome);
    }

    /** Makes the call that was renewed; returns when it ended. */
    long make(Stage of, @Nullable BlockingClient using, @Nullable String broken) {
        long ticket = call.ticket();
        long sent = load.now();
        call.sentAt(sent);
        load.counts().begun(sent);
        recordedBytes = 0;
        if (using == null || broken != null) {
            recordedOutcome = broken == null ? "no client" : broken;
            load.ended(worker, call, sent, recordedOutcome);
            return sent;
        }
        call.begin(ticket);
        sentNanos = sent;
        timeoutNanos = of.load().timeoutNanos();
        graceNanos = RunSetup.graceNanos(of.load());
        running.set(ticket);
        String thrownAs = null;
        try {
            using.call(call);
        } catch (Throwable thrown) {
            thrownAs = Failures.describe(thrown);
        }
        long ended = load.now();
        String said = call.finish();
        if (running.compareAndSet(ticket, 0)) {
            recordedBytes = call.bytesMoved();
            recordedOutcome = call.judged(said != null ? said : thrownAs != null ? thrownAs : Outcome.OK);
            load.ended(worker, call, ended, recordedOutcome);
        } else {
            synchronized (running) {
                // The watchdog recorded the call and interrupts this thread: wait for that to have happened.
                running.set(0);
            }
            if (!abandoned) {
                load.counts().letGo();
            }
            if (thrownAs == null && said == null) {
                load.counts().lateEnd();
            }
        }
        Thread.interrupted();
        return ended;
    }

    /**
     * Invokes a client that times its calls itself; the watchdog interrupts it at the end of its life.
     *
     * @return the stage that was at hand when it ended
     */
    Stage runOnce(Stage first, long number, long intended, BlockingClient using) {
        long ticket = call.renew(first, number, intended);
        long began = load.now();
        call.sentAt(began);
        call.begin(ticket);
        stage = first;
        graceNanos = RunSetup.graceNanos(first.load());
        running.set(ticket);
        String why = null;
        try {
            using.call(call);
        } catch (Throwable thrown) {
            why = Failures.describe(thrown);
        }
        long ended = load.now();
        String said = call.finish();
        Stage last = first;
        if (running.compareAndSet(ticket, 0)) {
            last = stageAtHand();
            if (ended - worker.lifeEndNanos(last) < 0 && !load.isStopping()) {
                load.counts().begun(began);
                load.ended(worker, call, ended, said != null ? said : why != null ? why : "ended early");
            }
        } else {
            synchronized (running) {
                running.set(0);
            }
            last = stageAtHand();
        }
        Thread.interrupted();
        return last;
    }

    private Stage stageAtHand() {
        Stage known = stage;
        if (known == null) {
            throw new IllegalStateException("runOnce sets the stage");
        }
        return known;
    }

    // ---- the watchdog's thread ----

    /**
     * Ends the invocation of a client that times its calls itself when its life is over.
     *
     * @return whether the client has to be given up
     */
    boolean checkLife(long nowNanos, boolean retired) {
        long ticket = running.get();
        if (ticket > 0) {
            Stage known = stageAtHand();
            boolean over = nowNanos - worker.lifeEndNanos(known) >= 0;
            Stage next = over ? worker.goesOnIn(known) : null;
            if (next != null && !retired && !load.isStopping()) {
                stage = next;
            } else if (over || retired || load.isStopping()) {
                synchronized (running) {
                    if (running.compareAndSet(ticket, -ticket)) {
                        recordedNanos = nowNanos;
                        worker.interrupt();
                    }
                }
            }
            return false;
        }
        return ticket < 0 && isStuck(ticket, nowNanos);
    }

    /**
     * Records the call in flight when its time is up.
     *
     * @return whether the client has to be given up
     */
    boolean check(long nowNanos) {
        long ticket = running.get();
        if (ticket > 0 && nowNanos - sentNanos >= timeoutNanos) {
            giveUp(ticket, nowNanos, Outcome.TIMEOUT);
            return false;
        }
        return ticket < 0 && isStuck(ticket, nowNanos);
    }

    private boolean isStuck(long ticket, long nowNanos) {
        if (abandoned || nowNanos - recordedNanos < graceNanos) {
            return false;
        }
        synchronized (running) {
            if (running.get() != ticket) {
                return false;
            }
            abandoned = true;
        }
        return true;
    }

    /** Records the call in flight, if there is one that is not recorded. */
    void giveUp(long nowNanos, String outcome) {
        long ticket = running.get();
        if (ticket > 0) {
            giveUp(ticket, nowNanos, outcome);
        }
    }

    private void giveUp(long ticket, long nowNanos, String outcome) {
        synchronized (running) {
            // Checked again under the swap: the timeout may have been read for an older call.
            if (outcome.equals(Outcome.TIMEOUT) && nowNanos - sentNanos < timeoutNanos
                    || !running.compareAndSet(ticket, -ticket)) {
                return;
            }
            recordedNanos = nowNanos;
            recordedBytes = call.bytesMoved();
            recordedOutcome = outcome;
            load.recorded(worker, call, nowNanos, outcome);
            worker.interrupt();
        }
    }
}
