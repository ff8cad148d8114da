package org.diperf.tester.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** What open load may do with it; guarded by {@link FreeWorkers}. */
    FreeWorkers.Listing listing = FreeWorkers.Listing.AWAY;

    private final BlockingLoad load;
    private final int place;
    private final int client;
    private final int index;
    private final CallInHand hand;
    private final Thread thread;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final AtomicReference<@Nullable Arrival> arrival = new AtomicReference<>();
    private final AtomicBoolean active = new AtomicBoolean();

    private @Nullable BlockingClient made;
    private @Nullable String failure;

    /** Whether the client times its calls itself: its one invocation lasts until its end and is no call. */
    private volatile boolean selfTimed;

    private volatile int nextStage;

    /** Stage of which calls and bytes are counted for the quota; the last one whose quota was used up. */
    private volatile int countedStage = -1;

    private volatile int spentStage = -1;
    private volatile long calls;
    private int stepsDone;
    private volatile long stageCalls;
    private volatile long stageBytes;
    private long endedNanos;
    private long intendedNanos;

    private volatile boolean retired;
    private volatile boolean finished;
    private volatile boolean closed;

    /** A call that open load hands to a free worker. */
    record Arrival(Stage stage, long intendedNanos) {}

    BlockingWorker(BlockingLoad load, RunSetup setup, int place, int firstStage) {
        this.load = load;
        this.place = place;
        this.client = setup.plan().clientAt(setup.slot(), place);
        this.index = setup.plan().indexOf(client);
        this.hand = new CallInHand(this, load, setup, client);
        this.nextStage = firstStage;
        this.thread = ClientThreads.make("diperf-client-" + client, this::live);
    }

    /** Makes a worker that goes on in place of a stuck one. */
    BlockingWorker(BlockingLoad load, RunSetup setup, BlockingWorker old) {
        this(load, setup, old.place, old.nextStage);
        calls = old.calls;
        countedStage = old.countedStage;
        stageCalls = old.stageCalls;
        stageBytes = old.stageBytes;
    }

    // ---- for any thread ----

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

    void interrupt() {
        thread.interrupt();
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

    boolean isCalling() {
        return hand.isHeld();
    }

    /** Records an arrival that was given to this worker and is not sent any more. */
    private void neverSent() {
        Arrival left = arrival.getAndSet(null);
        if (left != null) {
            load.neverSent(left, client);
        }
    }

    boolean isFinished() {
        return finished || hand.isAbandoned();
    }

    /** Makes no more calls in the whole run. */
    void retire() {
        retired = true;
        wake();
    }

    boolean isRetired() {
        return retired;
    }

    /**
     * Says whether a finished worker has ended because there is nothing left for it, not because time is up.
     *
     * @param lastStage of the plan, in which the tester has so many places
     */
    boolean hasNothingLeft(int lastStage, int places) {
        return retired || hand.isAbandoned() || spentStage == lastStage || place >= places;
    }

    // ---- life ----

    private void live() {
        try {
            open();
            opened.countDown();
            load.awaitStart();
            Stage stage = load.awaitStage(nextStage, this::gone);
            while (stage != null) {
                if (stage.load() instanceof ClosedLoad closedLoad) {
                    runClosed(stage, closedLoad);
                } else {
                    deactivate();
                    serve(stage);
                }
                int following = nextStage + 1;
                nextStage = following;
                stage = load.awaitStage(nextStage, this::gone);
            }
        } finally {
            opened.countDown();
            deactivate();
            closed = true;
            neverSent();
            close();
            finished = true;
            load.wakeWatchdog();
        }
    }

    private boolean gone() {
        return retired || hand.isAbandoned() || load.isStopping();
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

    private void activate() {
        if (active.compareAndSet(false, true)) {
            load.counts().active(1);
        }
    }

    private void deactivate() {
        if (active.compareAndSet(true, false)) {
            load.counts().active(-1);
        }
    }

    // ---- closed load ----

    private void runClosed(Stage stage, ClosedLoad closedLoad) {
        if (!ClosedStage.takesPart(closedLoad, place < load.setup().clientsOf(stage), index)) {
            deactivate();
            // Nothing is left of a quota of which the share is nothing.
            spentStage = stage.number();
            return;
        }
        long stageStart = load.startNanos() + stage.startNanos();
        long lifeEnd = stageStart + closedLoad.clientEndNanos(index);
        enter(stage, closedLoad, stageStart);
        if (selfTimed) {
            runSelfTimed(stage, lifeEnd);
            return;
        }
        while (!isSpent(stage, closedLoad) && awaitCall(stage, lifeEnd)) {
            activate();
            endedNanos = make(stage, intendedNanos);
            intendedNanos = failure != null && closedLoad.think() == Think.NONE
                    ? endedNanos + ClosedStage.BROKEN_PAUSE_NANOS
                    : load.setup().plan().nextIntendedNanos(stage, client, stageCalls, endedNanos);
        }
        if (gone() || spentStage == stage.number()) {
            deactivate();
        } else if (lifeEnd - (load.startNanos() + stage.endNanos()) < 0) {
            load.waitUntil(() -> Math.min(lifeEnd, load.endNanos(stage)), this::gone);
            deactivate();
        } else {
            load.waitUntil(() -> load.endNanos(stage), this::gone);
            if (follower(stage) == null) {
                deactivate();
            }
        }
    }

    /** Sets the intended start of the first call: now for a client that goes on, else when its life begins. */
    private void enter(Stage stage, ClosedLoad closedLoad, long stageStart) {
        long lifeStart = closedLoad.clientStartNanos(index);
        if (countedStage == stage.number()) {
            // In place of a stuck client, in the middle of its stage.
            intendedNanos = load.now();
            return;
        }
        countedStage = stage.number();
        stageCalls = 0;
        stageBytes = 0;
        if (!active.get() || lifeStart > 0) {
            deactivate();
            long planned = stageStart + lifeStart;
            long join = load.startNanos() + load.setup().joinNanos();
            intendedNanos = planned - join < 0 ? join : planned;
        } else if (endedNanos - stageStart >= 0) {
            intendedNanos = load.setup().plan().nextIntendedNanos(stage, client, 0, endedNanos);
        }
    }

    private boolean isSpent(Stage stage, ClosedLoad closedLoad) {
        boolean spent = stageCalls >= closedLoad.quota().callsOf(index, closedLoad.clients())
                || stageBytes >= closedLoad.quota().bytesOf(index, closedLoad.clients());
        if (spent) {
            spentStage = stage.number();
        }
        return spent;
    }

    /** Waits for the intended start; says no when that is after the client's life or the stage, or the load stops. */
    private boolean awaitCall(Stage stage, long lifeEnd) {
        long at = intendedNanos;
        return at - lifeEnd < 0 && load.waitUntil(() -> at, () -> gone() || at - load.endNanos(stage) >= 0);
    }

    /** Gives the closed stage in which a client that lives to the end of this one goes on, {@code null} if none. */
    private @Nullable Stage follower(Stage stage) {
        Stage next = load.stage(stage.number() + 1);
        return next != null
                        && next.startNanos() <= stage.endNanos()
                        && next.load() instanceof ClosedLoad closedLoad
                        && closedLoad.clientStartNanos(index) == 0
                        && ClosedStage.takesPart(
                                closedLoad, place < load.setup().clientsOf(next), index)
                ? next
                : null;
    }

    // ---- open load ----

    private void serve(Stage stage) {
        load.free().arrived(this);
        while (!hand.isAbandoned()) {
            // Asked before the look at the arrival: one that was given before the stage was over is then seen.
            boolean over = load.isOver(stage);
            Arrival given = arrival.getAndSet(null);
            if (given != null) {
                make(given.stage(), given.intendedNanos());
                if (!hand.isAbandoned()) {
                    load.free().freed(this);
                }
            } else if (over || retired) {
                return;
            } else {
                LockSupport.park(this);
                // An interrupt that came too late for its call must not make parking return at once for ever.
                Thread.interrupted();
            }
        }
    }

    // ---- calls ----

    /** Makes one call, and before the first one what comes before it; returns when it ended. */
    private long make(Stage stage, long intended) {
        long number = calls;
        long from = intended;
        while (stepsDone < load.setup().script().steps()) {
            String usedUp = hand.renew(stage, number, stepsDone, from);
            if (usedUp != null) {
                return usedUp(stage, usedUp);
            }
            from = hand.make(stage, made, failure);
            String outcome = hand.recordedOutcome();
            if (!outcome.equals(Outcome.OK)) {
                return failed(stage, number, from, outcome);
            }
            stepsDone++;
            if (hand.isAbandoned() || gone()) {
                leaveOut(stage, intended);
                return from;
            }
        }
        String usedUp = hand.renew(stage, number, OneCall.NO_STEP, from);
        if (usedUp != null) {
            return usedUp(stage, usedUp);
        }
        count();
        long ended = hand.make(stage, made, failure);
        if (stage.number() == countedStage) {
            long bytes = stageBytes;
            stageBytes = bytes + hand.recordedBytes();
        }
        return ended;
    }

    private void count() {
        long before = calls;
        calls = before + 1;
        long inStage = stageCalls;
        stageCalls = inStage + 1;
    }

    /** Lets the planned call fail by what came before it; the next one tries again. */
    private long failed(Stage stage, long number, long atNanos, String outcome) {
        String step = load.setup().script().step(stepsDone).name();
        stepsDone = 0;
        if (!hand.isAbandoned() && !gone()) {
            hand.renew(stage, number, OneCall.NO_STEP, atNanos);
            count();
            hand.fail(atNanos, Outcome.ofFailure(step + ": " + outcome));
        } else {
            leaveOut(stage, atNanos);
        }
        return atNanos;
    }

    /** Records the arrival of open load for which the client was still being prepared when the load stopped. */
    private void leaveOut(Stage stage, long intended) {
        if (!(stage.load() instanceof ClosedLoad)) {
            load.neverSent(new Arrival(stage, intended), client);
        }
    }

    /** A client of closed load for which no row of data is left has done its work; open load cannot go on as planned. */
    private long usedUp(Stage stage, String why) {
        if (stage.load() instanceof ClosedLoad) {
            load.setup().log("A client makes no more calls: " + why);
            retired = true;
        } else {
            load.setup().abort(why, stage.load().timeoutNanos());
        }
        return load.now();
    }

    /** Runs a client that times its calls itself until its end, at which the watchdog interrupts it. */
    private void runSelfTimed(Stage stage, long lifeEnd) {
        BlockingClient using = made;
        if (using != null && awaitCall(stage, lifeEnd)) {
            activate();
            long number = calls;
            calls = number + 1;
            Stage last = hand.runOnce(stage, number, intendedNanos, using);
            endedNanos = load.now();
            nextStage = last.number();
            if (follower(last) == null) {
                deactivate();
            }
        }
    }

    // ---- for the watchdog ----

    /** Ends the invocation of a client that times its calls itself when its life is over. */
    void checkLife(long nowNanos) {
        if (load.isRetired(client)) {
            retired = true;
        }
        if (hand.checkLife(nowNanos, retired)) {
            abandoned();
        }
    }

    /** Gives the instant at which a client that times its calls itself is to end, as far as the plan is known. */
    long lifeEndNanos(Stage stage) {
        long lifeEnd = ((ClosedLoad) stage.load()).clientEndNanos(index);
        return Math.min(load.startNanos() + stage.startNanos() + lifeEnd, load.endNanos(stage));
    }

    /** Gives the stage in which a client goes on whose life in this one is over, {@code null} if none. */
    @Nullable
    Stage goesOnIn(Stage stage) {
        long lifeEnd = stage.startNanos() + ((ClosedLoad) stage.load()).clientEndNanos(index);
        Stage next = follower(stage);
        return next != null && lifeEnd >= next.startNanos() ? next : null;
    }

    /** Looks after the call in flight. */
    void check(long nowNanos) {
        if (hand.check(nowNanos)) {
            load.counts().letGo();
            abandoned();
        }
    }

    private void abandoned() {
        deactivate();
        neverSent();
        load.stuck(this, client);
    }

    /** Records the call in flight as unfinished, if there is one. */
    void cutOff(long nowNanos) {
        neverSent();
        if (selfTimed) {
            checkLife(nowNanos);
        } else {
            hand.giveUp(nowNanos, Outcome.UNFINISHED);
        }
        wake();
    }
}
