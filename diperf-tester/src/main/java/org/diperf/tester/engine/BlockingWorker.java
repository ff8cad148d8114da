package org.diperf.tester.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Think;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.BlockingClient;
import org.diperf.core.spi.Client;
import org.jspecify.annotations.Nullable;

/** One blocking client and its thread, which drives itself in closed load and is handed arrivals in open load. */
final class BlockingWorker {

    private final BlockingLoad load;
    private final int place;
    private final int client;
    private final BlockingCall call;
    private final Thread thread;
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Ticket of the call in flight, 0 none, negative when it was recorded while the client still holds it. */
    private final AtomicLong running = new AtomicLong();

    private @Nullable BlockingClient made;
    private @Nullable String failure;

    /** Whether the client times its calls itself: its one invocation lasts until its end and is no call. */
    private volatile boolean selfTimed;

    private long calls;
    private int nextStage;
    private volatile long sentNanos;
    private volatile long timeoutNanos;
    private volatile long recordedNanos;
    private volatile long graceNanos;
    private volatile long lifeEndNanos;
    private volatile boolean abandoned;
    private volatile boolean finished;
    private final AtomicReference<@Nullable Arrival> arrival = new AtomicReference<>();
    private volatile boolean closed;

    /** A call that open load hands to a free worker. */
    record Arrival(Stage stage, long intendedNanos) {}

    BlockingWorker(BlockingLoad load, RunSetup setup, int place, int firstStage) {
        this.load = load;
        this.place = place;
        this.client = setup.plan().clientAt(setup.tester(), place);
        this.call = new BlockingCall(setup, client, load::lateEnd);
        this.nextStage = firstStage;
        this.thread = ClientThreads.make("diperf-client-" + client, this::live);
    }

    void startThread() {
        thread.start();
    }

    void awaitOpened() throws InterruptedException {
        opened.await();
    }

    int place() {
        return place;
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    void give(Arrival next) {
        arrival.set(next);
        if (closed) {
            neverSent();
        }
        wake();
    }

    /** Says whether the client times its calls itself; known once it is opened. */
    boolean isSelfTimed() {
        return selfTimed;
    }

    /** Records an arrival that was given to this worker and is not sent any more. */
    private void neverSent() {
        Arrival left = arrival.getAndSet(null);
        if (left != null) {
            load.neverSent(left, client);
        }
    }

    boolean isFinished() {
        return finished || abandoned;
    }

    private void live() {
        try {
            open();
            opened.countDown();
            load.awaitStart();
            while (!gone() && nextStage < load.setup().plan().stages().size()) {
                Stage stage = load.setup().plan().stages().get(nextStage);
                if (stage.load() instanceof ClosedLoad closed) {
                    runClosed(stage, closed);
                } else {
                    serve(stage);
                }
                nextStage++;
            }
        } finally {
            opened.countDown();
            closed = true;
            neverSent();
            close();
            finished = true;
            load.workerFinished();
        }
    }

    private boolean gone() {
        return abandoned || load.isStopping();
    }

    private void open() {
        try {
            Client fresh = load.maker().newClient();
            if (!(fresh instanceof BlockingClient blocking)) {
                throw new IllegalStateException("Session.newClient wanted a BlockingClient, as kind() says; found "
                        + fresh.getClass().getName());
            }
            made = blocking;
            blocking.open(load.maker().context(client, null));
            selfTimed = blocking.selfTimed();
        } catch (Throwable thrown) {
            failure = Failures.describe(thrown);
            load.setup().log("Client " + client + " could not be opened: " + failure);
        }
    }

    private void close() {
        BlockingClient closing = made;
        if (closing != null) {
            Thread.interrupted();
            try {
                closing.close();
            } catch (Throwable thrown) {
                load.setup().log("A client could not be closed: " + Failures.describe(thrown));
            }
        }
    }

    private void runClosed(Stage stage, ClosedLoad closed) {
        if (place >= load.setup().clientsOf(stage)) {
            return;
        }
        long stageStart = load.startNanos() + stage.startNanos();
        long intended = stageStart + closed.clientStartNanos(client);
        long end = stageStart + closed.clientEndNanos(client);
        if (load.now() - intended > 0 && calls == 0 && load.replaces(this)) {
            intended = load.now();
        }
        if (selfTimed) {
            if (intended - end < 0 && load.waitUntil(intended, this::gone)) {
                load.active(1);
                runOnce(stage, intended, end);
                if (!abandoned) {
                    load.active(-1);
                }
            }
            return;
        }
        boolean active = false;
        for (long number = 1; intended - end < 0 && load.waitUntil(intended, this::gone); number++) {
            if (!active) {
                active = true;
                load.active(1);
            }
            long ended = make(stage, intended);
            intended = failure != null && closed.think() == Think.NONE
                    ? ended + ClosedStage.BROKEN_PAUSE_NANOS
                    : load.setup().plan().nextIntendedNanos(stage, client, number, ended);
        }
        if (active) {
            load.active(-1);
        }
    }

    private void serve(Stage stage) {
        while (!abandoned) {
            // Asked before the look at the arrival: one that was given before the stage was over is then seen.
            boolean over = load.isOver(stage);
            Arrival given = arrival.getAndSet(null);
            if (given != null) {
                make(given.stage(), given.intendedNanos());
                if (!abandoned) {
                    load.free(this);
                }
            } else if (over) {
                return;
            } else {
                LockSupport.park(this);
                // An interrupt that came too late for its call must not make parking return at once for ever.
                Thread.interrupted();
            }
        }
    }

    /** Makes one call; returns when it ended. */
    private long make(Stage stage, long intended) {
        long ticket = call.renew(stage.number(), calls++, intended);
        long sent = load.now();
        call.sentAt(sent);
        load.begun(sent);
        BlockingClient using = made;
        String broken = failure;
        if (using == null || broken != null) {
            load.ended(call, sent, broken == null ? "no client" : broken);
            return sent;
        }
        call.begin(ticket);
        sentNanos = sent;
        timeoutNanos = stage.load().timeoutNanos();
        graceNanos = RunSetup.graceNanos(stage.load());
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
            load.ended(call, ended, said != null ? said : thrownAs != null ? thrownAs : Outcome.OK);
        } else {
            synchronized (running) {
                // The watchdog recorded the call and interrupts this thread: wait for that to have happened.
                running.set(0);
            }
            if (!abandoned) {
                load.letGo();
            }
            if (thrownAs == null && said == null) {
                load.lateEnd();
            }
        }
        Thread.interrupted();
        return ended;
    }

    /** Runs a client that times its calls itself until its end, at which the watchdog interrupts it. */
    private void runOnce(Stage stage, long intended, long end) {
        BlockingClient using = made;
        if (using == null) {
            return;
        }
        long ticket = call.renew(stage.number(), calls++, intended);
        long began = load.now();
        call.sentAt(began);
        call.begin(ticket);
        lifeEndNanos = end;
        graceNanos = RunSetup.graceNanos(stage.load());
        running.set(ticket);
        String why = null;
        try {
            using.call(call);
        } catch (Throwable thrown) {
            why = Failures.describe(thrown);
        }
        long ended = load.now();
        String said = call.finish();
        if (running.compareAndSet(ticket, 0)) {
            if (ended - end < 0 && !load.isStopping()) {
                load.begun(began);
                load.ended(call, ended, said != null ? said : why != null ? why : "ended early");
            }
        } else {
            synchronized (running) {
                running.set(0);
            }
        }
        Thread.interrupted();
    }

    /** Ends the invocation of a client that times its calls itself; on the watchdog's thread. */
    void checkLife(long nowNanos) {
        long ticket = running.get();
        if (ticket > 0 && (load.isStopping() || nowNanos - lifeEndNanos >= 0)) {
            synchronized (running) {
                if (running.compareAndSet(ticket, -ticket)) {
                    recordedNanos = nowNanos;
                    thread.interrupt();
                }
            }
        } else if (ticket < 0 && !abandoned && nowNanos - recordedNanos >= graceNanos) {
            synchronized (running) {
                if (running.get() != ticket) {
                    return;
                }
                abandoned = true;
            }
            load.active(-1);
            load.stuck(this, client, nextStage);
        }
    }

    /** Looks after the call in flight; on the watchdog's thread. */
    void check(long nowNanos) {
        long ticket = running.get();
        if (ticket > 0 && nowNanos - sentNanos >= timeoutNanos) {
            giveUp(ticket, nowNanos, Outcome.TIMEOUT);
        } else if (ticket < 0 && !abandoned && nowNanos - recordedNanos >= graceNanos) {
            synchronized (running) {
                if (running.get() != ticket) {
                    return;
                }
                abandoned = true;
            }
            load.letGo();
            load.stuck(this, client, nextStage);
        }
    }

    /** Records the call in flight as unfinished, if there is one; on the watchdog's thread. */
    void cutOff(long nowNanos) {
        long ticket = running.get();
        neverSent();
        if (selfTimed) {
            checkLife(nowNanos);
        } else if (ticket > 0) {
            giveUp(ticket, nowNanos, Outcome.UNFINISHED);
        }
        wake();
    }

    private void giveUp(long ticket, long nowNanos, String outcome) {
        synchronized (running) {
            // Checked again under the swap: the timeout may have been read for an older call.
            if (outcome.equals(Outcome.TIMEOUT) && nowNanos - sentNanos < timeoutNanos
                    || !running.compareAndSet(ticket, -ticket)) {
                return;
            }
            recordedNanos = nowNanos;
            load.recorded(call, nowNanos, outcome);
            thread.interrupt();
        }
    }
}
