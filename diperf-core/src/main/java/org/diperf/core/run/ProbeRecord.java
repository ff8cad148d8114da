package org.diperf.core.run;

import org.jspecify.annotations.Nullable;

/**
 * One value that was tried.
 *
 * @param stage its number
 * @param value clients, or calls a second
 * @param purpose {@code step up}, {@code bisect} or {@code recheck}
 * @param holds whether all conditions held; {@code null}: undecided
 * @param observed in words, each condition with the observed value
 * @param decidedBy in words, what spoke against it; empty: nothing did; {@code null}: in runs of versions that did not say
 */
public record ProbeRecord(
        int stage,
        double value,
        String purpose,
        @Nullable Boolean holds,
        String observed,
        @Nullable String decidedBy) {}
