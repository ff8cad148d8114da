package org.diperf.analyzer.sets;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Sum and sum of squares of values that are at least 0, in integers: exact, so that neither the order of values nor how they
 * were shared between threads changes a digit. Confined to one thread.
 */
final class Moments {

    /** The square of a lower value fits into a long. */
    private static final long SMALL = 1L << 31;

    /** The low 63 bits; what does not fit is in the high ones. */
    private long sumLow;

    private long sumHigh;
    private long squaresLow;
    private long squaresHigh;

    void add(long value) {
        sumLow += value;
        if (sumLow < 0) {
            sumLow &= Long.MAX_VALUE;
            sumHigh++;
        }
        if (value < SMALL) {
            addSquares(value * value, 0);
        } else {
            long low = value * value;
            // 126 bits at most: the top bit of the low half goes to the high part, which counts in 63 bits.
            addSquares(low & Long.MAX_VALUE, Math.multiplyHigh(value, value) << 1 | low >>> 63);
        }
    }

    /** Adds sums that fit. */
    void add(Sums sums) {
        sumLow += sums.sum;
        if (sumLow < 0) {
            sumLow &= Long.MAX_VALUE;
            sumHigh++;
        }
        addSquares(sums.squares, 0);
    }

    private void addSquares(long low, long high) {
        squaresLow += low;
        squaresHigh += high;
        if (squaresLow < 0) {
            squaresLow &= Long.MAX_VALUE;
            squaresHigh++;
        }
    }

    void addAll(Moments other) {
        sumHigh += other.sumHigh;
        sumLow += other.sumLow;
        if (sumLow < 0) {
            sumLow &= Long.MAX_VALUE;
            sumHigh++;
        }
        addSquares(other.squaresLow, other.squaresHigh);
    }

    /** Takes away values that were added before. */
    void lessAll(Moments other) {
        sumHigh -= other.sumHigh;
        sumLow -= other.sumLow;
        if (sumLow < 0) {
            sumLow &= Long.MAX_VALUE;
            sumHigh--;
        }
        squaresHigh -= other.squaresHigh;
        squaresLow -= other.squaresLow;
        if (squaresLow < 0) {
            squaresLow &= Long.MAX_VALUE;
            squaresHigh--;
        }
    }

    /** @param count more than 0 */
    double mean(long count) {
        if (sumHigh == 0) {
            return (double) sumLow / count;
        }
        return new BigDecimal(wide(sumHigh, sumLow))
                .divide(BigDecimal.valueOf(count), MathContext.DECIMAL64)
                .doubleValue();
    }

    /**
     * Returns the population's standard deviation.
     *
     * @param count more than 0
     */
    double stddev(long count) {
        BigInteger n = BigInteger.valueOf(count);
        BigInteger sum = wide(sumHigh, sumLow);
        BigInteger scaled = n.multiply(wide(squaresHigh, squaresLow)).subtract(sum.multiply(sum));
        return Math.sqrt(scaled.doubleValue()) / count;
    }

    private static BigInteger wide(long high, long low) {
        return BigInteger.valueOf(high).shiftLeft(63).add(BigInteger.valueOf(low));
    }
}
