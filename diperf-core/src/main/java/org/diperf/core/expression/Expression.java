package org.diperf.core.expression;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What must hold, such as {@code response.p99 < 1500ms && failed < 1%}. Immutable.
 *
 * <p>A value is a number, a percentage, a duration, a size, a rate or a word. A percentage asks for the share: {@code
 * failed < 1%} compares {@code failed.share}, a fraction of one.
 */
public final class Expression {

    /** What is said of something that has no value. */
    public static final String NOT_MEASURED = "not measured";

    private final String source;
    private final List<Comparison> comparisons;

    private Expression(String source, List<Comparison> comparisons) {
        this.source = source;
        this.comparisons = List.copyOf(comparisons);
    }

    /** Knows the values that paths stand for. */
    @FunctionalInterface
    public interface Lookup {
        /**
         * Returns a value.
         *
         * @param path as it stands in the expression; for a percentage with {@code .share} appended
         * @return a {@link Number} in ms, 1/s, bytes or as a count, a fraction for a share; a {@link Ranged} of such; or a
         *     {@link String}; {@code null} when it was not measured
         */
        @Nullable
        Object value(String path);
    }

    /**
     * A number that is known within a range.
     *
     * @param low the least that it can be, at most the value
     * @param high the most, at least the value
     */
    public record Ranged(double value, double low, double high) {}

    /** Whether something holds; of several parts the last of their answers is the answer of all. */
    public enum Answer {
        YES,
        /** It holds at one end of a range, and not at the other. */
        UNDECIDED,
        UNMEASURED,
        NO;

        Answer and(Answer other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /**
     * What became of an expression.
     *
     * @param answer whether all comparisons hold
     * @param observed the value found, with its unit, and its range where that leaves the answer open; several with their paths
     */
    public record Result(Answer answer, String observed) {

        /** Makes one that is decided. */
        public Result(boolean holds, String observed) {
            this(holds ? Answer.YES : Answer.NO, observed);
        }

        /** Returns whether all comparisons hold for sure. */
        public boolean holds() {
            return answer == Answer.YES;
        }

        /** Returns whether a comparison of what was measured does not hold for sure. */
        public boolean fails() {
            return answer == Answer.NO;
        }

        /** Returns whether all hangs on something that was not measured. */
        public boolean isUnmeasured() {
            return answer == Answer.UNMEASURED;
        }
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException saying at which character what was wanted
     */
    public static Expression parse(String text) {
        return new Expression(text.strip(), new Tokens(text).comparisons());
    }

    /**
     * Returns the same with {@code ms} behind numbers without a unit that are compared with times.
     *
     * @param isTime whether a path that a {@link Lookup} is asked for stands for ms
     */
    public Expression withMilliseconds(Predicate<String> isTime) {
        StringBuilder text = new StringBuilder(source);
        for (int i = comparisons.size() - 1; i >= 0; i--) {
            Comparison comparison = comparisons.get(i);
            if (comparison.literal.unit == Unit.COUNT && isTime.test(comparison.lookupPath())) {
                text.insert(comparison.end, "ms");
            }
        }
        return parse(text.toString());
    }

    /** Compares against the values of a lookup; asks for each path once per comparison. */
    public Result evaluate(Lookup lookup) {
        Answer answer = Answer.YES;
        List<String> observed = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            Object value = lookup.value(comparison.lookupPath());
            answer = answer.and(comparison.answer(value));
            String shown = value == null ? NOT_MEASURED : comparison.shown(value);
            observed.add(comparisons.size() == 1 ? shown : comparison.path + " " + shown);
        }
        return new Result(answer, String.join(", ", observed));
    }

    /** Lists the paths in their order, as they are written. */
    public List<String> paths() {
        return comparisons.stream().map(Comparison::path).toList();
    }

    /**
     * What a comparison asks for.
     *
     * @param path as it is written
     * @param lookup as a {@link Lookup} is asked for it
     * @param unit that the other side is in: {@code ms}, {@code /s}, {@code bytes}, {@code %}; empty: in none
     * @param word the other side where it is a word; empty: it is a number
     */
    public record Asked(String path, String lookup, String unit, String word) {}

    /** Lists what the comparisons ask for, in their order. */
    public List<Asked> asked() {
        return comparisons.stream()
                .map(comparison -> new Asked(
                        comparison.path,
                        comparison.lookupPath(),
                        comparison.literal.unit.suffix.strip(),
                        comparison.literal.word))
                .toList();
    }

    /**
     * A comparison with a number.
     *
     * @param path as it is written
     * @param lookup as a {@link Lookup} is asked for it
     * @param sign of the operator
     * @param number in ms, 1/s, bytes or as a count; a fraction for a percentage
     * @param isShare whether it was written as a percentage
     */
    public record Limit(String path, String lookup, String sign, double number, boolean isShare) {}

    /** Lists the comparisons with numbers, in their order. */
    public List<Limit> limits() {
        return comparisons.stream()
                .filter(comparison -> comparison.literal.unit != Unit.WORD)
                .map(comparison -> new Limit(
                        comparison.path,
                        comparison.lookupPath(),
                        comparison.operator.sign,
                        comparison.literal.number,
                        comparison.literal.unit == Unit.PERCENT))
                .toList();
    }

    /** Returns the expression as it was written. */
    @Override
    public String toString() {
        return source;
    }

    /** How two values are compared. */
    enum Operator {
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">="),
        EQUAL("=="),
        DIFFERENT("!=");

        final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        boolean holds(int order) {
            return switch (this) {
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case MORE -> order > 0;
                case AT_LEAST -> order >= 0;
                case EQUAL -> order == 0;
                case DIFFERENT -> order != 0;
            };
        }
    }

    /** What a literal is written in; decides how the observed value is shown. */
    enum Unit {
        COUNT(""),
        PERCENT("%"),
        MILLISECONDS(" ms"),
        PER_SECOND("/s"),
        BYTES(" bytes"),
        WORD("");

        private final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }

        String format(Object value) {
            if (!(value instanceof Number number)) {
                return value.toString();
            }
            double shown = this == PERCENT ? number.doubleValue() * 100 : number.doubleValue();
            return Double.isNaN(shown) ? NOT_MEASURED : digits(shown) + suffix;
        }

        private static String digits(double value) {
            if (Double.isInfinite(value) || value == Math.rint(value) && Math.abs(value) < 1e15) {
                return String.format(Locale.ROOT, "%.0f", value);
            }
            // Three digits that count, but never fewer than the whole part.
            int whole = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
            return new BigDecimal(value)
                    .round(new MathContext(Math.max(3, whole), RoundingMode.HALF_UP))
                    .toPlainString();
        }
    }

    /** A value as written: a number in its base unit, or a word. */
    record Literal(Unit unit, double number, String word) {}

    /**
     * One path against one value.
     *
     * @param end of the value in the expression
     */
    record Comparison(String path, Operator operator, Literal literal, int end) {

        String lookupPath() {
            return literal.unit == Unit.PERCENT ? path + ".share" : path;
        }

        Answer answer(@Nullable Object value) {
            if (value == null
                    || value instanceof Number number && Double.isNaN(number.doubleValue())
                    || value instanceof Ranged range && Double.isNaN(range.value)) {
                return Answer.UNMEASURED;
            }
            if (!(value instanceof Ranged ranged)) {
                return holds(value) ? Answer.YES : Answer.NO;
            }
            boolean holds = holds(ranged.value);
            // Between ends that both lie on one side of the limit, the range may still hold the limit itself.
            boolean everywhere = holds == holds(ranged.low)
                    && holds == holds(ranged.high)
                    && !(isEquality() && ranged.low < literal.number && literal.number < ranged.high);
            return everywhere ? (holds ? Answer.YES : Answer.NO) : Answer.UNDECIDED;
        }

        private boolean isEquality() {
            return operator == Operator.EQUAL || operator == Operator.DIFFERENT;
        }

        String shown(Object value) {
            if (!(value instanceof Ranged ranged)) {
                return literal.unit.format(value);
            }
            String shown = literal.unit.format(ranged.value);
            return answer(value) == Answer.UNDECIDED
                    ? shown + " ("
                            + (ranged.low > 0 ? literal.unit.format(ranged.low) + " to " : "at most ")
                            + literal.unit.format(ranged.high) + ")"
                    : shown;
        }

        boolean holds(Object value) {
            if (literal.unit == Unit.WORD) {
                return operator.holds(value.toString().equals(literal.word) ? 0 : 1);
            }
            return value instanceof Number number
                    && operator.holds(Double.compare(number.doubleValue() + 0.0, literal.number));
        }
    }
}
