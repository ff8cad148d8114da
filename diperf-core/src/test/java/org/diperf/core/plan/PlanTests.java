package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.diperf.core.plan.Targets.Assign;
import org.diperf.core.plan.Targets.Per;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PlanTests {

    private static final long SECOND = 1_000_000_000L;
    private static final Url HERE = Url.of("http://127.0.0.1/");

    private static Plan plan(int testers, Load load) {
        return new Plan(42, testers, Targets.one(HERE), List.of(new Stage(0, load, 0)));
    }

    private static List<Long> arrivals(OpenLoad load, long seed, int tester, int testers) {
        ArrivalStream stream = load.arrivals(seed, 0, tester, testers);
        List<Long> all = new ArrayList<>();
        for (long next = stream.next(); next != ArrivalStream.END; next = stream.next()) {
            all.add(next);
        }
        return all;
    }

    // ---- closed load

    @Test
    void clientsStartOneAfterAnotherAndEachLivesItsTime() {
        ClosedLoad load = new ClosedLoad(4, 2 * SECOND, 10 * SECOND, ThinkTime.NONE, SECOND);
        assertThat(load.clientStartNanos(0)).isZero();
        assertThat(load.clientStartNanos(3)).isEqualTo(6 * SECOND);
        assertThat(load.clientEndNanos(3)).isEqualTo(16 * SECOND);
        assertThat(load.lengthNanos()).isEqualTo(16 * SECOND);
        ClientLifetimes lives = new ClientLifetimes.Staggered(SECOND, 10 * SECOND, 2 * SECOND);
        assertThat(lives.endNanos(3)).isEqualTo(16 * SECOND);
        assertThat(lives.lengthNanos(4)).isEqualTo(16 * SECOND);
        assertThat(lives.areEqual(4)).isFalse();
        assertThat(new ClientLifetimes.Staggered(0, SECOND, 1).areEqual(2)).isFalse();
        assertThat(new ClientLifetimes.Staggered(0, SECOND, 0).areEqual(2)).isTrue();
    }

    @Test
    void everyClientIsOnExactlyOneTester() {
        for (int testers : new int[] {1, 2, 3, 7}) {
            for (int clients : new int[] {1, 2, 6, 20}) {
                ClosedLoad load = new ClosedLoad(clients, 0, SECOND, ThinkTime.NONE, SECOND);
                Plan plan = plan(testers, load);
                List<Integer> all = new ArrayList<>();
                for (int tester = 1; tester <= testers; tester++) {
                    for (int place = 0; place < plan.clientsOf(tester, load); place++) {
                        int client = plan.clientAt(tester, place);
                        assertThat(plan.numbering().slotOf(client, testers)).isEqualTo(tester);
                        all.add(client);
                    }
                }
                Collections.sort(all);
                assertThat(all).hasSize(clients).doesNotHaveDuplicates();
                assertThat(all.get(clients - 1)).isEqualTo(clients - 1);
            }
        }
    }

    @Test
    void theNextCallIsDueWhenTheLastOneEndedAndTheClientHasThought() {
        Stage none = new Stage(0, new ClosedLoad(2, 0, SECOND, ThinkTime.NONE, SECOND), 0);
        Stage fixed = new Stage(0, new ClosedLoad(2, 0, SECOND, new ThinkTime.Fixed(300), SECOND), 0);
        assertThat(plan(1, none.load()).nextIntendedNanos(none, 0, 1, 4_000, 5_000))
                .isEqualTo(5_000);
        assertThat(plan(1, fixed.load()).nextIntendedNanos(fixed, 0, 1, 4_000, 5_000))
                .isEqualTo(5_300);
    }

    @Test
    void atAPaceTheNextCallIsDueSoLongAfterTheLastOneWasOrWhenThatEnded() {
        Stage pace = new Stage(0, new ClosedLoad(2, 0, SECOND, new ThinkTime.Pace(300), SECOND), 0);
        assertThat(plan(1, pace.load()).nextIntendedNanos(pace, 0, 1, 4_000, 4_100))
                .isEqualTo(4_300);
        assertThat(plan(1, pace.load()).nextIntendedNanos(pace, 0, 1, 4_000, 5_000))
                .isEqualTo(5_000);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void thinkTimesHaveTheirMeansAndArePure(long seed) {
        ThinkTime exponential = new ThinkTime.Exponential(SECOND);
        ThinkTime uniform = new ThinkTime.Uniform(SECOND, 3 * SECOND);
        double sumExponential = 0;
        double sumUniform = 0;
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            long bits = SplitMix.bits(seed, 0, i % 50, i);
            sumExponential += exponential.nanos(bits);
            long even = uniform.nanos(bits);
            sumUniform += even;
            assertThat(even).isBetween(SECOND, 3 * SECOND);
            assertThat(uniform.nanos(bits)).isEqualTo(even);
        }
        // Five standard errors.
        assertThat(sumExponential / draws).isCloseTo(SECOND, within(5 * SECOND / Math.sqrt(draws)));
        assertThat(sumUniform / draws).isCloseTo(2.0 * SECOND, within(5 * 0.577 * SECOND / Math.sqrt(draws)));
    }

    // ---- open load

    @Test
    void constantArrivalsAreEvenAndStartAtOnce() {
        OpenLoad load = new OpenLoad(10, Arrivals.CONSTANT, 0, SECOND, 5, SECOND);
        assertThat(arrivals(load, 1, 1, 1))
                .containsExactly(
                        0L,
                        100_000_000L,
                        200_000_000L,
                        300_000_000L,
                        400_000_000L,
                        500_000_000L,
                        600_000_000L,
                        700_000_000L,
                        800_000_000L,
                        900_000_000L);
    }

    @Test
    void aRampGrowsLinearlyFromNothing() {
        // 100/s after a ramp of 2 s: 100 arrivals within the ramp, the n-th at 2 s x sqrt(n / 100).
        OpenLoad load = new OpenLoad(100, Arrivals.CONSTANT, 2 * SECOND, 3 * SECOND, 5, SECOND);
        List<Long> all = arrivals(load, 1, 1, 1);
        assertThat(all).hasSize(400);
        assertThat(all.stream().filter(at -> at < 2 * SECOND).count()).isEqualTo(100);
        assertThat(all.get(25)).isCloseTo(SECOND, within(2L));
        assertThat(all.get(101) - all.get(100)).isCloseTo(10_000_000L, within(2L));
        assertThat(load.expectedArrivals()).isEqualTo(400);
    }

    @ParameterizedTest(name = "{0} testers")
    @ValueSource(ints = {2, 3, 8})
    void testersTogetherMakeTheArrivalsOfOne(int testers) {
        OpenLoad load = new OpenLoad(997, Arrivals.CONSTANT, SECOND, 2 * SECOND, 5, SECOND);
        List<Long> together = new ArrayList<>();
        for (int tester = 1; tester <= testers; tester++) {
            together.addAll(arrivals(load, 1, tester, testers));
        }
        Collections.sort(together);
        assertThat(together).isEqualTo(arrivals(load, 1, 1, 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {101, 102, 103, 104, 105})
    void poissonGapsAreExponential(long seed) {
        OpenLoad load = new OpenLoad(2_000, Arrivals.POISSON, 0, 10 * SECOND, 5, SECOND);
        List<Long> all = arrivals(load, seed, 2, 4);
        double meanNanos = 4e9 / 2_000;
        List<Double> gaps = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            gaps.add((all.get(i) - all.get(i - 1)) / meanNanos);
        }
        Collections.sort(gaps);
        double distance = 0;
        for (int i = 0; i < gaps.size(); i++) {
            double expected = 1 - Math.exp(-gaps.get(i));
            distance = Math.max(distance, Math.abs(expected - (double) i / gaps.size()));
            distance = Math.max(distance, Math.abs(expected - (i + 1.0) / gaps.size()));
        }
        // Kolmogorov-Smirnov, alpha = 0.001.
        assertThat(distance).isLessThan(1.95 / Math.sqrt(gaps.size()));
    }

    @Test
    void poissonCountsHaveTheirMeanAndVariance() {
        OpenLoad load = new OpenLoad(100, Arrivals.POISSON, 2 * SECOND, 4 * SECOND, 5, SECOND);
        int seeds = 400;
        double sum = 0;
        double squares = 0;
        for (long seed = 0; seed < seeds; seed++) {
            int count = arrivals(load, seed, 1, 1).size();
            sum += count;
            squares += (double) count * count;
        }
        double mean = sum / seeds;
        assertThat(mean).isCloseTo(500, within(5 * Math.sqrt(500.0 / seeds)));
        // The variance of a variance of 400 counts: about 500 x sqrt(2 / 400) = 35.
        assertThat(squares / seeds - mean * mean).isCloseTo(500, within(5 * 35.0));
    }

    @Test
    void theSameSeedMakesTheSameArrivalsAndAnotherSeedOrTesterOthers() {
        OpenLoad load = new OpenLoad(100, Arrivals.POISSON, 0, SECOND, 5, SECOND);
        assertThat(arrivals(load, 7, 1, 2)).isEqualTo(arrivals(load, 7, 1, 2));
        assertThat(arrivals(load, 7, 1, 2)).isNotEqualTo(arrivals(load, 8, 1, 2));
        assertThat(arrivals(load, 7, 1, 2)).isNotEqualTo(arrivals(load, 7, 2, 2));
    }

    // ---- targets and validation

    @Test
    void callsGoWhereTheAssignmentSays() {
        List<Url> three = List.of(Url.of("x://a"), Url.of("x://b"), Url.of("x://c"));
        Targets round = new Targets(three, Assign.ROUND_ROBIN, Per.CLIENT);
        Targets perTester = new Targets(three, Assign.ONE_TO_ONE, Per.TESTER);
        Targets all = new Targets(three, Assign.ALL_TO_ALL, Per.CLIENT);
        assertThat(round.indexOf(4, 1, 0, 9)).isEqualTo(1);
        assertThat(perTester.indexOf(4, 3, 0, 9)).isEqualTo(2);
        assertThat(all.indexOf(1, 1, 0, 0)).isEqualTo(1);
        assertThat(all.indexOf(1, 1, 0, 2)).isZero();
    }

    @Test
    void nothingArrivesInAPause() {
        for (Arrivals arrivals : Arrivals.values()) {
            OpenLoad pause = new OpenLoad(0, 0, arrivals, 0, SECOND, 1, OnFailure.CONTINUE, SECOND);
            assertThat(pause.arrivals(1, 0, 1, 1).next()).isEqualTo(ArrivalStream.END);
            assertThat(pause.expectedArrivals()).isZero();
        }
    }

    @Test
    void whatMakesNoSenseIsRefusedWithWhatWasFound() {
        assertThatThrownBy(() -> new ClosedLoad(0, 0, SECOND, ThinkTime.NONE, SECOND))
                .hasMessageContaining("clients=0");
        assertThatThrownBy(() -> new OpenLoad(0, Arrivals.CONSTANT, 0, SECOND, 1, SECOND))
                .hasMessageContaining("rate > 0");
        assertThatThrownBy(() -> new OpenLoad(Double.NaN, Arrivals.CONSTANT, 0, SECOND, 1, SECOND))
                .hasMessageContaining("finite rates");
        assertThatThrownBy(() -> new Targets(List.of(), Assign.ROUND_ROBIN, Per.CLIENT))
                .hasMessageContaining("at least one target");
    }
}
