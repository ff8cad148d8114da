package org.diperf.analyzer.load;

import java.util.List;
import org.diperf.analyzer.load.PlannedLoad.Part;
import org.diperf.core.plan.ArrivalStream;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.RunRecord;

/** Counts the arrivals that the plan of a run has in parts of it. */
public final class Arrivals {

    private static final long COUNTED_ONE_BY_ONE = 100_000_000;

    private final RunRecord run;
    private final PlannedLoad offered;
    private final long[] ofStages;

    public Arrivals(RunRecord run, PlannedLoad offered) {
        this.run = run;
        this.offered = offered;
        this.ofStages = new long[offered.stages().size()];
    }

    /** Counts the arrivals in each of some windows, and in the settled part of each stage; closed stages have none. */
    public long[] count(List<Part> windows) {
        long[] counts = new long[windows.size()];
        for (int i = 0; i < ofStages.length; i++) {
            StageTiming stage = offered.stages().get(i);
            OpenLoad load = stage.open();
            if (!stage.isClosed() && load != null) {
                count(i, stage, load, windows, counts);
            }
        }
        return counts;
    }

    /** Returns the arrivals of a stage in its settled part, once they have been counted. */
    public long ofStage(int stage) {
        return ofStages[stage];
    }

    private void count(int number, StageTiming stage, OpenLoad load, List<Part> windows, long[] counts) {
        long settled = stage.settled() - stage.start();
        long length = stage.end() - stage.start();
        if (load.arrivals() == OpenLoad.Arrivals.CONSTANT || before(load, length) > COUNTED_ONE_BY_ONE) {
            // Without Poisson's scatter where there are too many to be drawn again.
            for (int i = 0; i < counts.length; i++) {
                long from = Math.max(0, windows.get(i).from() - stage.start());
                long to = Math.min(length, windows.get(i).to() - stage.start());
                counts[i] += Math.max(0, before(load, to) - before(load, from));
            }
            ofStages[number] = before(load, length) - before(load, settled);
            return;
        }
        ClientShares shares = offered.shares();
        int testers = shares.slots(shares.of(stage.record()));
        for (int tester = 1; tester <= testers; tester++) {
            ArrivalStream stream = load.arrivals(run.seed(), stage.record().number(), tester, testers);
            for (long at = stream.next(); at < length; at = stream.next()) {
                long global = at + stage.start();
                for (int i = 0; i < counts.length; i++) {
                    Part window = windows.get(i);
                    counts[i] += global >= window.from() && global < window.to() ? 1 : 0;
                }
                ofStages[number] += at >= settled ? 1 : 0;
            }
        }
    }

    /** Counts evenly spaced arrivals before an instant of the stage. */
    private static long before(OpenLoad load, long instant) {
        long low = 0;
        long high = (long) load.expectedArrivals() + 2;
        while (low < high) {
            long middle = (low + high) >>> 1;
            double at = load.instantNanos(middle);
            if (at < Long.MAX_VALUE && (long) at < instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
