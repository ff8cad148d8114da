package org.diperf.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The true offset is known, because the clock is simulated: every estimate must lie within its bound. */
@Timeout(60)
final class CorridorTests {

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long BOOT = 876_543_210_987_654_321L;

    private static final long SEED = 20261121;
    private final SplittableRandom random = new SplittableRandom(SEED);

    /** A clock that reads what a function of global time says, and a path with exponential jitter each way. */
    private record World(LongUnaryOperator clock, long down, long up, double jitterDown, double jitterUp) {}

    private static LongUnaryOperator skewed(double ppm, long offset) {
        return global -> global - offset + Math.round((global - BOOT) * ppm * 1e-6);
    }

    private long jitter(double mean) {
        return Math.round(-mean * Math.log1p(-random.nextDouble()));
    }

    private Exchange exchange(World world, long at) {
        long received = at + world.down() + jitter(world.jitterDown());
        long sent = received + random.nextLong(50 * MICRO);
        long back = sent + world.up() + jitter(world.jitterUp());
        return new Exchange(
                at, world.clock().applyAsLong(received), world.clock().applyAsLong(sent), back);
    }

    private Corridor corridor(World world, long lengthSeconds, long periodMillis, int burst) {
        ClockBounds bounds = new ClockBounds();
        for (long at = 0; at <= lengthSeconds * SECOND; at += periodMillis * MILLI) {
            for (int i = 0; i < burst; i++) {
                bounds.add(exchange(world, BOOT + at + i * 20 * MILLI));
            }
        }
        return Corridor.of(bounds).orElseThrow();
    }

    /** Mean, 99th percentile and maximum of the error, us, with every error within its bound. */
    private double[] errors(World world, Corridor corridor, long lengthSeconds) {
        double[] errors = new double[5_000];
        Corridor.Reader reader = corridor.reader();
        double widest = 0;
        long[] locals = new long[errors.length];
        long[] mapped = new long[errors.length];
        for (int i = 0; i < errors.length; i++) {
            long global = BOOT + Math.round(lengthSeconds * (double) SECOND * i / errors.length);
            long local = world.clock().applyAsLong(global);
            long error = Math.abs(reader.globalNanos(local) - global);
            long bound = reader.boundNanos(local);
            assertThat(error)
                    .as("seed %d, %.3f s after the start", SEED, (global - BOOT) / 1e9)
                    .isLessThanOrEqualTo(bound + 1);
            assertThat(corridor.globalNanos(local)).isEqualTo(reader.globalNanos(local));
            locals[i] = local;
            mapped[i] = reader.globalNanos(local);
            widest = Math.max(widest, bound);
            errors[i] = error / 1e3;
        }
        assertThat((double) corridor.maxBoundNanos(
                        world.clock().applyAsLong(BOOT), world.clock().applyAsLong(BOOT + lengthSeconds * SECOND)))
                .isGreaterThanOrEqualTo(widest);
        long[] lengths = new long[locals.length];
        Arrays.setAll(lengths, i -> i * 1_001L);
        long[] starts = new long[locals.length];
        Arrays.setAll(starts, i -> locals[i] - lengths[i]);
        long[] together = new long[locals.length];
        corridor.reader().globalNanos(starts, lengths, BOOT, together, together.length);
        Arrays.setAll(mapped, i -> mapped[i] - BOOT);
        assertThat(together).isEqualTo(mapped);
        Arrays.sort(errors);
        return new double[] {Arrays.stream(errors).average().orElseThrow(), errors[4_950], errors[4_999]};
    }

    @Test
    void aFastClockHoursAwayOnALanIsKnownToMicroseconds() {
        for (double ppm : new double[] {-100, -40, 0, 40, 100}) {
            World world = new World(skewed(ppm, 3 * 3600 * SECOND), 60 * MICRO, 60 * MICRO, 20_000, 20_000);
            Corridor corridor = corridor(world, 600, 10_000, 8);
            double[] errors = errors(world, corridor, 600);
            assertThat(errors[0]).as("mean at %s ppm, seed %d", ppm, SEED).isLessThan(5);
            assertThat(errors[2]).as("maximum at %s ppm, seed %d", ppm, SEED).isLessThan(40);
            assertThat(corridor.driftPpm()).isBetween(ppm - 0.5, ppm + 0.5);
            assertThat(corridor.steps()).isZero();
            assertThat(corridor.expectedErrorNanos()).isLessThan(20_000);
        }
    }

    @Test
    void queueingOnOneWayOnlyShiftsTheEstimateByLessThanTheQueue() {
        World world = new World(skewed(40, -7 * 3600 * SECOND), 60 * MICRO, 60 * MICRO, 20_000, 400_000);
        double[] errors = errors(world, corridor(world, 600, 10_000, 8), 600);
        assertThat(errors[0]).as("mean, seed %d", SEED).isLessThan(40);
        assertThat(errors[1]).as("p99, seed %d", SEED).isLessThan(120);
    }

    @Test
    void aWideAreaPathIsKnownFarBetterThanItsBound() {
        World world = new World(skewed(-40, 5 * SECOND), 40 * MILLI, 40 * MILLI, 2e6, 2e6);
        Corridor corridor = corridor(world, 1800, 10_000, 8);
        double[] errors = errors(world, corridor, 1800);
        assertThat(errors[0]).as("mean, seed %d", SEED).isLessThan(150);
        assertThat(errors[1]).as("p99, seed %d", SEED).isLessThan(400);
        assertThat(corridor.boundNanos(world.clock().applyAsLong(BOOT + 900 * SECOND)))
                .isBetween(39 * MILLI, 42 * MILLI);
    }

    @Test
    void anAsymmetricPathShiftsTheEstimateByHalfTheAsymmetryWithinTheBound() {
        World world = new World(skewed(10, 5 * SECOND), 45 * MILLI, 35 * MILLI, 1e5, 1e5);
        double[] errors = errors(world, corridor(world, 600, 10_000, 8), 600);
        assertThat(errors[0]).as("mean, seed %d", SEED).isBetween(4_900.0, 5_100.0);
    }

    @Test
    void aSlewOf20PpmStaysWithinTheBound() {
        LongUnaryOperator slewed = global -> {
            long since = global - BOOT;
            long within = Math.max(0, Math.min(200 * SECOND, since - 200 * SECOND));
            return global - 99 * SECOND + Math.round(within * 20e-6);
        };
        World world = new World(slewed, 60 * MICRO, 60 * MICRO, 20_000, 20_000);
        double[] errors = errors(world, corridor(world, 600, 10_000, 8), 600);
        assertThat(errors[0]).as("mean, seed %d", SEED).isLessThan(20);
        assertThat(errors[2]).as("maximum, seed %d", SEED).isLessThan(150);
    }

    @Test
    void aStepSplitsTheCorridorAndTheGapAroundItIsBoundedByBothSides() {
        LongUnaryOperator stepped = global -> global - 99 * SECOND - (global - BOOT >= 305 * SECOND ? 3 * SECOND : 0);
        World world = new World(stepped, 60 * MICRO, 60 * MICRO, 20_000, 20_000);
        Corridor corridor = corridor(world, 600, 10_000, 8);
        assertThat(corridor.steps()).isEqualTo(1);
        for (long at = 0; at < 600; at += 3) {
            long global = BOOT + at * SECOND;
            long local = stepped.applyAsLong(global);
            // The clock went back, so local times from 302 to 305 s and those 3 s later read the same: nobody can tell.
            if (at < 290 || at > 320) {
                assertThat(Math.abs(corridor.globalNanos(local) - global))
                        .as("%d s", at)
                        .isLessThan(60 * MICRO)
                        .isLessThanOrEqualTo(corridor.boundNanos(local));
            }
        }
    }

    @Test
    void aSuspendedMachineIsWithinTheBoundAtEveryInstantThatItsClockHas() {
        // The clock stands still for 4 s: its readings before and after are 4 s apart in global time.
        LongUnaryOperator suspended = global -> {
            long since = global - BOOT;
            return global - 5 * SECOND - Math.max(0, Math.min(4 * SECOND, since - 302 * SECOND));
        };
        World world = new World(suspended, 60 * MICRO, 60 * MICRO, 20_000, 20_000);
        Corridor corridor = corridor(world, 600, 10_000, 8);
        assertThat(corridor.steps()).isEqualTo(1);
        errors(world, corridor, 600);
    }

    @Test
    void theBoundGrowsOutsideTheFirstAndLastExchange() {
        World world = new World(skewed(0, 0), 50 * MICRO, 50 * MICRO, 1_000, 1_000);
        Corridor corridor = corridor(world, 100, 1_000, 1);
        long last = corridor.boundNanos(BOOT + 100 * SECOND);
        long later = corridor.boundNanos(BOOT + 200 * SECOND);
        // 25 ppm of 100 s are 2,500 us.
        assertThat(later - last).isBetween(2_400 * MICRO, 3_000 * MICRO);
        assertThat(corridor.boundNanos(BOOT - 100 * SECOND)).isGreaterThan(2_400 * MICRO);
    }

    @Test
    void oneExchangeIsBoundedByItsRoundTrip() {
        ClockBounds bounds = new ClockBounds();
        bounds.add(new Exchange(1_000_000, 400_000, 450_000, 1_150_000));
        Corridor corridor = Corridor.of(bounds).orElseThrow();
        // Offset from 600,000 to 700,000 ns.
        assertThat(corridor.globalNanos(425_000) - 425_000).isBetween(649_900L, 650_100L);
        assertThat(corridor.boundNanos(425_000)).isBetween(50_000L, 50_100L);
    }

    @Test
    void anOffsetThatIsBoundedFromOneSideOnlyIsUnknown() {
        ClockBounds bounds = new ClockBounds();
        assertThat(Corridor.of(bounds)).isEmpty();
        bounds.add(new Exchange(0, 0, 450_000, 1_150_000));
        assertThat(Corridor.of(bounds)).isEmpty();
        bounds.add(new Exchange(1_200_000, 500_000, 550_000, 1_260_000));
        assertThat(Corridor.of(bounds)).isPresent();
    }

    @Test
    void manyExchangesAreKeptInBoundedMemoryAndStillHold() {
        World world = new World(skewed(70, 3600 * SECOND), 60 * MICRO, 60 * MICRO, 20_000, 20_000);
        ClockBounds bounds = new ClockBounds();
        for (int i = 0; i < 200_000; i++) {
            bounds.add(exchange(world, BOOT + i * 5 * MILLI));
        }
        assertThat(bounds.exchanges()).hasSizeLessThan(1 << 14);
        Corridor corridor = Corridor.of(bounds).orElseThrow();
        assertThat(corridor.exchanges()).isEqualTo(200_000);
        assertThat(errors(world, corridor, 1000)[1]).isLessThan(10);
    }
}
