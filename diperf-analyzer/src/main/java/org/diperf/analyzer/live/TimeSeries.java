package org.diperf.analyzer.live;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;

/**
 * A run's calls over time, by the instants at which they ended. Holds at most 1,200 rows: where more would be needed, neighbours are
 * joined and each row is twice as long. Confined to one thread.
 */
final class TimeSeries {

    static final int MAX_ROWS = 1_200;
    private static final long SECOND = 1_000_000_000;

    private static final class Tally {
        private final Durations responses = new Durations(Kind.QUANTUM);
        private long failed;
        private long dropped;
        private double clients;
        private double inFlight;
        private int loads;
        /** The look after which it changed last. */
        private long changed;

        private void addAll(Tally other) {
            responses.addAll(other.responses);
            failed += other.failed;
            dropped += other.dropped;
            clients += other.clients;
            inFlight += other.inFlight;
            loads += other.loads;
        }
    }

    private List<Tally> rows = new ArrayList<>();
    private long quantumNanos = SECOND;
    private long version = 1;
    /** The look after which rows were joined last. */
    private long joined;

    long quantumNanos() {
        return quantumNanos;
    }

    void ok(long sinceStart, long latencyNanos) {
        row(sinceStart).responses.add(latencyNanos);
    }

    void failed(long sinceStart) {
        row(sinceStart).failed++;
    }

    void dropped(long sinceStart) {
        row(sinceStart).dropped++;
    }

    /** Notes what the load is at an instant. */
    void load(long sinceStart, int clients, int inFlight) {
        Tally row = row(sinceStart);
        row.clients += clients;
        row.inFlight += inFlight;
        row.loads++;
    }

    private Tally row(long sinceStart) {
        long at = Math.max(0, sinceStart);
        while (at / quantumNanos >= MAX_ROWS) {
            join();
        }
        int place = (int) (at / quantumNanos);
        while (rows.size() <= place) {
            Tally row = new Tally();
            row.changed = version;
            rows.add(row);
        }
        Tally row = rows.get(place);
        row.changed = version;
        return row;
    }

    private void join() {
        List<Tally> fewer = new ArrayList<>();
        for (int i = 0; i < rows.size(); i += 2) {
            Tally row = rows.get(i);
            if (i + 1 < rows.size()) {
                row.addAll(rows.get(i + 1));
            }
            fewer.add(row);
        }
        rows = fewer;
        quantumNanos *= 2;
        joined = version;
    }

    /** Ends what the next look is asked to compare with. */
    long look() {
        return version++;
    }

    /**
     * Lists the rows that changed since a look; all, where rows were joined since then.
     *
     * @param since what {@link #look} returned then; 0: all rows
     */
    List<RunSeries.Row> since(long since) {
        boolean all = since == 0 || joined > since;
        List<RunSeries.Row> changed = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Tally row = rows.get(i);
            if (all || row.changed > since) {
                changed.add(new RunSeries.Row(
                        i,
                        row.responses.count(),
                        row.failed,
                        row.dropped,
                        row.responses.quantileMillis(0.5),
                        row.responses.quantileMillis(0.9),
                        row.responses.quantileMillis(0.99),
                        row.responses.maxMillis(),
                        row.clients / row.loads,
                        row.inFlight / row.loads));
            }
        }
        return changed;
    }
}
