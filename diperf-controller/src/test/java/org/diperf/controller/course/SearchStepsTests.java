package org.diperf.controller.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

@Timeout(10)
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
    void stepsUpByTwoThenBisectsThenConfirms() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried = carryOut(steps, value -> value <= 100);
        assertThat(tried).startsWith(10.0, 20.0, 40.0, 80.0, 160.0, 113.1);
        assertThat(steps.purpose()).isEqualTo(Purpose.CONFIRM);
        assertThat(steps.found()).isCloseTo(100, within(2.0)).isEqualTo(tried.get(tried.size() - 1));
        assertThat(steps.failedAt()).isBetween(100.0, 102.5);
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

    @Test
    void aConfirmationThatFailsStepsDownAtMostFiveTimes() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 40));
        List<Double> tried = new ArrayList<>();
        while (!steps.isOver()) {
            tried.add(steps.value());
            steps.judged(steps.purpose() == Purpose.CONFIRM ? Verdict.BREAKS : Verdict.HOLDS);
        }
        assertThat(tried).containsExactly(10.0, 20.0, 40.0, 40.0, 39.22, 38.45, 37.7, 36.96);
        assertThat(steps.found()).isNull();
        assertThat(steps.conclusion()).contains("40/s met them once").contains("36.96/s");
    }

    @Test
    void bothEndsAreTriedAgainTheLowestThatBrokeFirst() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Purpose> purposes = new ArrayList<>();
        List<Double> tried = new ArrayList<>();
        while (!steps.isOver()) {
            purposes.add(steps.purpose());
            tried.add(steps.value());
            steps.judged(steps.value() <= 100 ? Verdict.HOLDS : Verdict.BREAKS);
        }
        int last = tried.size() - 1;
        assertThat(purposes.subList(last - 1, last + 1)).containsExactly(Purpose.RECHECK, Purpose.CONFIRM);
        assertThat(purposes.subList(0, last - 1)).containsOnly(Purpose.STEP_UP, Purpose.BISECT);
        assertThat(tried.get(last - 1)).isEqualTo(steps.failedAt());
    }

    /** 20/s breaks once though 100/s could be held: the search climbs on from there. */
    @Test
    void aValueThatBrokeByChanceDoesNotEndTheSearch() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried =
                carryOut(steps, value -> value <= 100 && (value != 20 || steps.purpose() == Purpose.RECHECK));
        assertThat(tried).containsSubsequence(10.0, 20.0, 19.78, 20.0, 40.0, 80.0, 160.0);
        assertThat(steps.found()).isCloseTo(100, within(2.0));
        assertThat(steps.failedAt()).isBetween(100.0, 102.5);
    }

    @Test
    void aBisectedValueThatBrokeByChanceGivesWayToTheNextThatBroke() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        List<Double> tried =
                carryOut(steps, value -> value <= 100 && (value != 95.12 || steps.purpose() == Purpose.RECHECK));
        assertThat(tried).containsSubsequence(95.12, 95.12, 103.7);
        assertThat(steps.found()).isCloseTo(100, within(2.5));
        assertThat(tried.size()).isLessThanOrEqualTo(search(RATE, 10, 1_000).mostProbes());
    }

    @Test
    void noMoreThanTwoValuesAreTriedAgain() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 100_000));
        int rechecks = 0;
        while (!steps.isOver()) {
            boolean again = steps.purpose() == Purpose.RECHECK;
            rechecks += again ? 1 : 0;
            // Whatever is beyond the value that held breaks when it is first tried.
            steps.judged(
                    again || steps.purpose() == Purpose.CONFIRM || steps.value() == 10
                            ? Verdict.HOLDS
                            : Verdict.BREAKS);
        }
        assertThat(rechecks).isEqualTo(2);
        assertThat(steps.found()).isNotNull();
    }

    @Test
    void aValueThatBrokeBelowOneThatHeldIsSaidToContradictIt() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 40));
        while (!steps.isOver()) {
            boolean breaks = steps.purpose() == Purpose.CONFIRM && steps.value() > 38.5;
            steps.judged(breaks ? Verdict.BREAKS : Verdict.HOLDS);
        }
        assertThat(steps.conclusion())
                .isEqualTo(
                        "the highest rate that meets all conditions is 38.45/s; 39.22/s does not, although higher values "
                                + "did before");
    }

    @Test
    void whatCouldNotBeToldIsTriedAgainAndThenEndsTheClimb() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        steps.judged(Verdict.HOLDS);
        steps.judged(Verdict.NOT_TOLD);
        assertThat(steps.value()).isEqualTo(20);
        steps.judged(Verdict.NOT_TOLD);
        assertThat(steps.purpose()).isEqualTo(Purpose.CONFIRM);
        assertThat(steps.value()).isEqualTo(10);
        steps.judged(Verdict.HOLDS);
        assertThat(steps.found()).isEqualTo(10);
        assertThat(steps.failedAt()).isNull();
        assertThat(steps.conclusion()).endsWith("at 20/s the load generator was the limit");
    }

    @Test
    void whatIsUndecidedIsNotTriedAgainAtOnceAndTheSearchGoesOnBelow() {
        SearchSteps steps = new SearchSteps(search(RATE, 10, 1_000));
        assertThat(steps.judged(Verdict.HOLDS)).isTrue();
        assertThat(steps.judged(Verdict.UNDECIDED)).isNull();
        assertThat(steps.purpose()).isEqualTo(Purpose.BISECT);
        assertThat(steps.value()).isEqualTo(14.14);
        while (!steps.isOver()) {
            steps.judged(steps.value() < 20 ? Verdict.HOLDS : Verdict.UNDECIDED);
        }
        assertThat(steps.conclusion())
                .matches("the highest rate that meets all conditions is 19\\.\\d+/s; 20/s may or may not");
    }

    @Test
    void aSearchThatWasCutShortSaysWhatHeld() {
        SearchSteps steps = new SearchSteps(search(CLIENTS, 1, 8));
        steps.judged(Verdict.HOLDS);
        assertThat(steps.conclusion()).contains("cut short").contains("1 client, not confirmed");
    }
}
