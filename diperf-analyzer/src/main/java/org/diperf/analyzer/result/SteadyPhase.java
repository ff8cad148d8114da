package org.diperf.analyzer.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.diperf.analyzer.stats.BatchSeries;
import org.diperf.analyzer.stats.SteadyState;
import org.diperf.analyzer.stats.SteadyState.State;
import org.jspecify.annotations.Nullable;

/**
 * From when on a part of the run with constant load was steady, by MSER-5.
 *
 * @param state {@code steady}; {@code none}: it was not, or not for long enough; {@code unknown}: too few calls to tell
 * @param fromSeconds from when on, after the start of the run; {@code null} unless steady
 * @param agrees of levels that settled: whether that was no later than the live judgement, whose instant the numbers of the
 *     level count from in any case; {@code null} for others
 */
public record SteadyPhase(
        String state,
        @Nullable Double fromSeconds,
        @Nullable Boolean agrees) {

    private static final double SECOND = 1e9;
    /** MSER-5 sees a level in 192 parts at most, and its cut scatters by a few of them. */
    private static final double TOLERANCE = 0.1;

    public static SteadyPhase of(BatchSeries stretch) {
        SteadyState found = SteadyState.of(stretch);
        return switch (found.state()) {
            case STEADY -> new SteadyPhase("steady", found.fromNanos() / SECOND, null);
            case NONE -> new SteadyPhase("none", null, null);
            case UNKNOWN -> new SteadyPhase("unknown", null, null);
        };
    }

    /** Compares it with the live judgement of a level, which said from when on the numbers count. */
    public static SteadyPhase of(BatchSeries level, long settledNanos) {
        SteadyState found = SteadyState.of(level);
        SteadyPhase steady = of(level);
        if (found.state() == State.UNKNOWN) {
            return steady;
        }
        double late = settledNanos + TOLERANCE * (level.toNanos() - level.fromNanos());
        boolean agrees = found.state() == State.STEADY && found.fromNanos() <= late;
        return new SteadyPhase(steady.state, steady.fromSeconds, agrees);
    }

    /** Returns whether there was no steady state. */
    @JsonIgnore
    public boolean isNone() {
        return state.equals("none");
    }
}
