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
 * @param found highest value that held, of those at which the limit may lie; {@code null}: none, or the search was cut short
 * @param low lower end of the interval in which the highest value lies that keeps the conditions, by the scatter of all
 *     probes, with a probability of 95 %; {@code null}: nothing was found
 * @param high upper end of it; {@code null}: nothing was found, or nothing broke for sure
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
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double failedAt,
        String conclusion) {}
