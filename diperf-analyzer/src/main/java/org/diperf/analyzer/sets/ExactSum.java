package org.diperf.analyzer.sets;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A sum of finite doubles without any rounding, so that neither their order nor how they were shared between threads changes a
 * digit: halves of their significands are summed as whole numbers, apart for each exponent. Room for 2^36 values. Confined to one
 * thread.
 */
final class ExactSum {

    private static final int EXPONENTS = 2047;
    private static final int HALF = 26;
    private static final long LOW = (1L << HALF) - 1;
    private static final long SIGNIFICAND = (1L << 52) - 1;
    /** The exponent of the last bit of the smallest numbers. */
    private static final int LEAST = -1075;

    private long[] low = new long[0];
    private long[] high = new long[0];

    void add(double value) {
        if (low.length == 0) {
            low = new long[EXPONENTS];
            high = new long[EXPONENTS];
        }
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >>> 52) & 0x7ff;
        long significand = exponent == 0 ? bits & SIGNIFICAND : bits & SIGNIFICAND | 1L << 52;
        int at = Math.max(1, exponent);
        if (bits < 0) {
            low[at] -= significand & LOW;
            high[at] -= significand >>> HALF;
        } else {
            low[at] += significand & LOW;
            high[at] += significand >>> HALF;
        }
    }

    void addAll(ExactSum other) {
        if (low.length == 0) {
            low = other.low.clone();
            high = other.high.clone();
            return;
        }
        for (int i = 0; i < other.low.length; i++) {
            low[i] += other.low[i];
            high[i] += other.high[i];
        }
    }

    /** Returns the sum. */
    BigDecimal value() {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < low.length; i++) {
            if (low[i] != 0 || high[i] != 0) {
                BigInteger whole = BigInteger.valueOf(high[i]).shiftLeft(HALF).add(BigInteger.valueOf(low[i]));
                sum = sum.add(scaled(whole, LEAST + i));
            }
        }
        return sum;
    }

    private static BigDecimal scaled(BigInteger whole, int exponent) {
        BigDecimal power = new BigDecimal(BigInteger.ONE.shiftLeft(Math.abs(exponent)));
        return exponent < 0 ? new BigDecimal(whole).divide(power) : new BigDecimal(whole).multiply(power);
    }
}
