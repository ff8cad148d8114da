package org.diperf.core.sample;

import java.nio.ByteBuffer;

/**
 * Writes decimals that are whole numbers of millionths, such as times in milliseconds that were measured in nanoseconds,
 * as integers: a third of the bytes.
 */
final class DecimalCodec {

    /** Eight bytes each. */
    static final int RAW = 4;

    /** Integers: 0 for none, else the millionths and 1. */
    static final int MILLIONTHS = 5;

    /**
     * Integers: what such a number of millionths is short of the call's time from sending to end, in ns. The times in milliseconds
     * that clients measure end with their calls as a rule.
     */
    static final int SHORT_OF_CALL = 6;

    private static final double SCALE = 1e6;

    /** Above, neighbouring doubles are too far apart. */
    private static final double MOST = 1e9;

    private DecimalCodec() {}

    /** Returns the values as integers; says no when one of them would not come back the same. */
    static boolean millionths(double[] values, long[] into, int rows) {
        for (int i = 0; i < rows; i++) {
            double value = values[i];
            if (Double.isNaN(value)) {
                into[i] = 0;
                continue;
            }
            if (!(value >= 0 && value < MOST)) {
                return false;
            }
            long count = (long) (value * SCALE + 0.5);
            if (Double.doubleToRawLongBits(count / SCALE) != Double.doubleToRawLongBits(value)) {
                return false;
            }
            into[i] = count + 1;
        }
        return true;
    }

    /** Turns numbers of millionths into what they are short of their calls. */
    static void toShortOfCalls(long[] counts, long[] latencies, long[] lags, long[] into, int rows) {
        for (int i = 0; i < rows; i++) {
            into[i] = latencies[i] - lags[i] - counts[i];
        }
    }

    /** Reads a metric of calls, whose latencies and lags have been read before. */
    static void read(ByteBuffer from, int codec, double[] into, long[] latencies, long[] lags, int rows)
            throws CorruptBlockException {
        if (codec != SHORT_OF_CALL) {
            read(from, codec, into, rows);
            return;
        }
        long[] counts = new long[rows];
        IntegerCodec.read(from, from.get(), counts, rows, 0);
        for (int i = 0; i < rows; i++) {
            long count = latencies[i] - lags[i] - counts[i];
            into[i] = count == 0 ? Double.NaN : (count - 1) / SCALE;
        }
    }

    static void read(ByteBuffer from, int codec, double[] into, int rows) throws CorruptBlockException {
        switch (codec) {
            case RAW -> {
                if (from.remaining() < rows * 8L) {
                    throw new CorruptBlockException(
                            "expected " + rows + " decimals, got " + from.remaining() + " bytes");
                }
                for (int i = 0; i < rows; i++) {
                    into[i] = from.getDouble();
                }
            }
            case MILLIONTHS -> {
                long[] counts = new long[rows];
                IntegerCodec.read(from, from.get(), counts, rows, 0);
                for (int i = 0; i < rows; i++) {
                    into[i] = counts[i] == 0 ? Double.NaN : (counts[i] - 1) / SCALE;
                }
            }
            default ->
                throw new CorruptBlockException(
                        "expected codec 4 or 5 for decimals, or 6 for call metrics, got " + codec);
        }
    }
}
