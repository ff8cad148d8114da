package org.diperf.analyzer.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.measure.Value.Amount;
import org.diperf.analyzer.measure.Value.Word;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.stats.Uncertainty;
import org.jspecify.annotations.Nullable;

/** Something that a run measures, with the statistics that can be asked of it. Immutable. */
public final class Quantity {

    /** What a regular expression of listed statistics and percentiles looks like, with what is only counted. */
    static final String SET = "\\.(?:count|median|p[0-9]{1,2}(?:\\.[0-9]{1,4})?|p100|"
            + Statistic.listed().stream()
                    .flatMap(statistic -> Stream.of(statistic.key(), statistic.path()))
                    .distinct()
                    .map(name -> name.replace(".", "\\."))
                    .collect(Collectors.joining("|"))
            + ")";

    private static final String SHARE = "share";

    /** Where a quantity is known. */
    enum Known {
        /** Of the calls of any part of a run, under way or over. */
        ALWAYS,
        /** Of the calls of any part of a run that is over, and of a stage under way. */
        IN_STAGES,
        /** Of the calls of any part of a run that is over. */
        AFTERWARDS,
        /** Of a run as a whole that is over. */
        OF_RUN;

        boolean in(MeasureSource source) {
            return switch (source) {
                case SUMMARY -> true;
                case STAGE_UNDER_WAY -> this == ALWAYS || this == IN_STAGES;
                case RUN_UNDER_WAY -> this == ALWAYS;
            };
        }
    }

    /**
     * What answers: a run that is over, a part of it, or both.
     *
     * @param part {@code null}: the run has no such part
     */
    record Source(@Nullable Summary run, @Nullable PartCounts part) {}

    /**
     * One number of a quantity.
     *
     * @param name of the statistic in paths; empty where the quantity stands for itself
     * @param unit as people write it; empty for counts, shares and plain numbers
     * @param statistic of a set of values; {@code null}: it is none
     * @param counts whether it counts calls, so that half the calls make half of it
     */
    record Reading(
            String name,
            String unit,
            @Nullable Statistic statistic,
            boolean counts,
            Function<Source, @Nullable Value> of) {}

    /** What a set of statistics is found by. */
    @FunctionalInterface
    interface SetOf {
        @Nullable
        Statistics in(Source source);
    }

    private final List<String> names;
    private final String words;
    private final Known known;
    private final boolean ofRequests;
    private final List<String> listed;
    private final String pattern;
    private final Function<String, @Nullable Reading> readings;

    private Quantity(
            List<String> names,
            String words,
            Known known,
            boolean ofRequests,
            List<String> listed,
            String pattern,
            Function<String, @Nullable Reading> readings) {
        this.names = names;
        this.words = words;
        this.known = known;
        this.ofRequests = ofRequests;
        this.listed = listed;
        this.pattern = pattern;
        this.readings = readings;
    }

    /** Makes one of the times of a part's calls, of which any statistic can be asked. */
    static Quantity times(
            List<String> names, String words, Known known, Function<PartCounts, @Nullable Statistics> of) {
        return set(names, words, known, "ms", source -> source.part == null ? null : of.apply(source.part));
    }

    /** Makes one of values of which any statistic can be asked. */
    static Quantity set(List<String> names, String words, Known known, String unit, SetOf of) {
        List<String> listed = new ArrayList<>(List.of("count"));
        Statistic.listed().forEach(statistic -> listed.add(statistic.path()));
        return new Quantity(names, words, known, false, listed, SET, name -> reading(name, unit, of));
    }

    private static @Nullable Reading reading(String name, String unit, SetOf of) {
        if (name.equals("count")) {
            return new Reading(name, "", null, true, source -> {
                Statistics statistics = of.in(source);
                return statistics == null ? null : amount(statistics.count(), "", 0);
            });
        }
        return Statistic.named(name)
                .map(statistic -> new Reading(statistic.path(), unit, statistic, false, source -> {
                    Statistics statistics = of.in(source);
                    double value = statistics == null ? Double.NaN : statistics.of(statistic);
                    return statistics == null || Double.isNaN(value)
                            ? null
                            : new Amount(
                                    value,
                                    unit,
                                    statistics.count(),
                                    source.run == null
                                            ? statistics.range(statistic)
                                            : statistics.rangeToJudge(statistic));
                }))
                .orElse(null);
    }

    /**
     * Makes a count of calls, which has a share too.
     *
     * @param of of which it is the share
     */
    static Quantity count(
            String name, String words, Known known, ToLongFunction<CallCounts> count, ToLongFunction<CallCounts> of) {
        return count(name, words, known, count, of, 0);
    }

    /** @param refused how calls change it that failed by the load generator's fault: 1, each is in it and need not; -1: it might be */
    static Quantity count(
            String name,
            String words,
            Known known,
            ToLongFunction<CallCounts> count,
            ToLongFunction<CallCounts> of,
            int refused) {
        return new Quantity(
                List.of(name, "calls." + name),
                words,
                known,
                false,
                List.of("", SHARE),
                "(?:\\.share)?",
                statistic -> switch (statistic) {
                    case "" ->
                        new Reading(
                                "",
                                "",
                                null,
                                true,
                                source -> source.part == null
                                        ? null
                                        : counted(count, source.part.calls(), refused, 1, 0));
                    case SHARE ->
                        new Reading(
                                SHARE,
                                "",
                                null,
                                false,
                                source -> source.part == null
                                        ? null
                                        : counted(
                                                count,
                                                source.part.calls(),
                                                refused,
                                                of.applyAsLong(source.part.calls()),
                                                of.applyAsLong(source.part.calls())));
                    default -> null;
                });
    }

    private static @Nullable Value counted(
            ToLongFunction<CallCounts> count, CallCounts calls, int refused, double by, long of) {
        double number = count.applyAsLong(calls) / by;
        double other = number - refused * calls.mayBeOk() / by;
        return by == 0
                ? null
                : new Amount(
                        number,
                        "",
                        of,
                        number == other
                                ? null
                                : Uncertainty.of(
                                        number,
                                        Map.of(
                                                Uncertainty.INSTRUMENT,
                                                new Range(Math.min(number, other), Math.max(number, other)))));
    }

    private static @Nullable Value share(double count, long of) {
        return of == 0 ? null : amount(count / of, "", of);
    }

    /** Makes what is moved by calls. */
    static Quantity bytes() {
        return new Quantity(
                List.of("bytes", "calls.bytes"),
                "payload moved",
                Known.AFTERWARDS,
                false,
                List.of(""),
                "",
                statistic -> statistic.isEmpty()
                        ? new Reading(
                                "",
                                "bytes",
                                null,
                                true,
                                source -> source.part == null
                                        ? null
                                        : amount(source.part.calls().bytes(), "bytes", 0))
                        : null);
    }

    /** Makes the counts of calls by how they ended; what nobody ended so counts none. */
    static Quantity outcomes() {
        return new Quantity(
                List.of("outcomes", "calls.outcomes"),
                "calls by outcome",
                Known.AFTERWARDS,
                false,
                List.of(),
                "\\.[A-Za-z0-9_.-]+",
                name -> name.isEmpty()
                        ? null
                        : new Reading(name, "", null, true, source -> {
                            PartCounts part = source.part;
                            if (part == null) {
                                return null;
                            }
                            Map<String, Long> outcomes = part.calls().outcomes();
                            long total = part.calls().total();
                            return name.endsWith("." + SHARE) && !outcomes.containsKey(name)
                                    ? share(
                                            outcomes.getOrDefault(
                                                    name.substring(0, name.length() - SHARE.length() - 1), 0L),
                                            total)
                                    : amount(outcomes.getOrDefault(name, 0L), "", 0);
                        }));
    }

    /** Makes the rate of ok calls; beyond its mean only of a part of a run that is over. */
    static Quantity throughput(Known known, boolean withQuanta) {
        List<String> listed = withQuanta ? List.of("", "mean", "median", "min", "max") : List.of("", "mean");
        return new Quantity(
                List.of("throughput"),
                "throughput",
                known,
                false,
                listed,
                withQuanta ? "(?:\\.(?:mean|median|min|max))?" : "(?:\\.mean)?",
                statistic -> listed.contains(statistic)
                        ? new Reading(
                                statistic, "calls/s", null, statistic.isEmpty() || statistic.equals("mean"), source -> {
                                    Throughput rate = source.part == null ? null : source.part.throughput();
                                    return rate == null ? null : rate(source, rate, statistic);
                                })
                        : null);
    }

    private static @Nullable Value rate(Source source, Throughput rate, String statistic) {
        PartCounts part = source.part;
        long calls = part == null ? 0 : part.calls().ok();
        return switch (statistic) {
            case "median" -> amountOf(rate.median(), "calls/s", calls);
            case "min" -> amountOf(rate.min(), "calls/s", calls);
            case "max" -> amountOf(rate.max(), "calls/s", calls);
            default -> new Amount(rate.mean(), "calls/s", calls, rate.range());
        };
    }

    /** Makes a number of the run as a whole, or a word. */
    static Quantity ofRun(String name, String words, String unit, Function<Summary, @Nullable Object> of) {
        return ofRun(name, words, unit, of, summary -> null);
    }

    /** @param range how far off the number can be */
    static Quantity ofRun(
            String name,
            String words,
            String unit,
            Function<Summary, @Nullable Object> of,
            Function<Summary, @Nullable Uncertainty> range) {
        return new Quantity(
                List.of(name),
                words,
                Known.OF_RUN,
                false,
                List.of(""),
                "",
                statistic -> statistic.isEmpty()
                        ? new Reading("", unit, null, false, source -> {
                            Object value = source.run == null ? null : of.apply(source.run);
                            return value instanceof Number number
                                    ? new Amount(number.doubleValue(), unit, 0, range.apply(source.run))
                                    : value == null ? null : new Word(value.toString());
                        })
                        : null);
    }

    /**
     * Makes the numbers of a family of which the run alone knows the members.
     *
     * @param statistics of each member
     * @param of the member and the statistic that is asked of it; answers the number and its unit
     */
    static Quantity family(String name, String words, List<String> statistics, String pattern, FamilyOf of) {
        return new Quantity(List.of(name), words, Known.OF_RUN, false, List.of(), "\\..+" + pattern, rest -> {
            for (int dot = rest.indexOf('.', 1); dot > 0; dot = rest.indexOf('.', dot + 1)) {
                String member = rest.substring(0, dot);
                String statistic = rest.substring(dot + 1);
                if (statistics.contains(statistic)
                        || statistics.isEmpty()
                                && (statistic.equals("count")
                                        || Statistic.named(statistic).isPresent())) {
                    return new Reading(
                            rest,
                            "",
                            null,
                            false,
                            source -> source.run == null ? null : of.value(source.run, member, statistic));
                }
            }
            return null;
        });
    }

    /** Makes the numbers of the run as a whole whose names the run alone knows. */
    static Quantity named(String name, String words, BiFunction<Summary, String, @Nullable Value> of) {
        return new Quantity(
                List.of(name),
                words,
                Known.OF_RUN,
                false,
                List.of(),
                "\\.[a-z][a-z0-9-]*\\.[A-Za-z][A-Za-z0-9.-]*",
                rest -> rest.indexOf('.') <= 0
                        ? null
                        : new Reading(
                                rest,
                                "",
                                null,
                                false,
                                source -> source.run == null ? null : of.apply(source.run, rest)));
    }

    /** Answers for a member of a family. */
    @FunctionalInterface
    interface FamilyOf {
        @Nullable
        Value value(Summary run, String member, String statistic);
    }

    /** Returns the same, which is known of single kinds of request too. */
    Quantity andOfRequests() {
        return new Quantity(names, words, known, true, listed, pattern, readings);
    }

    static Amount amount(double number, String unit, long count) {
        return new Amount(number, unit, count, null);
    }

    private static @Nullable Value amountOf(@Nullable Double number, String unit, long count) {
        return number == null ? null : amount(number, unit, count);
    }

    /** Returns the preferred name in paths. */
    public String name() {
        return names.get(0);
    }

    /** Returns all names in paths, the preferred one first. */
    public List<String> names() {
        return names;
    }

    /** Says it for people. */
    public String words() {
        return words;
    }

    Known known() {
        return known;
    }

    boolean isOfRequests() {
        return ofRequests;
    }

    /** Lists what can be asked of it, for messages and tests; empty for a family of which the run alone knows the members. */
    List<String> listed() {
        return listed;
    }

    /** Returns a regular expression of the quantity with all that can be asked of it. */
    String pattern() {
        return "(?:" + names.stream().map(name -> name.replace(".", "\\.")).collect(Collectors.joining("|")) + ")"
                + pattern;
    }

    /** Finds the number that the end of a path asks for; {@code null}: there is none. */
    @Nullable
    Reading reading(String path) {
        for (String name : names) {
            if (path.equals(name)) {
                return readings.apply("");
            }
            if (path.startsWith(name + ".")) {
                Reading reading = readings.apply(path.substring(name.length() + 1));
                if (reading != null) {
                    return reading;
                }
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return name();
    }
}
