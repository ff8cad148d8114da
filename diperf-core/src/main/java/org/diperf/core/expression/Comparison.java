package org.diperf.core.expression;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Regex;
import org.jspecify.annotations.Nullable;

/**
 * What a value must be: {@code == 5}, {@code != x}, {@code < 500ms}, {@code >= 2}, {@code ~ REGEX}, {@code !~ REGEX},
 * {@code 200..299}, {@code present}, {@code absent}, or a text alone, which it must equal. Two numbers are compared as numbers,
 * anything else as text; {@code < <= > >=} hold for numbers alone. The right side may hold <code>${...}</code>, which is
 * filled in before it is compared. Immutable.
 *
 * @param operator what is between
 * @param right what it is compared with, as written
 */
public record Comparison(Operator operator, String right) {

    /** How two values are compared. */
    public enum Operator {
        EQUAL("=="),
        UNEQUAL("!="),
        AT_MOST("<="),
        AT_LEAST(">="),
        LESS("<"),
        MORE(">"),
        NO_MATCH("!~"),
        MATCH("~"),
        BETWEEN(".."),
        PRESENT("present"),
        ABSENT("absent");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        /** Returns it as it is written. */
        public String sign() {
            return sign;
        }
    }

    /** In the order in which they are looked for: one that begins with another is before it. */
    private static final List<Operator> SIGNS = List.of(
            Operator.EQUAL,
            Operator.UNEQUAL,
            Operator.AT_MOST,
            Operator.AT_LEAST,
            Operator.LESS,
            Operator.MORE,
            Operator.NO_MATCH,
            Operator.MATCH);

    private static final String NUMBER_FORM = "-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?";
    private static final Pattern NUMBER = Pattern.compile(NUMBER_FORM);

    /** A condition: two texts and how they are compared. */
    public record Condition(String left, Comparison comparison) {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException where it has a regular expression that is none, or an operator with nothing to compare with
     */
    public static Comparison parse(String text) {
        String stripped = text.strip();
        if (stripped.equals(Operator.PRESENT.sign)) {
            return new Comparison(Operator.PRESENT, "");
        }
        if (stripped.equals(Operator.ABSENT.sign)) {
            return new Comparison(Operator.ABSENT, "");
        }
        for (Operator sign : SIGNS) {
            if (stripped.startsWith(sign.sign)) {
                return checked(new Comparison(
                        sign, unquoted(stripped.substring(sign.sign.length()).strip())));
            }
        }
        return stripped.matches(NUMBER_FORM + "\\.\\." + NUMBER_FORM)
                ? new Comparison(Operator.BETWEEN, stripped)
                : new Comparison(Operator.EQUAL, unquoted(stripped));
    }

    /**
     * Reads a condition: text, operator, text, such as {@code ${stock} > 0}. A text alone must not be empty; one that holds an
     * operator stands in quotes.
     *
     * @throws IllegalArgumentException as {@link #parse}
     */
    public static Condition condition(String text) {
        String stripped = text.strip();
        int from = endOfText(stripped);
        String left = unquoted(stripped.substring(0, from).strip());
        String rest = stripped.substring(from).strip();
        return rest.isEmpty() ? new Condition(left, parse("present")) : new Condition(left, parse(rest));
    }

    private static int endOfText(String text) {
        boolean quoted = false;
        boolean named = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == '$' && text.startsWith("${", i)) {
                named = true;
            } else if (c == '}') {
                named = false;
            } else if (!quoted && !named) {
                String rest = text.substring(i);
                if (SIGNS.stream().anyMatch(sign -> rest.startsWith(sign.sign))) {
                    return i;
                }
            }
        }
        return text.length();
    }

    private static String unquoted(String text) {
        return text.length() >= 2 && text.startsWith("'") && text.endsWith("'")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    private static Comparison checked(Comparison made) {
        boolean pattern = made.operator == Operator.MATCH || made.operator == Operator.NO_MATCH;
        if (pattern && !made.right.contains("${")) {
            Regex.compile(made.right);
        }
        boolean ordered = made.operator != Operator.EQUAL && made.operator != Operator.UNEQUAL;
        if (ordered && made.right.isEmpty()) {
            throw new IllegalArgumentException("expected a value after '" + made.operator.sign + "', got nothing");
        }
        return made;
    }

    /**
     * Returns the same comparison with quantities as plain numbers, those that it is to be compared with.
     *
     * @param quantity what they are
     * @throws IllegalArgumentException where the right side is no such quantity, or the operator none for quantities
     */
    public Comparison in(Measure quantity) {
        int dots = right.indexOf("..");
        if (operator == Operator.MATCH || operator == Operator.NO_MATCH || right.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a comparison such as '< " + quantity.example + "', got '" + this + "'");
        }
        // With units a range looks like a text: it is told by what it is compared with.
        if (operator == Operator.BETWEEN || (operator == Operator.EQUAL && dots >= 0)) {
            return new Comparison(
                    Operator.BETWEEN,
                    quantity.plain.apply(right.substring(0, dots)) + ".."
                            + quantity.plain.apply(right.substring(dots + 2)));
        }
        return new Comparison(operator, quantity.plain.apply(right));
    }

    /** What has a unit. */
    public enum Measure {
        /** Durations; plainly in ns. */
        TIME("500ms", text -> Long.toString(Quantity.duration(text).toNanos())),
        /** Sizes; plainly in bytes. */
        SIZE("100KiB", text -> Long.toString(Quantity.size(text)));

        private final String example;
        private final UnaryOperator<String> plain;

        Measure(String example, UnaryOperator<String> plain) {
            this.example = example;
            this.plain = plain;
        }
    }

    /**
     * Compares.
     *
     * @param found {@code null}: there is none
     * @param filled the right side with its values filled in
     * @throws java.io.UncheckedIOException as {@link Regex#find} does
     */
    public boolean holds(@Nullable String found, String filled) {
        if (operator == Operator.ABSENT || operator == Operator.PRESENT) {
            return (found == null || found.isEmpty()) == (operator == Operator.ABSENT);
        }
        if (found == null) {
            return operator == Operator.UNEQUAL || operator == Operator.NO_MATCH;
        }
        return switch (operator) {
            case EQUAL -> equal(found, filled);
            case UNEQUAL -> !equal(found, filled);
            case MATCH -> matches(found, filled);
            case NO_MATCH -> !matches(found, filled);
            case BETWEEN -> {
                int dots = filled.indexOf("..");
                yield isNumber(found)
                        && compared(found, filled.substring(0, dots)) >= 0
                        && compared(found, filled.substring(dots + 2)) <= 0;
            }
            default -> isNumber(found) && isNumber(filled) && ordered(compared(found, filled));
        };
    }

    private boolean ordered(int order) {
        return switch (operator) {
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case MORE -> order > 0;
            default -> order >= 0;
        };
    }

    private static boolean equal(String a, String b) {
        return a.equals(b) || (isNumber(a) && isNumber(b) && compared(a, b) == 0);
    }

    private static boolean matches(String found, String pattern) {
        try {
            return Regex.compile(pattern).find(found) != null;
        } catch (IllegalArgumentException filledInToNone) {
            return false;
        }
    }

    private static int compared(String a, String b) {
        return Double.compare(Double.parseDouble(a), Double.parseDouble(b));
    }

    private static boolean isNumber(String text) {
        return text.length() <= 40 && NUMBER.matcher(text).matches();
    }

    /** Returns it as it is written. */
    @Override
    public String toString() {
        return switch (operator) {
            case BETWEEN, EQUAL -> right;
            case PRESENT, ABSENT -> operator.sign;
            default -> String.format(Locale.ROOT, "%s %s", operator.sign, right);
        };
    }
}
