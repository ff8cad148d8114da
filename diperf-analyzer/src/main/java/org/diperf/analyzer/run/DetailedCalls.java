package org.diperf.analyzer.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.result.DetailedCall;
import org.diperf.core.sample.CallExchange;
import org.diperf.core.sample.Outcome;

/**
 * Chooses, of the calls that all testers sent whole, those that the experiment wants shown: of each cause of failure the first
 * ones, and the slowest ok calls. In bounded memory. Confined to one thread.
 */
public final class DetailedCalls {

    private static final int MAX_CAUSES = 100;
    /** A tester may want any number. */
    private static final int MAX_OF_KIND = 100;

    private static final int MOST = 500;

    private static final Comparator<DetailedCall> FIRST = Comparator.comparingDouble(DetailedCall::endSeconds)
            .thenComparingInt(DetailedCall::tester)
            .thenComparingInt(DetailedCall::client)
            .thenComparingLong(DetailedCall::call);
    private static final Comparator<DetailedCall> SLOWEST =
            Comparator.comparingDouble(DetailedCall::responseMillis).reversed().thenComparing(FIRST);

    private final Map<String, List<DetailedCall>> byOutcome = new TreeMap<>();
    private int count;
    private long version;

    /** @param sinceStart when it ended, ns after the start of the run */
    public void add(CallExchange exchange, int tester, long sinceStart) {
        String outcome = exchange.outcome();
        List<DetailedCall> kind = byOutcome.get(outcome);
        if (kind == null) {
            if (byOutcome.size() >= MAX_CAUSES) {
                return;
            }
            kind = new ArrayList<>();
            byOutcome.put(outcome, kind);
        }
        kind.add(new DetailedCall(
                outcome,
                Math.max(0, sinceStart) / 1e9,
                tester,
                exchange.client(),
                exchange.call(),
                exchange.request(),
                exchange.latencyNanos() / 1e6,
                exchange.text()));
        kind.sort(outcome.equals(Outcome.OK) ? SLOWEST : FIRST);
        count++;
        int most = Math.min(MAX_OF_KIND, exchange.limit());
        while (kind.size() > most || count > MOST && !kind.isEmpty()) {
            kind.remove(kind.size() - 1);
            count--;
        }
        version++;
    }

    /** Returns a number that grows with each change. */
    public long version() {
        return version;
    }

    /**
     * Lists those to be shown.
     *
     * @param causes of failures, the ones that come first
     * @return failed calls by cause, then the slowest ok calls
     */
    public List<DetailedCall> chosen(List<String> causes) {
        List<DetailedCall> chosen = new ArrayList<>();
        causes.stream()
                .filter(cause -> byOutcome.containsKey(cause) && !cause.equals(Outcome.OK))
                .distinct()
                .forEach(cause -> chosen.addAll(byOutcome.getOrDefault(cause, List.of())));
        byOutcome.forEach((cause, calls) -> {
            if (!causes.contains(cause) && !cause.equals(Outcome.OK)) {
                chosen.addAll(calls);
            }
        });
        chosen.addAll(byOutcome.getOrDefault(Outcome.OK, List.of()));
        return List.copyOf(chosen);
    }
}
