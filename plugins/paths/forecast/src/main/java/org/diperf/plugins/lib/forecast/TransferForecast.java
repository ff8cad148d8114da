package org.diperf.plugins.lib.forecast;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a transfer will take, from rounds of shorter ones. Each round, one transfer of each of a few sizes, says how long so many
 * bytes would have taken in it: between two sizes on the straight line between them, beyond the largest on the line through it and
 * the one before, whose slope is what the path carries once TCP has found its pace. These times form a series, of which the next is
 * forecast.
 *
 * <p>Beyond the largest size the slope may still change. How much it last did, from the two sizes before, widens the interval
 * by that share of the part that was not measured. Between two sizes, a curve whose slope only falls, as TCP's does while it finds its
 * pace, or only rises lies between the straight line and the nearer of the neighbours' lines: half way between these is what is expected,
 * and the interval reaches to both.
 *
 * @param seconds that are expected
 * @param low of the interval in which nine transfers of ten lie
 * @param high of it
 * @param reason why it cannot be told, with what was seen; {@code null} if it can
 */
public record TransferForecast(
        double seconds, double low, double high, @Nullable String reason) {

    /** Rounds of which an interval that covers nine of ten can be told. */
    public static final int FEWEST_ROUNDS = 20;

    /** An interval whose ends differ by more than this factor answers nothing that one would plan by. */
    private static final double MAX_SPREAD = 2;

    private static final double MAX_CHANGE_OF_SLOPE = 0.5;
    /**
     * An interval is at least so much of the forecast wide to each side. An allowance found by trying, not derived: over one emulated path
     * intervals without it held 28 of 36 transfers, and some of the others lay outside by a little.
     */
    private static final double MIN_MARGIN = 0.05;

    /**
     * Forecasts.
     *
     * @param sizes in bytes, growing; at least one
     * @param rounds in the order of time, each with the seconds of one transfer of each size
     * @param bytes of the transfer that is asked for, at least 1
     */
    public static TransferForecast of(long[] sizes, List<double[]> rounds, long bytes) {
        if (rounds.size() < FEWEST_ROUNDS) {
            return cannot("expected at least " + FEWEST_ROUNDS + " rounds of probes, got " + rounds.size());
        }
        long largest = sizes[sizes.length - 1];
        double change = 0;
        double beyond = 0;
        double bow = bytes > largest ? 0 : bow(sizes, rounds, bytes);
        if (bytes > largest) {
            int last = sizes.length - 1;
            int before = atMostHalf(sizes, last);
            if (before < 0 || atMostHalf(sizes, before) < 0) {
                return cannot(
                        "expected probes of three sizes, each at least twice the previous one, to extrapolate beyond "
                                + "the largest; got " + Arrays.toString(sizes));
            }
            change = changeOfSlope(sizes, rounds);
            if (change > MAX_CHANGE_OF_SLOPE) {
                return cannot("the rate is still changing at the largest probe size, " + largest
                        + " bytes; larger probes are needed");
            }
        }
        Forecaster forecaster = new Forecaster(Battery.Kind.FIXED);
        double[] series = new double[rounds.size()];
        for (int i = 0; i < series.length; i++) {
            series[i] = secondsFor(sizes, rounds.get(i), bytes) + bow / 2;
            forecaster.take(series[i]);
        }
        if (bytes > largest) {
            beyond = median(series) - median(column(rounds, sizes.length - 1));
        }
        Forecaster.@Nullable Standing standing = forecaster.standing();
        Interval.@Nullable Bounds bounds = standing == null ? null : standing.bounds();
        if (standing == null || bounds == null) {
            return cannot("too few rounds of probes");
        }
        double unknown = change * beyond + Math.abs(bow) / 2;
        double margin = MIN_MARGIN * standing.value();
        double low = Math.max(0, Math.min(bounds.low() - unknown, standing.value() - margin));
        double high = Math.max(bounds.high() + unknown, standing.value() + margin);
        if (!(standing.value() > 0) || low <= 0 || high > MAX_SPREAD * low) {
            return new TransferForecast(
                    standing.value(),
                    low,
                    high,
                    "the path is too unstable: the ends of the interval differ by more than a factor of 2");
        }
        return new TransferForecast(standing.value(), low, high, null);
    }

    private static TransferForecast cannot(String reason) {
        return new TransferForecast(Double.NaN, Double.NaN, Double.NaN, reason);
    }

    /** Returns by what share the seconds per byte from the size before to the largest differ from those before. */
    private static double changeOfSlope(long[] sizes, List<double[]> rounds) {
        int c = sizes.length - 1;
        int b = atMostHalf(sizes, c);
        int a = atMostHalf(sizes, b);
        double middle = median(column(rounds, b));
        double before = (middle - median(column(rounds, a))) / (sizes[b] - sizes[a]);
        double latest = (median(column(rounds, c)) - middle) / (sizes[c] - sizes[b]);
        return latest > 0 ? Math.abs(before - latest) / latest : Double.POSITIVE_INFINITY;
    }

    /**
     * Returns how far a curve may lie from the straight line between the two sizes about so many bytes, by the lines through the
     * sizes on either side of them: the nearer of these if they agree on the side, else the further; 0 where there are none.
     */
    private static double bow(long[] sizes, List<double[]> rounds, long bytes) {
        int at = Arrays.binarySearch(sizes, bytes);
        if (at >= 0 || bytes < sizes[0]) {
            return 0;
        }
        int after = -at - 1;
        int before = after - 1;
        double[] medians = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            medians[i] = median(column(rounds, i));
        }
        double straight = line(sizes, medians, before, after, bytes);
        int left = atMostHalf(sizes, before);
        int right = after;
        while (right < sizes.length && sizes[right] < 2 * sizes[after]) {
            right++;
        }
        double byLeft = left < 0 ? Double.NaN : line(sizes, medians, left, before, bytes) - straight;
        double byRight = right == sizes.length ? Double.NaN : line(sizes, medians, after, right, bytes) - straight;
        if (Double.isNaN(byLeft) || Double.isNaN(byRight)) {
            return Double.isNaN(byLeft) ? Double.isNaN(byRight) ? 0 : byRight : byLeft;
        }
        boolean leftIsNearer = Math.abs(byLeft) < Math.abs(byRight);
        return leftIsNearer == byLeft * byRight > 0 ? byLeft : byRight;
    }

    /** Returns where the line through two sizes is at so many bytes. */
    private static double line(long[] sizes, double[] seconds, int one, int other, long bytes) {
        double perByte = (seconds[other] - seconds[one]) / (sizes[other] - sizes[one]);
        return seconds[one] + (bytes - sizes[one]) * perByte;
    }

    /** Returns which size is the largest of those that are at most half of another, so that a slope is not made of noise; -1 for none. */
    private static int atMostHalf(long[] sizes, int of) {
        int at = of - 1;
        while (at >= 0 && sizes[at] > sizes[of] / 2) {
            at--;
        }
        return at;
    }

    private static double[] column(List<double[]> rounds, int size) {
        return rounds.stream().mapToDouble(round -> round[size]).toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Returns how long so many bytes would have taken in one round. */
    static double secondsFor(long[] sizes, double[] seconds, long bytes) {
        int at = Arrays.binarySearch(sizes, bytes);
        if (at >= 0) {
            return seconds[at];
        }
        if (sizes.length == 1 || bytes < sizes[0]) {
            // Of fewer bytes than any probe's, most of the time is that of the path itself.
            return seconds[0];
        }
        int next = Math.min(-at - 1, sizes.length - 1);
        int before = bytes > sizes[next] ? Math.max(0, atMostHalf(sizes, next)) : next - 1;
        double perByte = (seconds[next] - seconds[before]) / (sizes[next] - sizes[before]);
        return seconds[next] + (bytes - sizes[next]) * Math.max(0, perByte);
    }
}
