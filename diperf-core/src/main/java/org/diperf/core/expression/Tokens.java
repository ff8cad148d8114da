package org.diperf.core.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.expression.Expression.Comparison;
import org.diperf.core.expression.Expression.Literal;
import org.diperf.core.expression.Expression.Operator;
import org.diperf.core.expression.Expression.Unit;
import org.diperf.core.spi.Quantity;
import org.jspecify.annotations.Nullable;

/** Reads one expression from left to right. Confined to one thread, used once. */
final class Tokens {

    private static final Set<String> DURATIONS = Set.of("ns", "us", "µs", "ms", "s", "m", "min", "h");
    private static final Map<String, Double> BITS_PER_SECOND =
            Map.of("bit/s", 1.0, "kbit/s", 1e3, "Mbit/s", 1e6, "Gbit/s", 1e9);
    /** The longer signs first, so that {@code <=} is not read as {@code <}. */
    private static final List<Operator> OPERATORS = List.of(
            Operator.AT_MOST, Operator.AT_LEAST, Operator.EQUAL, Operator.DIFFERENT, Operator.LESS, Operator.MORE);

    private final String text;
    private int at;

    Tokens(String text) {
        this.text = text;
    }

    List<Comparison> comparisons() {
        List<Comparison> comparisons = new ArrayList<>();
        do {
            comparisons.add(comparison());
        } while (more());
        return comparisons;
    }

    private boolean more() {
        skipSpace();
        if (at == text.length()) {
            return false;
        }
        if (!text.startsWith("&&", at)) {
            throw expected("&& or the end");
        }
        at += 2;
        return true;
    }

    private Comparison comparison() {
        skipSpace();
        int start = at;
        if (at < text.length() && Character.isLetter(text.charAt(at))) {
            while (at < text.length() && isPath(text.charAt(at))) {
                at++;
            }
        }
        String path = text.substring(start, at);
        if (path.isEmpty() || path.endsWith(".")) {
            at = start;
            throw expected("a metric such as response.p99, failed or verdict");
        }
        Operator operator = operator();
        skipSpace();
        int literalAt = at;
        Literal literal = literal();
        if (literal.unit() == Unit.WORD && operator != Operator.EQUAL && operator != Operator.DIFFERENT) {
            at = literalAt;
            throw expected("a number after '" + operator.sign + "' (words need == or !=)");
        }
        int indent = text.length() - text.stripLeading().length();
        int end = text.substring(0, at).stripTrailing().length() - indent;
        return new Comparison(path, operator, literal, end);
    }

    private static boolean isPath(char c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
    }

    private Operator operator() {
        skipSpace();
        for (Operator operator : OPERATORS) {
            if (text.startsWith(operator.sign, at)) {
                at += operator.sign.length();
                return operator;
            }
        }
        throw expected("one of < <= > >= == !=");
    }

    private Literal literal() {
        if (at == text.length()) {
            throw expected("a value such as 1500ms, 1%, 100/s or valid");
        }
        char first = text.charAt(at);
        if (first == '\'' || first == '"') {
            return quoted(first);
        }
        if (Character.isLetter(first)) {
            int start = at;
            while (at < text.length() && isPath(text.charAt(at))) {
                at++;
            }
            return new Literal(Unit.WORD, 0, text.substring(start, at));
        }
        return number();
    }

    private Literal quoted(char quote) {
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw expected("a closing " + quote);
        }
        String word = text.substring(at + 1, end);
        at = end + 1;
        return new Literal(Unit.WORD, 0, word);
    }

    private Literal number() {
        int start = at;
        if (text.charAt(at) == '-' || text.charAt(at) == '+') {
            at++;
        }
        int digits = at;
        while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
            at++;
        }
        String number = text.substring(digits, at);
        if (!number.matches("[0-9]+(\\.[0-9]+)?")) {
            at = start;
            throw expected("a value such as 1500ms, 1%, 100/s or valid");
        }
        double sign = text.charAt(start) == '-' ? -1 : 1;
        int unitAt = skipSpaceBeforeUnit();
        while (at < text.length() && isUnit(text.charAt(at))) {
            at++;
        }
        String unit = text.substring(unitAt, at);
        Literal literal = withUnit(number, unit);
        if (literal == null) {
            at = unitAt;
            throw expected("a unit such as ms, s, m, %, /s, /min, KiB or MB");
        }
        return new Literal(literal.unit(), sign * literal.number(), "");
    }

    private static @Nullable Literal withUnit(String number, String unit) {
        try {
            if (unit.isEmpty()) {
                return new Literal(Unit.COUNT, Double.parseDouble(number), "");
            }
            if (unit.equals("%")) {
                return new Literal(Unit.PERCENT, Double.parseDouble(number) / 100, "");
            }
            if (unit.startsWith("/")) {
                return new Literal(Unit.PER_SECOND, Quantity.rate(number + unit), "");
            }
            if (DURATIONS.contains(unit)) {
                return new Literal(
                        Unit.MILLISECONDS, Quantity.duration(number + unit).toNanos() / 1e6, "");
            }
            Double bits = BITS_PER_SECOND.get(unit);
            if (bits != null) {
                return new Literal(Unit.BYTES, Double.parseDouble(number) * bits / 8, "");
            }
            // Throughput in bytes has no unit of its own: a bandwidth is bytes in a second.
            String size = unit.endsWith("/s") ? unit.substring(0, unit.length() - 2) : unit;
            return new Literal(Unit.BYTES, Quantity.size(number + size), "");
        } catch (IllegalArgumentException noSuchUnit) {
            return null;
        }
    }

    /** A unit may stand apart from its number; what follows may also be {@code &&}, which is no unit. */
    private int skipSpaceBeforeUnit() {
        skipSpace();
        return at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isUnit(char c) {
        return Character.isLetter(c) || c == '%' || c == '/';
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException expected(String what) {
        String rest = text.substring(at).strip();
        return new IllegalArgumentException("at character " + (at + 1) + ": expected " + what + ", got "
                + (rest.isEmpty() ? "the end of '" + text.strip() + "'" : "'" + rest + "'"));
    }
}
