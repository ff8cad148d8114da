package org.diperf.analyzer.server;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one monitor saw while the load was held at one level, from its settling on, over whole quanta.
 *
 * @param level clients, or calls offered a second
 * @param perSecond calls that ended, a second
 * @param busyCores mean; {@code NaN}: not seen
 * @param cores that there are; {@code NaN}: not seen
 * @param demand processor seconds a call by the service demand law D = U / X; {@code null}: not seen, or fewer than eight quanta
 * @param memoryBytes mean; {@code NaN}: not seen
 */
public record LevelDemand(
        double level,
        double perSecond,
        double busyCores,
        double cores,
        @Nullable LinearFit demand,
        double memoryBytes) {

    /**
     * A level as it was held.
     *
     * @param level clients, or calls offered a second
     * @param fromNanos begin of the part that counts, after the start of the run
     * @param toNanos end of it
     */
    public record Held(double level, long fromNanos, long toNanos) {}

    /** Works it out for each level of which at least a quantum was seen; empty without levels. */
    static List<LevelDemand> of(
            List<Held> levels,
            @Nullable MonitoredMetric cpu,
            double cores,
            @Nullable MonitoredMetric memory,
            ServiceDemand.Offered offered,
            TimeAxis axis) {
        List<LevelDemand> found = new ArrayList<>();
        for (Held held : levels) {
            TimeAxis part = new TimeAxis(
                    axis.quantumNanos(), axis.quanta(), axis.durationNanos(), held.fromNanos(), held.toNanos());
            double perSecond = mean(offered.perSecond(), part);
            double busy = cpu == null ? Double.NaN : mean(cpu.values(), part);
            double bytes = memory == null ? Double.NaN : mean(memory.values(), part);
            if (!Double.isNaN(perSecond) && !(Double.isNaN(busy) && Double.isNaN(bytes))) {
                LinearFit demand = cpu == null ? null : ServiceDemand.ratio(offered.perSecond(), cpu.values(), part);
                found.add(new LevelDemand(held.level(), perSecond, busy, cores, demand, bytes));
            }
        }
        return List.copyOf(found);
    }

    private static double mean(double[] values, TimeAxis part) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < part.quanta(); i++) {
            if (part.isMeasured(i) && !Double.isNaN(values[i])) {
                sum += values[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    /** Returns processor seconds a call; {@code NaN}: not seen, or no call ended. */
    public double secondsPerCall() {
        return perSecond > 0 ? busyCores / perSecond : Double.NaN;
    }

    /** Returns the busy part of all cores in percent; {@code NaN}: not seen. */
    public double utilisationPercent() {
        return 100 * busyCores / cores;
    }
}
