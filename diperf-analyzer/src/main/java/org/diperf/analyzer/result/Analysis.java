package org.diperf.analyzer.result;

import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.server.ServerView;
import org.diperf.core.run.RunRecord;
import org.diperf.core.spi.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of a run: what {@code summary.json}, the CSV files, the figures and the report are made from.
 *
 * @param run what the run directory says of it
 * @param summary the numbers of {@code summary.json}
 * @param series one value a quantum
 * @param clients one row a client, by number
 * @param requests by name each kind of request, in the order of their numbers
 * @param testers one row a tester, by number
 * @param response response times of ok calls over {@code measured}, as a distribution
 * @param service service times of the same calls
 * @param lag send lags of all sent calls over {@code measured}
 * @param dots a bounded sample of single calls
 * @param failures causes, the most frequent first; at most 100
 * @param intervals parts of the run to be marked in figures
 * @param rejected what clients could not use: kind to count, with one example each
 * @param clocks how well the testers' clocks are known
 * @param capacity what levels say of the service's capacity
 * @param breakdown the parts of the run next to one another, such as its groups; {@code null} where it has none
 * @param details what figures and tables show beyond these
 * @param server what monitors saw of the service
 * @param annexes what testbed, monitors and client left to be shown
 */
public record Analysis(
        RunRecord run,
        Summary summary,
        Series series,
        List<ClientRow> clients,
        Map<String, RequestSummary> requests,
        List<TesterRow> testers,
        Distribution response,
        Distribution service,
        Distribution lag,
        ScatterSample dots,
        List<FailureCause> failures,
        List<MarkedInterval> intervals,
        List<Rejected> rejected,
        Clocks clocks,
        Capacity capacity,
        @Nullable Breakdown breakdown,
        Details details,
        ServerView server,
        List<ShownAnnex> annexes) {

    /** Returns the same analysis with another summary. */
    public Analysis with(Summary other) {
        return with(server, other);
    }

    /** Returns the same analysis with the service's own view and another summary. */
    public Analysis with(ServerView seen, Summary other) {
        return with(seen, other, annexes);
    }

    /** Returns the same analysis with what is left to be shown and another summary. */
    public Analysis with(List<ShownAnnex> left, Summary other) {
        return with(server, other, left);
    }

    private Analysis with(ServerView seen, Summary other, List<ShownAnnex> left) {
        return new Analysis(
                run, other, series, clients, requests, testers, response, service, lag, dots, failures, intervals,
                rejected, clocks, capacity, breakdown, details, seen, left);
    }

    /**
     * A cause of failures.
     *
     * @param outcome its word
     * @param fault whose it was
     * @param remedy what can be done about it; empty: nothing that is known
     * @param count calls that failed so, over the whole run
     * @param firstSeconds when the first of them ended, after the start of the run
     * @param tester on which that was, from 1
     */
    public record FailureCause(
            String outcome, Fault fault, String remedy, long count, double firstSeconds, int tester) {}

    /**
     * A part of the run to be marked.
     *
     * @param kind why
     * @param fromSeconds after the start of the run
     * @param toSeconds after the start of the run
     * @param note one line
     */
    public record MarkedInterval(Kind kind, double fromSeconds, double toSeconds, String note) {
        /** Why a part of the run is marked. */
        public enum Kind {
            RAMP,
            /** The load generator may have added so much to the calls that it shows. */
            LIMITED,
            /** It was the limit, or may have added more than it left. */
            GENERATOR_LIMITED,
            TESTER_LOST,
            /** A moment at which the testbed was changed, on purpose. */
            CHANGE
        }
    }

    /**
     * Something that clients could not use.
     *
     * @param what kind, with an example
     * @param count how often
     */
    public record Rejected(String what, long count) {}
}
