package org.diperf.core.run;

import org.jspecify.annotations.Nullable;

/**
 * A stage that holds one value of the load.
 *
 * @param value clients, or calls a second
 * @param settledNanos from when on it counts, after the start of the run; {@code null}: it never settled
 * @param settling in words: how that was judged
 */
public record LevelRecord(double value, @Nullable Long settledNanos, String settling) {}
