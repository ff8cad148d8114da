package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DecimalCodecTests {

    private static final int ROWS = 1_000;

    /** Encodes calls with one metric, reads them back, and gives the length of the block. */
    private static int roundTrip(double[] values) throws CorruptBlockException {
        return roundTrip(values, new long[values.length], new long[values.length]);
    }

    private static int roundTrip(double[] values, long[] lags, long[] services) throws CorruptBlockException {
        CallWriter writer = new CallWriter(1, ROWS, 1);
        for (int i = 0; i < values.length; i++) {
            writer.add(new TestCall(1_000, lags[i], lags[i] + services[i]).metric(0, values[i]));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, 1);
        block.flip();
        int length = block.remaining();
        Calls calls = new Calls();
        calls.decode(block, Block.read(block));
        for (int i = 0; i < values.length; i++) {
            assertThat(Double.doubleToLongBits(calls.metric(0, i)))
                    .as("row %d: %s", i, values[i])
                    .isEqualTo(Double.doubleToLongBits(values[i]));
        }
        return length;
    }

    @Test
    void millisecondsThatWereMeasuredInNanosecondsComeBackTheSameInAThirdOfTheBytes() throws CorruptBlockException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        double[] values = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = random.nextInt(300_000, 1_300_000) / 1e6;
        }
        assertThat(roundTrip(values)).as("seed %d", seed).isLessThan(ROWS * 8 / 3 + 200);
    }

    /** Calls' own times are in the block anyway. */
    @Test
    void timesThatEndWithTheirCallsTakeHardlyAnyRoom() throws CorruptBlockException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        double[] values = new double[ROWS];
        long[] lags = new long[ROWS];
        long[] services = new long[ROWS];
        for (int i = 0; i < ROWS; i++) {
            lags[i] = random.nextInt(1, 1_000_000);
            services[i] = random.nextInt(300_000, 1_300_000);
            values[i] = i % 100 == 7 ? Double.NaN : (services[i] - random.nextInt(100, 164)) / 1e6;
        }
        int without = roundTrip(without(ROWS), lags, services);
        assertThat(roundTrip(values, lags, services) - without)
                .as("seed %d", seed)
                .isLessThan(ROWS + 200);
    }

    private static double[] without(int rows) {
        double[] values = new double[rows];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    @Test
    void timesLongerThanTheirCallsComeBackTheSameToo() throws CorruptBlockException {
        double[] values = {0.25, Double.NaN, 3, 0, 2, 1};
        roundTrip(values, new long[] {0, 0, 5, 0, 9, 0}, new long[] {10, 250_001, 2_999_999, 1, 1_900_000, 1_100_000});
    }

    @Test
    void aCallWithoutTheMetricKeepsHavingNone() throws CorruptBlockException {
        roundTrip(new double[] {0.25, Double.NaN, 0, 3});
    }

    @Test
    void whatIsNoWholeNumberOfMillionthsComesBackTheSameToo() throws CorruptBlockException {
        roundTrip(new double[] {Math.PI, -1, 1e300, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 999_999_999.000001});
        roundTrip(new double[] {1e9, 1});
        roundTrip(new double[] {0.1 + 0.2});
    }
}
