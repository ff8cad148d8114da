package org.diperf.controller.experiment;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.measure.Measure;
import org.diperf.analyzer.measure.MeasureSource;
import org.diperf.analyzer.measure.Measures;
import org.diperf.core.expression.Expression;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** The values of an experiment file that are written as one word. */
final class Quantities {

    private static final String DURATION = "[0-9]+(\\.[0-9]+)? *(ns|us|µs|ms|s|m|min|h)";
    /** Instants of this size can still be added to each other. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final Pattern POINTS = Pattern.compile("([1-9][0-9]{0,5}) *points?");
    private static final Pattern PORTS = Pattern.compile("([0-9]{1,5})(?: *- *([0-9]{1,5}))?");

    /** Stands for a settling that is judged from what is seen. */
    private static final String AUTO = "auto";

    private static final String RATE = "[0-9]+(\\.[0-9]+)?( */(s|sec|m|min|h))?";
    private static final String SIZE = "[0-9]+(\\.[0-9]+)? *([kKmMgGtT][iI]?)?[bB]?";
    private static final double MAX_PER_SECOND = 1e9;
    private static final List<String> VERDICTS = List.of("valid", "suspect", "failed");

    private Quantities() {}

    /** A range of numbers, both ends belong to it. */
    record Span(double from, double to) {

        Span {
            if (from > to) {
                throw new IllegalArgumentException("expected the lower number first");
            }
        }
    }

    /** A moving average by time or by points; the other is zero. */
    record Smooth(Duration width, int points) {}

    /** Ports to try; 0 to 0: any free one. */
    record Ports(int first, int last) {}

    /** A period; zero: as often as there is need. */
    record Every(Duration period) {}

    /** How long something is left to settle; {@code null}: judged from what is seen. */
    record Settle(@Nullable Duration fixed) {

        static final Settle AUTOMATICALLY = new Settle(null);
    }

    /** Part of a run; a range with its ends. */
    record Window(org.diperf.core.experiment.Measure.Window kind, Duration from, Duration to) {}

    /** At least 0, or more than 0 where {@code positive}. */
    static Scalar<Duration> duration(boolean positive) {
        String expected =
                "a duration such as 250ms, 10s, 5m or 2h" + (positive ? ", more than 0" : "") + ", at most a year";
        Map<String, Object> text = Scalar.patterned(DURATION + (positive ? "" : "|0"));
        return Scalar.quantity(
                expected,
                positive ? text : Map.of("anyOf", List.of(text, Map.of("const", 0))),
                given -> {
                    Duration duration = Quantity.duration(given);
                    if (duration.compareTo(LONGEST) > 0) {
                        throw new IllegalArgumentException("too long");
                    }
                    if (positive && duration.isZero()) {
                        throw new IllegalArgumentException("zero");
                    }
                    return duration;
                },
                value -> Quantity.format(value));
    }

    /** A period from 100 ms to an hour, or {@link #AUTO}. */
    static Scalar<Every> every() {
        return Scalar.quantity(
                "auto, or a period such as 10s, from 100ms to 1h",
                Scalar.patterned(AUTO + "|" + DURATION),
                given -> {
                    Duration period = given.equals(AUTO) ? Duration.ZERO : Quantity.duration(given);
                    if (!given.equals(AUTO)
                            && (period.compareTo(Duration.ofMillis(100)) < 0
                                    || period.compareTo(Duration.ofHours(1)) > 0)) {
                        throw new IllegalArgumentException("out of range");
                    }
                    return new Every(period);
                },
                value -> value.period.isZero() ? AUTO : Quantity.format(value.period));
    }

    /** At least 0, or more than 0 where {@code positive}; without a unit, per second. */
    static Scalar<Double> rate(boolean positive) {
        return Scalar.quantity(
                "a rate such as 100, 100/s or 60/min" + (positive ? ", more than 0" : ""),
                Map.of(
                        "anyOf",
                        List.of(
                                Scalar.patterned(RATE),
                                Map.of("type", "number", positive ? "exclusiveMinimum" : "minimum", 0))),
                given -> rate(given, positive),
                value -> exactly(value));
    }

    private static double rate(String given, boolean positive) {
        double rate = Quantity.rate(given);
        if (positive && rate <= 0 || rate > MAX_PER_SECOND) {
            throw new IllegalArgumentException("out of range");
        }
        return rate;
    }

    static Scalar<Span> rates() {
        return Scalar.quantity(
                "a range of rates such as 10/s..20000/s, the lower one first and above 0",
                Scalar.patterned(RATE + " *\\.\\. *" + RATE),
                given -> {
                    int dots = given.indexOf("..");
                    return new Span(
                            rate(given.substring(0, Math.max(0, dots)), true), rate(given.substring(dots + 2), true));
                },
                value -> exactly(value.from) + ".." + exactly(value.to));
    }

    /** @param most that may be asked for */
    static Scalar<Span> counts(String what, long most) {
        return Scalar.quantity(
                "a range of " + what + " such as 1..4096, the lower number first, from 1 to " + most,
                Scalar.patterned("[0-9]{1,7} *\\.\\. *[0-9]{1,7}"),
                given -> {
                    int dots = given.indexOf("..");
                    long from =
                            Long.parseLong(given.substring(0, Math.max(0, dots)).strip());
                    long to = Long.parseLong(given.substring(dots + 2).strip());
                    if (from < 1 || to > most) {
                        throw new IllegalArgumentException("out of range");
                    }
                    return new Span((double) from, (double) to);
                },
                value -> (long) value.from + ".." + (long) value.to);
    }

    static Scalar<Long> size() {
        return Scalar.quantity(
                "a size such as 512, 8KiB or 10GiB, more than 0",
                Map.of("anyOf", List.of(Scalar.patterned(SIZE), Map.of("type", "integer", "minimum", 1))),
                given -> {
                    long bytes = Quantity.size(given);
                    if (bytes < 1) {
                        throw new IllegalArgumentException("zero");
                    }
                    return bytes;
                },
                Quantities::sizeWords);
    }

    /** Writes a size in the largest whole binary unit. */
    private static Object sizeWords(long bytes) {
        for (int unit = 4; unit > 0; unit--) {
            if (bytes % (1L << (10 * unit)) == 0) {
                return (bytes >> (10 * unit))
                        + List.of("", "KiB", "MiB", "GiB", "TiB").get(unit);
            }
        }
        return bytes;
    }

    /** A share among others, more than 0. */
    static Scalar<Double> weight() {
        return Scalar.quantity(
                "a number above 0",
                Map.of("anyOf", List.of(Map.of("type", "number", "exclusiveMinimum", 0), Scalar.patterned("[0-9.]+"))),
                given -> {
                    double weight = Double.parseDouble(given);
                    if (!(weight > 0) || weight > 1e9) {
                        throw new IllegalArgumentException("no weight");
                    }
                    return weight;
                },
                value -> {
                    double weight = value;
                    return weight == Math.rint(weight) ? (Object) (long) weight : value;
                });
    }

    /** A share between 0 and 1. */
    static Scalar<Double> share() {
        return Scalar.quantity(
                "a share such as 2%, from 0.1% to 50%",
                Scalar.patterned("[0-9]+(\\.[0-9]+)? *%"),
                given -> {
                    if (!given.endsWith("%")) {
                        throw new IllegalArgumentException("no percentage");
                    }
                    double share = new BigDecimal(
                                    given.substring(0, given.length() - 1).strip())
                            .movePointLeft(2)
                            .doubleValue();
                    if (share < 0.001 || share > 0.5) {
                        throw new IllegalArgumentException("out of range");
                    }
                    return share;
                },
                value -> new BigDecimal(value.toString())
                                .movePointRight(2)
                                .stripTrailingZeros()
                                .toPlainString() + "%");
    }

    /** How long a level is left to settle: a duration, or auto. */
    static Scalar<Settle> settle() {
        return Scalar.quantity(
                "auto, or a duration such as 5s",
                Scalar.patterned(AUTO + "|" + DURATION),
                given -> given.equals(AUTO) ? Settle.AUTOMATICALLY : new Settle(Quantity.duration(given)),
                value -> value.fixed == null ? AUTO : Quantity.format(value.fixed));
    }

    /** Writes a rate so that exactly the same number is read back. */
    static String exactly(double perSecond) {
        String usual = Quantity.formatRate(perSecond);
        return Quantity.rate(usual) == perSecond
                ? usual
                : new BigDecimal(Double.toString(perSecond)).toPlainString() + "/s";
    }

    static Scalar<Url> url() {
        return new Scalar<>(
                "a URL such as http://127.0.0.1:8080/",
                Url::of,
                Url::text,
                Scalar.patterned("[A-Za-z][A-Za-z0-9+.-]*:.+"));
    }

    static Scalar<Window> window() {
        return new Scalar<>(
                "whole, peak or FROM..TO such as 10s..70s",
                text -> {
                    try {
                        return window(text.strip());
                    } catch (IllegalArgumentException e) {
                        throw Scalar.unwanted("whole, peak or FROM..TO such as 10s..70s (FROM before TO)", text);
                    }
                },
                value -> {
                    Window window = value;
                    return window.kind == org.diperf.core.experiment.Measure.Window.RANGE
                            ? Quantity.format(window.from) + ".." + Quantity.format(window.to)
                            : window.kind.name().toLowerCase(Locale.ROOT);
                },
                Scalar.patterned("whole|peak|(" + DURATION + "|0) *\\.\\. *" + DURATION));
    }

    private static Window window(String text) {
        if (text.equals("whole") || text.equals("peak")) {
            return new Window(
                    text.equals("whole")
                            ? org.diperf.core.experiment.Measure.Window.WHOLE
                            : org.diperf.core.experiment.Measure.Window.PEAK,
                    Duration.ZERO,
                    Duration.ZERO);
        }
        int dots = text.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("no range");
        }
        Duration from = Quantity.duration(text.substring(0, dots));
        Duration to = Quantity.duration(text.substring(dots + 2));
        if (from.compareTo(to) >= 0) {
            throw new IllegalArgumentException("empty range");
        }
        return new Window(org.diperf.core.experiment.Measure.Window.RANGE, from, to);
    }

    static Scalar<Smooth> smooth() {
        return Scalar.quantity(
                "a duration such as 60s, or points such as '60 points'",
                Scalar.patterned(DURATION + "|" + POINTS.pattern()),
                given -> {
                    Matcher points = POINTS.matcher(given);
                    if (points.matches()) {
                        return new Smooth(Duration.ZERO, Integer.parseInt(points.group(1)));
                    }
                    Duration width = Quantity.duration(given);
                    if (width.isZero()) {
                        throw new IllegalArgumentException("zero");
                    }
                    return new Smooth(width, 0);
                },
                value -> {
                    Smooth smooth = value;
                    return smooth.points > 0 ? smooth.points + " points" : Quantity.format(smooth.width);
                });
    }

    static Scalar<Ports> ports() {
        return Scalar.quantity(
                "'any', a port, or ports such as 20000-20100 (from 1 to 65535)",
                Map.of(
                        "anyOf",
                        List.of(
                                Scalar.patterned("any|" + PORTS.pattern()),
                                Map.of("type", "integer", "minimum", 1, "maximum", 65535))),
                given -> {
                    if (given.equals("any")) {
                        return new Ports(0, 0);
                    }
                    Matcher matcher = PORTS.matcher(given);
                    if (!matcher.matches()) {
                        throw new IllegalArgumentException("no ports");
                    }
                    int first = Integer.parseInt(matcher.group(1));
                    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
                    if (first < 1 || last > 65535 || first > last) {
                        throw new IllegalArgumentException("out of range");
                    }
                    return new Ports(first, last);
                },
                value -> {
                    Ports ports = value;
                    return ports.first == 0 ? "any" : ports.first + "-" + ports.last;
                });
    }

    static Scalar<Expression> expression() {
        return expression(
                "an expression such as response.p99 < 1500ms", MeasureSource.SUMMARY, Quantities::withKnownPaths);
    }

    /** Which testers a group takes; the labels are known only when the nodes are. */
    static Scalar<Expression> where() {
        return expression("an expression over labels such as site == lan", UnaryOperator.identity());
    }

    /** What a search may ask of a value that it tries. */
    static Scalar<Expression> condition() {
        return expression(
                "a condition such as response.p99 < 100ms", MeasureSource.STAGE_UNDER_WAY, Quantities::withLivePaths);
    }

    /** An expression over numbers of a run; the schema knows their names too. */
    private static Scalar<Expression> expression(
            String expected, MeasureSource source, UnaryOperator<Expression> check) {
        String schema = "^\\s*" + Measures.pattern(source) + "\\s*(?:<=|>=|==|!=|<|>)";
        return expression(expected, check, Map.of("type", "string", "minLength", 3, "pattern", schema));
    }

    /** What an expression asks; {@code check} throws where it asks for what there is not. */
    static Scalar<Expression> expression(String expected, UnaryOperator<Expression> check) {
        return expression(expected, check, Map.of("type", "string", "minLength", 3));
    }

    private static Scalar<Expression> expression(
            String expected, UnaryOperator<Expression> check, Map<String, Object> schema) {
        return new Scalar<>(
                expected,
                text -> {
                    try {
                        return check.apply(Expression.parse(text));
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException("in '" + text.strip() + "' " + e.getMessage(), e);
                    }
                },
                Object::toString,
                schema);
    }

    private static Expression withKnownPaths(Expression expression) {
        return known(expression, MeasureSource.SUMMARY, "a metric from the summary");
    }

    private static Expression withLivePaths(Expression expression) {
        return known(expression, MeasureSource.STAGE_UNDER_WAY, "a metric that is available during the run");
    }

    /** Refuses a limit in another unit than the number has, and words that it never is. */
    private static void checkOtherSide(Expression.Asked asked, Measure measure) {
        if (!measure.isComparableIn(asked.unit())) {
            throw new IllegalArgumentException("expected a limit "
                    + (measure.unit().isEmpty() ? "" : "in " + measure.unit() + " or ") + "without a unit for "
                    + asked.path() + ", got one in " + asked.unit());
        }
        boolean isVerdict = measure.path().equals("verdict");
        if (isVerdict && !VERDICTS.contains(asked.word())) {
            throw new IllegalArgumentException("expected a verdict, one of " + String.join(", ", VERDICTS) + ", got '"
                    + asked.word() + "'" + NearestName.suggestion(asked.word(), VERDICTS));
        }
        if (!isVerdict && !measure.unit().isEmpty() && !asked.word().isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a number in " + measure.unit() + " for " + asked.path() + ", got '" + asked.word() + "'");
        }
    }

    /** Refuses paths that a source cannot answer, and what they cannot be compared with; a time without a unit is in ms, and gets it. */
    static Expression known(Expression expression, MeasureSource source, String expected) {
        for (Expression.Asked asked : expression.asked()) {
            Optional<Measure> measure = Measures.find(asked.lookup(), source);
            if (measure.isEmpty()) {
                boolean noShare = Measures.find(asked.path(), source).isPresent();
                throw new IllegalArgumentException(
                        noShare
                                ? "expected a metric that counts calls with a percentage, such as failed < 1%, got '"
                                        + asked.path() + "', which does not count calls"
                                : "expected " + expected + ", such as response.p99, failed or throughput.mean, got '"
                                        + asked.path() + "'" + Measures.suggestion(asked.path(), source));
            }
            checkOtherSide(asked, measure.get());
        }
        // From here on it is told with its unit: 60 may be read as seconds.
        return expression.withMilliseconds(path -> Measures.find(path, source)
                .filter(measure -> measure.unit().equals("ms"))
                .isPresent());
    }
}
