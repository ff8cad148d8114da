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
    private final boolean even;

    /** Makes one with exponential service times. */
    SimulatedPool(int workers, double demandSeconds, double interference, double thinkSeconds, long seed) {
        this(workers, demandSeconds, interference, thinkSeconds, seed, false);
    }

    /** Makes one whose service times are all the same, but for interference. */
    static SimulatedPool even(int workers, double demandSeconds, double interference, double thinkSeconds, long seed) {
        return new SimulatedPool(workers, demandSeconds, interference, thinkSeconds, seed, true);
    }

    private SimulatedPool(
            int workers, double demandSeconds, double interference, double thinkSeconds, long seed, boolean even) {
        this.even = even;
        this.workers = workers;
        this.demandSeconds = demandSeconds;
        this.interference = interference;
        this.thinkSeconds = thinkSeconds;
        this.random = new SplittableRandom(seed);
    }

    private record Event(double at, boolean thinks, double came) {}

    /** Takes the end of a call that came at an instant. */
    private interface Ends {
        /** Returns whether to continue. */
        boolean ended(double at, double came);
    }

    /** Runs clients for so many calls after as many of warm-up, and gives the level quantum by quantum. */
    LevelSamples level(int clients, int calls) {
        double[] ends = new double[calls];
        double[] responses = new double[calls];
        double[] begin = {0};
        int[] ended = {0};
        run(clients, (at, came) -> {
            if (ended[0] == calls) {
                begin[0] = at;
            }
            if (ended[0] >= calls) {
                ends[ended[0] - calls] = at;
                responses[ended[0] - calls] = at - came;
            }
            return ++ended[0] < 2 * calls;
        });
        return quanta(clients, begin[0], ends, responses);
    }

    /** Runs clients for a second that does not count, and then for so many that do. */
    LevelPoint brief(int clients, double seconds) {
        double[] sums = {0, 0};
        run(clients, (at, came) -> {
            if (at >= 1 && at < 1 + seconds) {
                sums[0]++;
                sums[1] += at - came;
            }
            return at < 1 + seconds;
        });
        return new LevelPoint(clients, sums[0] / seconds, sums[1] / sums[0]);
    }

    private void run(int clients, Ends ends) {
        PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Double.compare(a.at(), b.at()));
        ArrayDeque<Double> queue = new ArrayDeque<>();
        for (int i = 0; i < clients; i++) {
            events.add(new Event(random.nextDouble() * demandSeconds, true, 0));
        }
        int busy = 0;
        boolean more = true;
        while (more) {
            Event event = events.remove();
            if (event.thinks()) {
                queue.add(event.at());
            } else {
                busy--;
                more = ends.ended(event.at(), event.came());
                events.add(new Event(event.at() + exponential(thinkSeconds), true, 0));
            }
            if (busy < workers && !queue.isEmpty()) {
                double came = queue.remove();
                double slower = 1 + interference * (busy + queue.size());
                double service = even ? demandSeconds : exponential(demandSeconds);
                events.add(new Event(event.at() + service * slower, false, came));
                busy++;
            }
        }
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
