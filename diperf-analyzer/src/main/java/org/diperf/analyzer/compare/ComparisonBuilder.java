package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.compare.RuleResult.Outcome;
import org.diperf.analyzer.stats.HolmCorrection;
import org.diperf.analyzer.stats.Range;

/** Compares sets of runs. */
public final class ComparisonBuilder {

    private ComparisonBuilder() {}

    /**
     * Compares each side with the first. The same sides and settings give the same result.
     *
     * @param sides at least two
     * @param obstacles why nothing can be decided, known to the caller; mostly none
     * @param notes what else to keep in mind, known to the caller
     */
    public static Comparison compare(List<Side> sides, Settings settings, List<String> obstacles, List<String> notes) {
        return compare(sides, Collections.nCopies(sides.size(), 0), settings, obstacles, notes);
    }

    /**
     * Compares each side with the one that it belongs to.
     *
     * @param sides at least two
     * @param against the index of that one by side; its own where others are compared with it
     * @param obstacles why nothing can be decided, known to the caller; mostly none
     * @param notes what else to keep in mind, known to the caller
     */
    public static Comparison compare(
            List<Side> sides, List<Integer> against, Settings settings, List<String> obstacles, List<String> notes) {
        List<Integer> asked = IntStream.range(0, sides.size())
                .filter(i -> against.get(i) != i)
                .boxed()
                .toList();
        if (asked.isEmpty()) {
            throw new IllegalArgumentException("expected at least two sides, got " + sides.size());
        }
        List<String> all = new ArrayList<>(obstacles);
        for (Side side : sides) {
            side.obstacle().ifPresent(all::add);
        }
        // What was not measured at one point of a grid is no reason to say nothing of the others.
        List<Integer> others = asked.stream()
                .filter(b -> !sides.get(b).runs().isEmpty()
                        && !sides.get(against.get(b)).runs().isEmpty())
                .toList();
        List<List<IndependentBlocks>> blocks = new ArrayList<>();
        for (Side side : sides) {
            blocks.add(side.runs().stream().map(IndependentBlocks::of).toList());
        }
        List<List<Effects>> effects = new ArrayList<>();
        for (int b : others) {
            int a = against.get(b);
            effects.add(
                    overRuns(sides.get(a), sides.get(b))
                            ? TrialComparison.compare(blocks.get(a), blocks.get(b), settings)
                            : WithinRunComparison.compare(blocks.get(a), blocks.get(b), settings));
        }
        double[][] adjusted = adjusted(effects, settings);
        double[][] rulesAdjusted = rulesAdjusted(effects, settings.rules());
        List<Contrast> contrasts = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            List<MetricResult> results = new ArrayList<>();
            int at = others.get(i);
            Side a = sides.get(against.get(at));
            Side b = sides.get(at);
            for (Effects effect : effects.get(i)) {
                Range without = withoutGenerator(effect, a, b);
                results.add(result(effect, without, adjusted[i][effect.metric().ordinal()], settings));
            }
            List<RuleResult> rules = rules(effects.get(i), results, rulesAdjusted[i], settings);
            boolean overRuns = overRuns(a, b);
            List<String> caveats = Caveats.of(a, b, overRuns, blocks.get(against.get(at)), blocks.get(at), results);
            contrasts.add(new Contrast(a, b, overRuns, results, rules, caveats));
        }
        boolean isTold = all.isEmpty()
                && contrasts.stream()
                        .allMatch(contrast ->
                                ComparisonText.undecided(contrast, settings).isEmpty());
        Verdict verdict = obstacles.isEmpty() && contrasts.stream().anyMatch(contrast -> isWorse(contrast, settings))
                ? Verdict.WORSE
                : isTold ? Verdict.NOT_WORSE : Verdict.UNDECIDABLE;
        return new Comparison(sides, contrasts, verdict, all, notes, settings);
    }

    private static boolean overRuns(Side a, Side b) {
        return a.runs().size() >= TrialComparison.FEWEST && b.runs().size() >= TrialComparison.FEWEST;
    }

    /** Corrects over all that is judged, of all sides. A metric that is the same everywhere, such as no failures, is no test. */
    private static double[][] adjusted(List<List<Effects>> effects, Settings settings) {
        int metrics = Metric.all().size();
        double[] p = new double[effects.size() * metrics];
        for (int i = 0; i < p.length; i++) {
            Effects effect = effects.get(i / metrics).get(i % metrics);
            boolean tested = settings.judges(effect.metric()) && !isNothing(effect);
            p[i] = tested ? effect.p() : Double.NaN;
        }
        double[] corrected = HolmCorrection.adjusted(p);
        double[][] adjusted = new double[effects.size()][metrics];
        for (int i = 0; i < p.length; i++) {
            adjusted[i / metrics][i % metrics] = corrected[i];
        }
        return adjusted;
    }

    private static boolean isNothing(Effects effect) {
        return effect.metric().isShare() && effect.valueA() == 0 && effect.valueB() == 0;
    }

    /** Returns between which changes the one that was seen would lie without what the load generators may have added to either side. */
    private static Range withoutGenerator(Effects effect, Side a, Side b) {
        Metric metric = effect.metric();
        double change = metric.change(effect.seen());
        if (metric.isShare() || Double.isNaN(change)) {
            return new Range(change, change);
        }
        Range ofA = a.withoutGenerator(metric);
        Range ofB = b.withoutGenerator(metric);
        return new Range((1 + change) * ofB.low() / ofA.high() - 1, (1 + change) * ofB.high() / ofA.low() - 1);
    }

    private static MetricResult result(Effects effect, Range without, double pHolm, Settings settings) {
        Metric metric = effect.metric();
        double low = effect.estimate()
                .map(estimate -> metric.change(estimate.low(settings.confidence())))
                .orElse(Double.NaN);
        double high = effect.estimate()
                .map(estimate -> metric.change(estimate.high(settings.confidence())))
                .orElse(Double.NaN);
        boolean ranked = !effect.units().equals("clients");
        return new MetricResult(
                metric,
                effect.valueA(),
                effect.valueB(),
                metric.change(effect.seen()),
                low,
                high,
                effect.p(),
                pHolm,
                ranked ? RankStatistics.hodgesLehmann(effect.unitsA(), effect.unitsB()) : Double.NaN,
                ranked ? RankStatistics.cliffsDelta(effect.unitsA(), effect.unitsB()) : Double.NaN,
                effect.units(),
                effect.unitsA().length,
                effect.unitsB().length,
                without,
                finding(effect, without, low, high, pHolm, settings));
    }

    private static Finding finding(
            Effects effect, Range without, double low, double high, double pHolm, Settings settings) {
        Metric metric = effect.metric();
        if (!effect.isSeen()) {
            return Finding.ABSENT;
        }
        if (!settings.judges(metric)) {
            return Finding.NOT_JUDGED;
        }
        if (isNothing(effect)) {
            return Finding.NO_DIFFERENCE;
        }
        if (Double.isNaN(low) || Double.isNaN(pHolm)) {
            return Finding.UNDECIDED;
        }
        double change = metric.change(effect.seen());
        boolean sure = (low > 0 || high < 0) && pHolm < settings.alpha();
        if (!settings.matters(metric, change)) {
            return settings.leavesOpen(low) || settings.leavesOpen(high)
                    ? Finding.COULD_NOT_TELL
                    : Finding.NO_DIFFERENCE;
        }
        if (!sure) {
            return Finding.NOT_SURE;
        }
        double nearest = change > 0 ? Math.max(0, without.low()) : Math.min(0, without.high());
        if (!settings.matters(metric, nearest)) {
            return Finding.GENERATOR;
        }
        return change > 0 == metric.moreIsBetter() ? Finding.BETTER : Finding.WORSE;
    }

    /** Corrects over all rules, of all sides. */
    private static double[][] rulesAdjusted(List<List<Effects>> effects, List<FailRule> rules) {
        int width = rules.size();
        double[] p = new double[effects.size() * width];
        for (int i = 0; i < p.length; i++) {
            FailRule rule = rules.get(i % width);
            Effects effect = effects.get(i / width).get(rule.metric().ordinal());
            p[i] = isNothing(effect) ? 1 : broken(rule, effect);
        }
        double[] corrected = HolmCorrection.adjusted(p);
        double[][] adjusted = new double[effects.size()][];
        for (int i = 0; i < adjusted.length; i++) {
            adjusted[i] = Arrays.copyOfRange(corrected, i * width, (i + 1) * width);
        }
        return adjusted;
    }

    private static List<RuleResult> rules(
            List<Effects> effects, List<MetricResult> results, double[] adjusted, Settings settings) {
        List<RuleResult> judged = new ArrayList<>();
        for (int i = 0; i < adjusted.length; i++) {
            FailRule rule = settings.rules().get(i);
            MetricResult result = results.get(rule.metric().ordinal());
            boolean nothing = isNothing(effects.get(rule.metric().ordinal()));
            judged.add(
                    new RuleResult(rule, result, adjusted[i], outcome(rule, result, adjusted[i], nothing, settings)));
        }
        return judged;
    }

    /** Returns the p of the claim that a metric got worse by more than a rule allows. */
    private static double broken(FailRule rule, Effects effect) {
        if (effect.estimate().isEmpty() || Double.isNaN(effect.p())) {
            return Double.NaN;
        }
        Estimate estimate = effect.estimate().get();
        double limit = rule.metric().scaledChange(rule.change());
        return rule.metric().moreIsBetter() ? estimate.pBelow(limit) : estimate.pAbove(limit);
    }

    private static Outcome outcome(FailRule rule, MetricResult result, double p, boolean nothing, Settings settings) {
        if (nothing) {
            return Outcome.KEPT;
        }
        if (Double.isNaN(p)) {
            return Outcome.UNDECIDED;
        }
        if (p < settings.alpha()) {
            return isBeyond(rule, result) ? Outcome.BROKEN : Outcome.UNDECIDED;
        }
        double widest = Settings.widestInterval(Math.abs(rule.change()));
        return result.halfWidth() <= widest ? Outcome.KEPT : Outcome.UNDECIDED;
    }

    /** Returns whether a rule is broken too without what the load generator may have added. */
    private static boolean isBeyond(FailRule rule, MetricResult result) {
        return rule.metric().moreIsBetter()
                ? result.withoutGenerator().high() < rule.change()
                : result.withoutGenerator().low() > rule.change();
    }

    /**
     * What one side or one rule cannot tell does not excuse another one that is worse or broken; numbers that cannot be
     * trusted prove nothing.
     */
    private static boolean isWorse(Contrast contrast, Settings settings) {
        boolean sound =
                contrast.a().obstacle().isEmpty() && contrast.b().obstacle().isEmpty();
        return sound
                && (settings.rules().isEmpty()
                        ? !contrast.found(Finding.WORSE).isEmpty()
                        : contrast.rules().stream().anyMatch(rule -> rule.outcome() == Outcome.BROKEN));
    }
}
