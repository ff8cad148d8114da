package org.diperf.analyzer.measure;

import org.diperf.analyzer.stats.Uncertainty;
import org.diperf.core.expression.Expression.Ranged;
import org.jspecify.annotations.Nullable;

/** What a measure answers: an amount, or a word. */
public sealed interface Value {

    /** Returns what an expression compares: a {@link Double}, a {@link Ranged} or a {@link String}. */
    Object raw();

    /**
     * A number.
     *
     * @param unit as people write it; empty for counts and plain numbers
     * @param count of values on which it rests; 0 where that says nothing
     * @param range how far off it can be; {@code null} where nothing is known of that
     */
    record Amount(
            double number,
            String unit,
            long count,
            @Nullable Uncertainty range) implements Value {

        @Override
        public Object raw() {
            return range == null ? (Object) number : new Ranged(number, range.low(), range.high());
        }
    }

    /** A word, such as a verdict. */
    record Word(String word) implements Value {

        @Override
        public Object raw() {
            return word;
        }
    }
}
