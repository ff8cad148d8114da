package org.diperf.analyzer.count;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.diperf.analyzer.result.GeneratorSymptoms;

/** What testers saw of themselves, quantum by quantum: the worst value of all testers. Confined to one thread. */
public final class TesterHealthSeries {

    /** A kind of sign that the load generator was the limit. */
    public enum Sign {
        /** Longest time in which a tester stood still, ms. */
        HICCUP,
        /** Share of the time that a thread that starts calls waited for a processor. */
        RUN_QUEUE,
        /** Share of the time in which these threads had something to do that they waited for a processor. */
        STARVED,
        /** Collection time, ms a second. */
        GC,
        /** Share of the host's processor time that the hypervisor gave to others. */
        STEAL,
        /** Time in which samples could not be passed on, ms a second. */
        HELD
    }

    private final Map<Sign, double[]> worst = new EnumMap<>(Sign.class);
    private long[] refused;

    TesterHealthSeries(int length) {
        for (Sign sign : Sign.values()) {
            worst.put(sign, new double[length]);
        }
        refused = new long[length];
    }

    private double[] values(Sign sign) {
        return worst.getOrDefault(sign, new double[0]);
    }

    void note(Sign sign, int i, double value) {
        double[] values = values(sign);
        values[i] = Math.max(values[i], value);
    }

    void refused(int i) {
        refused[i]++;
    }

    void resize(int to) {
        worst.replaceAll((sign, values) -> Arrays.copyOf(values, to));
        refused = Arrays.copyOf(refused, to);
    }

    /** Adds what was seen in quanta of the same width, of which there are not more. */
    void addAll(TesterHealthSeries other) {
        for (int i = 0; i < other.refused.length; i++) {
            for (Sign sign : Sign.values()) {
                note(sign, i, other.worst(sign, i));
            }
            refused[i] += other.refused[i];
        }
    }

    /** Adds one quantum to another, and empties it. */
    void merge(int from, int to) {
        worst.values().forEach(values -> {
            values[to] = Math.max(values[to], values[from]);
            values[from] = 0;
        });
        refused[to] += refused[from];
        refused[from] = 0;
    }

    /** Returns the worst value of a quantum; 0 where nothing was seen. */
    public double worst(Sign sign, int i) {
        double[] values = values(sign);
        return i < values.length ? values[i] : 0;
    }

    /** Counts the calls of a quantum that failed by the testers' own limits. */
    public long refusedIn(int i) {
        return i < refused.length ? refused[i] : 0;
    }

    /** Returns the signs of so many quanta, in the units of the result. */
    public GeneratorSymptoms signs(int quanta) {
        return new GeneratorSymptoms(
                values(Sign.HICCUP, quanta, 1),
                values(Sign.GC, quanta, 0.1),
                values(Sign.STARVED, quanta, 100),
                values(Sign.STEAL, quanta, 100),
                values(Sign.HELD, quanta, 0.1));
    }

    private double[] values(Sign sign, int quanta, double factor) {
        double[] values = new double[quanta];
        for (int i = 0; i < quanta; i++) {
            values[i] = worst(sign, i) * factor;
        }
        return values;
    }
}
