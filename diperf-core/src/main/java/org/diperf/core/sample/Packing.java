package org.diperf.core.sample;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Packs a column of integers: each value's distance from a reference, in steps, in so many bits; what does not fit has
 * its high bits behind (Zukowski et al., <i>Super-scalar RAM-CPU cache compression</i>, 2006). The reference is near the
 * lowest values and need not be the lowest, so a few outliers on either side cost little. An object is used for column
 * after column and allocates nothing for it. Confined to one thread.
 */
final class Packing {

    /** Bytes that a column takes at most beyond eight for each value. */
    static final int MAX_EXTRA = 4 * Varints.MAX;

    private static final int SAMPLE = 32;
    private static final int PROBE = 128;
    private static final int BITS = 64;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** More exceptions than a quarter of the rows never pay. */
    private static final int MAX_EXCEPTIONS = 4;

    private final long[] sample = new long[SAMPLE];
    private final long[] probe = new long[PROBE];
    // How many values lie so far from the reference, by the bits of the distance.
    private final int[] above = new int[BITS + 1];
    private final int[] below = new int[BITS + 1];

    private long[] steps = new long[0];
    private long[] values = steps;
    private int rows;
    /** Added to the values, times the step, it gives those of the column. */
    private long origin;

    private long step;
    /** In the unit of the values. */
    private long from;

    private int width;
    private int exceptions;
    private int bytes;

    /** Estimates what these values cost next to others, from some of them: what so many of them take. */
    int estimate(long[] column, int count) {
        int probed = Math.min(PROBE, count);
        for (int i = 0; i < probed; i++) {
            probe[i] = column[(int) ((long) i * count / probed)];
        }
        fit(probe, probed);
        return bytes;
    }

    /** Finds the best packing of these values; keeps the array until {@link #write}. */
    void fit(long[] column, int count) {
        values = column;
        rows = count;
        origin = 0;
        int sampled = Math.min(SAMPLE, rows);
        for (int i = 0; i < sampled; i++) {
            sample[i] = values[(int) ((long) i * rows / sampled)];
        }
        Arrays.sort(sample, 0, sampled);
        long low = sample[sampled / 8];
        long high = sample[sampled * 3 / 4];
        step = commonStep(sampled);
        if (step > 1) {
            origin = sample[0];
            values = steps;
            low = (low - origin) / step;
            high = (high - origin) / step;
        }
        measure(low, high - low);
    }

    /** Returns what divides all distances, as of clients that are numbered in strides; 1 where nothing does. */
    private long commonStep(int sampled) {
        long first = sample[0];
        long common = 0;
        for (int i = 1; i < sampled && common != 1; i++) {
            common = greatestDivisor(common, sample[i] - first);
        }
        return common > 1 && countSteps(first, common) ? common : 1;
    }

    private boolean countSteps(long first, long common) {
        steps = steps.length < rows ? new long[rows] : steps;
        for (int i = 0; i < rows; i++) {
            long distance = values[i] - first;
            long quotient = distance / common;
            // A distance beyond a long would not divide as the two numbers do.
            if (((values[i] ^ first) & (values[i] ^ distance)) < 0 || quotient * common != distance) {
                return false;
            }
            steps[i] = quotient;
        }
        return true;
    }

    private static long greatestDivisor(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    /**
     * @param low near the lowest values, outliers left out
     * @param spread of most values above that; as far below may still be the reference
     */
    private void measure(long low, long spread) {
        long least = low;
        for (int i = 0; i < rows; i++) {
            long under = low - values[i];
            // What lies further below is an outlier and must not make all others wider.
            if (under > 0 && under <= spread) {
                least = Math.min(least, values[i]);
            }
        }
        from = least;
        Arrays.fill(above, 0);
        Arrays.fill(below, 0);
        for (int i = 0; i < rows; i++) {
            long distance = values[i] - from;
            if (distance >= 0) {
                above[BITS - Long.numberOfLeadingZeros(distance)]++;
            } else {
                below[BITS - Long.numberOfLeadingZeros(~distance)]++;
            }
        }
        chooseWidth();
    }

    private void chooseWidth() {
        // At full width nothing is an exception, whatever its sign.
        width = BITS;
        exceptions = 0;
        bytes = rows * Long.BYTES;
        int wider = 0;
        int widest = 0;
        int widestBelow = 0;
        for (int b = 0; b <= BITS; b++) {
            wider += below[b];
            widest = above[b] > 0 ? b : widest;
            widestBelow = below[b] > 0 ? b : widestBelow;
        }
        for (int w = widest; w >= 0 && wider <= rows / MAX_EXCEPTIONS; w--) {
            int cost = words(rows, w) * Long.BYTES;
            for (int b = w + 1; b <= widest; b++) {
                cost += above[b] * exceptionBytes(b - w);
            }
            for (int b = 0; b <= widestBelow && wider > 0; b++) {
                cost += below[b] * exceptionBytes(b - w);
            }
            if (cost < bytes) {
                width = w;
                exceptions = wider;
                bytes = cost;
            }
            wider += above[w];
        }
    }

    /** Bounds what an exception costs: the way from the one before, a sign and so many bits, and a byte for its time. */
    private static int exceptionBytes(int highBits) {
        return 3 + (Math.max(0, highBits) + 7) / 7;
    }

    private static int words(int rows, int width) {
        return (int) (((long) rows * width + BITS - 1) / BITS);
    }

    void write(ByteBuffer to) {
        Varints.put(to, Varints.zigzag(origin + from * step));
        Varints.put(to, step);
        to.put((byte) width);
        Varints.put(to, exceptions);
        writeLowBits(to);
        if (exceptions > 0) {
            writeExceptions(to);
        }
    }

    private void writeLowBits(ByteBuffer to) {
        if (width == 0) {
            return;
        }
        long mask = -1L >>> (BITS - width);
        long word = 0;
        int filled = 0;
        for (int i = 0; i < rows; i++) {
            long bits = (values[i] - from) & mask;
            word |= bits << filled;
            filled += width;
            if (filled >= BITS) {
                to.putLong(word);
                filled -= BITS;
                word = filled == 0 ? 0 : bits >>> (width - filled);
            }
        }
        if (filled > 0) {
            to.putLong(word);
        }
    }

    private void writeExceptions(ByteBuffer to) {
        int last = 0;
        for (int i = 0; i < rows; i++) {
            long high = (values[i] - from) >> width;
            if (high != 0) {
                Varints.put(to, i - last);
                Varints.put(to, Varints.zigzag(high));
                last = i;
            }
        }
    }

    /** Reads a packed column; its words are little-endian like the buffer. */
    static void read(ByteBuffer from, long[] into, int rows) throws CorruptBlockException {
        long reference = Varints.unzigzag(Varints.get(from));
        long step = Varints.get(from);
        int width = from.get();
        long exceptions = Varints.get(from);
        if (width < 0 || width > BITS || exceptions < 0 || exceptions > rows) {
            throw new CorruptBlockException("expected at most 64 bits and " + rows + " exceptions, got " + width
                    + " bits and " + exceptions + " exceptions");
        }
        int words = words(rows, width);
        if (words * (long) Long.BYTES > from.remaining()) {
            throw new CorruptBlockException("expected " + words + " packed words, got " + from.remaining() + " bytes");
        }
        readLowBits(from, into, rows, width, reference, step);
        int at = 0;
        for (long e = 0; e < exceptions; e++) {
            long next = at + Varints.get(from);
            if (next < 0 || next >= rows || width == BITS) {
                throw new CorruptBlockException("expected an exception below row " + rows + ", got row " + next);
            }
            at = (int) next;
            into[at] += (Varints.unzigzag(Varints.get(from)) << width) * step;
        }
    }

    private static void readLowBits(ByteBuffer from, long[] into, int rows, int width, long reference, long step) {
        if (width == 0) {
            Arrays.fill(into, 0, rows, reference);
            return;
        }
        int begin = from.position();
        int length = words(rows, width) * Long.BYTES;
        from.position(begin + length);
        byte[] bytes;
        if (from.hasArray()) {
            bytes = from.array();
            begin += from.arrayOffset();
        } else {
            bytes = new byte[length];
            from.get(begin, bytes);
            begin = 0;
        }
        long mask = -1L >>> (BITS - width);
        if (width > BITS - Byte.SIZE + 1) {
            for (int i = 0; i < rows; i++) {
                int word = begin + i * width / BITS * Long.BYTES;
                int shift = i * width % BITS;
                long value = (long) WORD.get(bytes, word) >>> shift;
                if (shift + width > BITS) {
                    value |= (long) WORD.get(bytes, word + Long.BYTES) << (BITS - shift);
                }
                into[i] = (value & mask) * step + reference;
            }
            return;
        }
        // Eight bytes from the byte in which a value begins hold all of it; near the end, the last eight do.
        int last = length - Long.BYTES;
        int early = Math.min(rows, last * Byte.SIZE / width + 1);
        int done = readEights(bytes, begin, into, early, width, mask, reference, step);
        for (int i = done, bit = done * width; i < early; i++, bit += width) {
            long value = (long) WORD.get(bytes, begin + (bit >>> 3)) >>> (bit & 7) & mask;
            into[i] = value * step + reference;
        }
        long end = (long) WORD.get(bytes, begin + last);
        for (int i = early; i < rows; i++) {
            into[i] = (end >>> i * width - last * Byte.SIZE & mask) * step + reference;
        }
    }

    /** Reads eight values at a time, which take as many bytes as one has bits: where in them each lies is always the same. */
    private static int readEights(
            byte[] bytes, int begin, long[] into, int rows, int width, long mask, long reference, long step) {
        int byte1 = width >>> 3;
        int byte2 = 2 * width >>> 3;
        int byte3 = 3 * width >>> 3;
        int byte4 = 4 * width >>> 3;
        int byte5 = 5 * width >>> 3;
        int byte6 = 6 * width >>> 3;
        int byte7 = 7 * width >>> 3;
        // The shift that the first of them needs times the place, as far as it does not make whole bytes.
        int shift = width & 7;
        int i = 0;
        for (int at = begin; i + 8 <= rows; i += 8, at += width) {
            into[i] = ((long) WORD.get(bytes, at) & mask) * step + reference;
            into[i + 1] = ((long) WORD.get(bytes, at + byte1) >>> shift & mask) * step + reference;
            into[i + 2] = ((long) WORD.get(bytes, at + byte2) >>> (2 * shift & 7) & mask) * step + reference;
            into[i + 3] = ((long) WORD.get(bytes, at + byte3) >>> (3 * shift & 7) & mask) * step + reference;
            into[i + 4] = ((long) WORD.get(bytes, at + byte4) >>> (4 * shift & 7) & mask) * step + reference;
            into[i + 5] = ((long) WORD.get(bytes, at + byte5) >>> (5 * shift & 7) & mask) * step + reference;
            into[i + 6] = ((long) WORD.get(bytes, at + byte6) >>> (6 * shift & 7) & mask) * step + reference;
            into[i + 7] = ((long) WORD.get(bytes, at + byte7) >>> (7 * shift & 7) & mask) * step + reference;
        }
        return i;
    }
}
