package org.diperf.core.spi;

import java.time.Instant;
import java.util.List;

/**
 * What an export needs to know about a run besides its calls.
 *
 * @param experiment its name
 * @param startedAt the start of the run, from which instants of calls count
 * @param requests names of the kinds of request, by number
 * @param targets URIs, by number
 * @param metrics that calls may have, by number
 * @param traced whether calls have {@link ExportedCall#trace ids}
 * @param quantumNanos width of an interval in formats that have intervals, at least 1,000
 */
public record ExportedRun(
        String experiment,
        Instant startedAt,
        List<String> requests,
        List<String> targets,
        List<ExportedMetric> metrics,
        boolean traced,
        long quantumNanos) {

    /** Copies the lists. */
    public ExportedRun {
        requests = List.copyOf(requests);
        targets = List.copyOf(targets);
        metrics = List.copyOf(metrics);
    }

    /** Returns the name of a kind of request, or its number if it has none. */
    public String request(int number) {
        return number >= 0 && number < requests.size() ? requests.get(number) : Integer.toString(number);
    }

    /** Returns the URI of a target, or its number if it has none. */
    public String target(int number) {
        return number >= 0 && number < targets.size() ? targets.get(number) : Integer.toString(number);
    }

    /**
     * A metric of calls.
     *
     * @param name as its plugin declared it
     * @param unit as written for people; may be empty
     */
    public record ExportedMetric(String name, String unit) {}
}
