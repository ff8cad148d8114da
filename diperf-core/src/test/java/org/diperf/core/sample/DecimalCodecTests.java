package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DecimalCodecTests {

    private static final int ROWS = 1_000;

    /** Encodes calls with one metric, reads them back, and gives the length of the block. */
    private static int roundTrip(double[] values) throws CorruptBlockException {
        CallWriter writer = new CallWriter(1, ROWS, 1);
        for (double value : values) {
            writer.add(0, 0, 0, 0, 1_000, 0, 10, Outcome.OK, 0, false);
            writer.metric(0, value);
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
