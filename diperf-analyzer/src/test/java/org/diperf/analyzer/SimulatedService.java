package org.diperf.analyzer;

import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleSupplier;

/** A service of so many servers behind one queue, first come, first served. Instants and times are milliseconds. */
public final class SimulatedService {

    private final DoubleSupplier takes;
    private final PriorityQueue<Double> free = new PriorityQueue<>();
    private double stallsFrom;
    private double stallsTo;

    private SimulatedService(int servers, DoubleSupplier takes) {
        this.takes = takes;
        for (int i = 0; i < servers; i++) {
            free.add(0.0);
        }
    }

    /** Makes one whose calls all take equally long. */
    public static SimulatedService even(int servers, double takes) {
        return new SimulatedService(servers, () -> takes);
    }

    /** Makes one with exponential service times. */
    public static SimulatedService exponential(int servers, double mean, long seed) {
        Random random = new Random(seed);
        return new SimulatedService(servers, () -> -mean * Math.log(1 - random.nextDouble()));
    }

    /** Makes one with lognormal service times. */
    public static SimulatedService lognormal(int servers, double median, double sigma, long seed) {
        Random random = new Random(seed);
        return new SimulatedService(servers, () -> median * Math.exp(sigma * random.nextGaussian()));
    }

    /** Begins no call between two instants. */
    public SimulatedService stalled(double from, double to) {
        stallsFrom = from;
        stallsTo = to;
        return this;
    }

    /** Returns the end of a call. Calls come in order. */
    double end(double arrival) {
        double begin = Math.max(arrival, free.remove());
        if (begin >= stallsFrom && begin < stallsTo) {
            begin = stallsTo;
        }
        double end = begin + takes.getAsDouble();
        free.add(end);
        return end;
    }
}
