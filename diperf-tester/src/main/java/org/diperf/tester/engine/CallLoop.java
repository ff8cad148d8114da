package org.diperf.tester.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.Loop;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling core of one loop: which call starts when, what ended how. It knows neither thread nor network: its
 * {@link Pump} calls {@link #runDue} again and again, and tests do so by hand with a clock of their own. All methods are
 * for the loop's thread, unless they say otherwise. No call allocates or locks.
 */
final class CallLoop implements Loop {

    /** Most that a pump should wait, so that nothing is ever forgotten for long. */
    static final long MAX_WAIT_NANOS = 1_000_000_000L;

    /** How long clients may take to let go of their calls after the load was cut off. */
    static final long LAST_GRACE_NANOS = 500_000_000L;

    /** Timers fired and calls begun from the ready queue before I/O gets its turn. */
    private static final int BATCH = 1_024;

    private static final VarHandle HANDED;

    static {
        try {
            HANDED = MethodHandles.lookup().findVarHandle(CallLoop.class, "handed", CallSlot.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RunSetup setup;
    private final int index;
    private final int loops;
    private final NanoClock clock;
    private final Pump pump;
    private final ClientMaker maker;
    private final SampleStream samples;
    private final Runnable whenDone;
    private final Counters counters = new Counters();
    private final TimerHeap timers = new TimerHeap();
    private final List<TimeoutQueue> timeouts = new ArrayList<>();
    private final List<TimeoutQueue> graces = new ArrayList<>();
    private final List<ClientCell> cells = new ArrayList<>();
    private final List<ClientCell> abandoned = new ArrayList<>();
    private final Runnable takeHanded = this::takeHanded;
    private final TimerHeap.Due flush = due(now -> flushSamples());
    private final TimerHeap.Due nextStage = due(this::beginStage);
    private final TimerHeap.Due end = due(now -> over = true);
    private final TimerHeap.Due cutOff = due(this::cutOff);
    private final TimerHeap.Due lastGrace = due(now -> finish());
    private List<StageRun> runs = List.of();
    private int begun;
    private @Nullable CallSlot readyHead;
    private @Nullable CallSlot readyTail;
    private int busy;
    private boolean over;
    private boolean stopping;
    private boolean finished;
    private boolean closeFailed;
    private volatile @Nullable CallSlot handed;

    /**
     * @param index among the tester's loops, from 0
     * @param loops how many the tester has
     * @param whenDone run on the loop when the plan is over, all is recorded and flushed, and the clients are closed
     */
    CallLoop(
            RunSetup setup,
            int index,
            int loops,
            NanoClock clock,
            Pump pump,
            ClientMaker maker,
            SampleStream samples,
            Runnable whenDone) {
        this.setup = setup;
        this.index = index;
        this.loops = loops;
        this.clock = clock;
        this.pump = pump;
        this.maker = maker;
        this.samples = samples;
        this.whenDone = whenDone;
        for (Stage stage : setup.plan().stages()) {
            timeouts.add(queue(timeouts, stage.load().timeoutNanos()));
            graces.add(queue(graces, RunSetup.graceNanos(stage.load())));
        }
    }

    private static TimeoutQueue queue(List<TimeoutQueue> known, long spanNanos) {
        for (TimeoutQueue queue : known) {
            if (queue.spanNanos() == spanNanos) {
                return queue;
            }
        }
        return new TimeoutQueue(spanNanos);
    }

    private interface Fire {
        void fire(long nowNanos);
    }

    private static TimerHeap.Due due(Fire fire) {
        return new TimerHeap.Due(false) {
            @Override
            void fire(long nowNanos) {
                fire.fire(nowNanos);
            }
        };
    }

    // ---- the life of a loop ----

    /** Opens the clients that must be open before the start: all of closed load, the first ones of open load. */
    void openFirst(int openAtMost) {
        int wanted = 0;
        for (Stage stage : setup.plan().stages()) {
            int places = setup.clientsOf(stage);
            wanted = Math.max(wanted, stage.load() instanceof ClosedLoad ? places : Math.min(places, openAtMost));
        }
        int own = ownPlaces(wanted);
        while (cells.size() < own) {
            openNext();
        }
    }

    /** Counts those of the tester's first places that are this loop's: place j is on loop j mod loops. */
    int ownPlaces(int places) {
        return places / loops + (index < places % loops ? 1 : 0);
    }

    /** Sets the instant of the run's start; the plan's times count from it. */
    void start(long startNanos) {
        if (stopping) {
            return;
        }
        List<StageRun> made = new ArrayList<>();
        for (Stage stage : setup.plan().stages()) {
            made.add(run(stage, startNanos + stage.startNanos()));
        }
        runs = made;
        timers.arm(end, startNanos + setup.plan().lengthNanos());
        runStart = startNanos;
        // The first stage takes over at once, so that its first calls wait for nothing but their instants.
        beginStage(clock.nanoTime());
    }

    private long runStart;

    private StageRun run(Stage stage, long stageStart) {
        Load load = stage.load();
        return load instanceof ClosedLoad closed
                ? new ClosedStage(this, setup, stage, closed, stageStart)
                : new OpenStage(this, setup, stage, (OpenLoad) load, stageStart);
    }

    private void beginStage(long nowNanos) {
        leaveStage();
        StageRun run = runs.get(begun++);
        run.begin();
        if (begun < runs.size()) {
            timers.arm(nextStage, runStart + setup.plan().stages().get(begun).startNanos());
        }
    }

    private void leaveStage() {
        if (begun > 0) {
            runs.get(begun - 1).leave();
            while (pollReady() != null) {
                // a slot of the stage that is left
            }
        }
    }

    /** Begins no more calls from now; what is in flight has so much time to end. */
    void stop(long graceNanos) {
        if (finished) {
            return;
        }
        if (!stopping) {
            stopping = true;
            over = true;
            leaveStage();
            timers.disarm(nextStage);
            timers.disarm(end);
        }
        timers.arm(cutOff, clock.nanoTime() + graceNanos);
    }

    private void cutOff(long nowNanos) {
        for (ClientCell cell : cells) {
            cutOff(cell, nowNanos);
        }
        for (ClientCell cell : abandoned) {
            cutOff(cell, nowNanos);
        }
        samples.flush();
        timers.arm(lastGrace, nowNanos + LAST_GRACE_NANOS);
    }

    private void cutOff(ClientCell cell, long nowNanos) {
        for (CallSlot slot : cell.slots()) {
            if (slot.busy && slot.isOpen()) {
                if (!slot.recorded) {
                    slot.recorded = true;
                    record(slot, nowNanos, Outcome.UNFINISHED);
                }
                if (slot.queue != null) {
                    slot.queue.remove(slot);
                }
                cancel(slot);
            }
        }
    }

    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        leaveStage();
        timers.disarm(cutOff);
        timers.disarm(lastGrace);
        samples.flush();
        for (ClientCell cell : cells) {
            close(cell);
        }
        for (ClientCell cell : abandoned) {
            close(cell);
        }
        counters.inFlight(0);
        whenDone.run();
    }

    private void close(ClientCell cell) {
        AsyncClient client = cell.opened();
        if (client != null) {
            try {
                client.close();
            } catch (Throwable thrown) {
                if (!closeFailed) {
                    setup.log("A client could not be closed: " + Failures.describe(thrown));
                }
                closeFailed = true;
            }
        }
    }

    // ---- turning ----

    /**
     * Does all that is due.
     *
     * @return nanoseconds until something is due again, at least 0; I/O is to be served meanwhile
     */
    long runDue() {
        takeHanded();
        long now = clock.nanoTime();
        fireTimers(now);
        expire(now);
        for (int i = 0; i < BATCH && readyHead != null; i++) {
            CallSlot slot = pollReady();
            if (slot != null) {
                startNext(slot, clock.nanoTime());
            }
        }
        if (over && busy == 0 && !finished) {
            finish();
        }
        return untilNext();
    }

    private void fireTimers(long now) {
        for (int i = 0; i < BATCH; i++) {
            TimerHeap.Due first = timers.first();
            if (first == null || first.atNanos() - now > 0) {
                return;
            }
            counters.delayed(now - first.atNanos());
            timers.disarm(first);
            first.fire(now);
        }
    }

    private void expire(long now) {
        for (int i = 0; i < timeouts.size(); i++) {
            CallSlot slot = timeouts.get(i).oldest();
            while (slot != null && slot.waitEndNanos - now <= 0) {
                timedOut(slot, i, now);
                slot = timeouts.get(i).oldest();
            }
            slot = graces.get(i).oldest();
            while (slot != null && slot.waitEndNanos - now <= 0) {
                stuck(slot, now);
                slot = graces.get(i).oldest();
            }
        }
    }

    private long untilNext() {
        if (readyHead != null || handed != null) {
            return 0;
        }
        long now = clock.nanoTime();
        long wait = MAX_WAIT_NANOS;
        TimerHeap.Due first = timers.first();
        if (first != null) {
            wait = Math.min(wait, first.atNanos() - now);
        }
        for (int i = 0; i < timeouts.size(); i++) {
            CallSlot slot = timeouts.get(i).oldest();
            wait = slot == null ? wait : Math.min(wait, slot.waitEndNanos - now);
            slot = graces.get(i).oldest();
            wait = slot == null ? wait : Math.min(wait, slot.waitEndNanos - now);
        }
        return Math.max(0, wait);
    }

    /** Says whether a call starts with the next timer, so that it is worth spinning for. */
    boolean nextStartsCall() {
        TimerHeap.Due first = timers.first();
        return first != null && first.isPrecise();
    }

    // ---- calls ----

    /** Queues a slot whose next call is due at once. */
    void makeReady(CallSlot slot) {
        if (slot.linked) {
            return;
        }
        slot.linked = true;
        slot.linkedNext = null;
        if (readyTail == null) {
            readyHead = slot;
        } else {
            readyTail.linkedNext = slot;
        }
        readyTail = slot;
    }

    private @Nullable CallSlot pollReady() {
        CallSlot slot = readyHead;
        if (slot != null) {
            readyHead = slot.linkedNext;
            if (readyHead == null) {
                readyTail = null;
            }
            slot.linked = false;
            slot.linkedNext = null;
        }
        return slot;
    }

    void startNext(CallSlot slot, long nowNanos) {
        StageRun user = slot.user;
        if (user != null && !stopping) {
            user.startNext(slot, nowNanos);
        }
    }

    /** Begins a call in a slot that is not busy. */
    void call(CallSlot slot, Stage stage, long intendedNanos) {
        ClientCell cell = slot.cell;
        long ticket = slot.renew(stage.number(), cell.calls++, intendedNanos);
        cell.stageCalls++;
        slot.recorded = false;
        slot.cancelled = false;
        slot.busy = true;
        counters.inFlight(++busy);
        long sent = clock.nanoTime();
        slot.sentAt(sent);
        counters.begun(sent);
        AsyncClient client = cell.opened();
        String failure = cell.failure();
        if (client == null || failure != null) {
            ended(slot, sent, failure == null ? "no client" : failure);
            return;
        }
        slot.opened(ticket);
        if (!setup.debug()) {
            timeouts.get(stage.number()).add(slot, sent);
        }
        try {
            client.call(slot);
        } catch (Throwable thrown) {
            slot.end(ticket, Failures.describe(thrown));
        }
    }

    /** Takes the end of a call; {@code endNanos} was stamped when the client ended it. */
    void ended(CallSlot slot, long endNanos, String outcome) {
        if (slot.queue != null) {
            slot.queue.remove(slot);
        }
        if (!slot.recorded) {
            record(slot, endNanos, outcome);
        } else if (outcome.equals(Outcome.OK)) {
            counters.lateEnd();
        }
        slot.busy = false;
        counters.inFlight(--busy);
        StageRun user = slot.user;
        if (user != null && !stopping && !slot.cell.abandoned) {
            user.freed(slot, endNanos);
        }
    }

    private void record(CallSlot slot, long endNanos, String outcome) {
        if (finished) {
            counters.lateEnd();
            return;
        }
        if (samples.add(slot, endNanos, outcome)) {
            timers.arm(flush, clock.nanoTime() + SampleStream.BLOCK_AGE_NANOS);
        }
        if (outcome.equals(Outcome.OK)) {
            counters.ok();
        } else if (Outcome.isFailure(outcome)) {
            counters.failed();
        }
    }

    private void flushSamples() {
        samples.flush();
    }

    /** Records an arrival for which no slot was free. It has no client; the tester's first one stands in. */
    void drop(Stage stage, long intendedNanos) {
        int client = setup.plan().clientAt(setup.tester(), 0);
        int target = setup.plan().targets().indexOf(client, setup.tester(), 0);
        if (samples.add(stage.number(), client, target, intendedNanos, 0, 0, Outcome.DROPPED, 0)) {
            timers.arm(flush, clock.nanoTime() + SampleStream.BLOCK_AGE_NANOS);
        }
        counters.dropped();
    }

    private void timedOut(CallSlot slot, int stage, long now) {
        timeouts.get(stage).remove(slot);
        if (!slot.isOpen()) {
            // Ended on another thread just now; the end is on its way here.
            return;
        }
        slot.recorded = true;
        record(slot, now, Outcome.TIMEOUT);
        graces.get(stage).add(slot, now);
        cancel(slot);
    }

    private void cancel(CallSlot slot) {
        AsyncClient client = slot.cell.opened();
        if (client == null || slot.cancelled) {
            return;
        }
        slot.cancelled = true;
        try {
            client.cancel(slot);
        } catch (Throwable thrown) {
            setup.log("A client could not cancel its call: " + Failures.describe(thrown));
        }
    }

    private void stuck(CallSlot slot, long now) {
        if (slot.queue != null) {
            slot.queue.remove(slot);
        }
        // The ticket is void from now on: should the client end the call after all, that end is late.
        if (!slot.takeTicket()) {
            return;
        }
        slot.busy = false;
        counters.inFlight(--busy);
        ClientCell old = slot.cell;
        StageRun user = slot.user;
        boolean replace = setup.stuck(old.client());
        slot.user = null;
        if (old.abandoned || !replace || stopping) {
            return;
        }
        old.abandoned = true;
        abandoned.add(old);
        ClientCell fresh = open(old.place());
        fresh.calls = old.calls;
        cells.set(cells.indexOf(old), fresh);
        if (user != null) {
            user.replaced(old, fresh, now);
        }
    }

    // ---- clients ----

    /** Opens the client of this loop's next place. */
    ClientCell openNext() {
        ClientCell cell = open(cells.size() * loops + index);
        cells.add(cell);
        return cell;
    }

    private ClientCell open(int place) {
        int number = setup.plan().clientAt(setup.tester(), place);
        AsyncClient opened = null;
        String failure = null;
        int lanes = 1;
        try {
            Client client = maker.newClient();
            if (!(client instanceof AsyncClient async)) {
                throw new IllegalStateException("Session.newClient wanted an AsyncClient, as kind() says; found "
                        + client.getClass().getName());
            }
            opened = async;
            async.open(maker.context(number, this));
            lanes = async.callsAtOnce();
            if (lanes < 1 || lanes > 1_000) {
                throw new IllegalStateException("callsAtOnce wanted from 1 to 1000, found " + lanes);
            }
        } catch (Throwable thrown) {
            lanes = 1;
            failure = Failures.describe(thrown);
            setup.log("Client " + number + " could not be opened: " + failure);
        }
        ClientCell cell = new ClientCell(place, number, opened, failure);
        cell.slots(this, setup, lanes);
        return cell;
    }

    /** Lists this loop's clients by their places. */
    List<ClientCell> cells() {
        return Collections.unmodifiableList(cells);
    }

    // ---- ends on other threads ----

    /** Takes the end of a call from another thread. */
    void handOver(CallSlot slot) {
        CallSlot first;
        do {
            first = handed;
            slot.handedNext = first;
        } while (!HANDED.compareAndSet(this, first, slot));
        if (first == null) {
            // As a task, because a wake-up alone can be lost between the last look at the hand-over and the wait.
            pump.execute(takeHanded);
        }
    }

    private void takeHanded() {
        if (handed == null) {
            return;
        }
        CallSlot newest = (CallSlot) HANDED.getAndSet(this, (CallSlot) null);
        CallSlot oldest = null;
        while (newest != null) {
            CallSlot next = newest.handedNext;
            newest.handedNext = oldest;
            oldest = newest;
            newest = next;
        }
        while (oldest != null) {
            CallSlot next = oldest.handedNext;
            oldest.handedNext = null;
            ended(oldest, oldest.endNanos, oldest.endOutcome);
            oldest = next;
        }
    }

    // ---- what plugins see ----

    @Override
    public void execute(Runnable task) {
        pump.execute(task);
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public boolean inLoop() {
        return pump.inLoop();
    }

    @Override
    public Timer timer(Runnable task) {
        return new PluginTimer(task);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return pump.unwrap(type);
    }

    private final class PluginTimer extends TimerHeap.Due implements Timer {

        private final Runnable task;

        PluginTimer(Runnable task) {
            super(false);
            this.task = task;
        }

        @Override
        void fire(long nowNanos) {
            try {
                task.run();
            } catch (Throwable thrown) {
                setup.log("A client's timer failed: " + Failures.describe(thrown));
            }
        }

        @Override
        public void arm(long atNanos) {
            assert inLoop();
            timers.arm(this, atNanos);
        }

        @Override
        public void disarm() {
            assert inLoop();
            timers.disarm(this);
        }
    }

    // ---- for its neighbours ----

    TimerHeap timers() {
        return timers;
    }

    /** Counts; may be read by any thread. */
    Counters counters() {
        return counters;
    }

    /** Counts the slots that calls hold. */
    int busy() {
        return busy;
    }

    int index() {
        return index;
    }

    int loops() {
        return loops;
    }
}
