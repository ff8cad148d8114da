package org.diperf.controller.course;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.diperf.analyzer.live.StageSeries;
import org.diperf.analyzer.live.StageSeries.Quantum;
import org.diperf.analyzer.live.StageSeries.Window;
import org.diperf.controller.course.SearchSteps.Verdict;
import org.diperf.core.experiment.LoadSettings.Search;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.expression.Expression;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;

/**
 * Judges one value that a search tries. Besides the conditions, a rate must be kept up with: as many calls must end as arrive
 * (to 3 %, or what so few arrivals allow), and the response time may not grow steadily. When a service with a queue is
 * offered a share e more than it can do, the response time grows by e seconds a second; where it falls, the service still
 * recovers from the value before. Immutable.
 */
final class ProbeJudge {

    private static final double ACHIEVED = 0.03;
    private static final double GROWTH = 0.005;
    private static final double ERRORS = 2;
    private static final double LAG_MILLIS = 1;
    private static final double LAG_SHARE = 0.1;
    private static final double CLEARLY = 10;
    private static final long CLEAR_AFTER_NANOS = 2_000_000_000L;

    private final List<Expression> conditions;
    private final OpenLoad.@Nullable Arrivals arrivals;
    private final int maxInFlight;

    ProbeJudge(Search search) {
        // One by one, so that each can be told with what was seen.
        this.conditions = search.conditions().stream()
                .flatMap(each -> Stream.of(each.split("&&")))
                .map(Expression::parse)
                .toList();
        LoadTemplate template = search.template();
        this.arrivals = template instanceof LoadTemplate.Rate rate ? rate.arrivals() : null;
        this.maxInFlight = template.clients(search.to());
    }

    /**
     * What became of a value.
     *
     * @param decidedBy in words, what spoke against it; empty: nothing did
     * @param observed in words, each condition with what was seen
     */
    record Judged(Verdict verdict, String decidedBy, String observed) {}

    /**
     * Judges a value from its whole window. Where the range of a number is known, a condition breaks only if it does all over the
     * range; whether the generator was late decides only what no range contains.
     *
     * @param share of the samples that were seen
     */
    Judged judge(double value, StageSeries.Look look, double share) {
        Window window = look.window();
        List<String> observed = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        List<String> open = new ArrayList<>();
        String certain = null;
        for (Expression condition : conditions) {
            Expression.Result result = condition.evaluate(path -> scaled(path, window, share));
            String seen = condition + ": " + result.observed();
            observed.add(seen);
            if (result.fails() || result.isUnmeasured()) {
                broken.add(seen);
                certain = certain == null && hasRange(condition, window) ? seen : certain;
            } else if (!result.holds()) {
                open.add(seen + ": the range includes the limit");
            }
        }
        double growth = arrivals == null ? 0 : certainGrowth(look);
        if (arrivals != null) {
            double achieved = window.ended() / share / window.seconds();
            observed.add(SettlingCheck.digits(achieved) + "/s achieved");
            if (achieved < leastAchieved(value, window)) {
                broken.add("only " + SettlingCheck.digits(achieved) + "/s achieved");
            }
        }
        if (Math.abs(growth) > GROWTH) {
            String trend = String.format(
                    Locale.ROOT,
                    "response %s by %.0f ms per second",
                    growth > 0 ? "grew" : "fell",
                    1000 * Math.abs(growth));
            observed.add(trend);
            if (growth > 0) {
                broken.add(trend);
            }
        }
        Verdict verdict;
        String by;
        if (broken.isEmpty() && open.isEmpty()) {
            verdict = Verdict.HOLDS;
            by = "";
        } else if (certain != null && growth >= -GROWTH) {
            verdict = Verdict.BREAKS;
            by = certain;
        } else if (isGeneratorLimit(window)) {
            String late = String.format(
                    Locale.ROOT, "the load generator was late: send lag p99 %.2f ms", window.value("sendLag.p99"));
            observed.add(late);
            verdict = Verdict.NOT_TOLD;
            by = open.isEmpty() ? late : open.get(0);
        } else if (growth < -GROWTH) {
            verdict = Verdict.RECOVERING;
            by = "the service had not recovered";
            observed.add(by);
        } else {
            verdict = broken.isEmpty() ? Verdict.UNDECIDED : Verdict.BREAKS;
            by = broken.isEmpty() ? open.get(0) : broken.get(0);
        }
        return new Judged(verdict, by, String.join("; ", observed));
    }

    private static boolean hasRange(Expression condition, Window window) {
        return condition.asked().stream().allMatch(asked -> window.raw(asked.lookup()) instanceof Expression.Ranged);
    }

    /** Counts are of what was seen; the rest was like it. */
    private static @Nullable Object scaled(String path, Window window, double share) {
        boolean counts = path.startsWith("throughput") || path.equals("failed") || path.equals("dropped");
        Double value = counts ? window.value(path) : null;
        return value == null ? window.raw(path) : Double.valueOf(value / share);
    }

    /** Returns the calls a second that must at least have ended. */
    private double leastAchieved(double rate, Window window) {
        double expected = rate * window.seconds();
        double chance = arrivals == OpenLoad.Arrivals.POISSON ? 3.3 / Math.sqrt(expected) : 1.5 / expected;
        return rate * (1 - Math.max(ACHIEVED, chance));
    }

    /** Returns how much the response time grows at least, or falls where negative, in seconds a second; 0: by chance. */
    private static double certainGrowth(StageSeries.Look look) {
        List<Quantum> quanta = look.quanta();
        int measured = (int) Math.round(look.window().seconds() * 1e9 / look.quantumNanos());
        Trend response = Trend.of(quanta.subList(Math.max(0, quanta.size() - measured), quanta.size()).stream()
                .mapToDouble(Quantum::meanResponseMs)
                .toArray());
        if (response.values() < SettlingCheck.LEAST) {
            return 0;
        }
        double millis = look.quantumNanos() / 1e6;
        double least = Math.max(0, Math.abs(response.slope()) - ERRORS * response.slopeError()) / millis;
        return Math.copySign(least, response.slope());
    }

    private static boolean isGeneratorLimit(Window window) {
        Double lag = window.value("sendLag.p99");
        Double response = window.value("response.p50");
        return lag != null && response != null && lag > LAG_MILLIS && lag > LAG_SHARE * response;
    }

    /**
     * Judges a value while it is tried, where it clearly breaks a condition; {@code null} to continue. Only where calls arrive at a rate:
     * there a service that cannot keep up gets ever slower.
     *
     * @param sinceNanos since the begin of the stage
     */
    @Nullable
    Judged early(long sinceNanos, StageSeries.Look look, TesterStatus testers) {
        if (arrivals == null || sinceNanos < CLEAR_AFTER_NANOS || isGeneratorLimit(look.window())) {
            return null;
        }
        if (testers.inFlight() >= maxInFlight) {
            return broken(testers.inFlight() + " calls in flight, the maximum");
        }
        for (Expression condition : conditions) {
            String path = condition.paths().get(0);
            boolean time = path.matches("(response|responseTime|serviceTime|sendLag)\\..*");
            Expression.Result result = condition.evaluate(look.window()::value);
            if (time
                    && !result.holds()
                    && !result.isUnmeasured()
                    && !condition
                            .evaluate(each -> lessened(look.window(), each))
                            .holds()) {
                return broken(condition + ": " + result.observed());
            }
        }
        return null;
    }

    private static Judged broken(String why) {
        return new Judged(Verdict.BREAKS, why, why + "; ended early");
    }

    private static @Nullable Double lessened(Window window, String path) {
        Double value = window.value(path);
        return value == null ? null : Double.valueOf(value / CLEARLY);
    }
}
