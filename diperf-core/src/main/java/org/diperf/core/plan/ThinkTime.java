package org.diperf.core.plan;

import java.time.Duration;

/** How long a client pauses between the end of one call and the start of its next. */
public sealed interface ThinkTime {

    /** Calls follow one another at once. */
    ThinkTime NONE = new None();

    /** Returns the pause that a length of time stands for: none where it is zero. */
    static ThinkTime fixed(Duration pause) {
        return pause.isZero() ? NONE : new Fixed(pause.toNanos());
    }

    /**
     * Returns one pause.
     *
     * @param random evenly spread bits, a function of seed, client and call
     * @return at least 0
     */
    long nanos(long random);

    /**
     * Says when a client's next iteration is due.
     *
     * @param intendedNanos when the one before was due
     * @param endNanos when the one before ended, on the same clock
     * @param random as of {@link #nanos}
     * @return at least {@code endNanos}
     */
    default long nextNanos(long intendedNanos, long endNanos, long random) {
        return endNanos + nanos(random);
    }

    /** Returns the mean of the pauses. */
    double expectedNanos();

    /** Returns the standard deviation of the pauses. */
    double deviationNanos();

    /** No pause. */
    record None() implements ThinkTime {
        @Override
        public long nanos(long random) {
            return 0;
        }

        @Override
        public double expectedNanos() {
            return 0;
        }

        @Override
        public double deviationNanos() {
            return 0;
        }
    }

    /**
     * Always the same.
     *
     * @param fixedNanos more than 0
     */
    record Fixed(long fixedNanos) implements ThinkTime {

        public Fixed {
            if (fixedNanos <= 0) {
                throw new IllegalArgumentException("Fixed pause: expected more than 0, got " + fixedNanos + " ns");
            }
        }

        @Override
        public long nanos(long random) {
            return fixedNanos;
        }

        @Override
        public double expectedNanos() {
            return fixedNanos;
        }

        @Override
        public double deviationNanos() {
            return 0;
        }
    }

    /**
     * Exponentially distributed.
     *
     * @param meanNanos more than 0
     */
    record Exponential(long meanNanos) implements ThinkTime {

        public Exponential {
            if (meanNanos <= 0) {
                throw new IllegalArgumentException(
                        "Exponential pause: expected a mean above 0, got " + meanNanos + " ns");
            }
        }

        @Override
        public long nanos(long random) {
            return (long) (meanNanos * SplitMix.exponential(random));
        }

        @Override
        public double expectedNanos() {
            return meanNanos;
        }

        @Override
        public double deviationNanos() {
            return meanNanos;
        }
    }

    /**
     * Evenly distributed.
     *
     * @param lowNanos at least 0
     * @param highNanos at least {@code lowNanos}
     */
    record Uniform(long lowNanos, long highNanos) implements ThinkTime {

        public Uniform {
            if (lowNanos < 0 || lowNanos > highNanos) {
                throw new IllegalArgumentException("Evenly distributed pause: expected 0 <= low <= high, got "
                        + lowNanos + " to " + highNanos + " ns");
            }
        }

        @Override
        public long nanos(long random) {
            return lowNanos + (long) ((highNanos - lowNanos) * SplitMix.unit(random));
        }

        @Override
        public double expectedNanos() {
            return (lowNanos + highNanos) / 2.0;
        }

        @Override
        public double deviationNanos() {
            return (highNanos - lowNanos) / Math.sqrt(12);
        }
    }

    /**
     * Iterations start at a pace, whatever their calls take. One whose predecessor took longer starts at once, and the pace
     * counts from there: starts that were missed are not made up for, so that the service's slowness is no lateness of the
     * client. (Locust's {@code constant_pacing} and JMeter's Constant Throughput Timer do the same; Gatling's {@code pace}
     * makes up for them.)
     *
     * @param everyNanos from start to start, more than 0
     */
    record Pace(long everyNanos) implements ThinkTime {

        public Pace {
            if (everyNanos <= 0) {
                throw new IllegalArgumentException("Pace: expected more than 0, got " + everyNanos + " ns");
            }
        }

        @Override
        public long nextNanos(long intendedNanos, long endNanos, long random) {
            return Math.max(endNanos, intendedNanos + everyNanos);
        }

        /** The pause after a call that takes no time. */
        @Override
        public long nanos(long random) {
            return everyNanos;
        }

        @Override
        public double expectedNanos() {
            return everyNanos;
        }

        @Override
        public double deviationNanos() {
            return 0;
        }
    }
}
