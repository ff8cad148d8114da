package org.diperf.controller.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.experiment.LoadSettings.Search;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.plan.OnFailure;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.Stage;
import org.diperf.core.plan.ThinkTime;
import org.diperf.core.run.ProbeRecord;
import org.diperf.core.run.SearchRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SearchScheduleTests {

    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    private static final LoadTemplate.Rate CONSTANT = rate(OpenLoad.Arrivals.CONSTANT);

    private static LoadTemplate.Rate rate(OpenLoad.Arrivals arrivals) {
        return new LoadTemplate.Rate(arrivals, 10_000, OnFailure.CONTINUE, 5 * SECOND);
    }

    private static Search search(LoadTemplate template, double from, double to, String... conditions) {
        return new Search(template, from, to, List.of(conditions), Duration.ofSeconds(4), null, 0.02);
    }

    private static SearchRecord carryOut(Search search, SimulatedRun run) {
        SearchSchedule course = new SearchSchedule(search, run);
        List<Stage> stages = run.carryOut(course);
        assertThat(course.search().probes()).allMatch(probe -> probe.stage() < stages.size());
        return course.search();
    }

    private static double found(SearchRecord record) {
        Double found = record.found();
        assertThat(found).as(record.toString()).isNotNull();
        return found == null ? Double.NaN : found;
    }

    @ParameterizedTest
    @CsvSource({"8, 20, 10", "40, 100, 30", "1, 1, 10", "16, 5, 100", "3, 7, 5"})
    void findsTheCapacityOfAServiceThatQueues(int workers, int serviceMillis, int from) {
        double capacity = workers * 1000.0 / serviceMillis;
        SearchRecord record = carryOut(
                search(CONSTANT, from, 20_000, "response.p99 < 500ms", "failed < 1%"),
                new SimulatedRun(workers, serviceMillis * MS, serviceMillis * MS, 1));
        assertThat(found(record)).as(record.toString()).isCloseTo(capacity, within(capacity * 0.03));
        assertThat(record.failedAt()).isGreaterThan(found(record));
        assertThat(record.conclusion()).contains("the highest rate that meets all conditions is");
    }

    @Test
    void findsItNineteenTimesInTwentyWithArrivalsAndServiceTimesThatScatter() {
        int near = 0;
        List<@Nullable Double> found = new ArrayList<>();
        for (int seed = 1; seed <= 20; seed++) {
            // Ten workers of 15 to 25 ms: 500/s; a wide limit, so that the queue itself is what breaks.
            SearchRecord record = carryOut(
                    new Search(
                            rate(OpenLoad.Arrivals.POISSON),
                            50,
                            4_000,
                            List.of("response.p99 < 1s"),
                            Duration.ofSeconds(10),
                            null,
                            0.02),
                    new SimulatedRun(10, 15 * MS, 25 * MS, seed));
            found.add(record.found());
            near += record.found() != null && Math.abs(record.found() - 500) <= 15 ? 1 : 0;
        }
        assertThat(near).as(found.toString()).isGreaterThanOrEqualTo(19);
    }

    @Test
    void findsHowManyClientsKeepALimit() {
        // Closed load on 8 workers of 20 ms: n clients take n/8 x 20 ms from 8 on, so 40 clients take 100 ms.
        SearchRecord record = carryOut(
                search(
                        new LoadTemplate.Clients(ThinkTime.NONE, OnFailure.CONTINUE, 5 * SECOND),
                        1,
                        4096,
                        "response.p99 < 101ms"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1));
        assertThat(found(record)).as(record.toString()).isEqualTo(40);
    }

    @Test
    void letsTheServiceDrainAfterAValueThatDidNotHold() {
        SimulatedRun run = new SimulatedRun(8, 20 * MS, 20 * MS, 1);
        SearchSchedule course = new SearchSchedule(search(CONSTANT, 300, 20_000, "response.p99 < 100ms"), run);
        List<Stage> stages = run.carryOut(course);
        List<ProbeRecord> probes = course.search().probes();
        for (ProbeRecord probe : probes.subList(0, probes.size() - 1)) {
            Stage next = stages.get(probe.stage() + 1);
            boolean pause = next.load() instanceof OpenLoad open && open.perSecond() == 0;
            assertThat(pause).as(probe.toString()).isEqualTo(!Boolean.TRUE.equals(probe.holds()));
        }
    }

    @Test
    void endsAValueEarlyThatIsClearlyTooMuch() {
        SimulatedRun run = new SimulatedRun(8, 20 * MS, 20 * MS, 1);
        SearchRecord record = carryOut(search(CONSTANT, 2_000, 4_000, "response.p99 < 100ms"), run);
        assertThat(record.probes())
                .singleElement()
                .extracting(ProbeRecord::observed)
                .asString()
                .contains("ended early");
        assertThat(run.elapsedNanos()).isLessThan(4 * SECOND);
        assertThat(record.found()).isNull();
        assertThat(record.conclusion()).contains("not even the lowest value, 2000/s");
    }

    @Test
    void saysThatTheWholeRangeHolds() {
        SearchRecord record =
                carryOut(search(CONSTANT, 10, 300, "failed < 1%"), new SimulatedRun(8, 20 * MS, 20 * MS, 1));
        assertThat(record.found()).isEqualTo(300);
        assertThat(record.failedAt()).isNull();
        assertThat(record.conclusion()).contains("all conditions hold over the whole range");
    }

    @Test
    void failuresBreakAValue() {
        SearchRecord record = carryOut(
                search(CONSTANT, 10, 300, "failed < 1%"), new SimulatedRun(8, 20 * MS, 20 * MS, 1).failing(0.1));
        assertThat(record.found()).isNull();
        assertThat(record.probes().get(0).observed()).contains("failed < 1%: ");
    }

    @Test
    void aLateGeneratorIsNotTakenForASlowService() {
        SearchRecord record = carryOut(
                search(CONSTANT, 50, 300, "response.p99 < 40ms"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1).lagging(30 * MS));
        assertThat(record.probes()).hasSize(2).allMatch(probe -> probe.holds() == null);
        assertThat(record.found()).isNull();
        assertThat(record.conclusion()).contains("the load generator was the limit");
    }

    @Test
    void aRangeThatLiesBeyondTheLimitBreaksAValueHoweverLateTheGeneratorWas() {
        // 20 ms of service, sent 30 ms late: between 20 and 50 ms, and both are more than 15.
        SearchRecord record = carryOut(
                search(CONSTANT, 50, 300, "response.p99 < 15ms"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1).lagging(30 * MS).bounded());
        assertThat(record.probes()).singleElement().satisfies(probe -> {
            assertThat(probe.holds()).isFalse();
            assertThat(probe.decidedBy()).startsWith("response.p99 < 15ms: 50");
        });
        assertThat(record.conclusion()).isEqualTo("not even the lowest value, 50/s, meets all conditions");
    }

    @Test
    void aRangeThatHoldsTheLimitLeavesAValueUndecidedAndIsSaid() {
        SearchRecord late = carryOut(
                search(CONSTANT, 50, 300, "response.p99 < 40ms"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1).lagging(30 * MS).bounded());
        assertThat(late.probes()).hasSize(2).allSatisfy(probe -> {
            assertThat(probe.holds()).isNull();
            assertThat(probe.decidedBy())
                    .isEqualTo("response.p99 < 40ms: 50 ms (20 ms to 50 ms): the range includes the limit");
        });
        SearchRecord slightly = carryOut(
                search(CONSTANT, 50, 300, "response.p99 < 20500us"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1).lagging(MS - 1).bounded());
        assertThat(slightly.probes()).singleElement().satisfies(probe -> {
            assertThat(probe.holds()).isNull();
            assertThat(probe.decidedBy()).contains("(20 ms to 21.0 ms): the range includes the limit");
        });
        assertThat(slightly.conclusion()).isEqualTo("not even the lowest value, 50/s, certainly meets all conditions");
    }

    @Test
    void whatHeldIsDecidedByNothingAndWhatBrokeByWhatBrokeIt() {
        SearchRecord record = carryOut(
                search(CONSTANT, 100, 800, "response.p99 < 500ms", "failed < 1%"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1));
        assertThat(record.probes()).allSatisfy(probe -> {
            if (Boolean.TRUE.equals(probe.holds())) {
                assertThat(probe.decidedBy()).isEmpty();
            } else {
                assertThat(probe.decidedBy())
                        .containsAnyOf("response.p99 < 500ms: ", "achieved", "grew by", "recovered");
            }
        });
    }

    @Test
    void countsAreScaledWhereNotAllSamplesWereSeen() {
        SearchRecord record = carryOut(
                search(CONSTANT, 100, 1_000, "response.p99 < 500ms"),
                new SimulatedRun(8, 20 * MS, 20 * MS, 1).seeing(0.5));
        assertThat(found(record)).as(record.toString()).isCloseTo(400, within(24.0));
    }
}
