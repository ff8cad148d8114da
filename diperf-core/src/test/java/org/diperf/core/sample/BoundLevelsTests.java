package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundLevelsTests {

    private final BoundLevels levels = new BoundLevels();

    private long[] raised(long... values) {
        levels.choose(values, values.length);
        return Arrays.stream(values)
                .map(each -> levels.level(levels.numberOf(each)))
                .toArray();
    }

    @Test
    void aFewValuesKeepTheirSizes() {
        assertThat(raised(7)).containsExactly(7);
        assertThat(raised(0, 0)).containsExactly(0, 0);
        assertThat(raised(100, 5_000, 100)).containsExactly(100, 5_000, 100);
        assertThat(levels.count()).isEqualTo(2);
        assertThat(raised(CallWriter.UNKNOWN)).containsExactly(CallWriter.UNKNOWN);
        assertThat(raised(1, 2, 3, CallWriter.UNKNOWN, 1L << 61)).endsWith(CallWriter.UNKNOWN, 1L << 61);
    }

    /** Ten near 1,000 and ten near 8,000 with one between them, which is nearer to the upper ones by ratio. */
    @Test
    void whatIsAlikeIsRaisedTogether() {
        long[] values = new long[21];
        Arrays.fill(values, 0, 10, 1_000);
        Arrays.fill(values, 10, 20, 8_000);
        values[20] = 3_500;
        values[0] = 900;
        long[] raised = raised(values);
        assertThat(levels.count()).isEqualTo(2);
        assertThat(raised[0]).isEqualTo(1_000);
        assertThat(raised[20]).isEqualTo(8_000);
    }

    /** One in a thousand that was held up takes no level from the others, nor raises them. */
    @Test
    void theFewLargestKeepTheirOwn() {
        long[] values =
                LongStream.range(0, 1_000).map(i -> i % 2 == 0 ? 1_100 : 20_000).toArray();
        values[500] = 50_000_000;
        values[501] = CallWriter.UNKNOWN;
        long[] raised = raised(values);
        assertThat(raised).isEqualTo(values);
        assertThat(levels.count()).isEqualTo(4);
    }

    /** The least that any division can raise by, found by trying all of them; the largest rows are a two hundredth, so none of forty. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noOtherDivisionRaisesLess(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // A class each: powers of two.
        int[] powers = random.ints(40, 0, 9).toArray();
        long[] values = Arrays.stream(powers).mapToLong(each -> 1_024L << each).toArray();
        long[] raised = raised(values);
        int groups = levels.count();
        double least = Double.MAX_VALUE;
        for (int ends = 0; ends < 1 << 9; ends++) {
            if (Integer.bitCount(ends) == groups && ends >> 8 == 1) {
                double sum = 0;
                for (int each : powers) {
                    sum += Integer.numberOfTrailingZeros(ends >> each);
                }
                least = Math.min(least, sum);
            }
        }
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += Math.log((double) raised[i] / values[i]) / Math.log(2);
        }
        assertThat(sum).isCloseTo(least, within(1e-9));
    }

    @Test
    void bitsAreSavedWhereBoundsAreAlike() {
        SplittableRandom random = new SplittableRandom(7);
        long[] values = random.longs(1_000, 20_000, 45_000).toArray();
        ByteBuffer to = ByteBuffer.allocate(20_000).order(ByteOrder.LITTLE_ENDIAN);
        IntegerCodec codec = new IntegerCodec();
        codec.raise(values, values.length);
        codec.writeLevels(to, values, values.length);
        assertThat(to.position()).isLessThan(300);
    }

    @Test
    void whatIsNotOfALevelIsRefused() throws Exception {
        ByteBuffer to = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        to.put((byte) 2)
                .put((byte) 5)
                .put((byte) 7)
                .put((byte) IntegerCodec.CONSTANT)
                .put((byte) Varints.zigzag(2));
        assertRefused(to, "expected a level number below 2, got 2");
        to.clear().put((byte) 0);
        assertRefused(to, "expected 1 to " + BoundLevels.MOST + " levels, got 0");
        to.clear().put((byte) 1).put((byte) 5).put((byte) IntegerCodec.LEVELS);
        assertRefused(to, "expected level numbers in a codec from 0 to 4, got codec 6");
    }

    private static void assertRefused(ByteBuffer data, String message) {
        assertThat(catchThrowable(() -> IntegerCodec.read(data.flip(), IntegerCodec.LEVELS, new long[3], 3, 0)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessage(message);
    }
}
