package org.diperf.analyzer.count;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Bounds;
import org.diperf.analyzer.stats.SimulatedQueue;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Uncertainty;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How often ranges contain the service's true numbers, when the load generator has added something to each call. Where it has added
 * either nothing or all that its bounds allow, the truth lies at one end of the instrument's part, and sampling misses it on one side alone:
 * 97.5 % of the time at a nominal 95 %. Seeds are fixed.
 */
@Timeout(300)
class RangeCoverageTests {

    private static final boolean LONG = Boolean.getBoolean("diperf.long");
    private static final long SEED = 20_261_123;
    private static final double LOAD = 0.5;
    private static final int RUNS = LONG ? 300 : 40;
    private static final int CALLS = LONG ? 200_000 : 20_000;
    private static final List<Statistic> STATISTICS = List.of(
            Statistic.MEAN,
            Statistic.P50,
            Statistic.P95,
            Statistic.named("p97.5").orElseThrow());

    /** How much of what its bounds allow a load generator adds. */
    enum Added {
        NOTHING,
        SOME,
        EVERYTHING;

        long of(long bound, SplittableRandom random) {
            return this == NOTHING ? 0 : this == EVERYTHING ? bound : random.nextLong(bound + 1);
        }
    }

    /** Returns for each statistic whether its range contains the truth; none where there is no interval. */
    private static Map<String, Boolean> run(Added added, long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        long end = Math.round(CALLS * 1e6 / LOAD * 2);
        long[] last = {0};
        SimulatedQueue.simulate(LOAD, CALLS, seed, (at, response) -> last[0] = at);
        ScopeTally scope = ScopeTally.withIntervals(0, end, last[0] + 1);
        SimulatedQueue.simulate(LOAD, CALLS, seed, (at, response) -> {
            // From a microsecond to half a millisecond, which is a quarter of the mean.
            long bound = 1L << 10 + random.nextInt(10);
            long more = added.of(bound, random);
            scope.sent(Outcomes.OK, at, response + more, 0, Bounds.least(response + more, bound, 0), 0);
        });
        CallCounts calls = new CallCounts(-1, CALLS, CALLS, CALLS, 0, 0, 0, 0, Map.of(), 0);
        CallStatistics numbers = scope.certain(scope.numbers(calls, null, null), scope.confidence());
        Map<String, Boolean> contained = new TreeMap<>();
        for (Statistic statistic : STATISTICS) {
            Uncertainty range = requireNonNull(numbers.responseTime()).range(statistic);
            double truth = (statistic.isQuantile()
                            ? SimulatedQueue.quantileNanos(LOAD, statistic.fraction())
                            : SimulatedQueue.meanNanos(LOAD))
                    / 1e6;
            if (range != null && range.parts().containsKey(Uncertainty.SAMPLING)) {
                assertThat(range.parts()).containsKey(Uncertainty.INSTRUMENT);
                contained.put(statistic.key(), range.low() <= truth && truth <= range.high());
            }
        }
        return contained;
    }

    @ParameterizedTest
    @EnumSource
    void aRangeContainsTheTruthAsOftenAsItSays(Added added) {
        List<Map<String, Boolean>> runs = IntStream.range(0, RUNS)
                .parallel()
                .mapToObj(run -> run(added, SEED + run))
                .toList();
        for (Statistic statistic : STATISTICS) {
            long given = runs.stream()
                    .filter(run -> run.containsKey(statistic.key()))
                    .count();
            long contained = runs.stream()
                    .filter(run -> Boolean.TRUE.equals(run.get(statistic.key())))
                    .count();
            String seen =
                    added + " added, " + statistic.key() + ": " + contained + " of " + given + " contain the truth";
            System.err.println(seen);
            assertThat(given).as(seen).isGreaterThanOrEqualTo(RUNS * 9L / 10);
            // Of 300 runs; of the slice of 40, one in 2,000 would have more than five that do not.
            assertThat((double) contained / given).as(seen).isGreaterThanOrEqualTo(LONG ? 0.92 : 0.86);
            if (added == Added.SOME) {
                // What lies between the ends is contained nearly always.
                assertThat((double) contained / given).as(seen).isGreaterThanOrEqualTo(0.97);
            }
        }
    }
}
