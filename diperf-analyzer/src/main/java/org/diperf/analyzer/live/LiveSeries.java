package org.diperf.analyzer.live;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a run in progress: of its last seconds, and counts since its start. Holds sixteen seconds, however long the
 * run is. Confined to one thread.
 */
public final class LiveSeries {

    private static final int SECONDS = 16;
    private static final int MAX_FAILURES = 1_000;
    private static final long SECOND = 1_000_000_000;

    private final long startNanos;
    private final Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
    private final long[] second = new long[SECONDS];
    private final Durations[] responses = new Durations[SECONDS];
    /** What the same calls took at least. */
    private final Durations[] leasts = new Durations[SECONDS];

    private long ok;
    private long failed;
    private long dropped;
    /** Failed calls by their outcome. */
    private final Map<String, long[]> failures = new HashMap<>();

    private @Nullable StageSeries watched;
    private @Nullable RunSeries whole;

    /** @param startNanos the global start instant */
    public LiveSeries(long startNanos) {
        this.startNanos = startNanos;
        for (int i = 0; i < SECONDS; i++) {
            second[i] = -1;
            responses[i] = new Durations(Kind.QUANTUM);
            leasts[i] = new Durations(Kind.QUANTUM);
        }
    }

    /** One look at the series; immutable. */
    public static final class Look {

        private final double okPerSecond;
        private final Durations responses;
        private final Durations leasts;
        private final long ok;
        private final long failed;
        private final long dropped;
        private final String failure;

        private Look(
                double okPerSecond,
                Durations responses,
                Durations leasts,
                long ok,
                long failed,
                long dropped,
                String failure) {
            this.okPerSecond = okPerSecond;
            this.responses = responses;
            this.leasts = leasts;
            this.ok = ok;
            this.failed = failed;
            this.dropped = dropped;
            this.failure = failure;
        }

        /** Returns the ok calls that ended in the seconds asked for, per second. */
        public double okPerSecond() {
            return okPerSecond;
        }

        /**
         * Returns a quantile of their response times, ms; {@code NaN} when there are none.
         *
         * @param fraction from 0 to 1
         */
        public double responseMillis(double fraction) {
            return responses.quantileMillis(fraction);
        }

        /** Returns the statistics of their response times, ms; {@code null} when there are none. */
        public @Nullable Statistics response() {
            return responses.statistics(leasts);
        }

        /** Counts the ok calls since the start. */
        public long ok() {
            return ok;
        }

        /** Counts the failed calls since the start. */
        public long failed() {
            return failed;
        }

        /** Counts the dropped arrivals since the start. */
        public long dropped() {
            return dropped;
        }

        /** Returns the commonest outcome of the failed calls since the start; empty: none has failed. */
        public String failure() {
            return failure;
        }
    }

    /** Also adds the calls of one stage to a series of its own, from now on. */
    public void watch(StageSeries stage) {
        watched = stage;
    }

    /** Also adds all that comes to a series of the whole run, from now on. */
    public void watch(RunSeries run) {
        whole = run;
    }

    /**
     * Adds a block; one of observations or exchanges counts for a series of the whole run alone.
     *
     * @param data at the block's begin; the position stays
     * @param offsetNanos global time minus the tester's clock, as far as it is known
     * @throws CorruptBlockException when it cannot be decoded; nothing of it is counted
     */
    public void add(Block header, ByteBuffer data, long offsetNanos) throws CorruptBlockException {
        if (header.kind() != Block.CALLS) {
            if (whole != null && header.kind() == Block.EXCHANGES) {
                whole.show(header, data, offsetNanos);
            } else if (whole != null && header.kind() == Block.OBSERVATIONS) {
                whole.observe(header, data);
            }
            return;
        }
        calls.decode(data, header);
        if (whole != null) {
            whole.add(header, calls, offsetNanos);
        }
        for (int row = 0; row < calls.rows(); row++) {
            String outcome = calls.outcome(row);
            long latency = calls.latencyNanos(row);
            long endNanos = calls.intendedNanos(row) + latency + offsetNanos - startNanos;
            StageSeries stage = watched != null && watched.stage() == calls.stage(row) ? watched : null;
            if (outcome.equals(Outcome.OK)) {
                ok++;
                long least = Bounds.least(calls, row);
                ended(endNanos, latency, least);
                if (stage != null) {
                    stage.ok(endNanos, latency, calls.lagNanos(row), least);
                }
            } else if (outcome.equals(Outcome.DROPPED)) {
                dropped++;
                if (stage != null) {
                    stage.dropped(endNanos);
                }
            } else if (Outcome.isFailure(outcome)) {
                failed++;
                failed(outcome);
                if (stage != null) {
                    stage.failed(endNanos);
                }
            }
        }
    }

    /** Counts a failure by its outcome; beyond the bound only those that are known. */
    private void failed(String outcome) {
        long[] count = failures.get(outcome);
        if (count == null) {
            if (failures.size() == MAX_FAILURES) {
                return;
            }
            count = new long[1];
            failures.put(outcome, count);
        }
        count[0]++;
    }

    private String commonestFailure() {
        return failures.entrySet().stream()
                .max(Comparator.comparingLong(entry -> entry.getValue()[0]))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private void ended(long sinceStart, long latency, long least) {
        long of = Math.max(0, sinceStart) / SECOND;
        int place = (int) (of % SECONDS);
        if (second[place] < of) {
            second[place] = of;
            responses[place] = new Durations(Kind.QUANTUM);
            leasts[place] = new Durations(Kind.QUANTUM);
        }
        if (second[place] == of) {
            responses[place].add(latency);
            if (least >= 0) {
                leasts[place].add(least);
            }
        }
    }

    /**
     * Returns the numbers of the last whole seconds before an instant, and the totals. Blocks arrive late by the time they
     * took to fill: what is asked for should lie a little in the past.
     *
     * @param nowNanos on the global clock
     * @param seconds from 1 to 15
     */
    public Look last(long nowNanos, int seconds) {
        if (seconds < 1 || seconds >= SECONDS) {
            throw new IllegalArgumentException("Expected 1 to " + (SECONDS - 1) + " seconds, got " + seconds);
        }
        long end = Math.max(0, nowNanos - startNanos) / SECOND;
        long from = Math.max(0, end - seconds);
        Durations all = new Durations(Kind.QUANTUM);
        Durations least = new Durations(Kind.QUANTUM);
        for (int i = 0; i < SECONDS; i++) {
            if (second[i] >= from && second[i] < end) {
                all.addAll(responses[i]);
                least.addAll(leasts[i]);
            }
        }
        return new Look(
                end == from ? 0 : (double) all.count() / (end - from),
                all,
                least,
                ok,
                failed,
                dropped,
                commonestFailure());
    }
}
