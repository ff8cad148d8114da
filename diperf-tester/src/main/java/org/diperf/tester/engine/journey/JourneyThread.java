package org.diperf.tester.engine.journey;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.JourneyContext;
import org.diperf.core.spi.JourneyStep;
import org.diperf.core.spi.Loop;
import org.diperf.tester.engine.call.CallState;
import org.diperf.tester.engine.call.Failures;
import org.diperf.tester.engine.call.JavaJourneyCode;
import org.diperf.tester.engine.loop.ClientThreads;
import org.diperf.tester.engine.loop.SystemThreads;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which a slot's journeys in Java run, turn about with its loop: while the code runs the slot waits, and while the slot's
 * call is under way the code waits. All fields change hands with the turn, but for {@link #abandoned}, which the loop sets at any time.
 */
final class JourneyThread implements JourneyContext {

    /** What the code wants when it gives the turn back. */
    enum NextStep {
        CALL,
        PAUSE,
        END
    }

    private static final long LONGEST_WAIT_NANOS = 3_600_000_000_000L;

    private final Loop loop;
    private final CallState slot;
    private final ClientThreads threads = new SystemThreads();
    private final Map<String, JavaJourney> journeys = new HashMap<>();
    private final Runnable asked;
    private @Nullable Thread thread;
    private volatile boolean abandoned;
    private volatile boolean codesTurn;

    // From the loop.
    private @Nullable JavaJourneyCode coded;
    private long iteration;
    private long fromNanos;
    private String outcome = Outcome.OK;

    // Of the code.
    private @Nullable RandomGenerator random;
    private long wokenNanos;
    private NextStep nextStep = NextStep.END;
    private int request;
    private long dueNanos;
    private String end = Outcome.OK;

    /** What the last failed call threw, and its outcome. */
    private @Nullable Throwable thrown;

    private String thrownOutcome = "";

    /** Unwinds code whose iteration is over. */
    private static final class Over extends Error {

        private static final long serialVersionUID = 1L;

        Over() {
            super("the iteration is over", null, false, false);
        }
    }

    /** @param whenAsked told on the loop that the code wants something */
    JourneyThread(Loop loop, CallState slot, Consumer<JourneyThread> whenAsked) {
        this.loop = loop;
        this.slot = slot;
        this.asked = () -> {
            if (!abandoned) {
                whenAsked.accept(this);
            }
        };
    }

    // ---- for the loop ----

    /**
     * Begins a journey.
     *
     * @param fromNanos when it is due
     */
    void begin(JavaJourneyCode journey, long ofIteration, long from) {
        coded = journey;
        iteration = ofIteration;
        random = null;
        thrown = null;
        resume(Outcome.OK, from);
    }

    /**
     * Lets the code go on.
     *
     * @param how the call ended for which it waits; ok: it waits for none
     * @param from end of that call, or of the pause
     */
    void resume(String how, long from) {
        outcome = how;
        fromNanos = from;
        codesTurn = true;
        Thread waiting = thread;
        if (waiting == null) {
            thread = threads.start("diperf-journey-" + slot.client(), this::live);
        } else {
            threads.wake(waiting);
        }
    }

    /** Lets go of the thread: code that runs is unwound when it asks for anything. */
    void abandon() {
        abandoned = true;
        Thread running = thread;
        if (running != null) {
            threads.interrupt(running);
            threads.wake(running);
        }
    }

    /** Says what the code wants now. */
    NextStep nextStep() {
        return nextStep;
    }

    /** Returns the number of the request that it wants to make. */
    int request() {
        return request;
    }

    /** Says when that is due, or when the pause or the iteration ends. */
    long dueNanos() {
        return dueNanos;
    }

    /** Says how the journey ended. */
    String end() {
        return end;
    }

    // ---- the code's thread ----

    private void live() {
        while (awaitTurn()) {
            end = Outcome.OK;
            try {
                JavaJourneyCode journey = requireNonNull(coded, "set by begin()");
                journeys.computeIfAbsent(journey.type(), type -> journey.maker().get())
                        .go(this);
            } catch (Over over) {
                return;
            } catch (Throwable failure) {
                end = failure == thrown ? thrownOutcome : Failures.outcome(failure);
            }
            if (abandoned) {
                return;
            }
            // What the code interrupted itself is no matter of the next iteration.
            Thread.interrupted();
            thrown = null;
            dueNanos = dueNow();
            give(NextStep.END);
        }
    }

    private void give(NextStep wanted) {
        nextStep = wanted;
        codesTurn = false;
        loop.execute(asked);
    }

    /** Waits for the turn; says whether there is anything to go on with. */
    private boolean awaitTurn() {
        boolean interrupted = false;
        while (!codesTurn && !abandoned) {
            threads.park(LONGEST_WAIT_NANOS);
            // A thread that is interrupted would not wait.
            interrupted |= Thread.interrupted();
        }
        wokenNanos = loop.nanoTime();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !abandoned;
    }

    private void ask(NextStep wanted) {
        if (abandoned) {
            throw new Over();
        }
        give(wanted);
        if (!awaitTurn()) {
            throw new Over();
        }
    }

    /** Returns the end of what came before and the time that the code itself has taken since. */
    private long dueNow() {
        return fromNanos + Math.max(0, loop.nanoTime() - wokenNanos);
    }

    @Override
    public Answer call(JourneyStep step) throws FailedCallException {
        request = requireNonNull(coded, "set by begin()").requestOf(step.name());
        dueNanos = dueNow();
        ask(NextStep.CALL);
        if (outcome.equals(Outcome.OK)) {
            return slot.keptAnswer();
        }
        FailedCallException failed =
                new FailedCallException(Outcome.failure(outcome).in(step.name()));
        thrown = failed;
        thrownOutcome = Outcome.within(step.name(), outcome);
        throw failed;
    }

    @Override
    public void think(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("think: expected a time of at least 0, got " + time);
        }
        dueNanos = dueNow() + time.toNanos();
        ask(NextStep.PAUSE);
    }

    @Override
    public int client() {
        return slot.client();
    }

    @Override
    public long iteration() {
        return iteration;
    }

    @Override
    public String value(String name) {
        checkUnderWay();
        return slot.value(name);
    }

    @Override
    public void set(String name, String value) {
        checkUnderWay();
        slot.keep(name, requireNonNull(value, "value"));
    }

    private void checkUnderWay() {
        if (abandoned) {
            throw new Over();
        }
    }

    @Override
    public RandomGenerator random() {
        RandomGenerator made = random;
        if (made == null) {
            long seed = requireNonNull(coded, "set by begin()").seed();
            made = new SplittableRandom(
                    seed + 0x9E3779B97F4A7C15L * (client() + 1L) + 0xD1B54A32D192ED03L * (iteration + 1));
            random = made;
        }
        return made;
    }
}
