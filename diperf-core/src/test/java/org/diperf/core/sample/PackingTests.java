package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PackingTests {

    private final Packing packing = new Packing();

    private ByteBuffer pack(long[] values) {
        ByteBuffer packed = ByteBuffer.allocate(values.length * Long.BYTES + Packing.MAX_EXTRA)
                .order(ByteOrder.LITTLE_ENDIAN);
        packing.fit(values, values.length);
        packing.write(packed);
        return packed.flip();
    }

    private int bytes(long[] values) throws CorruptBlockException {
        ByteBuffer packed = pack(values);
        int bytes = packed.remaining();
        // A wrong leftover in the target must not show.
        long[] read = LongStream.generate(() -> -1).limit(values.length).toArray();
        Packing.read(packed, read, values.length);
        assertThat(read).isEqualTo(values);
        assertThat(packed.hasRemaining()).isFalse();
        return bytes;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void anyValuesOfAnyWidthAreReadAgain(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int bits = 0; bits <= 64; bits++) {
            for (int rows : new int[] {1, 2, 63, 64, 65, 1_000}) {
                int width = bits;
                long base = random.nextLong();
                long[] values = random.longs(rows)
                        .map(value -> width == 0 ? base : base + (value >>> 64 - width))
                        .toArray();
                int outliers = random.nextInt(3);
                for (int i = 0; i < outliers; i++) {
                    values[random.nextInt(rows)] = random.nextLong();
                }
                bytes(values);
            }
        }
    }

    @Test
    void theLimitsOfALongAreReadAgain() throws Exception {
        bytes(new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1, Long.MIN_VALUE + 1});
        bytes(new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 2, Long.MIN_VALUE});
        bytes(new long[] {Long.MIN_VALUE, 0, Long.MIN_VALUE});
    }

    @Test
    void valuesTakeTheBitsOfTheirSpreadAndNotOfTheirSize() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        long[] values =
                random.longs(1_000, 0, 128).map(value -> value + (1L << 50)).toArray();
        assertThat(bytes(values)).isLessThan(1_000 * 7 / 8 + 32);
    }

    @Test
    void aFewOutliersOnEitherSideCostOnlyThemselves() throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        long[] values = random.longs(1_000, 0, 128).toArray();
        int before = bytes(values);
        for (int i = 0; i < 10; i++) {
            values[i * 100] = i % 2 == 0 ? 5_000_000_000L : -5_000_000_000L;
        }
        assertThat(bytes(values) - before).isLessThan(10 * 10);
    }

    @Test
    void numbersInStridesTakeTheBitsOfTheirPlaces() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        long[] values =
                random.longs(1_000, 0, 64).map(place -> place * 100 + 41).toArray();
        assertThat(bytes(values)).isLessThan(1_000 * 6 / 8 + 32);
    }

    @Test
    void equalValuesTakeNextToNothing() throws Exception {
        long[] values = new long[1_000];
        Arrays.fill(values, 77);
        assertThat(bytes(values)).isLessThan(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void damagedBytesAreACorruptBlockAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] values = random.longs(100, 0, 1_000).toArray();
        values[50] = Long.MAX_VALUE;
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            ByteBuffer packed = pack(values);
            packed.put(random.nextInt(packed.limit()), (byte) random.nextInt(256));
            packed.limit(packed.limit() - random.nextInt(3));
            try {
                Packing.read(packed, new long[100], 100);
            } catch (CorruptBlockException | BufferUnderflowException expected) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void moreBitsThanALongHasAreRefused() {
        ByteBuffer packed = pack(new long[] {1, 2, 3});
        packed.put(2, (byte) 65);
        assertThatThrownBy(() -> Packing.read(packed, new long[3], 3)).isInstanceOf(CorruptBlockException.class);
    }
}
