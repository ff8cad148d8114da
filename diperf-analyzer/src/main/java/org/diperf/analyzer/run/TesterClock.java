package org.diperf.analyzer.run;

import org.diperf.core.clock.Corridor;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.sample.Block;
import org.jspecify.annotations.Nullable;

/**
 * Maps a tester's clock to time after the start of the run: by its corridor, or, where there were no exchanges, by the start
 * instant that it was told, which is then an unknown clock. Confined to one thread.
 */
public final class TesterClock {

    /** By so much a tester's clock may put an end behind that of the run: an unknown clock is off by the way of its start. */
    private static final long TOLERANCE_NANOS = 60_000_000_000L;

    private final @Nullable Corridor corridor;
    private final Corridor.@Nullable Reader reader;
    private final long runStart;
    private final long constant;
    private final long latest;

    /**
     * @param runStart global start instant
     * @param localStart the same on the tester's clock, as it was told
     * @param latest after the start of the run; what a tester says of later instants was then
     */
    private TesterClock(@Nullable Corridor corridor, long runStart, long localStart, long latest) {
        this.corridor = corridor;
        this.reader = corridor == null ? null : corridor.reader();
        this.runStart = runStart;
        this.constant = localStart;
        this.latest = latest;
    }

    /** Makes the clock of the tester that sent a block. */
    public static TesterClock of(RunRecord run, ClockFile clocks, Block header) {
        Long told = run.testers().stream()
                .filter(tester -> tester.number() == header.tester())
                .findFirst()
                .map(TesterRecord::startNanos)
                .orElse(null);
        return new TesterClock(
                clocks.corridor(header.tester()),
                run.startNanos(),
                told == null ? header.baseNanos() : told,
                latest(run));
    }

    /** Makes the controller's own clock, which is the run's. */
    static TesterClock ofController(RunRecord run) {
        return new TesterClock(null, run.startNanos(), run.startNanos(), latest(run));
    }

    /** One sample from years later would leave the whole run in the first quantum. */
    private static long latest(RunRecord run) {
        Long end = run.endNanos();
        return end == null ? Long.MAX_VALUE : Math.max(0, end - run.startNanos()) + TOLERANCE_NANOS;
    }

    /** Returns whether an instant is, or was set to, the last that a sample of the run can have. */
    public boolean isBeyond(long sinceStart) {
        return sinceStart >= latest;
    }

    /** Returns the same clock for another thread. */
    public TesterClock copy() {
        return new TesterClock(corridor, runStart, constant, latest);
    }

    /** Returns by how much an instant of it may be earlier or later; 0 where it is not known. */
    public long boundNanos(long local) {
        return reader == null ? 0 : reader.boundNanos(local);
    }

    /** Returns whether there were exchanges. */
    public boolean isKnown() {
        return corridor != null;
    }

    @Nullable
    Corridor corridor() {
        return corridor;
    }

    /** Maps the sums of starts and lengths. */
    public void sinceStart(long[] starts, long[] lengths, long[] into, int count) {
        if (reader != null) {
            reader.globalNanos(starts, lengths, runStart, into, count);
        } else {
            for (int i = 0; i < count; i++) {
                into[i] = starts[i] + lengths[i] - constant;
            }
        }
        for (int i = 0; i < count; i++) {
            into[i] = Math.min(into[i], latest);
        }
    }

    /** Maps an instant of the tester's clock to nanoseconds after the start of the run, at most the last one that can be. */
    public long sinceStart(long local) {
        return Math.min(latest, reader == null ? local - constant : reader.globalNanos(local) - runStart);
    }
}
