package org.diperf.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whether arrivals are a Poisson process. Seeds are fixed, so that a test passes always or never; each statistic has to lie
 * where that of a right generator lies in all but one of about 10,000 cases, and wrong generators are shown to be refused.
 */
@Timeout(60)
final class ArrivalStatisticsTests {

    private static final double SECOND = 1e9;

    /** The Kolmogorov-Smirnov distance times the root of n exceeds this with a probability of 0.0001. */
    private static final double KS_LIMIT = 2.225;

    /** As many standard deviations lie beyond both ends of a normal distribution with a probability of 0.0001. */
    private static final double NORMAL_LIMIT = 3.89;

    private static OpenLoad poisson(double perSecond, double seconds) {
        return new OpenLoad(perSecond, Arrivals.POISSON, 0, Math.round(seconds * SECOND), 1000, 5_000_000_000L);
    }

    private static double[] arrivals(OpenLoad load, long seed, int stage, int tester, int testers) {
        ArrivalStream stream = load.arrivals(seed, stage, tester, testers);
        double[] found = new double[1024];
        int n = 0;
        for (long at = stream.next(); at != ArrivalStream.END; at = stream.next()) {
            if (n == found.length) {
                found = Arrays.copyOf(found, 2 * n);
            }
            found[n++] = at / SECOND;
        }
        return Arrays.copyOf(found, n);
    }

    /** All testers' arrivals in the order of time. */
    private static double[] merged(OpenLoad load, long seed, int testers) {
        double[] all = {};
        for (int tester = 1; tester <= testers; tester++) {
            double[] one = arrivals(load, seed, 0, tester, testers);
            int n = all.length;
            all = Arrays.copyOf(all, n + one.length);
            System.arraycopy(one, 0, all, n, one.length);
        }
        Arrays.sort(all);
        return all;
    }

    private static double[] gaps(double[] arrivals) {
        double[] gaps = new double[arrivals.length];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = arrivals[i] - (i == 0 ? 0 : arrivals[i - 1]);
        }
        return gaps;
    }

    /** Returns the largest distance between the gaps' distribution and the exponential one, times the root of n. */
    private static double kolmogorovSmirnov(double[] gaps, double perSecond) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        double most = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = -Math.expm1(-perSecond * sorted[i]);
            most = Math.max(
                    most, Math.max(expected - (double) i / sorted.length, (i + 1.0) / sorted.length - expected));
        }
        return most * Math.sqrt(sorted.length);
    }

    /** Returns variance / mean of the counts in equal windows, as standard deviations off 1. */
    private static double dispersion(double[] arrivals, double seconds, int windows) {
        double[] counts = new double[windows];
        for (double at : arrivals) {
            counts[(int) Math.min(windows - 1, at / seconds * windows)]++;
        }
        double mean = (double) arrivals.length / windows;
        double squares = Arrays.stream(counts)
                .map(count -> (count - mean) * (count - mean))
                .sum();
        return (squares / (windows - 1) / mean - 1) / Math.sqrt(2.0 / (windows - 1));
    }

    /** Returns the correlation of neighbouring gaps, as standard deviations off 0. */
    private static double correlation(double[] gaps) {
        double mean = Arrays.stream(gaps).average().orElse(0);
        double products = 0;
        double squares = 0;
        for (int i = 0; i < gaps.length; i++) {
            squares += (gaps[i] - mean) * (gaps[i] - mean);
            products += i == 0 ? 0 : (gaps[i] - mean) * (gaps[i - 1] - mean);
        }
        return products / squares * Math.sqrt(gaps.length);
    }

    /** Holds what any right generator holds; {@code from} is what is asked for a seed, for the message. */
    private static void assertPoisson(double[] arrivals, double perSecond, double seconds, String from) {
        double expected = perSecond * seconds;
        double[] gaps = gaps(arrivals);
        double count = (arrivals.length - expected) / Math.sqrt(expected);
        double distance = kolmogorovSmirnov(gaps, perSecond);
        double dispersion = dispersion(arrivals, seconds, (int) Math.min(1000, expected / 20));
        double correlation = correlation(gaps);
        String found = String.format(
                Locale.ROOT,
                "%s: n=%d (%.2f sd), KS %.2f, dispersion %.2f sd, lag-1 correlation %.2f sd",
                from,
                arrivals.length,
                count,
                distance,
                dispersion,
                correlation);
        System.out.println(found);
        assertThat(Math.abs(count)).as("count of %s", found).isLessThan(NORMAL_LIMIT);
        assertThat(distance).as("gaps of %s", found).isLessThan(KS_LIMIT);
        assertThat(Math.abs(dispersion)).as("counts of %s", found).isLessThan(NORMAL_LIMIT + 0.5);
        assertThat(Math.abs(correlation)).as("neighbours of %s", found).isLessThan(NORMAL_LIMIT);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1000, 20, 1",
        "42, 1000, 20, 1",
        "-7, 50, 400, 1",
        "20061126, 100000, 1, 1",
        "42, 1000, 40, 4",
        "3, 0.5, 40000, 1",
        "0, 3000, 20, 3",
        "9223372036854775807, 20000, 10, 16"
    })
    void theArrivalsOfEachTesterAndOfAllTogetherArePoisson(long seed, double perSecond, double seconds, int testers) {
        OpenLoad load = poisson(perSecond, seconds);
        for (int tester = 1; tester <= Math.min(4, testers); tester++) {
            assertPoisson(
                    arrivals(load, seed, 0, tester, testers),
                    perSecond / testers,
                    seconds,
                    "seed " + seed + ", tester " + tester + " of " + testers);
        }
        assertPoisson(merged(load, seed, testers), perSecond, seconds, "seed " + seed + ", " + testers + " merged");
    }

    @Test
    void stagesTestersAndSeedsGiveStreamsThatDoNotResembleEachOther() {
        OpenLoad load = poisson(1000, 20);
        double[] one = gaps(arrivals(load, 42, 0, 1, 2));
        for (double[] other : new double[][] {
            gaps(arrivals(load, 42, 1, 1, 2)), gaps(arrivals(load, 42, 0, 2, 2)), gaps(arrivals(load, 43, 0, 1, 2))
        }) {
            int n = Math.min(one.length, other.length);
            double products = 0;
            for (int i = 0; i < n; i++) {
                products += (one[i] * 500 - 1) * (other[i] * 500 - 1);
            }
            assertThat(Math.abs(products / Math.sqrt(n))).isLessThan(NORMAL_LIMIT);
        }
    }

    @Test
    void aRampStretchesAPoissonProcess() {
        OpenLoad load = new OpenLoad(0, 2000, Arrivals.POISSON, 20_000_000_000L, 0, 1000, OnFailure.CONTINUE, 1000);
        double[] arrivals = arrivals(load, 42, 0, 1, 1);
        // The integral of the rate, 2000/s t^2 / 2 x 20 s, makes it a process of one arrival a second.
        double[] straight = Arrays.stream(arrivals).map(at -> 50 * at * at).toArray();
        assertPoisson(straight, 1, 20_000, "seed 42, ramp straightened");
    }

    private static double[] wrong(LongSupplier gapNanos, double seconds) {
        double[] all = new double[100_000];
        int n = 0;
        for (double at = gapNanos.getAsLong() / SECOND; at < seconds; at += gapNanos.getAsLong() / SECOND) {
            all[n++] = at;
        }
        return Arrays.copyOf(all, n);
    }

    private static void assertRefused(double[] arrivals, String test) {
        assertThatThrownBy(() -> assertPoisson(arrivals, 1000, 20, "a wrong generator"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(test);
    }

    @Test
    void wrongGeneratorsAreRefused() {
        Random random = new Random(42);
        // Of the right mean, and evenly spread.
        assertRefused(wrong(() -> (long) (random.nextDouble() * 2e6), 20), "gaps of");
        // A timer of 1 ms rounds every arrival up.
        assertRefused(
                Arrays.stream(arrivals(poisson(1000, 20), 42, 0, 1, 1))
                        .map(at -> Math.ceil(at * 1000) / 1000)
                        .toArray(),
                "gaps of");
        // Two testers that draw from one seed.
        double[] twins = arrivals(poisson(1000, 20), 42, 0, 1, 2);
        double[] both = Arrays.copyOf(twins, 2 * twins.length);
        System.arraycopy(twins, 0, both, twins.length, twins.length);
        Arrays.sort(both);
        assertRefused(both, "gaps of");
        // Every exponential gap is given twice: right in distribution, and not independent.
        long[] last = {0, 0};
        assertRefused(
                wrong(
                        () -> {
                            if (last[0]++ % 2 == 0) {
                                last[1] = (long) (-1e6 * Math.log(1 - random.nextDouble()));
                            }
                            return last[1];
                        },
                        20),
                "of a wrong generator");
        // 5 % too fast.
        assertRefused(wrong(() -> (long) (-0.95e6 * Math.log(1 - random.nextDouble())), 20), "count of");
    }
}
