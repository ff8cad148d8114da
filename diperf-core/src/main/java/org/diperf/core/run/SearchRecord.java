package org.diperf.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for the highest value of the load that keeps a condition.
 *
 * @param of {@code rate} or {@code clients}
 * @param from lowest value that may be tried
 * @param to highest value that may be tried
 * @param conditions all of which must hold
 * @param probes in the order of their stages
 * @param found highest value that was confirmed; {@code null}: none
 * @param failedAt lowest value above it that did not hold; {@code null}: none, the range or the generator was the limit
 * @param conclusion in a sentence
 */
public record SearchRecord(
        String of,
        double from,
        double to,
        List<String> conditions,
        List<ProbeRecord> probes,
        @Nullable Double found,
        @Nullable Double failedAt,
        String conclusion) {}
