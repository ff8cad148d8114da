package org.diperf.controller.course;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;
import org.diperf.controller.course.SearchSteps.Purpose;
import org.diperf.controller.course.SearchSteps.Verdict;
import org.diperf.core.experiment.LoadSettings.Search;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.ThinkTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SearchStepsTests {

    private static final LoadTemplate RATE =
            new LoadTemplate.Rate(OpenLoad.Arrivals.CONSTANT, 100, OnFailure.CONTINUE, 1);
    private static final LoadTemplate CLIENTS = new LoadTemplate.Clients(ThinkTime.NONE, OnFailure.CONTINUE, 1);

    private static Search search(LoadTemplate template, double from, double to) {
        return new Search(template, from, to, List.of("failed < 1%"), Duration.ofSeconds(1), null, 0.02);
    }

    private static List<Double> carryOut(SearchSteps steps, DoublePredicate holds) {
        List<Double> tried = new ArrayList<>();
        while (!steps.isOver()) {
            tried.add(steps.value());
            steps.judged(holds.test(steps.value()) ? Verdict.HOLDS : Verdict.BREAKS);
        }
        return tried;
    }

    @Test
    void stepsUpByTwoThenBisects() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried = carryOut(steps, value -> value <= 100);
        assertThat(tried).startsWith(10.0, 20.0, 40.0, 80.0, 160.0);
        assertThat(tried.get(5)).isBetween(80.0, 160.0);
        assertThat(steps.found()).isBetween(98.0, 100.0).isIn(tried);
        assertThat(steps.failedAt()).isBetween(100.0, 102.5).isIn(tried);
        assertThat(steps.low()).isBetween(97.0, 100.0);
        assertThat(steps.high()).isBetween(100.0, 103.0);
        assertThat(steps.conclusion())
                .matches("the highest rate that meets all conditions is [0-9.]+/s \\([0-9.]+/s to [0-9.]+/s\\)");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 3, 5, 8, 13, 77, 100, 499, 500})
    void findsTheRightNumberOfClientsWhereThePrecisionIsLessThanOne(double capacity) {
        SearchSteps steps = new SearchSteps(search(CLIENTS, 1, 500));
        List<Double> tried = carryOut(steps, value -> value <= capacity);
        assertThat(tried).allMatch(value -> value == Math.rint(value));
        assertThat(steps.found()).isCloseTo(capacity, within(Math.max(0.0, Math.floor(capacity * 0.02))));
        assertThat(tried.size()).isLessThanOrEqualTo(search(CLIENTS, 1, 500).mostProbes());
    }

    /** The search does not go down by the precision each time: it is soon where values hold again, and within its number of probes. */
    @Test
    void afterAChanceSuccessTheSearchGoesDownByHalvesAndEndsInTime() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried = new ArrayList<>();
        while (!steps.isOver()) {
            tried.add(steps.value());
            // 640 holds the first time, and nothing above 300 ever again.
            boolean holds = steps.value() <= 300 || tried.size() <= 7;
            steps.judged(holds ? Verdict.HOLDS : Verdict.BREAKS);
        }
        assertThat(tried).startsWith(10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0, 1_000.0);
        int first = (int) tried.stream().skip(7).takeWhile(value -> value > 300).count();
        assertThat(first).as(tried.toString()).isLessThanOrEqualTo(8);
        assertThat(tried.size()).isLessThanOrEqualTo(search(RATE, 10, 1_000).mostProbes());
        assertThat(steps.low()).isLessThan(300);
        assertThat(steps.high()).isGreaterThan(300);
    }

    /** 20/s breaks once though 100/s could be held: the search climbs on from there. */
    @Test
    void aValueThatBrokeByChanceDoesNotEndTheSearch() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried = new ArrayList<>();
        while (!steps.isOver()) {
            tried.add(steps.value());
            steps.judged(steps.value() <= 100 && tried.size() != 2 ? Verdict.HOLDS : Verdict.BREAKS);
        }
        assertThat(tried).startsWith(10.0, 20.0);
        assertThat(steps.low()).as(tried.toString()).isLessThan(100);
        assertThat(steps.high()).as(tried.toString()).isGreaterThan(100);
        for (int i = 1; i < tried.size(); i++) {
            double held = tried.subList(0, i).stream()
                    .mapToDouble(value -> value)
                    .filter(value -> value <= 100)
                    .max()
                    .orElse(0);
            assertThat(tried.get(i)).isLessThanOrEqualTo(2 * held);
        }
    }

    @Test
    void theHighestValueIsTriedTwice() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 40));
        assertThat(carryOut(steps, value -> true)).containsExactly(10.0, 20.0, 40.0, 40.0);
        assertThat(steps.found()).isEqualTo(40);
        assertThat(steps.high()).isNull();
        assertThat(steps.conclusion()).isEqualTo("all conditions hold over the whole range, up to 40/s");
    }

    @Test
    void whatCouldNotBeToldIsTriedAgainAndThenEndsTheSearch() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        steps.judged(Verdict.HOLDS);
        steps.judged(Verdict.NOT_TOLD);
        assertThat(steps.value()).isEqualTo(20);
        assertThat(steps.isOver()).isFalse();
        steps.judged(Verdict.NOT_TOLD);
        assertThat(steps.isOver()).isTrue();
        assertThat(steps.found()).isEqualTo(10);
        assertThat(steps.failedAt()).isNull();
        assertThat(steps.high()).isNull();
        assertThat(steps.conclusion()).endsWith("at 20/s the load generator was the limit");
    }

    @Test
    void whatIsUndecidedIsNotTriedAgainAtOnceAndTheSearchGoesOnBelow() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        assertThat(steps.judged(Verdict.HOLDS)).isTrue();
        assertThat(steps.judged(Verdict.UNDECIDED)).isNull();
        assertThat(steps.purpose()).isEqualTo(Purpose.BISECT);
        assertThat(steps.value()).isBetween(10.0, 20.0);
        while (!steps.isOver()) {
            steps.judged(steps.value() < 20 ? Verdict.HOLDS : Verdict.UNDECIDED);
        }
        // Nothing broke for sure, so that nothing says how high the limit may be.
        assertThat(steps.high()).isNull();
        assertThat(steps.conclusion())
                .matches("the highest rate that meets all conditions is 19\\.\\d+/s; 20(\\.\\d+)?/s may or may not");
    }

    @Test
    void whatIsUndecidedWidensTheInterval() {
        SearchSteps told = new SearchSteps(search(RATE, 10, 1_000));
        carryOut(told, value -> value < 50);
        SearchSteps open = new SearchSteps(search(RATE, 10, 1_000));
        while (!open.isOver()) {
            double value = open.value();
            open.judged(value < 50 ? Verdict.HOLDS : value < 70 ? Verdict.UNDECIDED : Verdict.BREAKS);
        }
        assertThat(told.high()).isBetween(50.0, 53.0);
        assertThat(open.low()).isBetween(47.0, 50.0);
        assertThat(open.high()).isGreaterThan(70);
    }

    @Test
    void aSearchThatWasCutShortSaysWhatHeld() {
        SearchSteps steps = new SearchSteps(search(CLIENTS, 1, 8));
        steps.judged(Verdict.HOLDS);
        assertThat(steps.found()).isNull();
        assertThat(steps.conclusion()).contains("cut short").endsWith("was 1 client");
    }

    /**
     * Services with limits from 100 to 2,000/s, of which each probe sees one of its own: the interval holds the limit as often as it says, and
     * three searches of one service nearly always have a value in common.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 0.03, 0.1})
    void threeSearchesOfOneServiceOverlap(double scatter) {
        int overlapping = 0;
        int held = 0;
        int services = 100;
        SplittableRandom random = new SplittableRandom(20_261_129);
        for (int service = 0; service < services; service++) {
            double limit = 100 * Math.pow(20, random.nextDouble());
            double low = 0;
            double high = Double.MAX_VALUE;
            for (int i = 0; i < 3; i++) {
                SearchSteps steps = new SearchSteps(search(RATE, 50, 4_000));
                carryOut(steps, value -> value <= limit * Math.exp(scatter * random.nextGaussian()));
                double from = requireNonNull(steps.low());
                double to = requireNonNull(steps.high());
                held += from <= limit && limit <= to ? 1 : 0;
                low = Math.max(low, from);
                high = Math.min(high, to);
            }
            overlapping += low <= high ? 1 : 0;
        }
        System.err.printf(
                Locale.ROOT,
                "scatter %.2f: %d of %d intervals hold the limit, %d of %d threes overlap%n",
                scatter,
                held,
                3 * services,
                overlapping,
                services);
        assertThat(held / (3.0 * services)).isGreaterThanOrEqualTo(0.92);
        assertThat(overlapping / (double) services).isGreaterThanOrEqualTo(0.95);
    }
}
