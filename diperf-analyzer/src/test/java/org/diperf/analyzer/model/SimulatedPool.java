package org.diperf.analyzer.model;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** A service of c workers with one queue, simulated call by call under closed load. */
final class SimulatedPool {

    private static final int QUANTA = 30;

    private final int workers;
    private final double demandSeconds;
    private final double interference;
    private final double thinkSeconds;
    private final SplittableRandom random;

    SimulatedPool(int workers, double demandSeconds, double interference, double thinkSeconds, long seed) {
        this.workers = workers;
        this.demandSeconds = demandSeconds;
        this.interference = interference;
        this.thinkSeconds = thinkSeconds;
        this.random = new SplittableRandom(seed);
    }

    private record Event(double at, boolean thinks, double came) {}

    /** Runs clients for so many calls after as many of warm-up, and gives the level quantum by quantum. */
    LevelSamples level(int clients, int calls) {
        PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Double.compare(a.at(), b.at()));
        ArrayDeque<Double> queue = new ArrayDeque<>();
        for (int i = 0; i < clients; i++) {
            events.add(new Event(random.nextDouble() * demandSeconds, true, 0));
        }
        int busy = 0;
        int ended = 0;
        double begin = 0;
        double[] ends = new double[calls];
        double[] responses = new double[calls];
        while (ended < 2 * calls) {
            Event event = events.remove();
            if (event.thinks()) {
                queue.add(event.at());
            } else {
                busy--;
                if (ended == calls) {
                    begin = event.at();
                }
                if (ended >= calls) {
                    ends[ended - calls] = event.at();
                    responses[ended - calls] = event.at() - event.came();
                }
                ended++;
                events.add(new Event(event.at() + exponential(thinkSeconds), true, 0));
            }
            if (busy < workers && !queue.isEmpty()) {
                double came = queue.remove();
                double slower = 1 + interference * (busy + queue.size());
                events.add(new Event(event.at() + exponential(demandSeconds) * slower, false, came));
                busy++;
            }
        }
        return quanta(clients, begin, ends, responses);
    }

    private static LevelSamples quanta(int clients, double begin, double[] ends, double[] responses) {
        double width = (ends[ends.length - 1] - begin) / QUANTA;
        double[] count = new double[QUANTA];
        double[] sum = new double[QUANTA];
        for (int i = 0; i < ends.length; i++) {
            int at = (int) Math.min(QUANTA - 1, (ends[i] - begin) / width);
            count[at]++;
            sum[at] += responses[i];
        }
        for (int i = 0; i < QUANTA; i++) {
            sum[i] /= count[i];
            count[i] /= width;
        }
        return new LevelSamples(clients, count, sum);
    }

    private double exponential(double mean) {
        return mean <= 0 ? 0 : -mean * Math.log(1 - random.nextDouble());
    }
}
