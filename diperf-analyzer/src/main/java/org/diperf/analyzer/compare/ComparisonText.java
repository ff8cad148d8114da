package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
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

    /** Returns the finding of the whole comparison in a sentence or two: what was seen, how sure that is, and what would settle it. */
    public static String finding(Comparison comparison) {
        List<Contrast> contrasts = comparison.contrasts();
        List<String> obstacles = comparison.obstacles();
        if (contrasts.isEmpty()) {
            return "Nothing can be compared: " + String.join("; ", obstacles) + ".";
        }
        if (comparison.verdict() == Comparison.Verdict.UNDECIDABLE && !obstacles.isEmpty()) {
            return contrasts.stream()
                            .limit(MAX_SENTENCES)
                            .map(contrast ->
                                    (contrasts.size() == 1 ? "" : contrast.b().name() + ": ") + seen(contrast))
                            .collect(Collectors.joining("; "))
                    + ". Nothing is decided: " + obstacles.get(0)
                    + (obstacles.size() > 1 ? " (and more below)." : ".");
        }
        return contrasts.size() > MAX_SENTENCES
                ? counts(contrasts, comparison.settings())
                : contrasts.stream()
                        .map(contrast -> finding(contrast, comparison.settings()))
                        .collect(Collectors.joining(" "));
    }

    /** Lists why the comparison is undecided, one line each, without what its finding says already. */
    public static List<String> reasonsBesides(Comparison comparison) {
        String finding = finding(comparison);
        return comparison.reasons().stream()
                .filter(reason -> !finding.contains(reason))
                .toList();
    }

    /** Says of many how many are what, and of those that changed which. */
    private static String counts(List<Contrast> contrasts, Settings settings) {
        List<Contrast> worse =
                contrasts.stream().filter(ComparisonText::isWorse).toList();
        List<Contrast> better = contrasts.stream()
                .filter(contrast ->
                        !isWorse(contrast) && !contrast.found(Finding.BETTER).isEmpty())
                .toList();
        long open = contrasts.stream()
                .filter(contrast -> !undecided(contrast, settings).isEmpty())
                .count();
        return "Worse in " + worse.size() + " of " + contrasts.size() + " comparisons" + named(worse, Finding.WORSE)
                + ", better in " + better.size() + named(better, Finding.BETTER)
                + (open == 0 ? "." : ", undecided in " + open + ".");
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

    /** Returns what one side says against the first in a sentence: what was seen with its interval, then what that means. */
    public static String finding(Contrast contrast, Settings settings) {
        String a = contrast.a().name();
        String b = contrast.b().name();
        List<MetricResult> worse = contrast.found(Finding.WORSE);
        List<MetricResult> better = contrast.found(Finding.BETTER);
        List<RuleResult> broken = contrast.rules().stream()
                .filter(rule -> rule.outcome() == Outcome.BROKEN)
                .toList();
        if (!broken.isEmpty()) {
            return against(broken) + ": " + b + " is worse than " + a + " by more than allowed.";
        }
        List<String> open = undecided(contrast, settings);
        if (!open.isEmpty()) {
            return open.get(0) + ".";
        }
        if (!contrast.rules().isEmpty()) {
            return worse.isEmpty()
                    ? against(contrast.rules()) + ": " + b + " is not worse than " + a + " by more than allowed."
                    : sized(main(worse)) + ": " + b + " is worse than " + a
                            + ", but not provably by more than allowed.";
        }
        if (!worse.isEmpty() && !better.isEmpty()) {
            return sized(worse.get(0)) + "; " + sized(better.get(0)) + ": " + b + " is worse than " + a
                    + " in some ways and better in others.";
        }
        if (!worse.isEmpty() || !better.isEmpty()) {
            List<MetricResult> changed = worse.isEmpty() ? better : worse;
            MetricResult main = main(changed);
            return sized(main) + ": " + b + " is " + (worse.isEmpty() ? "better" : "worse") + " than " + a
                    + others(changed, main) + ".";
        }
        if (isUntold(contrast)) {
            return "There are too few calls to compare " + b + " with " + a + ".";
        }
        List<MetricResult> unsure = contrast.found(Finding.NOT_SURE);
        List<MetricResult> generated = contrast.found(Finding.GENERATOR);
        List<MetricResult> small = contrast.found(Finding.COULD_NOT_TELL);
        if (unsure.isEmpty() && generated.isEmpty() && small.isEmpty()) {
            return seen(contrast) + ": no difference that matters between " + a + " and " + b + ".";
        }
        return seen(contrast) + ": " + b + " was not shown to be worse than " + a
                + (!unsure.isEmpty()
                        ? "; the difference in " + words(unsure) + " may be chance."
                        : !generated.isEmpty()
                                ? "; the difference in " + words(generated) + " may be due to the load generator."
                                : "; these runs cannot show a change in "
                                        + widest(small).metric().words() + " below about "
                                        + change(
                                                        widest(small).metric(),
                                                        widest(small).halfWidth())
                                                .substring(1)
                                        + ".");
    }

    private static String words(List<MetricResult> results) {
        return results.stream().map(result -> result.metric().words()).collect(Collectors.joining(", "));
    }

    /** Lists what leaves open whether a side is worse than the first, one line each, the widest interval first; empty: nothing does. */
    static List<String> undecided(Contrast contrast, Settings settings) {
        if (!contrast.rules().isEmpty()) {
            return contrast.rules().stream()
                    .filter(rule -> rule.outcome() == Outcome.UNDECIDED)
                    .map(rule -> undecided(contrast, rule, settings))
                    .toList();
        }
        boolean any = contrast.results().stream()
                .anyMatch(result -> result.isJudged() && result.hasInterval() && result.metric() != Metric.FAILED);
        if (!any) {
            return List.of("there are too few calls in " + contrast.a().name() + " or "
                    + contrast.b().name() + " to decide anything: make the runs longer");
        }
        if (!contrast.found(Finding.WORSE).isEmpty()) {
            return List.of();
        }
        return contrast.results().stream()
                .filter(result -> result.isOpen(settings))
                .sorted(Comparator.comparingDouble(MetricResult::halfWidth).reversed())
                .map(result -> undecided(contrast, result, settings))
                .toList();
    }

    /** Says of a metric that is open what was seen, and what would settle it. */
    public static String undecided(Contrast contrast, MetricResult open, Settings settings) {
        return sized(open) + ": undecided whether " + contrast.b().name() + " is worse than "
                + contrast.a().name()
                + (open.finding() == Finding.GENERATOR
                        ? generator(open)
                        : settle(contrast, open, settings.smallestEffect()));
    }

    /** Says of a rule that is undecided what was seen, and what would settle it. */
    public static String undecided(Contrast contrast, RuleResult rule, Settings settings) {
        MetricResult seen = rule.seen();
        String what = "'" + rule.rule().text() + "' for " + contrast.b().name() + ": ";
        if (!seen.isSeen() && seen.metric().quantile() > 0) {
            return what + tooFew(contrast, List.of(seen));
        }
        if (!seen.hasInterval() || Double.isNaN(seen.p())) {
            return what + "there are too few calls; make the runs longer, or repeat them";
        }
        return against(List.of(rule)) + ": undecided for " + contrast.b().name()
                + (rule.pHolm() < settings.alpha()
                        ? generator(seen)
                        : settle(contrast, seen, rule.rule().change()));
    }

    private static String generator(MetricResult result) {
        return ", as it may be due to the load generator: without it, "
                + interval(
                        result.metric(),
                        result.withoutGenerator().low(),
                        result.withoutGenerator().high())
                + "; use more testers, or dedicated processors";
    }

    private static String settle(Contrast contrast, MetricResult result, double allowed) {
        double width = Settings.widestInterval(Math.abs(allowed));
        OptionalInt runs = contrast.runsToTell(result, width);
        return "; "
                + (runs.isPresent()
                        ? (contrast.overRuns() ? "about " : "at least ") + runs.getAsInt() + " runs per side"
                        : "more than " + Contrast.MAX_RUNS + " runs per side, or longer ones,")
                + String.format(
                        Locale.ROOT,
                        " would tell to within %.0f %s",
                        100 * width,
                        result.metric().isShare() ? "points" : "%");
    }

    private static String against(List<RuleResult> rules) {
        return rules.stream()
                .map(rule -> sized(rule.seen()) + " against a limit of '"
                        + rule.rule().text() + "'")
                .collect(Collectors.joining(", "));
    }

    /** Returns the change that most will ask for first, with that of the highest percentile that is judged. */
    private static String seen(Contrast contrast) {
        List<MetricResult> told = contrast.results().stream()
                .filter(result -> result.isJudged() && result.hasInterval())
                .toList();
        return told.isEmpty()
                ? "nothing was measured"
                : told.stream()
                        .filter(result -> result.equals(main(told)) || result.metric() == Metric.RESPONSE_P99)
                        .map(ComparisonText::sized)
                        .collect(Collectors.joining(", "));
    }

    private static MetricResult widest(List<MetricResult> results) {
        return results.stream()
                .max(Comparator.comparingDouble(MetricResult::halfWidth))
                .orElseThrow();
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

    private static String sized(MetricResult result) {
        return result.metric().words() + " " + change(result.metric(), result.change()) + " (95 % interval "
                + interval(result.metric(), result.low(), result.high()) + ")";
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

    /** Says what was compared with what. */
    static String compared(Contrast contrast) {
        int runs = contrast.a().runs().size() + contrast.b().runs().size();
        return contrast.overRuns()
                ? contrast.a().runs().size() + " and " + contrast.b().runs().size() + " runs, one value per run"
                : "time batches within " + (runs > 2 ? "the runs" : "one run per side");
    }

    /** Says what was compared with what, and how. */
    public static String method(Contrast contrast) {
        return compared(contrast)
                + (contrast.overRuns()
                        ? "; Welch's t-test including variation within runs, with Holm correction"
                        : "; block bootstrap and Mann-Whitney, with Holm correction");
    }
}
