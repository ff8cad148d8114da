package org.diperf.tester.engine.journey;

import static java.util.Objects.requireNonNull;

import java.io.UncheckedIOException;
import java.util.List;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Journey.Move;
import org.diperf.core.plan.JourneyRandom;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Failure;
import org.diperf.tester.engine.call.CallState;
import org.diperf.tester.engine.call.CompiledJourney;
import org.diperf.tester.engine.call.JavaJourneyCode;
import org.jspecify.annotations.Nullable;

/**
 * Where the iteration of a slot stands in its journey. It is asked for the next call when one has ended, and tells which groups
 * ended with that. No call allocates, but where a condition fills in a text. Owned by the client's owner, as its slot is.
 */
final class JourneyCursor {

    /** Stands for: the journey is over. */
    static final int OVER = -1;

    /** Takes the groups that have ended. */
    interface Groups {

        /**
         * Takes one.
         *
         * @param group its number
         * @param intendedNanos of its first call
         * @param lagNanos of its first call, at least 0
         * @param endNanos of its last call
         * @param bytes of all its calls
         */
        void ended(int group, long intendedNanos, long lagNanos, long endNanos, String outcome, long bytes);
    }

    /** Stands for: a class says what is next. */
    static final int CODE = -2;

    private static final long NOT_SENT = -1;

    /** Moves between two calls, so that what loops without one does not hold the thread. */
    private static final int MAX_MOVES = 10_000;

    private final Groups groups;
    private final int[] open;
    private final long[] intended;
    private final long[] lag;
    private final long[] bytes;
    private final long[] left;
    private @Nullable CompiledJourney route;
    private long iteration;
    private boolean inCode;
    private int depth;
    private int at;
    private int request = OVER;
    private long dueNanos;
    private long endNanos;

    /** @param routes of the script, any of which it may be on */
    JourneyCursor(List<CompiledJourney> routes, Groups groups) {
        this.groups = groups;
        int most =
                routes.stream().mapToInt(each -> each.journey().groups()).max().orElse(0);
        this.open = new int[most];
        this.intended = new long[most];
        this.lag = new long[most];
        this.bytes = new long[most];
        this.left = new long
                [routes.stream().mapToInt(each -> each.journey().loops()).max().orElse(0)];
    }

    /**
     * Sets out on a journey.
     *
     * @param ofIteration number of the client's iteration, from 0
     */
    void setOut(CompiledJourney on, long ofIteration, long nowNanos) {
        route = on;
        iteration = ofIteration;
        inCode = false;
        depth = 0;
        at = 0;
        request = OVER;
        dueNanos = nowNanos;
        endNanos = nowNanos;
    }

    /** Returns whether an iteration is on its way. */
    boolean isUnderWay() {
        return route != null;
    }

    /** Returns whether a class says what is next. */
    boolean isInCode() {
        return inCode;
    }

    /** Returns whether a call of the journey has been made. */
    boolean hasCalled() {
        return depth > 0 && lag[0] != NOT_SENT;
    }

    /** Returns the journey's class, its name for tables included. */
    JavaJourneyCode coded() {
        return requireNonNull(requireNonNull(route, "set by setOut()").coded(), "a journey in Java has code");
    }

    /** Returns the journey. */
    Journey journey() {
        return requireNonNull(route, "set by setOut()").journey();
    }

    /** Sets the next call of a journey in Java. */
    void next(int ofRequest, long ofDueNanos) {
        request = ofRequest;
        dueNanos = ofDueNanos;
    }

    /** Sets when the pause ends that a journey in Java makes. */
    void pause(long untilNanos) {
        request = CODE;
        dueNanos = untilNanos;
    }

    /** Ends a journey in Java that went well. */
    void codeEnded(CallState slot, long atNanos) {
        inCode = false;
        goOn(slot, endNanos);
        dueNanos = atNanos;
    }

    /** Ends a journey that failed between calls: with the end of its last call, though its code may have ended later. */
    void failed(String outcome, long atNanos) {
        giveUp(endNanos, outcome);
        dueNanos = atNanos;
    }

    /** Returns the number of the iteration. */
    long iteration() {
        return iteration;
    }

    /** Returns the request of the next call, or {@link #OVER} or {@link #CODE}. */
    int request() {
        return request;
    }

    /** Says when the next call is due; of a journey that is over, when its last pause ends. */
    long dueNanos() {
        return dueNanos;
    }

    /**
     * Goes on to the next call.
     *
     * @param slot whose call's number is that of the next one
     * @param fromNanos end of the call before; of the first one when it is due
     * @throws UncheckedIOException with a {@link FailedCallException}, when there is no call within 10,000 moves or a condition takes too long
     */
    void goOn(CallState slot, long fromNanos) {
        CompiledJourney on = requireNonNull(route, "set by setOut()");
        Journey journey = on.journey();
        dueNanos = fromNanos;
        endNanos = fromNanos;
        List<Move> moves = journey.moves();
        for (int made = 0; at < moves.size(); made++) {
            if (made == MAX_MOVES) {
                throw new UncheckedIOException(new FailedCallException(
                        Failure.ofExperiment("no call within " + MAX_MOVES + " moves of a journey")
                                .remedied("repeat less, or make a call in each repetition")));
            }
            int place = at++;
            Move move = moves.get(place);
            if (move instanceof Move.Request next) {
                request = next.request();
                return;
            } else if (move instanceof Move.Pause pause) {
                dueNanos += JourneyRandom.pauseNanos(pause.think(), on.seed(), slot.client(), slot.number(), place);
            } else if (move instanceof Move.Enter enter) {
                open[depth] = enter.group();
                intended[depth] = dueNanos;
                lag[depth] = NOT_SENT;
                bytes[depth] = 0;
                depth++;
            } else if (move instanceof Move.Leave) {
                leave(Outcome.OK);
            } else if (move instanceof Move.When when) {
                at = on.holds(place, slot) ? at : when.otherwise();
            } else if (move instanceof Move.Repeat repeat) {
                left[repeat.loop()] = JourneyRandom.times(repeat, on.seed(), slot.client(), slot.number(), place);
                at = left[repeat.loop()] == 0 ? repeat.behind() : at;
            } else if (move instanceof Move.Again again) {
                at = --left[again.loop()] > 0 ? again.from() : at;
            } else if (move instanceof Move.Set set) {
                slot.keep(set.name(), on.value(place, slot));
            } else if (move instanceof Move.Code) {
                inCode = true;
                request = CODE;
                return;
            }
        }
        request = OVER;
        route = null;
    }

    /** Notes the end of a call of a journey in Java. */
    void calledAt(long atNanos) {
        endNanos = atNanos;
    }

    /** Notes a call that has ended. */
    void called(long intendedNanos, long sentNanos, long moved) {
        for (int i = 0; i < depth; i++) {
            if (lag[i] == NOT_SENT) {
                // The group may have been entered before a pause.
                intended[i] = intendedNanos;
                lag[i] = Math.max(0, sentNanos - intendedNanos);
            }
            bytes[i] += moved;
        }
    }

    /**
     * Gives up the journey after a call that failed; the pause behind that call is the journey's last, because users whose page failed
     * ask no sooner for the next.
     *
     * @param slot of the call
     */
    void callFailed(CallState slot, long nowNanos, String outcome) {
        CompiledJourney on = requireNonNull(route, "set by setOut()");
        List<Move> moves = on.journey().moves();
        long pause = at < moves.size() && moves.get(at) instanceof Move.Pause behind
                ? JourneyRandom.pauseNanos(behind.think(), on.seed(), slot.client(), slot.number(), at)
                : 0;
        giveUp(nowNanos, outcome);
        dueNanos = nowNanos + pause;
    }

    /** Gives up the journey: its groups end as it does. Does nothing when it is over. */
    void giveUp(long nowNanos, String outcome) {
        endNanos = nowNanos;
        while (depth > 0) {
            leave(outcome);
        }
        route = null;
        request = OVER;
        inCode = false;
        dueNanos = nowNanos;
    }

    private void leave(String outcome) {
        depth--;
        if (lag[depth] == NOT_SENT) {
            // It has made no call.
            return;
        }
        groups.ended(open[depth], intended[depth], lag[depth], endNanos, outcome, bytes[depth]);
    }
}
