package org.diperf.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.diperf.core.clock.ClockWorld.MICRO;
import static org.diperf.core.clock.ClockWorld.MILLI;
import static org.diperf.core.clock.ClockWorld.SECOND;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.diperf.core.clock.ClockWorld.Path;
import org.diperf.core.clock.ClockWorld.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What can happen to a clock and to the way to it, with several seeds each. All clocks are 3 hours off, run wrong by up to
 * 100 ppm and wander; every error at every instant must lie within its bound. Limits are in microseconds.
 */
@Timeout(120)
final class CorridorSimulationTests {

    private static final long SEEDS = 4;

    private record Limits(double mean, double p99, double max, double bound) {}

    private static final Limits LOOPBACK = new Limits(5, 20, 100, 110);
    private static final Limits WAN = new Limits(100, 300, 400, 42_000);

    private static ClockWorld world(long seed, long seconds, double ppm) {
        return new ClockWorld(seed, seconds).skew(ppm).wander();
    }

    private static void hold(Limits limits, LongFunction<ClockWorld> worlds) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClockWorld world = worlds.apply(seed);
            Corridor corridor = Corridor.of(world.probe()).orElseThrow();
            Result result = world.judge(corridor);
            String text = "seed " + seed + ": " + result;
            assertThat(result.outside()).as(text).isZero();
            assertThat(result.mean()).as(text).isLessThan(limits.mean());
            assertThat(result.p99()).as(text).isLessThan(limits.p99());
            assertThat(result.max()).as(text).isLessThan(limits.max());
            assertThat(result.bound()).as(text).isLessThan(limits.bound());
        }
    }

    private static List<Corridor> bounded(LongFunction<ClockWorld> worlds) {
        return LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> {
                    ClockWorld world = worlds.apply(seed);
                    Corridor corridor = Corridor.of(world.probe()).orElseThrow();
                    Result result = world.judge(corridor);
                    assertThat(result.outside())
                            .as("seed " + seed + ": " + result)
                            .isZero();
                    return corridor;
                })
                .toList();
    }

    private static void happened(List<Corridor> corridors, ClockEvent.Kind kind, double least, double most) {
        for (Corridor corridor : corridors) {
            assertThat(corridor.events()).singleElement().satisfies(event -> {
                assertThat(event.kind()).isEqualTo(kind);
                assertThat(event.amount()).isBetween(least, most);
            });
        }
    }

    @Test
    void onLoopbackClocksFastAndSlowAreKnownToMicroseconds() {
        for (double ppm : new double[] {-100, 0, 100}) {
            hold(LOOPBACK, seed -> world(seed, 600, ppm));
        }
    }

    @Test
    void shortRunsAreKnownAsWell() {
        for (long seconds : new long[] {5, 30, 60}) {
            hold(LOOPBACK, seed -> world(seed, seconds, 100));
        }
    }

    @Test
    void aRunOfTwoHoursIsKnownAsWell() {
        hold(LOOPBACK, seed -> world(seed, 7_200, -40));
    }

    @Test
    void aBusyMachineWhoseProbesTakeMillisecondsIsKnownAsWell() {
        for (long seconds : new long[] {5, 60, 600}) {
            hold(LOOPBACK, seed -> world(seed, seconds, -100).path(ClockWorld.saturatedLoopback()));
            hold(
                    LOOPBACK,
                    seed -> world(seed, seconds, -100)
                            .path(ClockWorld.saturatedLoopback())
                            .frames(SECOND));
        }
    }

    @Test
    void aLanIsKnownToMicrosecondsAlsoWhenEveryFifthProbeIsLost() {
        Limits limits = new Limits(5, 20, 100, 160);
        hold(limits, seed -> world(seed, 60, 100).path(ClockWorld.lan()).loss(0.2));
        hold(limits, seed -> world(seed, 600, 100).path(ClockWorld.lan()).loss(0.2));
    }

    @Test
    void queuesOfLoadedHostsCountLittle() {
        hold(new Limits(40, 80, 100, 250), seed -> world(seed, 600, 100).path(ClockWorld.loadedLan()));
    }

    @Test
    void aWideAreaPathWithJitterAndLossIsKnownFarBetterThanItsBound() {
        for (long seconds : new long[] {30, 60, 600, 3_600}) {
            hold(
                    WAN,
                    seed -> world(seed, seconds, -40)
                            .path(ClockWorld.wan(40, 40, 2))
                            .loss(0.01));
        }
    }

    @Test
    void anAsymmetricPathShiftsTheEstimateByHalfTheAsymmetryWithinTheBound() {
        for (long seconds : new long[] {60, 600}) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                ClockWorld world = world(seed, seconds, 100)
                        .path(ClockWorld.wan(45, 35, 2))
                        .loss(0.01);
                Result result = world.judge(Corridor.of(world.probe()).orElseThrow());
                assertThat(result.outside()).isZero();
                assertThat(result.mean()).as("seed " + seed).isBetween(4_800.0, 5_200.0);
                assertThat(result.max()).as("seed " + seed).isLessThan(5_200.0);
            }
        }
    }

    @Test
    void answersInAnotherOrderChangeNothing() {
        ClockBounds inOrder = world(1, 60, 100).path(ClockWorld.lan()).probe();
        List<ClockBounds.Observed> turned = new java.util.ArrayList<>(inOrder.exchanges());
        java.util.Collections.reverse(turned);
        ClockBounds bounds = new ClockBounds();
        turned.forEach(one -> bounds.add(one.exchange(), one.source(), one.wallMillis()));
        Corridor one = Corridor.of(inOrder).orElseThrow();
        Corridor other = Corridor.of(bounds).orElseThrow();
        for (long at = one.firstNanos(); at < one.lastNanos(); at += SECOND / 3) {
            assertThat(other.globalNanos(at)).isCloseTo(one.globalNanos(at), org.assertj.core.data.Offset.offset(2L));
        }
    }

    @Test
    void aSlewIsFollowedAndNamed() {
        Limits limits = new Limits(15, 60, 100, 160);
        hold(limits, seed -> world(seed, 600, 100).path(ClockWorld.lan()).rate(20, 150, 350));
        happened(
                bounded(seed -> world(seed, 600, 100).path(ClockWorld.lan()).rate(20, 150, 350)),
                ClockEvent.Kind.SLEW,
                15,
                25);
        hold(LOOPBACK, seed -> world(seed, 600, 100).rate(20, 150, 350));
    }

    @Test
    void aSlewAsFastAsAKernelMakesItIsASlewAndNotManySteps() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClockWorld world = world(seed, 600, 0).path(ClockWorld.lan()).rate(500, 300, 320);
            Corridor corridor = Corridor.of(world.probe()).orElseThrow();
            assertThat(corridor.events()).extracting(ClockEvent::kind).containsOnly(ClockEvent.Kind.SLEW);
        }
    }

    @Test
    void aStepIsFoundWithinTheTimeBetweenTwoBursts() {
        for (Path path : List.of(ClockWorld.loopback(), ClockWorld.lan(), ClockWorld.wan(40, 40, 2))) {
            List<Corridor> found =
                    bounded(seed -> world(seed, 600, 100).path(path).step(311, 3 * SECOND));
            happened(found, ClockEvent.Kind.STEP, 2.99e9, 3.01e9);
            happened(
                    bounded(seed -> world(seed, 600, 100).path(path).step(311, 200 * MILLI)),
                    ClockEvent.Kind.STEP,
                    190e6,
                    210e6);
        }
    }

    @Test
    void aStepShorterThanTheRoundTripIsFoundByItsBoundsJumpingTogether() {
        happened(
                bounded(seed ->
                        world(seed, 600, 100).path(ClockWorld.wan(40, 40, 2)).step(311, 60 * MILLI)),
                ClockEvent.Kind.STEP,
                59e6,
                61e6);
        happened(
                bounded(seed ->
                        world(seed, 60, 100).path(ClockWorld.wan(40, 40, 2)).step(31, 60 * MILLI)),
                ClockEvent.Kind.STEP,
                59e6,
                61e6);
    }

    @Test
    void whatIsOutsideTheGapAroundAStepIsKnownAsIfThereHadBeenNone() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            ClockWorld world = world(seed, 600, 100).path(ClockWorld.lan()).step(311, SECOND);
            Corridor corridor = Corridor.of(world.probe()).orElseThrow();
            ClockEvent step = corridor.events().get(0);
            assertThat(step.toNanos() - step.fromNanos()).isLessThan(8 * SECOND);
            for (long at = 0; at < 600 * SECOND; at += SECOND / 2) {
                long local = world.client(at);
                if (local < step.fromNanos() || local > step.toNanos()) {
                    assertThat(Math.abs(corridor.globalNanos(local) - at - ClockWorld.BOOT))
                            .isLessThan(10 * MICRO);
                }
            }
        }
    }

    @Test
    void aClockSetBackIsOrderedByTheServersClock() {
        List<Corridor> found = bounded(seed ->
                world(seed, 600, 100).path(ClockWorld.lan()).frames(SECOND / 4).step(311, -3 * SECOND));
        found.forEach(corridor -> assertThat(corridor.steps()).isEqualTo(1));
    }

    @Test
    void aSuspendedMachineIsToldFromASteppedClockByItsWallClock() {
        for (Path path : List.of(ClockWorld.loopback(), ClockWorld.lan(), ClockWorld.wan(40, 40, 2))) {
            happened(
                    bounded(seed -> world(seed, 600, 100).path(path).suspend(311, 4 * SECOND)),
                    ClockEvent.Kind.SUSPEND,
                    3.99e9,
                    4.01e9);
        }
    }

    @Test
    void aRouteThatChangesIsNamedAndTheBestWaysOfBothRoutesCount() {
        Limits limits = new Limits(500, 1_500, 2_000, 60_000);
        LongFunction<ClockWorld> longer = seed -> world(seed, 600, 100).path(changed(40, 60));
        hold(limits, longer);
        happened(bounded(longer), ClockEvent.Kind.ROUTE_CHANGE, 18e6, 22e6);
        LongFunction<ClockWorld> shorter = seed -> world(seed, 600, 100).path(changed(60, 40));
        hold(limits, shorter);
        happened(bounded(shorter), ClockEvent.Kind.ROUTE_CHANGE, -22e6, -18e6);
    }

    private static Path changed(double before, double after) {
        return (random, at, down) ->
                (down ? at > 300 * SECOND ? after : before : 40) * MILLI + ClockWorld.exponential(random, 2 * MILLI);
    }

    @Test
    void nothingIsSaidToHaveHappenedWhereNothingDid() {
        for (Path path : List.of(
                ClockWorld.loopback(),
                ClockWorld.saturatedLoopback(),
                ClockWorld.lan(),
                ClockWorld.loadedLan(),
                ClockWorld.wan(40, 40, 2))) {
            for (long seconds : new long[] {30, 600}) {
                bounded(seed -> world(seed, seconds, 100).path(path))
                        .forEach(corridor -> assertThat(corridor.events()).isEmpty());
            }
        }
    }

    @Test
    void theExpectedErrorIsOfTheSizeOfTheError() {
        for (Path path : List.of(ClockWorld.loopback(), ClockWorld.lan(), ClockWorld.wan(40, 40, 2))) {
            double errors = 0;
            double expected = 0;
            for (long seed = 1; seed <= 8; seed++) {
                ClockWorld world = world(seed, 300, 100).path(path);
                Corridor corridor = Corridor.of(world.probe()).orElseThrow();
                errors += world.judge(corridor).mean();
                expected += corridor.expectedErrorNanos() / 1e3;
            }
            assertThat(expected / errors).isBetween(0.3, 3.0);
        }
    }
}
