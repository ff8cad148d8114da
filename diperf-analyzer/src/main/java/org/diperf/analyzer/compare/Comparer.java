package org.diperf.analyzer.compare;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.compare.Comparison.Verdict;
import org.diperf.analyzer.compare.MetricResult.Finding;
import org.diperf.analyzer.compare.RuleResult.Outcome;

/** Compares sets of runs. */
public final class Comparer {

    /** A rule is not kept by an interval that could hide as much as this, or as the rule allows if that is more. */
    private static final double WIDEST = 0.1;

    private Comparer() {}

    /**
     * Compares each side with the first. The same sides and settings give the same result.
     *
     * @param sides at least two
     * @param obstacles why nothing can be decided, known to the caller; mostly none
     * @param notes what else to keep in mind, known to the caller
     */
    public static Comparison compare(List<Side> sides, Settings settings, List<String> obstacles, List<String> notes) {
        if (sides.size() < 2) {
            throw new IllegalArgumentException("wanted at least two sides, found " + sides.size());
        }
        List<String> all = new ArrayList<>(obstacles);
        for (Side side : sides) {
            side.obstacle().ifPresent(all::add);
        }
        if (sides.stream().anyMatch(side -> side.runs().isEmpty())) {
            return new Comparison(sides, List.of(), Verdict.UNDECIDABLE, all, notes, settings);
        }
        List<List<IndependentBlocks>> blocks = new ArrayList<>();
        for (Side side : sides) {
            blocks.add(side.runs().stream().map(IndependentBlocks::of).toList());
        }
        List<List<Effects>> effects = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            effects.add(
                    overRuns(sides.get(0), sides.get(i))
                            ? Trials.compare(blocks.get(0), blocks.get(i), settings)
                            : WithinRuns.compare(blocks.get(0), blocks.get(i), settings));
        }
        double[][] adjusted = adjusted(effects, settings);
        List<Contrast> contrasts = new ArrayList<>();
        for (int i = 1; i < sides.size(); i++) {
            List<MetricResult> results = new ArrayList<>();
            for (Effects effect : effects.get(i - 1)) {
                results.add(result(effect, adjusted[i - 1][effect.metric().ordinal()], settings));
            }
            List<RuleResult> rules = rules(effects.get(i - 1), results, settings);
            Side a = sides.get(0);
            Side b = sides.get(i);
            boolean overRuns = overRuns(a, b);
            List<String> caveats = Caveats.of(a, b, overRuns, blocks.get(0), blocks.get(i), results);
            contrasts.add(new Contrast(a, b, overRuns, results, rules, caveats));
        }
        all.addAll(undecided(contrasts, settings));
        return new Comparison(sides, contrasts, verdict(contrasts, all, settings), all, notes, settings);
    }

    private static boolean overRuns(Side a, Side b) {
        return a.runs().size() >= Trials.FEWEST && b.runs().size() >= Trials.FEWEST;
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
        double[] corrected = Holm.adjusted(p);
        double[][] adjusted = new double[effects.size()][metrics];
        for (int i = 0; i < p.length; i++) {
            adjusted[i / metrics][i % metrics] = corrected[i];
        }
        return adjusted;
    }

    private static boolean isNothing(Effects effect) {
        return effect.metric().isShare() && effect.valueA() == 0 && effect.valueB() == 0;
    }

    private static MetricResult result(Effects effect, double pHolm, Settings settings) {
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
                ranked ? Ranks.hodgesLehmann(effect.unitsA(), effect.unitsB()) : Double.NaN,
                ranked ? Ranks.cliffsDelta(effect.unitsA(), effect.unitsB()) : Double.NaN,
                effect.units(),
                effect.unitsA().length,
                effect.unitsB().length,
                finding(effect, low, high, pHolm, settings));
    }

    private static Finding finding(Effects effect, double low, double high, double pHolm, Settings settings) {
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
            return Finding.NO_DIFFERENCE;
        }
        if (!sure) {
            return Finding.NOT_SURE;
        }
        return change > 0 == metric.moreIsBetter() ? Finding.BETTER : Finding.WORSE;
    }

    private static List<RuleResult> rules(List<Effects> effects, List<MetricResult> results, Settings settings) {
        List<FailRule> rules = settings.rules();
        double[] p = new double[rules.size()];
        for (int i = 0; i < p.length; i++) {
            Effects effect = effects.get(rules.get(i).metric().ordinal());
            p[i] = isNothing(effect) ? 1 : broken(rules.get(i), effect);
        }
        double[] adjusted = Holm.adjusted(p);
        List<RuleResult> judged = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            FailRule rule = rules.get(i);
            MetricResult result = results.get(rule.metric().ordinal());
            boolean nothing = isNothing(effects.get(rule.metric().ordinal()));
            judged.add(
                    new RuleResult(rule, result, adjusted[i], outcome(rule, result, adjusted[i], nothing, settings)));
        }
        return judged;
    }

    /** Gives the p of the claim that a metric got worse by more than a rule allows. */
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
            return Outcome.BROKEN;
        }
        double widest = Math.max(WIDEST, Math.abs(rule.change()));
        return result.halfWidth() <= widest ? Outcome.KEPT : Outcome.UNDECIDED;
    }

    /** Says what could not be told of what was asked. */
    private static List<String> undecided(List<Contrast> contrasts, Settings settings) {
        List<String> reasons = new ArrayList<>();
        for (Contrast contrast : contrasts) {
            for (RuleResult rule : contrast.rules()) {
                if (rule.outcome() == Outcome.UNDECIDED) {
                    reasons.add(ComparisonWords.undecided(contrast, rule));
                }
            }
            boolean any = contrast.results().stream()
                    .anyMatch(result -> result.isJudged() && result.isSure() && result.metric() != Metric.FAILED);
            if (settings.rules().isEmpty() && !any) {
                reasons.add("there are too few calls in " + contrast.a().name() + " or "
                        + contrast.b().name() + " to tell anything: let runs last longer");
            }
        }
        return reasons;
    }

    private static Verdict verdict(List<Contrast> contrasts, List<String> obstacles, Settings settings) {
        boolean worse = contrasts.stream()
                .anyMatch(contrast -> settings.rules().isEmpty()
                        ? !contrast.found(Finding.WORSE).isEmpty()
                        : contrast.rules().stream().anyMatch(rule -> rule.outcome() == Outcome.BROKEN));
        boolean onlyRules = obstacles.size()
                == contrasts.stream()
                        .flatMap(contrast -> contrast.rules().stream())
                        .filter(rule -> rule.outcome() == Outcome.UNDECIDED)
                        .count();
        // What one rule cannot tell does not excuse another one that is broken; what spoils the numbers does.
        if (worse && (obstacles.isEmpty() || onlyRules)) {
            return Verdict.WORSE;
        }
        return obstacles.isEmpty() ? Verdict.NOT_WORSE : Verdict.UNDECIDABLE;
    }
}
