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

    private final @Nullable Corridor corridor;
    private final Corridor.@Nullable Reader reader;
    private final long runStart;
    private final long constant;

    /**
     * @param runStart global start instant
     * @param localStart the same on the tester's clock, as it was told
     */
    TesterClock(@Nullable Corridor corridor, long runStart, long localStart) {
        this.corridor = corridor;
        this.reader = corridor == null ? null : corridor.reader();
        this.runStart = runStart;
        this.constant = localStart;
    }

    /** Makes the clock of the tester that sent a block. */
    public static TesterClock of(RunRecord run, ClockFile clocks, Block header) {
        Long told = run.testers().stream()
                .filter(tester -> tester.number() == header.tester())
                .findFirst()
                .map(TesterRecord::startNanos)
                .orElse(null);
        return new TesterClock(
                clocks.corridor(header.tester()), run.startNanos(), told == null ? header.baseNanos() : told);
    }

    /** Makes the controller's own clock, which is the run's. */
    static TesterClock ofController(RunRecord run) {
        return new TesterClock(null, run.startNanos(), run.startNanos());
    }

    /** Returns the same clock for another thread. */
    public TesterClock copy() {
        return new TesterClock(corridor, runStart, constant);
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
            return;
        }
        for (int i = 0; i < count; i++) {
            into[i] = starts[i] + lengths[i] - constant;
        }
    }

    /** Maps an instant of the tester's clock to nanoseconds after the start of the run. */
    public long sinceStart(long local) {
        return reader == null ? local - constant : reader.globalNanos(local) - runStart;
    }
}
