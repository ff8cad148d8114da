package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.compare.RuleResult.Outcome;
import org.diperf.analyzer.text.Numbers;

/** Says in words what a comparison found. */
public final class ComparisonText {

    /** More sentences would be read by nobody. */
    private static final int MAX_SENTENCES = 3;

    private static final int MAX_NAMED = 3;

    /** What every table of a comparison has, be it measured or not. */
    static final List<Metric> ALWAYS =
            List.of(Metric.THROUGHPUT, Metric.RESPONSE_MEAN, Metric.RESPONSE_P50, Metric.RESPONSE_P99, Metric.FAILED);

    private ComparisonText() {}

    /** Returns the finding of the whole comparison in a sentence or two. */
    public static String finding(Comparison comparison) {
        if (comparison.contrasts().isEmpty()) {
            return "Nothing can be compared: " + String.join("; ", comparison.obstacles()) + ".";
        }
        List<String> sentences = new ArrayList<>();
        if (comparison.verdict() == Comparison.Verdict.UNDECIDABLE) {
            sentences.add("Cannot decide whether anything got worse: "
                    + comparison.obstacles().get(0) + (comparison.obstacles().size() > 1 ? " (and more below)." : "."));
        }
        if (comparison.contrasts().size() > MAX_SENTENCES) {
            sentences.add(counts(comparison.contrasts()));
        } else {
            comparison.contrasts().forEach(contrast -> sentences.add(finding(contrast, comparison.settings())));
        }
        return String.join(" ", sentences);
    }

    /** Says of many how many are what, and of those that changed which. */
    private static String counts(List<Contrast> contrasts) {
        List<Contrast> worse =
                contrasts.stream().filter(ComparisonText::isWorse).toList();
        List<Contrast> better = contrasts.stream()
                .filter(contrast ->
                        !isWorse(contrast) && !contrast.found(Finding.BETTER).isEmpty())
                .toList();
        List<String> parts = new ArrayList<>();
        parts.add(
                "Worse in " + worse.size() + " of " + contrasts.size() + " comparisons" + named(worse, Finding.WORSE));
        parts.add("better in " + better.size() + named(better, Finding.BETTER));
        return String.join(", ", parts) + ".";
    }

    private static boolean isWorse(Contrast contrast) {
        return contrast.rules().isEmpty()
                ? !contrast.found(Finding.WORSE).isEmpty()
                : contrast.rules().stream().anyMatch(rule -> rule.outcome() == Outcome.BROKEN);
    }

    private static String named(List<Contrast> contrasts, Finding finding) {
        List<String> names = new ArrayList<>();
        for (Contrast contrast : contrasts) {
            List<MetricResult> found = contrast.found(finding);
            String size = found.isEmpty()
                    ? ""
                    : " " + main(found).metric().words() + " "
                            + change(main(found).metric(), main(found).change());
            names.add(contrast.b().name() + size);
        }
        String more = names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "";
        return names.isEmpty()
                ? ""
                : " (" + String.join("; ", names.subList(0, Math.min(MAX_NAMED, names.size()))) + more + ")";
    }

    /** Returns what one side says against the first in a sentence: first of all whether what was asked was kept. */
    public static String finding(Contrast contrast, Settings settings) {
        String a = contrast.a().name();
        String b = contrast.b().name();
        List<MetricResult> worse = contrast.found(Finding.WORSE);
        List<MetricResult> better = contrast.found(Finding.BETTER);
        List<RuleResult> broken = contrast.rules().stream()
                .filter(rule -> rule.outcome() == Outcome.BROKEN)
                .toList();
        if (!broken.isEmpty()) {
            return b + " is worse than " + a + " by more than allowed: "
                    + String.join(
                            ", ",
                            broken.stream()
                                    .map(rule -> sized(rule.seen()) + " against a limit of '"
                                            + rule.rule().text() + "'")
                                    .toList())
                    + ".";
        }
        boolean kept = !contrast.rules().isEmpty()
                && contrast.rules().stream().allMatch(rule -> rule.outcome() == Outcome.KEPT);
        if (kept && !worse.isEmpty()) {
            return b + " is worse than " + a + ", but not provably by more than allowed: " + sized(main(worse)) + ".";
        }
        if (!worse.isEmpty() && !better.isEmpty()) {
            return b + " is worse than " + a + " in some ways and better in others: " + sized(worse.get(0)) + "; "
                    + sized(better.get(0)) + ".";
        }
        if (!worse.isEmpty() || !better.isEmpty()) {
            List<MetricResult> changed = worse.isEmpty() ? better : worse;
            MetricResult main = main(changed);
            return b + " is " + (worse.isEmpty() ? "better" : "worse") + " than " + a + ": " + sized(main)
                    + others(changed, main) + ".";
        }
        if (kept) {
            return b + " is not worse than " + a + " by more than allowed: "
                    + String.join(
                            ", ",
                            contrast.rules().stream()
                                    .map(rule -> sized(rule.seen()) + " against a limit of '"
                                            + rule.rule().text() + "'")
                                    .toList())
                    + ".";
        }
        List<MetricResult> unsure = contrast.found(Finding.NOT_SURE);
        if (!unsure.isEmpty()) {
            return "No difference between " + a + " and " + b + " can be shown: " + sized(main(unsure))
                    + " may be due to chance.";
        }
        List<MetricResult> generated = contrast.found(Finding.GENERATOR);
        if (!generated.isEmpty() && isDecided(generated, settings)) {
            return b + " was not shown to be worse than " + a + "; the apparent improvement may be due to the load "
                    + "generator: "
                    + sized(main(generated)) + ".";
        }
        if (!generated.isEmpty()) {
            return "Could not tell whether " + b + " differs from " + a + ": the observed difference, "
                    + sized(main(generated)) + ", may be due to the load generator.";
        }
        if (isUntold(contrast)) {
            return "There are too few calls to compare " + b + " with " + a + ".";
        }
        List<MetricResult> open = contrast.found(Finding.COULD_NOT_TELL);
        if (!open.isEmpty() && isDecided(open, settings)) {
            return b + " was not shown to be worse than " + a
                    + "; there may be a difference too small for these runs to detect: " + sized(widest(open)) + ".";
        }
        if (!open.isEmpty()) {
            return "Could not tell whether " + b + " differs from " + a
                    + ": no difference that matters was seen, but there may be one: " + sized(widest(open)) + ".";
        }
        return "No difference that matters was seen between " + a + " and " + b + visible(contrast) + ".";
    }

    /** Returns whether nothing of this leaves open whether a side is worse, which is what was asked. */
    private static boolean isDecided(List<MetricResult> results, Settings settings) {
        return results.stream().noneMatch(result -> result.isOpen(settings));
    }

    private static MetricResult widest(List<MetricResult> results) {
        return results.stream()
                .max(Comparator.comparingDouble(MetricResult::halfWidth))
                .orElseThrow();
    }

    /** Says which metrics may be worse by enough to matter, and what to do. */
    static String open(Contrast contrast, List<MetricResult> open) {
        if (open.stream().allMatch(result -> result.finding() == Finding.GENERATOR)) {
            return contrast.b().name() + " looks worse than " + contrast.a().name()
                    + ", but this may be due to the load generator: "
                    + String.join(
                            ", ",
                            open.stream()
                                    .map(result -> result.metric().words() + " by "
                                            + interval(
                                                    result.metric(),
                                                    result.withoutGenerator().low(),
                                                    result.withoutGenerator().high()))
                                    .toList())
                    + "; use more testers, or dedicated processors";
        }
        return contrast.b().name() + " may be worse than " + contrast.a().name() + ": "
                + String.join(
                        ", ",
                        open.stream()
                                .map(result -> result.metric().words() + " by "
                                        + change(result.metric(), Math.abs(result.worstChange()))
                                                .substring(1))
                                .toList())
                + " at worst; make the runs longer, repeat them, or specify which differences matter with "
                + "--smallest-effect or --fail-on";
    }

    /** Returns whether nothing but failed calls and fairness could be judged, though more was asked for. */
    static boolean isUntold(Contrast contrast) {
        return !contrast.found(Finding.UNDECIDED).isEmpty()
                && Stream.of(Finding.NO_DIFFERENCE, Finding.COULD_NOT_TELL)
                        .flatMap(finding -> contrast.found(finding).stream())
                        .allMatch(result -> result.metric().isShare() || result.metric() == Metric.FAIRNESS);
    }

    /** The mean is what most will call faster or slower; where it did not change, the first that did. */
    private static MetricResult main(List<MetricResult> changed) {
        return changed.stream()
                .filter(result -> result.metric() == Metric.RESPONSE_MEAN)
                .findFirst()
                .orElse(changed.get(0));
    }

    private static String others(List<MetricResult> changed, MetricResult main) {
        List<String> others = changed.stream()
                .filter(result -> result.metric() != main.metric())
                .map(result -> result.metric().words() + " " + change(result.metric(), result.change()))
                .toList();
        return others.isEmpty() ? "" : "; also " + String.join(", ", others);
    }

    private static String visible(Contrast contrast) {
        List<String> seen = contrast.found(Finding.NO_DIFFERENCE).stream()
                .filter(result -> !result.metric().isShare() && result.hasInterval())
                .filter(result -> result.metric() == Metric.RESPONSE_MEAN || result.metric() == Metric.RESPONSE_P99)
                .map(result -> result.metric().words() + " " + interval(result.metric(), result.low(), result.high()))
                .toList();
        return seen.isEmpty() ? "" : " (" + String.join("; ", seen) + ")";
    }

    private static String sized(MetricResult result) {
        return result.metric().words() + " " + change(result.metric(), result.change()) + " (95 % CI: "
                + interval(result.metric(), result.low(), result.high()) + ")";
    }

    static String undecided(Contrast contrast, RuleResult rule, Settings settings) {
        MetricResult seen = rule.seen();
        String what = "'" + rule.rule().text() + "' for " + contrast.b().name() + ": ";
        if (rule.pHolm() < settings.alpha()) {
            return what + "the difference may be due to the load generator: without it, "
                    + interval(
                            seen.metric(),
                            seen.withoutGenerator().low(),
                            seen.withoutGenerator().high())
                    + "; use more testers, or dedicated processors";
        }
        if (!seen.isSeen() && seen.metric().quantile() > 0) {
            return what + tooFew(contrast, List.of(seen));
        }
        return seen.hasInterval() && !Double.isNaN(seen.p())
                ? what + "the interval, " + interval(seen.metric(), seen.low(), seen.high())
                        + ", is too wide; make the runs longer, or repeat them"
                : what + "there are too few calls; make the runs longer, or repeat them";
    }

    /** Writes a change, such as {@code +5.2 %}, or {@code +0.31 points} for shares. */
    public static String change(Metric metric, double change) {
        return metric.isShare() ? formatted("%+.2f points", change) : change(change);
    }

    /** Writes a relative change, such as {@code +5.2 %}. */
    public static String change(double change) {
        return formatted(Math.abs(change) >= 1 ? "%+,.0f %%" : "%+.1f %%", change);
    }

    private static String formatted(String format, double change) {
        return Double.isNaN(change)
                ? Numbers.NONE
                : String.format(Locale.ROOT, format, 100 * change).replaceFirst("^[-+](0(?:\\.0+)?) ", "$1 ");
    }

    /** Writes an interval, such as {@code +4.1 to +6.3 %}. */
    public static String interval(Metric metric, double low, double high) {
        if (Double.isNaN(low) || Double.isNaN(high)) {
            return Numbers.NONE;
        }
        return metric.isShare()
                ? change(metric, low).replace(" points", "") + " to " + change(metric, high)
                : interval(low, high);
    }

    /** Writes an interval of relative changes, such as {@code +4.1 to +6.3 %}. */
    public static String interval(double low, double high) {
        return change(low).replace(" %", "") + " to " + change(high);
    }

    /** Writes a value with its metric's scale and without its unit. */
    public static String value(Metric metric, double value) {
        if (Double.isNaN(value)) {
            return Numbers.NONE;
        }
        if (metric.isShare()) {
            return Numbers.share(value).replace(" %", "");
        }
        return metric == Metric.FAIRNESS ? String.format(Locale.ROOT, "%.4f", value) : Numbers.plain(value);
    }

    /** Writes a metric's name with its unit. */
    public static String name(Metric metric) {
        return metric.unit().isEmpty() || metric.unit().equals("%")
                ? metric.words() + (metric.unit().isEmpty() ? "" : " %")
                : metric.words() + " " + metric.unit();
    }

    /** Writes a p. */
    public static String p(double p) {
        if (Double.isNaN(p)) {
            return Numbers.NONE;
        }
        return p < 0.001 ? "< 0.001" : String.format(Locale.ROOT, "%.3f", p);
    }

    /** Writes a finding in a word or two. */
    public static String word(Finding finding) {
        return switch (finding) {
            case WORSE -> "worse";
            case BETTER -> "better";
            case NO_DIFFERENCE -> "no difference";
            case COULD_NOT_TELL -> "could not tell";
            case NOT_SURE -> "may be chance";
            case GENERATOR -> "may be due to generator";
            case UNDECIDED -> "too little data";
            case NOT_JUDGED -> "not judged";
            case ABSENT -> "not measured";
        };
    }

    /** Writes the finding of a metric in a word or two; of what was not seen, why. */
    public static String word(MetricResult result) {
        if (result.metric().isShare() && result.isSeen() && result.valueA() + result.valueB() == 0) {
            return "none failed";
        }
        return result.finding() == Finding.ABSENT && result.metric().quantile() > 0
                ? "too few calls"
                : word(result.finding());
    }

    /** Returns whether a table has a row for a metric: it was seen, or counts and was not, which must not pass in silence. */
    public static boolean isTold(MetricResult result) {
        return result.isSeen() || ALWAYS.contains(result.metric());
    }

    /** Says how many calls it takes to tell what counts and was not seen for want of them; empty: nothing was. */
    static String tooFew(Contrast contrast) {
        List<MetricResult> unseen = contrast.results().stream()
                .filter(result -> !result.isSeen() && ALWAYS.contains(result.metric()))
                .filter(result -> result.metric().quantile() > 0)
                .toList();
        return unseen.isEmpty() ? "" : tooFew(contrast, unseen);
    }

    /** A side's percentile is the mean of its runs', so each run must have the calls for its own. */
    private static String tooFew(Contrast contrast, List<MetricResult> unseen) {
        long smallest = Stream.of(contrast.a(), contrast.b())
                .flatMap(side -> side.runs().stream())
                .mapToLong(MeasuredRun::okCalls)
                .min()
                .orElse(0);
        return unseen.stream()
                        .map(result -> result.metric().words() + " needs "
                                + Numbers.count(result.metric().fewestCalls()) + " ok calls")
                        .collect(Collectors.joining(", "))
                + " in every run (the smallest has " + Numbers.count(smallest)
                + "): make the runs longer; additional runs would not help";
    }

    /** Says what was compared with what, and how. */
    public static String method(Contrast contrast) {
        return contrast.overRuns()
                ? contrast.a().runs().size() + " and " + contrast.b().runs().size()
                        + " runs, one value per run; Welch's t-test including variation within runs, with Holm correction"
                : "time batches within "
                        + (contrast.a().runs().size() + contrast.b().runs().size() > 2
                                ? "the runs"
                                : "one run per side")
                        + "; block bootstrap and Mann-Whitney, with Holm correction";
    }
}
