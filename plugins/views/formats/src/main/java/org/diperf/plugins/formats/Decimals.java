package org.diperf.plugins.formats;

import java.math.BigDecimal;

/** Decimals without an exponent, to the last digit that tells them from their neighbours. */
final class Decimals {

    private Decimals() {}

    static String plain(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value);
        }
        return Double.isInfinite(value)
                ? Double.toString(value)
                : new BigDecimal(Double.toString(value)).toPlainString();
    }
}
