package org.diperf.analyzer.result;

import org.diperf.analyzer.count.WatchSeries;
import org.diperf.analyzer.count.WatchSeries.Sign;

/**
 * Signs that the load generator was the limit: of each quantum the worst of all testers, 0 where none was seen. Arrays are as
 * long as the series of the run.
 *
 * @param hiccupMillis longest time in which a tester stood still
 * @param gcPercent share of the time in which garbage was collected
 * @param starvedPercent share of the time in which threads that start calls wanted to run and waited for a processor
 * @param stealPercent share of the host's processor time that the hypervisor gave to others
 * @param heldPercent share of the time in which samples could not be passed on
 */
public record GeneratorSigns(
        double[] hiccupMillis,
        double[] gcPercent,
        double[] starvedPercent,
        double[] stealPercent,
        double[] heldPercent) {

    /** Of a run whose testers saw nothing. */
    public static final GeneratorSigns NONE =
            new GeneratorSigns(new double[0], new double[0], new double[0], new double[0], new double[0]);

    public static GeneratorSigns of(WatchSeries watch, int quanta) {
        return new GeneratorSigns(
                values(watch, Sign.HICCUP, quanta, 1),
                values(watch, Sign.GC, quanta, 0.1),
                values(watch, Sign.STARVED, quanta, 100),
                values(watch, Sign.STEAL, quanta, 100),
                values(watch, Sign.HELD, quanta, 0.1));
    }

    private static double[] values(WatchSeries watch, Sign sign, int quanta, double factor) {
        double[] values = new double[quanta];
        for (int i = 0; i < quanta; i++) {
            values[i] = watch.worst(sign, i) * factor;
        }
        return values;
    }
}
