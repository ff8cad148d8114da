package org.diperf.tester.engine.call;

import org.diperf.core.expression.Comparison;
import org.diperf.core.expression.Comparison.Operator;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Regex;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/**
 * A comparison with what it compares with, compiled. Immutable.
 *
 * @param right what it compares with
 * @param pattern where that is a regular expression that is the same for every call
 */
record CompiledCheck(
        Comparison comparison, Text right, @Nullable Regex pattern) {

    /** Compiles one. */
    static CompiledCheck of(Comparison comparison, long seed, Names names) {
        Text right = Text.parse(comparison.right(), seed, names);
        boolean matches = comparison.operator() == Operator.MATCH || comparison.operator() == Operator.NO_MATCH;
        return new CompiledCheck(
                comparison, right, matches && right.isConstant() ? Regex.compile(right.fixed()) : null);
    }

    /**
     * Compares.
     *
     * @param found {@code null}: there is none
     */
    boolean holds(@Nullable String found, Call call) {
        if (pattern != null) {
            boolean matches = found != null && pattern.find(found) != null;
            return matches == (comparison.operator() == Operator.MATCH);
        }
        return comparison.holds(found, right.of(call));
    }
}
