package org.diperf.core.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A simulated clock, path and prober: the true offset is known at every instant. Times are nanoseconds of global time after
 * the start of the run.
 */
final class ClockWorld {

    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;
    static final long BOOT = 876_543_210_987_654_321L;

    private static final long GRID = SECOND / 20;
    private static final int INSTANTS = 4_000;

    /** How long a datagram takes; {@code down} is from the server to the client. */
    interface Path {
        double nanos(SplittableRandom random, long at, boolean down);
    }

    final SplittableRandom random;
    private final long length;
    private final double[] strayed;
    private long offset = 3 * 3600 * SECOND;
    private Path path = loopback();
    private double loss;
    private long periodNanos;
    private long framesEvery;
    private final List<long[]> jumps = new ArrayList<>();

    ClockWorld(long seed, long seconds) {
        this.random = new SplittableRandom(seed);
        this.length = seconds * SECOND;
        this.strayed = new double[(int) ((seconds + 20) * SECOND / GRID) + 2];
    }

    static double exponential(SplittableRandom random, double mean) {
        return -mean * Math.log1p(-random.nextDouble());
    }

    /** As measured: round trips of 12 to 18 us. */
    static Path loopback() {
        return (random, at, down) -> 6_000 + exponential(random, 1_500);
    }

    /** As measured with both cores busy: the same at best, milliseconds at worst. */
    static Path saturatedLoopback() {
        return (random, at, down) -> 6_000
                + exponential(random, 1_500)
                + (random.nextInt(100) < 8 ? exponential(random, down ? 1.5e6 : 0.8e6) : 0);
    }

    static Path lan() {
        return (random, at, down) ->
                60_000 + exponential(random, 15_000) + (random.nextInt(100) < 3 ? exponential(random, 2e6) : 0);
    }

    /** Loaded hosts: queues on both ways, one twice as long as the other. */
    static Path loadedLan() {
        return (random, at, down) -> 60_000
                + exponential(random, down ? 300_000 : 150_000)
                + (random.nextInt(100) < 5 ? exponential(random, 5e6) : 0);
    }

    static Path wan(double downMillis, double upMillis, double jitterMillis) {
        return (random, at, down) -> (down ? downMillis : upMillis) * MILLI + exponential(random, jitterMillis * MILLI);
    }

    ClockWorld path(Path of) {
        path = of;
        return this;
    }

    ClockWorld loss(double share) {
        loss = share;
        return this;
    }

    ClockWorld offset(long nanos) {
        offset = nanos;
        return this;
    }

    /** Makes the period fixed. */
    ClockWorld every(long nanos) {
        periodNanos = nanos;
        return this;
    }

    /** Adds stamps on frames of a TCP connection, which take longer and scatter more. */
    ClockWorld frames(long everyNanos) {
        framesEvery = everyNanos;
        return this;
    }

    /** Makes the client's clock run fast by so much. */
    ClockWorld rate(double ppm, double fromSeconds, double toSeconds) {
        for (int i = 1; i < strayed.length; i++) {
            double seconds = (double) i * GRID / SECOND;
            double during = Math.max(0, Math.min(seconds, toSeconds) - fromSeconds);
            strayed[i] += during * ppm * 1e3;
        }
        return this;
    }

    ClockWorld skew(double ppm) {
        return rate(ppm, 0, 1e9);
    }

    /** A machine that warms up and cools down, and noise of the oscillator. */
    ClockWorld wander() {
        double period = random.nextDouble(900, 2_400);
        double phase = random.nextDouble(0, 2 * Math.PI);
        double walk = 0;
        double sum = 0;
        for (int i = 1; i < strayed.length; i++) {
            double seconds = (double) i * GRID / SECOND;
            walk += 1e-3 * Math.sqrt((double) GRID / SECOND) * random.nextGaussian();
            sum += (0.5 * Math.sin(2 * Math.PI * seconds / period + phase) + walk) * 1e3 * GRID / SECOND;
            strayed[i] += sum;
        }
        return this;
    }

    /** Makes the client's clock jump. */
    ClockWorld step(long atSeconds, long byNanos) {
        jumps.add(new long[] {atSeconds * SECOND, 0, byNanos});
        return this;
    }

    /** Makes the client's clock stand still for a while. */
    ClockWorld suspend(long atSeconds, long forNanos) {
        jumps.add(new long[] {atSeconds * SECOND, forNanos, -forNanos});
        return this;
    }

    /** Reads the client's clock. */
    long client(long global) {
        double place = (double) global / GRID;
        int i = Math.max(0, Math.min(strayed.length - 2, (int) place));
        double stray = strayed[i] + (place - i) * (strayed[i + 1] - strayed[i]);
        long read = global + BOOT - offset + Math.round(stray);
        for (long[] jump : jumps) {
            double share = jump[1] == 0 ? 1 : Math.min(1, (double) (global - jump[0]) / jump[1]);
            read += global < jump[0] ? 0 : Math.round(share * jump[2]);
        }
        return read;
    }

    /** Returns whether another instant has the same reading, so that nobody can tell them apart. */
    boolean isAmbiguous(long global) {
        for (long[] jump : jumps) {
            boolean again = jump[1] == 0 && jump[2] < 0 && Math.abs(global - jump[0]) <= -jump[2] + SECOND / 100;
            if (again || isAsleep(global)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAsleep(long global) {
        return jumps.stream().anyMatch(jump -> global >= jump[0] && global < jump[0] + jump[1]);
    }

    private long wall(long global) {
        return (global + 1_700_000_000L * SECOND) / MILLI;
    }

    /** Probes all through the run as the schedule says, with bursts at its start and end. */
    ClockBounds probe() {
        ClockBounds bounds = new ClockBounds();
        ProbeSchedule schedule = periodNanos > 0
                ? ProbeSchedule.every(periodNanos, random.nextLong())
                : ProbeSchedule.adaptive(random.nextLong());
        schedule.burstNow(0);
        boolean ending = false;
        for (long now = 0; now < length + SECOND / 4; now = Math.max(now, schedule.nextNanos(now))) {
            if (!ending && now >= length) {
                ending = true;
                now = length;
                schedule.burstNow(now);
            }
            schedule.sent(now);
            if (isAsleep(now)) {
                continue;
            }
            Exchange exchange = exchange(now, path);
            if (random.nextDouble() >= loss) {
                bounds.add(exchange, Source.UDP, wall(now));
                schedule.answered(exchange, now);
            }
        }
        for (long at = SECOND / 7; framesEvery > 0 && at < length; at += framesEvery) {
            if (!isAsleep(at)) {
                bounds.add(frame(at), Source.FRAME, 0);
            }
        }
        return bounds;
    }

    private Exchange exchange(long sent, Path on) {
        long received = sent + Math.round(on.nanos(random, sent, false));
        long answered = received + Math.round(4_000 + exponential(random, 4_000));
        long back = answered + Math.round(on.nanos(random, sent, true));
        while (isAsleep(back)) {
            back += MILLI;
        }
        return new Exchange(answered + BOOT, client(back), client(sent), received + BOOT);
    }

    private Exchange frame(long at) {
        Path tcp = (random, when, down) -> path.nanos(random, when, down) + 10_000 + exponential(random, 60_000);
        long received = at + Math.round(tcp.nanos(random, at, true));
        long sent = received + random.nextLong(framesEvery);
        long back = sent + Math.round(tcp.nanos(random, at, false));
        return new Exchange(at + BOOT, client(received), client(sent), back + BOOT);
    }

    /**
     * How wrong a corridor is, at instants all over the run.
     *
     * @param mean of the error, us
     * @param p99 of the error, us
     * @param max of the error, us
     * @param bound mean of the bound, us
     * @param worstBound largest bound, us
     * @param outside instants at which the error was larger than the bound
     * @param firstOutside when that was first, s
     */
    record Result(
            double mean, double p99, double max, double bound, double worstBound, int outside, double firstOutside) {}

    Result judge(Corridor corridor) {
        double[] errors = new double[INSTANTS];
        int n = 0;
        int outside = 0;
        double first = Double.NaN;
        double bounds = 0;
        double worst = 0;
        Corridor.Reader reader = corridor.reader();
        for (int i = 0; i < INSTANTS; i++) {
            long global = length / INSTANTS * i + random.nextLong(length / INSTANTS);
            if (isAmbiguous(global)) {
                continue;
            }
            long local = client(global);
            long error = Math.abs(reader.globalNanos(local) - global - BOOT);
            long bound = reader.boundNanos(local);
            if (error > bound + 1) {
                outside++;
                first = Double.isNaN(first) ? global / 1e9 : first;
            }
            errors[n++] = error / 1e3;
            bounds += bound / 1e3;
            worst = Math.max(worst, bound / 1e3);
        }
        double[] sorted = Arrays.copyOf(errors, n);
        Arrays.sort(sorted);
        return new Result(
                Arrays.stream(sorted).average().orElse(0),
                sorted[(int) (0.99 * (n - 1))],
                sorted[n - 1],
                bounds / n,
                worst,
                outside,
                first);
    }
}
