package org.diperf.tester.engine.call;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Map;
import org.diperf.core.plan.RequestMix;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.TraceIds;
import org.diperf.core.sample.CallRow;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** A call as its client sees it and as it is recorded. Reused from call to call; owned by the client's owner. */
public abstract class CallState implements Call, CallRow {

    /** Stands for: a call of the mix, nothing that comes before it. */
    public static final int NO_STEP = -1;

    private static final long NO_END = Long.MIN_VALUE;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Clients keep no more of a body for code that reads it. */
    private static final long MAX_KEPT = 1 << 20;

    private static final Answer NO_ANSWER = new Answer() {

        @Override
        public @Nullable String header(String name) {
            return null;
        }

        @Override
        public String body() {
            return "";
        }
    };

    private final RunSetup setup;
    private final CallScript script;
    private final RequestMix mix;
    private final int client;
    private final @Nullable CallValues values;
    private final double[] metrics;
    private final @Nullable CallDialogue dialogue;
    private boolean anyMetric;
    /** Made for the first call that has any. */
    private @Nullable CallEvents events;
    /** When the metrics that are times ended; as many as there are metrics, made for the first, {@link #NO_END} for others. */
    private long @Nullable [] metricEnds;

    private @Nullable Stage stage;
    private long number;
    private long iteration;
    private int request;
    private int step = NO_STEP;
    private CallScript.Kind kind = CallScript.Kind.PLAIN;
    private boolean answered;
    /** The outcome of a call whose answer is not what was wanted. */
    private @Nullable String refused;

    /** What code reads. */
    private @Nullable Answer kept;

    private long keptBytes;

    private int targetIndex;
    private long ticket;
    private long bytes;
    private boolean first;
    private long intendedNanos;
    private long sentNanos;
    private long errorIn;
    private long errorOut;
    /** What both are together at least. */
    private long errorLeast;

    /** Whether the client itself has said what the call surely took. */
    private boolean told;

    private long lagNanos;
    private long latencyNanos;
    private long endNanos;
    private String outcome = Outcome.OK;

    private long leftNanos;
    private long answeredNanos;

    public CallState(RunSetup setup, int client) {
        this.setup = setup;
        this.script = setup.script();
        this.mix = script.mix();
        this.client = client;
        this.values = script.values(client, setup.memory());
        this.dialogue = setup.showsCalls() ? new CallDialogue(setup.dialogueBytes(), setup.memory()) : null;
        this.metrics = new double[setup.metrics().size()];
        Arrays.fill(metrics, Double.NaN);
    }

    /** Makes this object the next call; returns its ticket. */
    public final long renew(Stage ofStage, long callNumber, long intended) {
        return renew(ofStage, callNumber, mix.requestOf(client, callNumber), callNumber, intended);
    }

    /**
     * Makes this object the next call of a journey; returns its ticket.
     *
     * @param ofIteration of which it is
     */
    public final long renew(Stage ofStage, long callNumber, int ofRequest, long ofIteration, long intended) {
        stage = ofStage;
        number = callNumber;
        iteration = ofIteration;
        step = NO_STEP;
        request = ofRequest;
        kind = script.kind(ofRequest);
        answered = false;
        refused = null;
        kept = null;
        setup.memory().resize(keptBytes, 0);
        keptBytes = 0;
        targetIndex = setup.targetOf(client, ofIteration);
        bytes = 0;
        first = false;
        intendedNanos = intended;
        errorIn = CallWriter.UNKNOWN;
        errorOut = CallWriter.UNKNOWN;
        errorLeast = 0;
        told = false;
        if (dialogue != null) {
            dialogue.clear();
        }
        if (events != null) {
            events.begin();
        }
        if (anyMetric) {
            Arrays.fill(metrics, Double.NaN);
            anyMetric = false;
        }
        return ++ticket;
    }

    /** Makes this object what the client does before the call of that number; returns its ticket. */
    public final long renewStep(Stage ofStage, long callNumber, int ofStep, long intended) {
        long fresh = renew(ofStage, callNumber, script.requestOf(ofStep), callNumber, intended);
        step = ofStep;
        return fresh;
    }

    /** Gives back the memory of what was kept for the calls of a client that makes no more. */
    public final void forget() {
        kept = null;
        setup.memory().resize(keptBytes, 0);
        keptBytes = 0;
        if (values != null) {
            values.forget();
        }
        if (dialogue != null) {
            dialogue.forget();
        }
    }

    /** Returns what of the steps before the client's first call this is, or {@link #NO_STEP}. */
    public final int step() {
        return step;
    }

    /**
     * Takes the rows of data files that this call needs.
     *
     * @return why there are none left; {@code null}: it has them
     */
    public final @Nullable String takeRows() {
        return values == null ? null : values.take(script.taken(request), number);
    }

    /**
     * Takes the rows of data files that an iteration of a journey needs.
     *
     * @return why there are none left; {@code null}: it has them
     */
    public final @Nullable String takeRows(CompiledJourney route, long iteration) {
        return values == null ? null : values.take(route.files(), iteration);
    }

    /** Makes this object what a journey's texts see before its first call. */
    public final void setsOut(long ofIteration) {
        iteration = ofIteration;
        kind = CallScript.Kind.PLAIN;
        targetIndex = setup.targetOf(client, ofIteration);
    }

    /** Sets the number of the next call, which what is drawn before it depends on. */
    public final void number(long ofNext) {
        number = ofNext;
    }

    /** Keeps a value under a name. */
    public final void keep(String name, String value) {
        if (values != null) {
            values.keep(name, value);
        }
    }

    /** Returns the answer to the last call; an empty one where its client gave none. */
    public final Answer keptAnswer() {
        Answer answer = kept;
        return answer == null ? NO_ANSWER : answer;
    }

    /** Returns what the call is. */
    public final CallScript.Kind kind() {
        return kind;
    }

    /**
     * Returns the outcome of a call that the client ended well: one from which nothing could be captured, or whose answer is not
     * what was wanted, has failed.
     *
     * @param endNanos when it ended
     */
    public final String judged(String outcome, long endNanos) {
        if (!kind.judges() && !kind.coded() || !outcome.equals(Outcome.OK)) {
            return outcome;
        }
        if (kind.readsAnswer() && !answered) {
            return Outcome.ofFailure(
                    (kind.names().isEmpty() ? "check" : "capture") + ": this client returns no answers");
        }
        String judged = refused;
        for (int i = 0; i < kind.checks().size() && judged == null; i++) {
            Check check = kind.checks().get(i);
            judged = check.holds(endNanos - intendedNanos, this) ? null : Outcome.ofFailure(check.cause());
        }
        return judged == null ? outcome : judged;
    }

    public final void sentAt(long nanos) {
        sentNanos = nanos;
    }

    /** Notes that the client has been told to make the call with this ticket, and has passed its request on. */
    public final void handedOut(long ofTicket, long nanos) {
        if (ofTicket == ticket) {
            errorOut = nanos - sentNanos;
        }
    }

    /** Notes by how much at most the end is later than the answer came. */
    public final void answeredWithin(long nanos) {
        errorIn = nanos;
    }

    /** Notes the same, where no call is known better than to {@code least} nanoseconds at both ends together. */
    public final void answeredWithin(long nanos, long least) {
        errorIn = nanos;
        errorLeast = least;
    }

    /** Returns whether the client has said what the call surely took. */
    public final boolean isTold() {
        return told;
    }

    /**
     * Keeps an event of the call.
     *
     * @param errorNanos by how much at most it came earlier, or {@link CallWriter#UNKNOWN}
     * @return whether what is kept must be passed on now
     */
    protected final boolean keepEvent(long atNanos, int ofKind, int count, long errorNanos) {
        CallEvents kept = events;
        if (kept == null) {
            kept = new CallEvents(this);
            kept.begin();
            events = kept;
        }
        kept.add(atNanos, ofKind, count, errorNanos);
        return kept.isFull();
    }

    /** Returns the events that are not yet passed on; {@code null}: there are none. */
    public final @Nullable CallEvents events() {
        return events != null && events.rows() > 0 ? events : null;
    }

    /** Sets what is recorded of the call: when and how it ended. */
    public final void finish(long atNanos, String how) {
        lagNanos = Math.max(0, sentNanos - intendedNanos);
        latencyNanos = Math.max(lagNanos, atNanos - intendedNanos);
        endNanos = atNanos;
        outcome = Outcome.isReserved(how) ? how : script.masked(how);
        if (told) {
            takeTold(atNanos);
        }
        if (errorIn != CallWriter.UNKNOWN && how.equals(Outcome.OK)) {
            // One that ended before its client returned took no longer than both together.
            long service = latencyNanos - lagNanos;
            errorIn = Math.min(service, errorIn);
            errorOut = Math.min(service, errorOut);
            errorLeast = Math.min(service, errorLeast);
        } else {
            errorIn = CallWriter.UNKNOWN;
            errorOut = CallWriter.UNKNOWN;
        }
    }

    /** Takes what the client said in place of what its thread spent, unless it cannot be of this call. */
    private void takeTold(long endNanos) {
        boolean possible = leftNanos - sentNanos >= 0 && endNanos - leftNanos >= 0 && answeredNanos != Long.MIN_VALUE;
        errorOut = possible ? leftNanos - sentNanos : CallWriter.UNKNOWN;
        errorIn = possible ? Math.max(0, endNanos - answeredNanos) : CallWriter.UNKNOWN;
    }

    /** Returns the stage in which the call began, whatever the current stage is. */
    public final Stage stage() {
        return requireNonNull(stage, "set by renew()");
    }

    /** Counts what the call has moved so far. */
    @Override
    public final long bytes() {
        return bytes;
    }

    @Override
    public final long intendedNanos() {
        return intendedNanos;
    }

    public final long sentNanos() {
        return sentNanos;
    }

    @Override
    public final long number() {
        return number;
    }

    @Override
    public final long iteration() {
        return iteration;
    }

    @Override
    public final int client() {
        return client;
    }

    @Override
    public final int request() {
        return setup.placeOf(request);
    }

    @Override
    public final int requestNumber() {
        return request;
    }

    @Override
    public final String value(String name) {
        return values == null ? "" : values.value(name);
    }

    @Override
    public final boolean hasValue(String name) {
        return values != null && values.has(name);
    }

    /** Returns what of the values of its client nobody else should see. */
    final Map<String, String> hidden() {
        return values == null ? Map.of() : values.hidden();
    }

    @Override
    public final @Nullable CallDialogue dialogue() {
        return dialogue;
    }

    @Override
    public final String traceparent() {
        return setup.isTraced() ? TraceIds.parent(setup.plan().seed(), client, number, request) : "";
    }

    @Override
    public final boolean wantsAnswer() {
        return kind.readsAnswer() || kind.coded() || setup.answers() != null;
    }

    @Override
    public final boolean wantsFailedAnswer() {
        return setup.answers() != null;
    }

    /** Notes that the answer is about to be read, by whatever the experiment says. */
    protected abstract void reads();

    @Override
    public final void answer(Answer answer) {
        reads();
        if (kind.readsAnswer()) {
            answered = true;
            refused = refusal(answer);
        }
        if (kind.coded()) {
            long size = Math.min(answer.size(), MAX_KEPT);
            if (setup.memory().resize(keptBytes, size)) {
                keptBytes = size;
                kept = answer;
            } else {
                refused = Outcome.ofFailure(Memory.FULL);
            }
        }
        AnswerObserver watch = setup.answers();
        if (watch != null) {
            watch.answered(request, answer, values == null ? Map.of() : values.captured(kind));
        }
    }

    /** Takes what is wanted of an answer; returns the outcome where it does not have it. */
    private @Nullable String refusal(Answer answer) {
        try {
            String missing = read(answer);
            return missing == null ? null : Outcome.ofFailure(missing);
        } catch (RuntimeException | StackOverflowError thrown) {
            // Else the client would never end its call.
            return Outcome.ofFailure(Failure.known(thrown)
                    .orElseGet(() -> Failure.ofExperiment(thrown.getClass().getSimpleName()))
                    .in("check or capture"));
        }
    }

    /** Takes what is wanted of an answer; returns what it does not have. */
    private @Nullable String read(Answer answer) {
        String missing = values == null || kind.names().isEmpty() ? null : values.capture(kind, answer);
        for (int i = 0; i < kind.checks().size() && missing == null; i++) {
            missing = kind.checks().get(i).fault(answer, this);
        }
        return missing;
    }

    @Override
    public final Url target() {
        Url own = kind.target();
        return own == null ? setup.targets().each().get(targetIndex) : own;
    }

    @Override
    public final int targetIndex() {
        return kind.target() == null ? targetIndex : 0;
    }

    @Override
    public final int targetNumber() {
        return targetIndex;
    }

    @Override
    public final long ticket() {
        return ticket;
    }

    @Override
    public final void bytes(long count) {
        if (count < 0) {
            throw new IllegalArgumentException("Call.bytes: expected a count of at least 0, got " + count);
        }
        bytes += count;
    }

    @Override
    public final void firstOnConnection() {
        first = true;
    }

    @Override
    public final void tookAtLeast(long fromNanos, long toNanos) {
        leftNanos = fromNanos;
        answeredNanos = toNanos;
        told = true;
    }

    @Override
    public final void metric(Metric metric, double value) {
        int index = setup.metricIndex(metric);
        metrics[index] = value;
        anyMetric = true;
        long[] ends = metricEnds;
        if (ends != null) {
            ends[index] = NO_END;
        }
    }

    @Override
    public final void metric(Metric metric, long fromNanos, long toNanos) {
        int index = setup.metricIndex(metric);
        long[] ends = metricEnds;
        if (ends == null) {
            ends = new long[metrics.length];
            Arrays.fill(ends, NO_END);
            metricEnds = ends;
        }
        metrics[index] = (toNanos - fromNanos) / NANOS_PER_MILLI;
        ends[index] = toNanos;
        anyMetric = true;
    }

    // ---- as it is recorded, once it is finished ----

    @Override
    public final int stageNumber() {
        return stage().number();
    }

    @Override
    public final long lagNanos() {
        return lagNanos;
    }

    @Override
    public final long latencyNanos() {
        return latencyNanos;
    }

    @Override
    public final String outcome() {
        return outcome;
    }

    @Override
    public final boolean isFirst() {
        return first;
    }

    @Override
    public final long callNumber() {
        return setup.isTraced() ? number : NO_NUMBER;
    }

    @Override
    public final long errorInNanos() {
        return errorIn;
    }

    @Override
    public final long errorOutNanos() {
        return errorOut;
    }

    @Override
    public final long errorLeastNanos() {
        return errorLeast;
    }

    @Override
    public final boolean hasMetrics() {
        return anyMetric;
    }

    /** Returns a metric, of which only what was before the call's end counts. */
    @Override
    public final double metric(int index) {
        long[] ends = metricEnds;
        if (ends == null || ends[index] == NO_END || ends[index] - endNanos <= 0) {
            return metrics[index];
        }
        long nanos = Math.round(metrics[index] * NANOS_PER_MILLI) - (ends[index] - endNanos);
        return Math.max(0, nanos) / NANOS_PER_MILLI;
    }
}
