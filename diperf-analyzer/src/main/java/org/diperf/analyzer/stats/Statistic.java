package org.diperf.analyzer.stats;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A statistic of a set of values. Those that are {@linkplain #listed() listed} stand in {@code summary.json}, in the CSV files
 * and in the schema of names, are compared where they are quantiles, and those {@linkplain #inTables() marked so} stand in the
 * tables for people: a new one is one more entry of the list. Any other percentile can be asked for by its name.
 */
public final class Statistic {

    public static final Statistic MIN = new Statistic("min", Double.NaN, ValueSet::min);
    public static final Statistic MEAN = new Statistic("mean", Double.NaN, ValueSet::mean);
    public static final Statistic STDDEV = new Statistic("stddev", Double.NaN, ValueSet::stddev);
    public static final Statistic P50 = percentile("50").inTables();
    public static final Statistic P90 = percentile("90");
    public static final Statistic P95 = percentile("95").inTables();
    public static final Statistic P99 = percentile("99").inTables();
    public static final Statistic P999 = percentile("99.9").inTables();
    public static final Statistic MAX = new Statistic("max", Double.NaN, ValueSet::max).inTables();

    /** In the order of {@code summary.json}; what is new goes last. CSV files have them {@linkplain #rising as they rise}. */
    private static final List<Statistic> LISTED = List.of(
            MIN, MEAN, STDDEV, P50, P90, P95, P99, P999, MAX, percentile("75").inTables(), percentile("99.99"));

    private static final List<Statistic> RISING =
            LISTED.stream().sorted(Comparator.comparingDouble(Statistic::place)).toList();
    private static final List<Statistic> IN_TABLES =
            RISING.stream().filter(statistic -> statistic.inTables).toList();

    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,4})?|100)");

    private final String name;
    private final double fraction;
    private final ToDoubleFunction<ValueSet> of;
    private final boolean inTables;

    private Statistic(String name, double fraction, ToDoubleFunction<ValueSet> of) {
        this(name, fraction, of, false);
    }

    private Statistic(String name, double fraction, ToDoubleFunction<ValueSet> of, boolean inTables) {
        this.name = name;
        this.fraction = fraction;
        this.of = of;
        this.inTables = inTables;
    }

    private static Statistic percentile(String percent) {
        BigDecimal exact = new BigDecimal(percent).stripTrailingZeros();
        double fraction = exact.movePointLeft(2).doubleValue();
        return new Statistic("p" + exact.toPlainString(), fraction, set -> set.quantile(fraction));
    }

    private Statistic inTables() {
        return new Statistic(name, fraction, of, true);
    }

    /** Lists those that files hold, in the order of {@code summary.json}. */
    public static List<Statistic> listed() {
        return LISTED;
    }

    /** Lists the same as people read them: the smallest value, the mean and its deviation, then the quantiles as they rise. */
    public static List<Statistic> rising() {
        return RISING;
    }

    /** Lists those that the tables of a report and of a terminal show, as they rise. */
    public static List<Statistic> shown() {
        return IN_TABLES;
    }

    /**
     * Finds a statistic by its name in paths and files: one that is listed, or any percentile with at most four decimals.
     *
     * @param name such as {@code mean}, {@code p99.9} or {@code p999}; {@code median} is p50
     */
    public static Optional<Statistic> named(String name) {
        Optional<Statistic> listed = Stream.concat(
                        LISTED.stream()
                                .filter(each ->
                                        each.name.equals(name) || each.key().equals(name)),
                        name.equals("median") ? Stream.of(P50) : Stream.empty())
                .findFirst();
        if (listed.isPresent()) {
            return listed;
        }
        var matcher = PERCENTILE.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Statistic asked = percentile(matcher.group(1));
        return LISTED.stream().filter(asked::equals).findFirst().or(() -> Optional.of(asked));
    }

    /** Returns the name in paths and headings, such as {@code p99.9}. */
    public String path() {
        return name;
    }

    /** Returns the name in files, without a dot: {@code p999}. */
    public String key() {
        return name.replace(".", "");
    }

    /** Returns the fraction of which it is the quantile; {@code NaN} where it is none. */
    public double fraction() {
        return fraction;
    }

    /** Returns whether it is a quantile. */
    public boolean isQuantile() {
        return !Double.isNaN(fraction);
    }

    /** Takes it of a set; {@code NaN} where that is empty. */
    public double of(ValueSet set) {
        return of.applyAsDouble(set);
    }

    private double place() {
        return isQuantile() ? fraction : equals(MAX) ? 1 : -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Statistic statistic && statistic.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
