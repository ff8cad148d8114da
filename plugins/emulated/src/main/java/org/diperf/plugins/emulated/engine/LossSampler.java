package org.diperf.plugins.emulated.engine;

import java.util.SplittableRandom;
import org.diperf.plugins.emulated.topology.Loss;

/** Draws which packets of a link are lost, from a seed. Not thread-safe. */
final class LossSampler {

    private final SplittableRandom random;
    private final int burst;
    /** Logarithm of the probability that no burst begins. */
    private final double logNoBurst;

    private long passing;
    private int losing;

    LossSampler(Loss loss, long seed) {
        this.random = new SplittableRandom(seed);
        this.burst = loss.burst();
        this.logNoBurst = Math.log1p(-loss.beginProbability());
        this.passing = gap();
    }

    /** Returns how many packets pass before the next burst: geometric, by inversion. */
    private long gap() {
        return logNoBurst == 0
                ? Long.MAX_VALUE
                : (long) Math.floor(StrictMath.log(1 - random.nextDouble()) / logNoBurst);
    }

    /** Returns whether the next packet is lost. */
    boolean loses() {
        if (losing > 0) {
            losing--;
            return true;
        }
        if (passing > 0) {
            passing -= passing == Long.MAX_VALUE ? 0 : 1;
            return false;
        }
        losing = burst - 1;
        passing = gap();
        return true;
    }
}
