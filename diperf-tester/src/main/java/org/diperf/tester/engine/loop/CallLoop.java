package org.diperf.tester.engine.loop;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Optional;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallData;
import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.AsyncClient;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Fault;
import org.diperf.core.spi.Loop;
import org.diperf.tester.engine.bounds.ReceiveTimes;
import org.diperf.tester.engine.call.CallDialogue;
import org.diperf.tester.engine.call.CallEvents;
import org.diperf.tester.engine.call.CallState;
import org.diperf.tester.engine.call.DetailedCalls;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.RunSetup;
import org.diperf.tester.engine.call.SampleStream;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling core of one loop: which call starts when, what ended how. It knows neither thread nor network: its
 * {@link LoopRunner} calls {@link #runDue} again and again, and tests do so by hand with a clock of their own. All methods are
 * for the loop's thread, unless they say otherwise. No call allocates or locks.
 */
public final class CallLoop implements Loop {

    /** Most that a pump should wait, so that nothing is ever forgotten for long. */
    static final long MAX_WAIT_NANOS = 1_000_000_000L;

    /** How long clients may take to let go of their calls after the load was cut off. */
    static final long LAST_GRACE_NANOS = 500_000_000L;

    /** Connections that are opened at a time, wherever the service is. */
    private static final int MAX_CONNECTING = 16;

    /** How long calls are expected to take at first, besides the way to the service and back. */
    private static final long EXPECTED_NANOS = 20_000_000L;

    /** Timers fired and calls begun from the ready queue before I/O gets its turn. */
    private static final int BATCH = 1_024;

    /** Time that these may take: to begin an iteration is work too where its journey does much before its first call. */
    private static final long BATCH_NANOS = 5_000_000L;

    /** What becomes of a call that got none of the connections there were. */
    private static final String NO_CONNECTION =
            Outcome.ofFailure(Failure.ofGenerator("no connection became free in time"));

    private final RunSetup setup;
    private final LoopShare share;
    private final NanoClock clock;
    private final LoopRunner pump;
    private final LoopRules rules;
    private final SampleStream samples;
    private final Runnable whenDone;
    private final LoopClients clients;
    private final Stages stages;
    private final Counters counters = new Counters();
    private final TimerHeap timers = new TimerHeap();
    private final Deadlines deadlines = new Deadlines();
    private final CompletionQueue handOver = new CompletionQueue();
    private final ReadyQueue ready = new ReadyQueue();
    /** What clients want done when the calls of a turn have begun. */
    private final ArrayDeque<Runnable> afterCalls = new ArrayDeque<>();

    private final Runnable takeHanded = this::takeHanded;
    private final TimerHeap.Due flush;
    private final TimerHeap.Due cutOff = new TimerHeap.Due(false, this::cutOff);
    private final TimerHeap.Due lastGrace = new TimerHeap.Due(false, now -> {
        finish();
        done();
    });
    /** {@code null}: nothing bounds the errors of this loop's instants. */
    private final @Nullable ReceiveTimes looks;

    /** {@code null}: no call is shown. */
    private final @Nullable DetailedCalls shown;

    /** What is recorded of that is no call of a slot. */
    private final CallData row = new CallData();

    /** Whose iteration or answer the loop is at, or was last; another thread may read it, where the loop stands still. */
    private @Nullable CallSlot serving;

    private final int steps;
    /** When the last turn began. */
    private long turnedNanos;

    private int busy;
    private int inFlight;
    /** Clients that are opening connections, for which no call waits any longer than its timeout. */
    private int connecting;

    /** What connecting took at least, and when it was done last. */
    private long fastestConnectNanos = Long.MAX_VALUE;

    private long connectedNanos;
    private @Nullable FirstConnections first;
    private boolean over;
    private boolean stopping;
    private boolean wasCutOff;
    private boolean finished;
    private boolean done;

    /**
     * @param whenDone run on the loop when the plan is over, all is recorded and flushed, and the clients are closed
     */
    public CallLoop(
            RunSetup setup,
            LoopShare share,
            NanoClock clock,
            LoopRunner pump,
            LoopRules rules,
            ClientFactory maker,
            SampleStream samples,
            Runnable whenDone) {
        this.setup = setup;
        this.share = share;
        this.clock = clock;
        this.pump = pump;
        this.rules = rules;
        this.samples = samples;
        this.whenDone = whenDone;
        this.turnedNanos = clock.nanoTime();
        this.flush = new TimerHeap.Due(false, now -> samples.flush());
        this.steps = setup.script().steps();
        this.shown = setup.shown();
        this.looks = pump.looks();
        this.clients = new LoopClients(this, setup, maker, looks);
        this.stages = rules.stages(this, () -> over = true);
    }

    // ---- the life of a loop ----

    /** Opens the clients that must be open before the start: all of closed load, the first ones of open load. */
    public void openFirst(int atMost) {
        assert inLoop();
        clients.openFirst(atMost);
    }

    /**
     * Opens connections that the first stage will need, if it is one of open load.
     *
     * @param then run on the loop when they are there, or cannot be opened
     */
    public void connectFirst(Runnable then) {
        assert inLoop();
        first = new FirstConnections(this, setup.plan().stages().get(0), then);
        first.proceed();
    }

    /** Sets the instant of the run's start; the plan's times count from it. */
    public void start(long startNanos) {
        assert inLoop();
        if (stopping) {
            return;
        }
        stages.start(startNanos, clock.nanoTime());
    }

    /** Notes that the plan has grown: opens the clients that came with it and cuts off the stage before. */
    public void grown() {
        assert inLoop();
        if (stopping || finished) {
            return;
        }
        clients.grown();
        stages.grown();
    }

    /** Lets go of what was due at once, but for iterations under way; where a client stays it is queued again. */
    public void unready() {
        ready.clear();
    }

    /** Begins no more calls from now; what is in flight has so much time to end. A later stop can only shorten that. */
    public void stop(long graceNanos) {
        assert inLoop();
        if (finished || wasCutOff) {
            return;
        }
        long at = clock.nanoTime() + graceNanos;
        if (!stopping) {
            stopping = true;
            over = true;
            stages.leave();
            timers.arm(cutOff, at);
            clients.forEachSlot(slot -> slot.hasten(clock.nanoTime()));
        } else if (at - cutOff.atNanos() < 0) {
            timers.arm(cutOff, at);
        }
    }

    private void cutOff(long nowNanos) {
        wasCutOff = true;
        clients.forEachSlot(slot -> cutOff(slot, nowNanos));
        samples.flush();
        timers.arm(lastGrace, nowNanos + LAST_GRACE_NANOS);
    }

    private void cutOff(CallSlot slot, long nowNanos) {
        if (!slot.busy) {
            return;
        }
        leaveOut(slot);
        SlotJourney journey = slot.journey;
        if (!slot.isOpen()) {
            if (journey != null) {
                journey.cutOff(nowNanos, false);
            }
            return;
        }
        if (!slot.recorded) {
            slot.recorded = true;
            record(slot, nowNanos, Outcome.UNFINISHED);
            if (journey != null) {
                journey.cutOff(nowNanos, true);
            }
        }
        if (slot.queue != null) {
            slot.queue.remove(slot);
        }
        cancel(slot);
    }

    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        stages.leave();
        timers.disarm(cutOff);
        samples.flush();
        clients.closeAll();
        inFlight = 0;
        counters.inFlight(0);
        if (clients.areClosed()) {
            done();
        }
    }

    private void done() {
        if (!done) {
            done = true;
            timers.disarm(lastGrace);
            whenDone.run();
        }
    }

    /** Notes that a client with a thread of its own has been closed. */
    void clientClosed(ClientState cell) {
        assert inLoop();
        clients.closed(cell);
        if (finished && clients.areClosed()) {
            done();
        }
    }

    // ---- turning ----

    /**
     * Does all that is due.
     *
     * @return nanoseconds until something is due again, at least 0; I/O is to be served meanwhile
     */
    public long runDue() {
        assert inLoop();
        takeHanded();
        long now = clock.nanoTime();
        fireTimers(now);
        expire(now);
        turnedNanos = now;
        long at = now;
        for (int i = 0; i < BATCH && at - now < BATCH_NANOS && !ready.isEmpty(); i++) {
            CallSlot slot = ready.poll();
            at = clock.nanoTime();
            if (slot != null) {
                startNext(slot, at);
            }
        }
        runAfterCalls();
        if (clients.haveWork()) {
            clients.workOnce();
        }
        if (over && busy == 0 && !finished) {
            finish();
        }
        return untilNext();
    }

    private void runAfterCalls() {
        // What these ask for again is of the next turn.
        for (int left = afterCalls.size(); left > 0; left--) {
            afterCalls.remove().run();
        }
        if (looks != null) {
            looks.ranAfterCalls();
        }
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
        // Since the last turn the loop has looked at its connections: an answer that came in time is not one that this
        // loop was late for.
        long looked = turnedNanos;
        for (CallSlot slot = deadlines.pollTimedOut(looked); slot != null; slot = deadlines.pollTimedOut(looked)) {
            timedOut(slot, now);
        }
        for (CallSlot slot = deadlines.pollStuck(now); slot != null; slot = deadlines.pollStuck(now)) {
            stuck(slot, now);
        }
    }

    private long untilNext() {
        if (!ready.isEmpty() || !afterCalls.isEmpty() || !handOver.isEmpty() || clients.haveWork()) {
            return 0;
        }
        long now = clock.nanoTime();
        long wait = MAX_WAIT_NANOS;
        TimerHeap.Due first = timers.first();
        if (first != null) {
            wait = Math.min(wait, first.atNanos() - now);
        }
        return Math.max(0, deadlines.untilNext(wait, now));
    }

    /** Returns whether a call starts with the next timer, so that it is worth spinning for. */
    public boolean nextStartsCall() {
        TimerHeap.Due first = timers.first();
        return first != null && first.isPrecise();
    }

    // ---- iterations ----

    /** Queues a slot whose next iteration is due at once. */
    void makeReady(CallSlot slot) {
        ready.add(slot);
    }

    /** Asks the current stage for the next iteration of a slot. */
    void startNext(CallSlot slot, long nowNanos) {
        assert inLoop();
        if (slot.resuming) {
            slot.resuming = false;
            requireNonNull(slot.journey, "only journeys can resume").resume();
            return;
        }
        StageRun user = slot.user;
        if (user != null && !stopping) {
            user.startNext(slot, nowNanos);
        }
    }

    /**
     * Begins an iteration in a slot that is not busy: what its client does before its first call, then its planned call.
     * Once begun, only a stop of the load keeps it from its planned call.
     *
     * @param dueNanos when the plan wants it to begin
     */
    public void iterate(CallSlot slot, Stage stage, Deadlines.Span span, long dueNanos) {
        assert inLoop();
        serving = slot;
        slot.begin(stage, span, dueNanos);
        slot.cell.lived = true;
        busy++;
        countInFlight(slot, 1);
        slot.proceed();
    }

    /**
     * Makes the next call of an iteration.
     *
     * @param dueNanos when it is due: with the iteration for its first call, else at the end of the call before
     */
    void nextCall(CallSlot slot, long dueNanos) {
        assert inLoop();
        if (stopping) {
            leaveOut(slot);
            iterationEnded(slot, dueNanos);
            return;
        }
        ClientState cell = slot.cell;
        boolean step = cell.stepsDone < steps;
        if (!step && slot.journey != null) {
            slot.journey.begin(dueNanos);
            return;
        }
        long ticket = step
                ? slot.renewStep(slot.iterationStage(), cell.numbers.calls, cell.stepsDone, dueNanos)
                : slot.renew(slot.iterationStage(), cell.numbers.calls, dueNanos);
        String usedUp = slot.takeRows();
        if (usedUp != null) {
            usedUp(slot, usedUp, dueNanos);
            return;
        }
        if (!step) {
            slot.countPlanned();
        }
        begin(slot, ticket);
    }

    /** Makes a call that its slot has been renewed for. */
    public void begin(CallSlot slot, long ticket) {
        serving = slot;
        ClientState cell = slot.cell;
        slot.recorded = false;
        slot.cancelled = false;
        long sent = clock.nanoTime();
        if (looks != null) {
            looks.passed(sent);
        }
        // By how much of that the load generator is to blame nobody knows: it is in the bound on the way out.
        slot.sentAt(sent - slot.waitedNanos);
        slot.waitedNanos = 0;
        AsyncClient client = cell.opened();
        String failure = cell.failure();
        if (client == null || failure != null) {
            counters.neverSent();
            ended(slot, sent, failure == null ? "no client" : failure);
            return;
        }
        slot.opened(ticket);
        if (!slot.isSelfTimed()) {
            counters.begun(sent);
            if (!setup.debug()) {
                slot.iterationSpan().begin(slot, sent);
            }
        }
        try {
            if (looks != null) {
                looks.serves(slot.cell.looked());
            }
            client.call(slot);
        } catch (Throwable thrown) {
            slot.end(ticket, Failures.outcome(thrown));
        }
        if (looks != null) {
            looks.served();
            if (slot.isOpen()) {
                looks.handedOut(slot, ticket, !afterCalls.isEmpty());
            }
        }
    }

    /**
     * Has the client of a slot that is not busy open its connection. What comes of it is nobody's call; {@link StageRun#connected} hears of its end.
     *
     * @param stage whose calls it is for
     */
    public void connect(CallSlot slot, Stage stage, Deadlines.Span span) {
        assert inLoop();
        long now = clock.nanoTime();
        long ticket = slot.renew(stage, slot.cell.numbers.calls, now);
        slot.sentAt(now);
        slot.busy = true;
        slot.connecting = true;
        slot.recorded = true;
        slot.cancelled = false;
        connecting++;
        AsyncClient client = slot.cell.opened();
        if (client == null || slot.cell.failure() != null) {
            connected(slot, now, Outcome.CANCELLED);
            return;
        }
        slot.opened(ticket);
        if (!setup.debug()) {
            span.begin(slot, now);
        }
        try {
            if (looks != null) {
                looks.serves(slot.cell.looked());
            }
            client.connect(slot);
        } catch (Throwable thrown) {
            slot.end(ticket, Failures.outcome(thrown));
        }
        if (looks != null) {
            looks.served();
        }
    }

    private void connected(CallSlot slot, long endNanos, String outcome) {
        // Else its timeout has passed, and nobody waits for it.
        connecting -= slot.cancelled ? 0 : 1;
        slot.connecting = false;
        slot.connected = true;
        slot.busy = false;
        if (outcome.equals(Outcome.OK)) {
            fastestConnectNanos = Math.min(fastestConnectNanos, endNanos - slot.sentNanos());
            connectedNanos = endNanos;
        }
        StageRun user = slot.user;
        if (user != null && !stopping && !slot.cell.abandoned) {
            user.connected(slot);
        }
        clients.freed(slot);
        if (first != null) {
            first.proceed();
        }
    }

    /**
     * Ends an iteration for which no row of data is left. In closed load its client has done its work; open load cannot continue as
     * planned.
     */
    public void usedUp(CallSlot slot, String why, long nowNanos) {
        Load load = slot.iterationStage().load();
        if (load instanceof ClosedLoad) {
            setup.log("A client has stopped making calls: " + why);
            retire(slot.cell);
        } else {
            stop(load.timeoutNanos());
            setup.abort(why, load.timeoutNanos());
        }
        iterationEnded(slot, nowNanos);
    }

    /**
     * Gives up the planned call of an iteration because the load has stopped before it was sent. In open load it was an
     * arrival, each of which is recorded; like one that was dropped it has no times.
     */
    public void leaveOut(CallSlot slot) {
        if (!slot.owed) {
            return;
        }
        slot.owed = false;
        Stage stage = slot.iterationStage();
        if (stage.load() instanceof OpenLoad && !finished) {
            addNeverSent(stage, slot.client(), slot.cell.numbers.calls, slot.iterationDueNanos, Outcome.UNFINISHED);
            counters.neverSent();
        }
    }

    /** Lets the planned call of an iteration fail by what came before it. */
    private void failPlanned(CallSlot slot, long nowNanos, String outcome) {
        String reason = Outcome.within(slot.kind().name(), outcome);
        if (slot.journey == null) {
            slot.renew(slot.iterationStage(), slot.cell.numbers.calls, nowNanos);
        } else {
            slot.journey.failFirst(nowNanos, reason);
        }
        slot.sentAt(nowNanos);
        slot.countPlanned();
        counters.neverSent();
        record(slot, nowNanos, reason);
    }

    /** Takes the end of a call; {@code endNanos} was stamped when the client ended it. */
    void ended(CallSlot slot, long endNanos, String outcome) {
        assert inLoop();
        if (slot.queue != null) {
            slot.queue.remove(slot);
        }
        if (slot.connecting) {
            connected(slot, endNanos, outcome);
            return;
        }
        boolean late = slot.recorded;
        if (slot.isSelfTimed()) {
            if (!late) {
                // Nobody told it to end.
                counters.begun(slot.sentNanos());
                record(slot, endNanos, outcome.equals(Outcome.OK) ? "ended early" : outcome);
            }
        } else if (!late) {
            record(slot, endNanos, outcome);
        } else if (outcome.equals(Outcome.OK)) {
            counters.lateEnd();
        }
        passEventsOn(slot);
        if (slot.step() != CallState.NO_STEP) {
            stepEnded(slot, endNanos, late ? Outcome.TIMEOUT : outcome);
        } else if (slot.journey != null) {
            slot.journey.ended(endNanos, late ? Outcome.TIMEOUT : outcome);
        } else {
            iterationEnded(slot, endNanos);
        }
    }

    /** Resumes an iteration after one of the steps before its client's first call. */
    private void stepEnded(CallSlot slot, long endNanos, String outcome) {
        if (outcome.equals(Outcome.OK)) {
            slot.cell.stepsDone++;
            nextCall(slot, endNanos);
            return;
        }
        // The client's next iteration tries again.
        slot.cell.stepsDone = 0;
        if (stopping) {
            leaveOut(slot);
        } else {
            failPlanned(slot, endNanos, outcome);
        }
        iterationEnded(slot, endNanos);
    }

    public void iterationEnded(CallSlot slot, long endNanos) {
        slot.busy = false;
        busy--;
        countInFlight(slot, -1);
        StageRun user = slot.user;
        if (user != null && !stopping && !slot.cell.abandoned) {
            user.freed(slot, endNanos);
        }
        clients.freed(slot);
    }

    private void countInFlight(CallSlot slot, int change) {
        if (!slot.isSelfTimed()) {
            inFlight += change;
            counters.inFlight(inFlight);
        }
    }

    private void record(CallSlot slot, long endNanos, String outcome) {
        if (finished) {
            counters.lateEnd();
            return;
        }
        slot.finish(endNanos, outcome);
        added(samples.add(slot));
        // Of one that has timed out and that another thread is at, when it has ended.
        passEventsOn(slot);
        CallDialogue dialogue = slot.dialogue();
        if (shown != null && dialogue != null) {
            shown.ended(slot, dialogue, endNanos, outcome);
        }
        if (slot.stageNumber() == slot.cell.stage) {
            slot.cell.stageBytes += slot.bytes();
        }
        if (outcome.equals(Outcome.OK)) {
            counters.ok();
        } else if (Outcome.isFailure(outcome)) {
            // What the stage wants in which the call began.
            Load load = slot.stage().load();
            if (load.onFailure() == OnFailure.RETIRE_CLIENT) {
                retire(slot.cell);
            }
            failed(load, slot.client(), outcome);
        }
    }

    private void failed(Load load, int client, String outcome) {
        counters.failed();
        if (Outcome.fault(outcome) == Fault.GENERATOR) {
            setup.abortIfOutOfMemory(Outcome.cause(outcome));
        }
        if (load.onFailure() == OnFailure.ABORT && !stopping) {
            // Here at once; the setup tells the other loops.
            stop(load.timeoutNanos());
            setup.abortAfter(client, outcome, load);
        }
    }

    /** Lets a client make no more calls, because it reported a failed one that it timed itself. */
    public void retire(int client) {
        clients.cells().stream()
                .filter(cell -> cell.client() == client)
                .findFirst()
                .ifPresent(this::retire);
    }

    private void retire(ClientState cell) {
        if (!cell.retired) {
            cell.retired = true;
            StageRun run = stages.current();
            if (run != null) {
                run.retired(cell);
            }
        }
    }

    /** Counts arrivals that wait for a slot, or no longer do, among those in flight. */
    public void waits(int change) {
        busy += change;
        inFlight += change;
        counters.inFlight(inFlight);
    }

    /** Records an arrival that waited when the load stopped. It has no client; the tester's first one stands in. */
    public void leaveOut(Stage stage, long intendedNanos) {
        addNeverSent(stage, firstClient(), 0, intendedNanos, Outcome.UNFINISHED);
        counters.neverSent();
    }

    /** Records an arrival for which no slot was free. It has no client; the tester's first one stands in. */
    public void drop(Stage stage, long intendedNanos) {
        addNeverSent(stage, firstClient(), 0, intendedNanos, Outcome.DROPPED);
        counters.dropped();
    }

    /**
     * Records an arrival likewise whose timeout has passed before a connection was free. It is the service's fault only where that let nobody
     * connect all the while.
     *
     * @param sinceNanos from when on it waited
     */
    public void expire(Stage stage, long intendedNanos, long sinceNanos, long nowNanos) {
        boolean connects = fastestConnectNanos != Long.MAX_VALUE && connectedNanos - sinceNanos >= 0;
        String outcome = connects ? NO_CONNECTION : Outcome.TIMEOUT;
        int client = firstClient();
        added(samples.add(row.of(stage.number(), client, 0, setup.targetOf(client, 0))
                .times(intendedNanos, sinceNanos - intendedNanos, nowNanos - intendedNanos)
                .ended(outcome, 0)));
        counters.neverSent();
        failed(stage.load(), client, outcome);
    }

    private int firstClient() {
        return setup.plan().clientAt(setup.slot(), 0);
    }

    private void addNeverSent(Stage stage, int client, long call, long intendedNanos, String outcome) {
        added(samples.add(row.of(stage.number(), client, 0, setup.targetOf(client, call))
                .times(intendedNanos, 0, 0)
                .ended(outcome, 0)));
    }

    /** Records a group of calls that has ended. */
    public void recordGroup(CallRow group) {
        if (!finished) {
            added(samples.addGroup(group));
        }
    }

    private void added(boolean firstOfBlock) {
        if (firstOfBlock) {
            timers.arm(flush, clock.nanoTime() + SampleStream.BLOCK_AGE_NANOS);
        }
    }

    // ---- calls that do not end by themselves ----

    private void timedOut(CallSlot slot, long now) {
        if (!slot.isOpen()) {
            // Ended on another thread just now; the end is on its way here.
            return;
        }
        if (slot.connecting) {
            connecting--;
            cancel(slot);
            return;
        }
        slot.recorded = true;
        slot.iterationSpan().allowGrace(slot, now);
        record(slot, now, Outcome.TIMEOUT);
        if (slot.step() == CallState.NO_STEP && slot.journey != null) {
            slot.journey.timedOut(now);
        }
        cancel(slot);
    }

    /** Ends the one iteration of a client that times its calls itself, whose life is over. */
    public void endSelfTimed(CallSlot slot, long nowNanos) {
        if (slot.busy && !slot.recorded && slot.isOpen()) {
            slot.recorded = true;
            slot.iterationSpan().allowGrace(slot, nowNanos);
            cancel(slot);
        }
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
            setup.survived("A client could not cancel its call: ", thrown);
        }
    }

    private void stuck(CallSlot slot, long now) {
        // The ticket is void from now on: should the client end the call after all, that end is late.
        if (!slot.take(slot.ticket())) {
            return;
        }
        if (slot.owed && !stopping) {
            failPlanned(slot, now, Outcome.TIMEOUT);
        } else {
            leaveOut(slot);
            if (slot.journey != null) {
                slot.journey.stuck(now);
            }
        }
        slot.busy = false;
        slot.dead = true;
        busy--;
        countInFlight(slot, -1);
        ClientState old = slot.cell;
        StageRun user = slot.user;
        boolean replace = setup.stuck(old.client());
        slot.user = null;
        if (old.abandoned || stopping) {
            return;
        }
        if (!replace || old.retired) {
            deactivate(slot);
            if (old.isDead()) {
                retire(old);
            }
            return;
        }
        ClientState fresh = clients.replace(old);
        if (user != null) {
            user.replaced(old, fresh, now);
        }
    }

    // ---- ends on other threads ----

    /** Takes the end of a call from another thread. */
    void handOver(CallSlot slot) {
        if (handOver.add(slot)) {
            // As a task, because a wake-up alone can be lost between the last look at the hand-over and the wait.
            pump.execute(takeHanded);
        }
    }

    private void takeHanded() {
        CallSlot oldest = handOver.takeAll();
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
    public void afterCalls(Runnable task) {
        assert inLoop();
        afterCalls.add(task);
    }

    @Override
    public Timer timer(Runnable task) {
        return new PluginTimer(this, setup, task);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return pump.unwrap(type);
    }

    // ---- for its neighbours ----

    /** Notes at whose answer or end of a call the loop is. */
    void serves(CallSlot slot) {
        serving = slot;
    }

    /** Says at whose iteration or answer a loop is that stands still. Any thread. */
    public String serving() {
        CallSlot slot = serving;
        return slot == null
                ? "no client"
                : "client " + slot.client() + ", request " + slot.kind().name();
    }

    /** Returns the end of a slot's call that its client ends on the loop and just now: when its answer was there, if that is known. */
    long end(CallSlot slot, long nowNanos) {
        return looks == null ? nowNanos : looks.end(slot, nowNanos, slot.cell.looked(), slot.cell.answersAlone());
    }

    /** Passes on the events of a slot's call that are not in a block yet. */
    void passEventsOn(CallSlot slot) {
        CallEvents events = slot.ownsEvents() && !finished ? slot.events() : null;
        if (events != null) {
            added(samples.add(events));
        }
    }

    /** Returns when an event came that a slot's client finds now, as far as that is known. */
    long eventEnd(CallSlot slot, long nowNanos) {
        return looks == null || !inLoop()
                ? nowNanos
                : looks.end(nowNanos, slot.sentNanos(), slot.cell.looked(), slot.cell.answersAlone());
    }

    /** Returns by how much at most such an event came before that. */
    long eventError(CallSlot slot, long atNanos) {
        if (looks == null || !inLoop()) {
            return CallWriter.UNKNOWN;
        }
        long error = looks.errorIn(atNanos, slot.cell.looked(), slot.cell.answersAlone());
        return Math.max(ReceiveTimes.MIN_NANOS, error);
    }

    /** Counts the client of this slot among those that call. */
    public void activate(CallSlot slot) {
        if (!slot.active) {
            slot.active = true;
            if (slot.cell.activeSlots++ == 0) {
                counters.active(1);
            }
        }
    }

    /** Counts the client of this slot no more, when this is the last of its slots that calls. */
    public void deactivate(CallSlot slot) {
        if (slot.active) {
            slot.active = false;
            if (--slot.cell.activeSlots == 0) {
                counters.active(-1);
            }
        }
    }

    public TimerHeap timers() {
        return timers;
    }

    public LoopClients clients() {
        return clients;
    }

    Stages stages() {
        return stages;
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    /** Counts; may be read by any thread. */
    public Counters counters() {
        return counters;
    }

    /** Returns whether the load is about to end, so that no call begins. */
    public boolean isStopping() {
        return stopping;
    }

    /** Returns whether nothing is recorded any more. */
    public boolean isFinished() {
        return finished;
    }

    /** Counts the slots that iterations hold. */
    public int busy() {
        return busy;
    }

    /** Counts the clients that are opening connections. */
    public int connecting() {
        return connecting;
    }

    /**
     * Counts the clients that may be opening connections at a time. Handshakes cost both sides much more than calls: a call that waits is
     * better served by a connection that becomes free meanwhile. More are allowed where they are far away, as many as arrivals come while
     * one is made, and as many again.
     */
    public int mostConnecting(OpenLoad load) {
        double together = fastestConnectNanos == Long.MAX_VALUE ? 0 : 2 * arrivalsIn(fastestConnectNanos, load);
        return (int) Math.max(MAX_CONNECTING, Math.min(Integer.MAX_VALUE, together));
    }

    /** Returns how many connections calls need at first, as far as the first of them shows how far away the service is. */
    int firstConnections(OpenLoad load) {
        return fastestConnectNanos == Long.MAX_VALUE
                ? 1
                : (int) Math.ceil(arrivalsIn(EXPECTED_NANOS + 2 * fastestConnectNanos, load));
    }

    private double arrivalsIn(long nanos, OpenLoad load) {
        double perSecond = Math.max(load.fromPerSecond(), load.perSecond());
        return Math.min(Integer.MAX_VALUE, perSecond / setup.plan().testers() / share.loops() / 1e9 * nanos);
    }

    public LoopShare share() {
        return share;
    }

    LoopRules rules() {
        return rules;
    }
}
