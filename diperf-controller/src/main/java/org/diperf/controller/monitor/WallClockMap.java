package org.diperf.controller.monitor;

import java.util.Arrays;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;

/**
 * Which instant of the run's clock an instant of this machine's wall clock was, from readings of both through the run:
 * the wall clock may be set or slewed meanwhile. Bounded; thread-safe.
 */
final class WallClockMap {

    private static final int MOST = 4096;

    private final NanoClock clock;
    private final WallClock wallClock;
    private long[] walls = new long[64];
    private long[] offsets = new long[64];
    private int size;
    private long every = 1;
    private long seen;

    WallClockMap(NanoClock clock, WallClock wallClock) {
        this.clock = clock;
        this.wallClock = wallClock;
    }

    /** Reads both clocks. */
    synchronized void read() {
        long before = clock.nanoTime();
        double seconds = wallClock.unixSeconds();
        long after = clock.nanoTime();
        if (seen++ % every != 0) {
            return;
        }
        if (size == MOST) {
            for (int i = 0; i < MOST / 2; i++) {
                walls[i] = walls[2 * i];
                offsets[i] = offsets[2 * i];
            }
            size = MOST / 2;
            every *= 2;
        }
        if (size == walls.length) {
            walls = Arrays.copyOf(walls, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        long wall = nanos(seconds);
        walls[size] = wall;
        offsets[size] = before + (after - before) / 2 - wall;
        size++;
    }

    private static long nanos(double seconds) {
        long whole = (long) seconds;
        return whole * 1_000_000_000L + Math.round((seconds - whole) * 1e9);
    }

    /**
     * Returns the instant on the run's clock, between two readings by their share of the way.
     *
     * @param unixNanos ns since 1970 on the wall clock
     * @throws IllegalStateException when the clocks were never read
     */
    synchronized long nanoTime(long unixNanos) {
        if (size == 0) {
            throw new IllegalStateException("The wall clock was never compared with the run's clock");
        }
        int next = 0;
        int high = size;
        while (next < high) {
            int middle = (next + high) >>> 1;
            if (walls[middle] <= unixNanos) {
                next = middle + 1;
            } else {
                high = middle;
            }
        }
        if (next == 0) {
            return unixNanos + offsets[0];
        }
        if (next == size) {
            return unixNanos + offsets[size - 1];
        }
        double share = (double) (unixNanos - walls[next - 1]) / (walls[next] - walls[next - 1]);
        return unixNanos + offsets[next - 1] + Math.round(share * (offsets[next] - offsets[next - 1]));
    }
}
