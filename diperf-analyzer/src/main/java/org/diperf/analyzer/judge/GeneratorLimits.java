package org.diperf.analyzer.judge;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.count.Quanta;
import org.diperf.analyzer.count.ScopeTally;
import org.diperf.analyzer.count.TesterHealthSeries;
import org.diperf.analyzer.count.TesterHealthSeries.Sign;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.stats.OverheadLimits;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Finds the quanta in which the load generator was the limit, and says by what. What disturbs a service of 1 ms is noise to
 * one of 1 s: times are compared with the median response time. Neighbours are joined. The rules, with their reasons, are in
 * {@code docs/suspect-runs.md}.
 */
public final class GeneratorLimits {

    /** Calls are late when more than 5 % of them are: a short stall alone makes a percent or two so. */
    static final double LATE_QUANTILE = 0.95;

    static final double LAG_MILLIS = 1;
    static final double LAG_SHARE = 0.1;
    static final double HICCUP_MILLIS = 10;
    static final double HICCUP_SHARE = 0.5;
    private static final double RUN_QUEUE = 0.1;
    private static final double STARVED = 0.6;
    private static final double GC_MILLIS = 50;
    private static final double STEAL = 0.1;
    private static final double HELD_MILLIS = 200;
    private static final double LIMITED_SHARE = 0.01;
    /** One quantum alone is an accident, such as the first one of a JVM that has just begun. */
    private static final double LIMITED_SECONDS = 2;
    /** In a window of a few quanta. */
    private static final double LIMITED_PART = 0.5;

    static final double STALL_MILLIS = 500;
    static final double STALLED_SHARE = 0.02;

    /** Why a quantum is marked, in the order in which reasons are given. */
    private enum Reason {
        REFUSED(true, false),
        STARVED(true, true),
        STEAL(true, false),
        GC(true, true),
        HELD(true, true),
        LATE(false, true),
        HICCUP(false, true);

        /**
         * Whether the verdict goes by the time in which it held. It counts late calls themselves, and hiccups by their own
         * length, rather than the quanta in which they fell.
         */
        private final boolean lasting;

        /** Whether what it does to a call is within the call's bounds, where it has any. */
        private final boolean withinBounds;

        Reason(boolean lasting, boolean withinBounds) {
            this.lasting = lasting;
            this.withinBounds = withinBounds;
        }

        /** @param bounded whether the calls have bounds, which say by how much it matters */
        boolean counts(boolean bounded) {
            return !bounded || !withinBounds;
        }
    }

    private final Series series;
    private final Quanta quanta;
    private final boolean bounded;
    private final double maxMillis;
    private final List<Map<Reason, Double>> found = new ArrayList<>();

    /**
     * @param bounded whether it is known of the calls what the load generator may have added to each
     * @param maxMillis what it may add, beyond half of a time, before that is in doubt
     */
    public GeneratorLimits(Series series, Quanta quanta, boolean bounded, double maxMillis) {
        this.maxMillis = maxMillis;
        this.series = series;
        this.quanta = quanta;
        this.bounded = bounded;
        for (int i = 0; i < series.size(); i++) {
            found.add(reasons(i));
        }
    }

    private Map<Reason, Double> reasons(int i) {
        Map<Reason, Double> reasons = new EnumMap<>(Reason.class);
        TesterHealthSeries watch = quanta.watch();
        double response = series.response(Statistic.P50)[i];
        double starved = watch.worst(Sign.STARVED, i);
        add(reasons, Reason.REFUSED, watch.refusedIn(i), watch.refusedIn(i) > 0);
        add(reasons, Reason.STARVED, starved, starved > STARVED && watch.worst(Sign.RUN_QUEUE, i) > RUN_QUEUE);
        add(reasons, Reason.STEAL, watch.worst(Sign.STEAL, i), watch.worst(Sign.STEAL, i) > STEAL);
        add(reasons, Reason.GC, watch.worst(Sign.GC, i), watch.worst(Sign.GC, i) > GC_MILLIS);
        add(reasons, Reason.HELD, watch.worst(Sign.HELD, i), watch.worst(Sign.HELD, i) > HELD_MILLIS);
        double lag = quanta.lagMillis(i, LATE_QUANTILE);
        add(reasons, Reason.LATE, lag, isLate(lag, response));
        double hiccup = watch.worst(Sign.HICCUP, i);
        add(reasons, Reason.HICCUP, hiccup, beyond(hiccup, HICCUP_MILLIS, HICCUP_SHARE * response));
        return reasons;
    }

    private static void add(Map<Reason, Double> reasons, Reason reason, double value, boolean holds) {
        if (holds) {
            reasons.put(reason, value);
        }
    }

    /**
     * Returns whether calls are late enough to put their times in doubt.
     *
     * @param lagMillis send lag that 5 % of them exceed
     * @param responseMillis their median response time; {@code NaN}: not known
     */
    public static boolean isLate(double lagMillis, double responseMillis) {
        return beyond(lagMillis, LAG_MILLIS, LAG_SHARE * responseMillis);
    }

    /** Returns whether a value is above both limits; the second may be unknown. */
    static boolean beyond(double millis, double absolute, double relative) {
        return millis > absolute && (Double.isNaN(relative) || millis > relative);
    }

    /** Returns neighbouring quanta that are marked for the same, joined. */
    public List<MarkedInterval> intervals() {
        List<MarkedInterval> intervals = new ArrayList<>();
        Map<Reason, Double> worst = new EnumMap<>(Reason.class);
        double widest = 0;
        int from = 0;
        for (int i = 0; i <= found.size(); i++) {
            MarkedInterval.Kind kind = i < found.size() ? kind(i) : null;
            MarkedInterval.Kind before = i > 0 ? kind(i - 1) : null;
            if (kind != before && before != null) {
                intervals.add(new MarkedInterval(
                        before,
                        from * series.quantumSeconds(),
                        Math.min(series.durationSeconds(), i * series.quantumSeconds()),
                        note(widest, worst)));
                worst.clear();
                widest = 0;
            }
            if (kind != null) {
                from = kind == before ? from : i;
                if (OverheadLimits.isLimiting(addedShare(i), addedMillis(i))) {
                    widest = Math.max(widest, addedShare(i));
                }
                found.get(i)
                        .forEach((reason, value) ->
                                worst.merge(reason, value, reason == Reason.REFUSED ? Double::sum : Math::max));
            }
        }
        return intervals;
    }

    private MarkedInterval.@Nullable Kind kind(int i) {
        boolean counts = found.get(i).keySet().stream().anyMatch(reason -> reason.counts(bounded));
        if (counts || OverheadLimits.isTooMuch(addedShare(i), addedMillis(i), maxMillis)) {
            return MarkedInterval.Kind.GENERATOR_LIMITED;
        }
        return OverheadLimits.isLimiting(addedShare(i), addedMillis(i)) ? MarkedInterval.Kind.LIMITED : null;
    }

    /** Returns what the load generator may have added to the mean response time of a quantum; 0 where that is not known. */
    private double addedMillis(int i) {
        double added = series.response(Statistic.MEAN)[i] - series.least(Statistic.MEAN)[i];
        return bounded && !Double.isNaN(added) ? added : 0;
    }

    private double addedShare(int i) {
        double added = addedMillis(i);
        return added > 0 ? added / series.response(Statistic.MEAN)[i] : 0;
    }

    private static String note(double share, Map<Reason, Double> worst) {
        String added = share > 0
                ? format("the load generator may have added up to %.0f %% of the mean response time", 100 * share)
                : "";
        String why = words(worst);
        return added + (added.isEmpty() || why.isEmpty() ? "" : ": ") + why;
    }

    /** Returns the time within a window in which a lasting reason held that is in no call's bounds, s. */
    double seconds(double fromSeconds, double toSeconds) {
        return seconds(fromSeconds, toSeconds, bounded);
    }

    /** Returns the time within a window in which a lasting reason held, whether or not calls' bounds contain what it did, s. */
    double markedSeconds(double fromSeconds, double toSeconds) {
        return seconds(fromSeconds, toSeconds, false);
    }

    private double seconds(double fromSeconds, double toSeconds, boolean areBounded) {
        double sum = 0;
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).keySet().stream().anyMatch(reason -> reason.lasting && reason.counts(areBounded))) {
                sum += within(i, fromSeconds, toSeconds);
            }
        }
        return sum;
    }

    /** Returns whether lasting reasons held so long within a window that its numbers are in doubt. */
    public boolean doubts(double fromSeconds, double toSeconds) {
        return doubts(fromSeconds, toSeconds, bounded);
    }

    private boolean doubts(double fromSeconds, double toSeconds, boolean areBounded) {
        double all = Math.max(1e-9, toSeconds - fromSeconds);
        double limited = seconds(fromSeconds, toSeconds, areBounded);
        return limited >= Math.min(LIMITED_SECONDS, LIMITED_PART * all) && limited > LIMITED_SHARE * all;
    }

    /** Says by what a part of the run is in doubt, by the rules for the run as a whole; empty: by nothing. */
    public List<Warning> doubts(ScopeTally part, double fromSeconds, double toSeconds) {
        List<Warning> doubts = new ArrayList<>();
        double all = Math.max(1e-9, toSeconds - fromSeconds);
        boolean areBounded = part.isBounded();
        if (doubts(fromSeconds, toSeconds, areBounded)) {
            doubts.add(doubt(format(
                            "the load generator was the limit for %.1f %% of the time: ",
                            100 * seconds(fromSeconds, toSeconds, areBounded) / all)
                    + why(fromSeconds, toSeconds)));
        }
        if (areBounded) {
            if (isTooMuch(part, Statistic.P50) || isTooMuch(part, Statistic.P95)) {
                doubts.add(doubt("the load generator may have added most of the response time (p50 or p95)"));
            }
            return doubts;
        }
        if (isLate(part)) {
            doubts.add(doubt(format(
                    "the load generator was the limit: more than 5 %% of the calls were sent late, by at least %.1f "
                            + "ms",
                    lateMillis(part))));
        }
        double longest = 0;
        double sum = 0;
        for (int i = 0; i < found.size(); i++) {
            double millis = found.get(i).getOrDefault(Reason.HICCUP, 0.0);
            if (within(i, fromSeconds, toSeconds) > 0) {
                longest = Math.max(longest, millis);
                sum += millis;
            }
        }
        if (longest > STALL_MILLIS || sum > STALLED_SHARE * 1e3 * all) {
            doubts.add(doubt(format("the load generator was the limit: it paused for up to %.0f ms", longest)));
        }
        return doubts;
    }

    private static Warning doubt(String text) {
        return Warning.suspect(Subject.GENERATOR, text);
    }

    /** Returns whether too many calls were late. */
    static boolean isLate(ScopeTally part) {
        return beyond(lateMillis(part), LAG_MILLIS, LAG_SHARE * part.response.quantileMillis(0.5));
    }

    /** Returns how late one call in twenty was at least, ms. */
    static double lateMillis(ScopeTally part) {
        return part.lag.supportedQuantileMillis(LATE_QUANTILE);
    }

    private double within(int i, double fromSeconds, double toSeconds) {
        double from = Math.max(fromSeconds, i * series.quantumSeconds());
        double to = Math.min(Math.min(toSeconds, series.durationSeconds()), (i + 1) * series.quantumSeconds());
        return Math.max(0, to - from);
    }

    /** Says in words by what the generator was limited within a window. */
    String why(double fromSeconds, double toSeconds) {
        return words(worst(fromSeconds, toSeconds));
    }

    /** Says the first of these, of which the others mostly follow; empty: there is none. */
    String mainReason(double fromSeconds, double toSeconds) {
        return worst(fromSeconds, toSeconds).entrySet().stream()
                .findFirst()
                .map(first -> words(first.getKey(), first.getValue()))
                .orElse("");
    }

    private Map<Reason, Double> worst(double fromSeconds, double toSeconds) {
        Map<Reason, Double> worst = new EnumMap<>(Reason.class);
        for (int i = 0; i < found.size(); i++) {
            if (within(i, fromSeconds, toSeconds) > 0) {
                found.get(i)
                        .forEach((reason, value) ->
                                worst.merge(reason, value, reason == Reason.REFUSED ? Double::sum : Math::max));
            }
        }
        return worst;
    }

    private static String words(Map<Reason, Double> worst) {
        List<String> words = new ArrayList<>();
        worst.forEach((reason, value) -> words.add(words(reason, value)));
        return String.join("; ", words);
    }

    private static String words(Reason reason, double value) {
        return switch (reason) {
            case REFUSED -> format("%.0f calls failed because of limits of the tester", value);
            case STARVED ->
                format("the tester waited for a processor for up to %.0f %% of the time it needed one", 100 * value);
            case STEAL ->
                format(
                        "the hypervisor withheld processors from the tester's host for up to %.0f %% of the time",
                        100 * value);
            case GC -> format("the tester spent up to %.0f %% of the time in garbage collection", value / 10);
            case HELD -> format("samples could not be passed on for up to %.0f ms per second", value);
            case LATE -> format("one call in twenty was sent late by up to %.1f ms", value);
            case HICCUP -> format("the tester paused for up to %.0f ms", value);
        };
    }

    private static String format(String text, double value) {
        return String.format(Locale.ROOT, text, value);
    }

    /** Returns whether what may have been added leaves open what a response time of a part of the run is. */
    private boolean isTooMuch(ScopeTally part, Statistic statistic) {
        double high = statistic.of(part.response.millis());
        double low = part.response.lowMillis(statistic, part.least);
        return !Double.isNaN(low) && OverheadLimits.isTooMuch((high - low) / high, high - low, maxMillis);
    }
}
