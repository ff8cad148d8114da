package org.diperf.core.experiment;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The part of the run that the numbers of {@code measured} cover.
 *
 * @param window which part of the run
 * @param from for {@link Window#RANGE}: its start, after the start of the run
 * @param to for {@link Window#RANGE}: its end, after the start of the run
 * @param skip time to leave out at the start of the window; {@code null}: while the load generator is cold
 */
public record Measure(
        Window window, Duration from, Duration to, @Nullable Duration skip) {

    /** Which part of the run. */
    public enum Window {
        /** All of it. */
        WHOLE,
        /** While all clients run; in open load, at the full rate. */
        PEAK,
        /** From one instant to another. */
        RANGE
    }
}
