package org.diperf.tester.engine.call;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.diperf.core.experiment.LoopSettings;
import org.diperf.core.plan.Load;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Plan;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.Targets;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Metric;
import org.jspecify.annotations.Nullable;

/** What everybody in one engine's run needs to know. Thread-safe. */
public final class RunSetup {

    /** Stuck clients that a tester replaces; beyond it their places stay dead. */
    static final int MAX_REPLACED = 100;

    private static final int MAX_LOGGED = 20;

    /** What is kept of a call at which somebody looks. */
    private static final int WATCHED_BYTES = 256 << 10;

    /** Half of the heap: what is kept is copied while it is made, and the other half is for calls and samples. */
    private final Memory memory = new Memory(Runtime.getRuntime().maxMemory() / 2);

    private final int tester;
    private final int slot;
    private final int unit;
    private final int host;
    private final Targets targets;
    private final List<Metric> metrics;
    private final LoopSettings loops;
    private final boolean debug;
    private final EngineListener listener;
    private volatile Plan plan;
    private volatile CallScript script = CallScript.NONE;
    private @Nullable AnswerObserver answers;
    private @Nullable DetailedCalls shown;
    private boolean traced;
    private int dialogueBytes = CallDialogue.MAX_BYTES;
    /** Of each request its place in the list of the session that makes it; empty: one session makes all. */
    private int[] places = {};

    private volatile long joinNanos;
    private volatile String aborted = "";
    private volatile LongConsumer stop = graceNanos -> {};
    private volatile IntConsumer retire = client -> {};
    private final AtomicInteger stuck = new AtomicInteger();
    private final AtomicInteger logged = new AtomicInteger();

    /**
     * @param slot of the plan that this tester has
     * @param host number of its machine among those of the run, from 0
     * @param debug whether timeouts stand still
     */
    public RunSetup(
            int tester,
            int slot,
            int host,
            Plan plan,
            List<Metric> metrics,
            LoopSettings loops,
            boolean debug,
            EngineListener listener) {
        this.tester = tester;
        this.slot = slot;
        this.unit = plan.numbering().firstSlot() + slot;
        this.host = host;
        this.plan = plan;
        this.targets = plan.targets();
        this.metrics = List.copyOf(metrics);
        this.loops = loops;
        this.debug = debug;
        this.listener = listener;
    }

    /** Returns what counts the memory that clients keep of answers. */
    public Memory memory() {
        return memory;
    }

    /** Names this tester, as its samples do. */
    public int tester() {
        return tester;
    }

    /** Says which share of the plan is this tester's, from 1 to the plan's testers. */
    public int slot() {
        return slot;
    }

    /** Says how event loops work, and how long the threads that start calls may spin. */
    public LoopSettings loops() {
        return loops;
    }

    /** Returns the plan as far as it is known now; an immutable value that {@link #append} replaces. */
    public Plan plan() {
        return plan;
    }

    /** Sets what calls are and what values they have; before any client is made. */
    public void script(CallScript opened) {
        script = opened;
    }

    /** Returns what calls are and what values they have. */
    public CallScript script() {
        return script;
    }

    /** Sets the place of each request in the list of the session that makes it; before any client is made. */
    public void places(int[] ofRequests) {
        places = ofRequests;
    }

    /** Returns the place of a request in the list of the session that makes it. */
    int placeOf(int request) {
        return places.length == 0 ? request : places[request];
    }

    /** Sets who sees all answers; before any client is made. */
    public void showAnswers(AnswerObserver watch) {
        answers = watch;
        dialogueBytes = WATCHED_BYTES;
    }

    /** Returns who sees all answers; {@code null}: nobody does. */
    @Nullable
    public AnswerObserver answers() {
        return answers;
    }

    /** Sets who chooses calls that are shown whole; before any client is made. */
    public void show(DetailedCalls chooses) {
        shown = chooses;
    }

    /** Returns who chooses calls that are shown whole; {@code null}: nobody does. */
    @Nullable
    public DetailedCalls shown() {
        return shown;
    }

    /** Says that calls carry trace ids; before any client is made. */
    public void trace() {
        traced = true;
    }

    /** Returns whether calls carry trace ids. */
    boolean isTraced() {
        return traced;
    }

    /** Returns whether anybody may look at what is said in calls. */
    boolean showsCalls() {
        return shown != null;
    }

    /** Returns how much of what is said in a call is kept, in bytes. */
    int dialogueBytes() {
        return dialogueBytes;
    }

    /** Sets from when on calls begin, after the start of the run. */
    public void joinAt(long nanos) {
        joinNanos = nanos;
        if (nanos > 0) {
            script.takeOver();
        }
    }

    /** Says from when on calls begin, after the start of the run: later than 0 in place of a lost tester. */
    public long joinNanos() {
        return joinNanos;
    }

    /** Returns the targets, which do not change when the plan grows. */
    public Targets targets() {
        return targets;
    }

    /**
     * Returns the place of a call's target in the list of targets, which all groups share.
     *
     * @param client in the whole run
     * @param call number of the client's call, from 0
     */
    public int targetOf(int client, long call) {
        return targets.indexOf(client, unit, host, call);
    }

    /**
     * Makes the plan longer; says whether the stage is a new one.
     *
     * @throws RuntimeException when the plan does not grow or the stage is not the one that follows
     */
    public synchronized boolean append(Stage stage) {
        Plan known = plan;
        if (known.stage(stage.number()) != null) {
            return false;
        }
        plan = known.with(stage);
        return true;
    }

    /** Sets what ends the load when something aborts it; takes the grace in nanoseconds. */
    public void whenAborted(LongConsumer stops) {
        stop = stops;
    }

    /** Ends the load, with the first reason that comes. Any thread. */
    public void abort(String reason, long graceNanos) {
        synchronized (this) {
            if (!aborted.isEmpty()) {
                return;
            }
            aborted = script.masked(reason);
        }
        tell("This tester has stopped generating load: " + aborted);
        stop.accept(graceNanos);
    }

    /** Ends the load after a failed call, as the load wants it. Any thread. */
    public void abortAfter(int client, String outcome, Load load) {
        abort(
                "A call by client " + client + " failed (on-failure: abort): " + Outcome.cause(outcome),
                load.timeoutNanos());
    }

    /** Goes on after what was thrown where nobody else hears of it, unless memory is used up. Any thread. */
    public void survived(String what, Throwable thrown) {
        String cause = Failures.describe(thrown);
        log(what + cause);
        abortIfOutOfMemory(cause);
    }

    /** Ends the load when something failed for want of memory: what follows would fail too, and not by the service. Any thread. */
    public void abortIfOutOfMemory(String cause) {
        if (cause.contains("OutOfMemoryError") && !cause.contains("native thread")) {
            abort(cause + " with a heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB; " + Memory.REMEDY, 0);
        }
    }

    /** Says why the load was aborted, empty when it was not. */
    public String aborted() {
        return aborted;
    }

    public List<Metric> metrics() {
        return metrics;
    }

    public boolean debug() {
        return debug;
    }

    /** Counts this tester's clients in a stage. */
    public int clientsOf(Stage stage) {
        return plan.clientsOf(slot, stage.load());
    }

    /** Counts this tester's clients in the largest of the stages known. */
    public int mostClients() {
        return plan.stages().stream().mapToInt(this::clientsOf).max().orElse(0);
    }

    /** Returns the longest timeout of the stages known. */
    public Duration longestTimeout() {
        return Duration.ofNanos(plan.stages().stream()
                .mapToLong(stage -> stage.load().timeoutNanos())
                .max()
                .orElse(0));
    }

    /** Returns how long after its timeout a call may hold its client before the client counts as stuck. */
    public static long graceNanos(Load load) {
        return Math.max(1_000_000_000L, load.timeoutNanos());
    }

    /** Finds a metric among the declared ones: the same object, then an equal one. */
    @SuppressWarnings("ReferenceEquality") // the usual case, and cheap
    int metricIndex(Metric metric) {
        for (int m = 0; m < metrics.size(); m++) {
            if (metrics.get(m) == metric) {
                return m;
            }
        }
        int index = metrics.indexOf(metric);
        if (index < 0) {
            throw new IllegalArgumentException("Call.metric: expected a metric that the plugin declares, got '"
                    + metric.name() + "' and declared "
                    + (metrics.isEmpty()
                            ? "none"
                            : metrics.stream().map(Metric::name).toList())
                    + "; declare it in ClientPlugin.metrics(), or as a constant in a one-class plugin");
        }
        return index;
    }

    /**
     * Looks whether clients that time their calls themselves can carry out the plan.
     *
     * @throws IllegalArgumentException saying why not
     */
    public void checkSelfTimed() {
        if (script.requests() > 1 || !script.routes().isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected a client that makes calls on request, because the experiment has"
                            + " client.requests, client.journeys or client.before; got one that times its calls");
        }
        if (plan.stages().stream().anyMatch(stage -> stage.load() instanceof OpenLoad)) {
            throw new IllegalArgumentException(
                    "Expected closed load, because this client times its own calls; got open load. Use closed load "
                            + "for stream clients: load: { clients: N, run-for: D }");
        }
    }

    /** Sets what makes a client retire that reported a failed call by itself. */
    public void whenRetired(IntConsumer retires) {
        retire = retires;
    }

    /** Lets a client make no more calls. Any thread. */
    public void retire(int client) {
        retire.accept(client);
    }

    /** Counts a stuck client; says whether it may be replaced. */
    public boolean stuck(int client) {
        int count = stuck.incrementAndGet();
        if (count <= MAX_REPLACED) {
            log("Client " + client + " did not end a call after its timeout; replacing it");
        } else if (count == MAX_REPLACED + 1) {
            log("More than " + MAX_REPLACED + " clients are stuck; no more will be replaced");
        }
        return count <= MAX_REPLACED;
    }

    public int stuckClients() {
        return stuck.get();
    }

    /** Passes a line on, up to a bound, so that a broken plugin cannot fill the log. */
    public void log(String line) {
        int count = logged.incrementAndGet();
        if (count <= MAX_LOGGED) {
            tell(line);
        } else if (count == MAX_LOGGED + 1) {
            tell("Further messages of this kind are not shown");
        }
    }

    private void tell(String line) {
        listener.log(script.masked(line));
    }
}
