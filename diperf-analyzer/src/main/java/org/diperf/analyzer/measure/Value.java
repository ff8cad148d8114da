package org.diperf.analyzer.measure;

import java.util.Map;

/** What a measure answers: an amount, or a word. */
public sealed interface Value {

    /** Returns what an expression compares: a {@link Double} or a {@link String}. */
    Object raw();

    /**
     * A number.
     *
     * @param unit as people write it; empty for counts and plain numbers
     * @param count of values on which it rests; 0 where that says nothing
     * @param ranges within which the true number lies, by what would move it, such as {@link #SAMPLING}; empty where nothing is
     *     known
     */
    record Amount(double number, String unit, long count, Map<String, Range> ranges) implements Value {

        /** The part of the uncertainty that comes of how many calls there were and how they depend on one another: a 95 % CI. */
        public static final String SAMPLING = "sampling";

        public Amount {
            ranges = Map.copyOf(ranges);
        }

        @Override
        public Object raw() {
            return number;
        }
    }

    /** A word, such as a verdict. */
    record Word(String word) implements Value {

        @Override
        public Object raw() {
            return word;
        }
    }

    /** From one number to another, in the unit of the value. */
    record Range(double low, double high) {}
}
