package org.diperf.core.plan;

/** How long a client pauses between its calls. */
public sealed interface Think {

    /** No pause. */
    Think NONE = new Fixed(0);

    /**
     * Gives one pause.
     *
     * @param random evenly spread bits, a function of seed, client and call
     * @return at least 0
     */
    long nanos(long random);

    /** Always the same. */
    record Fixed(long fixedNanos) implements Think {
        @Override
        public long nanos(long random) {
            return fixedNanos;
        }
    }

    /** Exponentially distributed. */
    record Exponential(long meanNanos) implements Think {
        @Override
        public long nanos(long random) {
            return (long) (meanNanos * Mix.exponential(random));
        }
    }

    /** Evenly distributed from {@code low} to {@code high}. */
    record Uniform(long lowNanos, long highNanos) implements Think {
        @Override
        public long nanos(long random) {
            return lowNanos + (long) ((highNanos - lowNanos) * Mix.unit(random));
        }
    }
}
