package org.diperf.analyzer.model;

import org.jspecify.annotations.Nullable;

/**
 * A level with one value a quantum of what was measured, equally long arrays of at least one.
 *
 * @param load as of a {@link LevelPoint}
 * @param perSecond ok calls a second
 * @param responseSeconds mean response time of these; {@link Double#NaN} where there were none
 */
public record LevelSamples(double load, double[] perSecond, double[] responseSeconds) {

    /** Averages the level; {@code null} where it answered nothing. */
    public @Nullable LevelPoint point() {
        return point(null);
    }

    /** Averages the quanta of these indices, all for {@code null}; response times by the calls that they are of. */
    @Nullable
    LevelPoint point(int @Nullable [] indices) {
        double calls = 0;
        double seconds = 0;
        int count = indices == null ? perSecond.length : indices.length;
        for (int i = 0; i < count; i++) {
            int at = indices == null ? i : indices[i];
            calls += perSecond[at];
            seconds += perSecond[at] > 0 ? perSecond[at] * responseSeconds[at] : 0;
        }
        return calls > 0 && seconds > 0 ? new LevelPoint(load, calls / count, seconds / calls) : null;
    }
}
