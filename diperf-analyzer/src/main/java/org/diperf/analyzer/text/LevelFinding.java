package org.diperf.analyzer.text;

import java.util.List;
import java.util.OptionalDouble;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.ProbeSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Range;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** What levels and searches found. */
final class LevelFinding {

    private LevelFinding() {}

    /** Says up to what value the conditions held, and where they broke. */
    static String ofSearch(Analysis analysis, SearchSummary search) {
        String conditions = RunText.clean(String.join(" and ", search.conditions()));
        String name = RunText.clean(analysis.summary().experiment());
        Double found = search.found();
        OptionalDouble seen = search.probes().stream()
                .filter(probe -> Boolean.TRUE.equals(probe.holds()))
                .mapToDouble(ProbeSummary::value)
                .max();
        if (found == null && seen.isPresent()) {
            return name + " met " + conditions + " at up to " + Levels.write(analysis, seen.getAsDouble())
                    + ", but the search ended before that was certain."
                    + generator(analysis, seen.getAsDouble());
        }
        if (found == null) {
            return name + " did not meet " + conditions + " at any of the values tried, starting from "
                    + Levels.write(analysis, search.from()) + "." + generator(analysis, Double.NEGATIVE_INFINITY);
        }
        StageSummary stage = confirmed(analysis, search, found);
        if (stage != null && Levels.isDoubtful(stage)) {
            return name + ": no value is certain; at " + Levels.write(analysis, found) + ", the highest value at which "
                    + conditions + " held, the load generator was the limit.";
        }
        StringBuilder text = new StringBuilder(name)
                .append(" meets ")
                .append(conditions)
                .append(" up to ")
                .append(Levels.write(analysis, found));
        Range limit = search.limit();
        if (limit != null) {
            text.append(" (")
                    .append(Levels.writeBare(analysis, limit.low()))
                    .append("–")
                    .append(Levels.writeBare(analysis, limit.high()))
                    .append(')');
        } else if (found >= search.to()) {
            text.append(", the end of the search range");
        } else {
            OptionalDouble undecided = search.probes().stream()
                    .mapToDouble(ProbeSummary::value)
                    .filter(value -> value > found && isUndecided(search, value) && !doubtfulAt(analysis, value))
                    .min();
            text.append(
                    undecided.isPresent()
                            ? "; undecided at " + Levels.writeBare(analysis, undecided.getAsDouble())
                                    + ", and no failure was seen"
                            : "; no failure was seen");
        }
        Statistics response = stage == null ? null : stage.responseTime();
        if (response != null) {
            text.append(". At that point, the median response time was ")
                    .append(RangeText.time(response, Statistic.P50))
                    .append(", 99 % within ")
                    .append(RangeText.time(response, Statistic.P99));
        }
        text.append('.');
        if (limit != null && isContradicted(analysis, search, limit)) {
            text.append(" Probes in that interval passed and failed by chance: a longer hold narrows it.");
        }
        return text.append(generator(analysis, found)).toString();
    }

    /** Returns whether a value held that broke too, or one below it. */
    private static boolean isContradicted(Analysis analysis, SearchSummary search, Range limit) {
        List<ProbeSummary> within = search.probes().stream()
                .filter(probe -> probe.value() > limit.low() && probe.value() <= limit.high())
                .filter(probe -> !doubtfulAt(analysis, probe.value()))
                .toList();
        return within.stream()
                .filter(probe -> Boolean.FALSE.equals(probe.holds()))
                .anyMatch(broke -> within.stream()
                        .anyMatch(probe -> Boolean.TRUE.equals(probe.holds()) && probe.value() >= broke.value()));
    }

    /** Returns the probe that confirmed a value last, one that is not in doubt where there is any. */
    private static @Nullable StageSummary confirmed(Analysis analysis, SearchSummary search, double found) {
        StageSummary last = null;
        for (ProbeSummary probe : search.probes()) {
            Boolean holds = probe.holds();
            if (probe.value() == found && holds != null && holds) {
                StageSummary before = last;
                last = Levels.of(analysis).stream()
                        .filter(stage -> stage.number() == probe.stage())
                        .filter(stage -> before == null || Levels.isDoubtful(before) || !Levels.isDoubtful(stage))
                        .findFirst()
                        .orElse(last);
            }
        }
        return last;
    }

    /** Returns whether the range of a number held the limit at the lowest value that did not hold. */
    private static boolean isUndecided(SearchSummary search, double failedAt) {
        return search.probes().stream()
                .filter(probe -> probe.value() == failedAt)
                .allMatch(probe -> probe.holds() == null);
    }

    private static boolean doubtfulAt(Analysis analysis, double value) {
        List<StageSummary> held = Levels.of(analysis).stream()
                .filter(stage -> Levels.value(stage) == value)
                .toList();
        return !held.isEmpty() && held.stream().allMatch(Levels::isDoubtful);
    }

    /** Says from which value on the generator was the limit, above what was found. */
    private static String generator(Analysis analysis, double above) {
        return Levels.of(analysis).stream()
                .filter(stage -> Levels.isDoubtful(stage) && Levels.value(stage) > above)
                .map(Levels::value)
                .min(Double::compare)
                .map(value -> " At " + Levels.write(analysis, value) + " the load generator was the limit.")
                .orElse("");
    }

    /** Says at which level the service served most; {@code null} where none says anything. */
    static @Nullable String ofLevels(Analysis analysis) {
        StageSummary best = Levels.best(analysis);
        Throughput throughput = best == null ? null : best.throughput();
        if (best == null || throughput == null) {
            return null;
        }
        List<StageSummary> levels = Levels.of(analysis);
        double least = levels.stream().mapToDouble(Levels::value).min().orElse(0);
        double most = levels.stream().mapToDouble(Levels::value).max().orElse(0);
        String at = Levels.write(analysis, Levels.value(best));
        String rate = RateUnit.of(analysis.run()).calls(throughput.mean());
        StringBuilder text = new StringBuilder(RunText.clean(analysis.summary().experiment()))
                .append(
                        best.calls().failed() == 0
                                ? " answered at most " + rate
                                : " reached at most " + rate.replace(" calls", " ok calls"))
                .append(Levels.areRates(analysis) ? ", when " + at + " were offered" : ", with " + at);
        if (levels.size() > 1) {
            text.append(" (")
                    .append(levels.size())
                    .append(" levels from ")
                    .append(Levels.writeBare(analysis, least))
                    .append(" to ")
                    .append(Levels.writeBare(analysis, most))
                    .append(')');
        }
        Statistics response = best.responseTime();
        if (response != null) {
            text.append("; median response time there ")
                    .append(RangeText.time(response, Statistic.P50))
                    .append(", 99 % within ")
                    .append(RangeText.time(response, Statistic.P99));
        }
        long doubtful = levels.stream().filter(Levels::isDoubtful).count();
        text.append("; ").append(Finding.failures(best.calls())).append('.');
        if (doubtful > 0) {
            text.append(" Left out: ")
                    .append(Numbers.count(doubtful, "level"))
                    .append(" at which the load generator was the limit or a tester was lost.");
        } else if (levels.size() > 1 && Levels.value(best) == most) {
            text.append(" This was the highest level: more may be possible.");
        }
        String knee = CapacityText.knee(analysis);
        return knee.isEmpty() ? text.toString() : text.append(' ').append(knee).toString();
    }
}
