package org.diperf.controller.grid;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the runs of a grid one after another. A run that fails does not keep those after it from being run.
 * {@link #carryOut} runs on its caller's thread; {@link #stop} may come from any.
 */
public final class GridRuns {

    /** Carries out one run, and leaves its report in its folder. */
    @FunctionalInterface
    public interface Runner {
        /** Returns what became of it, whatever that is; throws only where the whole grid cannot continue. */
        Outcome run(PlannedRun run) throws IOException, InterruptedException;
    }

    /**
     * What became of a run, and why where that is not as planned.
     *
     * @param again whether further trials of its point are worth their time
     */
    public record Outcome(State state, @Nullable String problem, boolean again) {

        /** Makes one after which its point is tried again. */
        public Outcome(State state, @Nullable String problem) {
            this(state, problem, true);
        }
    }

    /** Is told how the grid goes, on its thread. */
    public interface Watcher {
        /**
         * @param place of the run among those to be done now, from 1
         * @param of them there are so many
         * @param leftNanos until all are done, this one with them; empty where nobody knows
         */
        void begins(PlannedRun run, int place, int of, OptionalLong leftNanos);

        void ends(PlannedRun run, Outcome outcome);

        void pauses(long nanos);
    }

    /** Waits between two runs. */
    @FunctionalInterface
    public interface Pause {
        /** In real time. */
        Pause REAL = (nanos, stop) -> stop.await(nanos, TimeUnit.NANOSECONDS);

        /** Returns after so long, or when the grid is stopped; says whether it was. */
        boolean await(long nanos, CountDownLatch stop) throws InterruptedException;
    }

    private final GridFolder folder;
    private final Function<PlannedRun, OptionalLong> lengths;
    private final long pauseNanos;
    private final NanoClock clock;
    private final Pause pause;
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * @param lengths gives the planned length of a run, nanoseconds; empty: nobody knows
     * @param pauseNanos between two runs
     */
    public GridRuns(
            GridFolder folder,
            Function<PlannedRun, OptionalLong> lengths,
            long pauseNanos,
            NanoClock clock,
            Pause pause) {
        this.folder = folder;
        this.lengths = lengths;
        this.pauseNanos = pauseNanos;
        this.clock = clock;
        this.pause = pause;
    }

    /** Begins no further run; whoever carries out the present one must be told as well. */
    public void stop() {
        stop.countDown();
    }

    /** Returns whether no further run is begun. */
    public boolean isStopped() {
        return stop.getCount() == 0;
    }

    /**
     * Carries out those runs that are not done. Those of a point that is not worth another trial stay as they were.
     *
     * @param record of all runs
     * @param runs the same, in the same order
     * @return the record with what became of them
     */
    public GridRecord carryOut(GridRecord record, List<PlannedRun> runs, Runner runner, Watcher watcher)
            throws IOException, InterruptedException {
        List<PlannedRun> toDo = new ArrayList<>();
        for (PlannedRun run : runs) {
            if (entry(record, run).state() != State.DONE) {
                toDo.add(run);
            }
        }
        RemainingTime left = new RemainingTime(toDo.stream().map(lengths).toList(), pauseNanos);
        Set<Integer> givenUp = new HashSet<>();
        GridRecord now = record;
        folder.write(now);
        for (int i = 0; i < toDo.size() && !isStopped(); i++) {
            PlannedRun run = toDo.get(i);
            if (givenUp.contains(run.point().index())) {
                left.leftOut();
                continue;
            }
            if (i > 0 && pauseNanos > 0) {
                watcher.pauses(pauseNanos);
                if (pause.await(pauseNanos, stop)) {
                    break;
                }
            }
            folder.putAside(run);
            now = now.with(entry(now, run).with(State.UNDER_WAY, null));
            folder.write(now);
            watcher.begins(run, i + 1, toDo.size(), left.nanos());
            long beganNanos = clock.nanoTime();
            Outcome outcome = runner.run(run);
            left.ended(clock.nanoTime() - beganNanos);
            if (!outcome.again()) {
                givenUp.add(run.point().index());
            }
            now = now.with(entry(now, run).with(outcome.state(), outcome.problem()));
            folder.write(now);
            watcher.ends(run, outcome);
        }
        return now;
    }

    private static RunEntry entry(GridRecord record, PlannedRun run) {
        return record.runs().stream()
                .filter(entry -> entry.number() == run.number())
                .findFirst()
                .orElseThrow();
    }
}
