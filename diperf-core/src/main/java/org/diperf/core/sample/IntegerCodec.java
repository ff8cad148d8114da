package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes a column of integers by the shortest codec, and reads all codecs that were ever written. Confined to one thread.
 */
final class IntegerCodec {

    static final int CONSTANT = 0;
    static final int UNSIGNED = 1;
    static final int DELTA = 2;
    static final int RUNS = 3;
    static final int PACKED = 4;
    static final int POWERS = 5;
    static final int LEVELS = 6;

    private static final int ROWS_PER_RUN = 32;

    private final Packing packing = new Packing();
    private final BoundLevels levels = new BoundLevels();
    private long[] numbers = new long[0];

    /**
     * Appends a column's data.
     *
     * @return the codec used
     */
    int write(ByteBuffer to, long[] values, int rows) {
        int equal = Arrays.mismatch(values, 0, rows - 1, values, 1, rows);
        if (equal < 0) {
            Varints.put(to, Varints.zigzag(values[0]));
            return CONSTANT;
        }
        int runs = 1;
        for (int i = equal + 1; i < rows && runs * ROWS_PER_RUN <= rows; i++) {
            if (values[i] != values[i - 1]) {
                runs++;
            }
        }
        // A run costs its value and its length, four bytes as a rule: as much as a bit for each of 32 rows.
        if (runs * ROWS_PER_RUN <= rows) {
            writeRuns(to, values, rows);
            return RUNS;
        }
        packing.fit(values, rows);
        packing.write(to);
        return PACKED;
    }

    /**
     * Appends the data of a column whose values come in runs.
     *
     * @return the codec used
     */
    int writeRepeated(ByteBuffer to, long[] values, int rows) {
        if (Arrays.mismatch(values, 0, rows - 1, values, 1, rows) < 0) {
            Varints.put(to, Varints.zigzag(values[0]));
            return CONSTANT;
        }
        writeRuns(to, values, rows);
        return RUNS;
    }

    /** Estimates what a column costs next to others of as many rows. */
    int estimate(long[] values, int rows) {
        return packing.estimate(values, rows);
    }

    /** Raises each of a column's values to one of few levels, see {@link BoundLevels}. */
    void raise(long[] values, int rows) {
        levels.choose(values, rows);
        for (int i = 0; i < rows; i++) {
            values[i] = levels.level(levels.numberOf(values[i]));
        }
    }

    /**
     * Appends the data of a column whose values have been raised.
     *
     * @return the codec used
     */
    int writeLevels(ByteBuffer to, long[] values, int rows) {
        levels.keep(values, rows);
        Varints.put(to, levels.count());
        long before = 0;
        for (int i = 0; i < levels.count(); i++) {
            Varints.put(to, levels.level(i) - before);
            before = levels.level(i);
        }
        if (numbers.length < rows) {
            numbers = new long[rows];
        }
        for (int i = 0; i < rows; i++) {
            numbers[i] = levels.numberOf(values[i]);
        }
        int codecAt = to.position();
        to.put((byte) 0);
        to.put(codecAt, (byte) write(to, numbers, rows));
        return LEVELS;
    }

    private static long power(long number) throws CorruptBlockException {
        if (number < 0 || number > Long.SIZE) {
            throw new CorruptBlockException("expected a power-of-two exponent from 0 to 64, got " + number);
        }
        return number == 0 ? 0 : number == Long.SIZE ? Long.MAX_VALUE : 1L << number - 1;
    }

    private static void writeRuns(ByteBuffer to, long[] values, int rows) {
        int start = 0;
        for (int i = 1; i <= rows; i++) {
            if (i == rows || values[i] != values[start]) {
                Varints.put(to, Varints.zigzag(values[start]));
                Varints.put(to, i - start);
                start = i;
            }
        }
    }

    /** @param base of the times, for {@link #DELTA} */
    static void read(ByteBuffer from, int codec, long[] into, int rows, long base) throws CorruptBlockException {
        switch (codec) {
            case CONSTANT -> Arrays.fill(into, 0, rows, Varints.unzigzag(Varints.get(from)));
            case UNSIGNED -> {
                for (int i = 0; i < rows; i++) {
                    into[i] = Varints.get(from);
                }
            }
            case DELTA -> {
                long previous = base;
                for (int i = 0; i < rows; i++) {
                    previous += Varints.unzigzag(Varints.get(from));
                    into[i] = previous;
                }
            }
            case RUNS -> readRuns(from, into, rows);
            case PACKED -> Packing.read(from, into, rows);
            case POWERS -> {
                int inner = from.get();
                if (inner == POWERS) {
                    throw new CorruptBlockException("expected powers of two in a codec other than 5, got codec 5");
                }
                read(from, inner, into, rows, base);
                for (int i = 0; i < rows; i++) {
                    into[i] = power(into[i]);
                }
            }
            case LEVELS -> readLevels(from, into, rows, base);
            default -> throw new CorruptBlockException("expected a codec from 0 to 6, got " + codec);
        }
    }

    private static void readLevels(ByteBuffer from, long[] into, int rows, long base) throws CorruptBlockException {
        long count = Varints.get(from);
        if (count < 1 || count > BoundLevels.MOST) {
            throw new CorruptBlockException("expected 1 to " + BoundLevels.MOST + " levels, got " + count);
        }
        long[] levels = new long[(int) count];
        long level = 0;
        for (int i = 0; i < count; i++) {
            level += Varints.get(from);
            levels[i] = level;
        }
        int inner = from.get();
        if (inner >= POWERS) {
            throw new CorruptBlockException("expected level numbers in a codec from 0 to 4, got codec " + inner);
        }
        read(from, inner, into, rows, base);
        for (int i = 0; i < rows; i++) {
            if (into[i] < 0 || into[i] >= count) {
                throw new CorruptBlockException("expected a level number below " + count + ", got " + into[i]);
            }
            into[i] = levels[(int) into[i]];
        }
    }

    private static void readRuns(ByteBuffer from, long[] into, int rows) throws CorruptBlockException {
        int at = 0;
        while (at < rows) {
            long value = Varints.unzigzag(Varints.get(from));
            long run = Varints.get(from);
            if (run <= 0 || run > rows - at) {
                throw new CorruptBlockException("expected runs of " + rows + " rows in total, got a run of " + run);
            }
            Arrays.fill(into, at, at + (int) run, value);
            at += (int) run;
        }
    }
}
