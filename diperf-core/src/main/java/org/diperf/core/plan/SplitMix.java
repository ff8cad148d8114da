package org.diperf.core.plan;

/** Random numbers as a pure function of what they are for (the finaliser of SplitMix64; Steele, Lea, Flood, 2014). */
final class SplitMix {

    private SplitMix() {}

    static long bits(long seed, long a, long b, long c) {
        long z = seed + 0x9E3779B97F4A7C15L * (a + 1) + 0xD1B54A32D192ED03L * (b + 1) + 0x8CB92BA72F3D8DD7L * (c + 1);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        // Twice, because neighbouring inputs differ in few bits.
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Maps bits to [0, 1). */
    static double unit(long bits) {
        return (bits >>> 11) * 0x1p-53;
    }

    /** Maps bits to an exponential of mean 1. */
    static double exponential(long bits) {
        return -Math.log1p(-unit(bits));
    }
}
