package org.diperf.plugins.lib.forecast;

/** The last values of a series, in the order of their size, each with its place in the series. */
final class SortedWindow {

    private final double[] values;
    private final long[] numbers;
    private int count;
    private long latest;

    /** @param most values that are kept */
    SortedWindow(int most) {
        // One place more, which stays 0: NWS's adaptive median reads it where its window has no middle.
        values = new double[most + 1];
        numbers = new long[most + 1];
    }

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes the next value; the oldest goes when there are too many. */
    void take(double value) {
        latest++;
        if (count == values.length - 1) {
            remove(oldest());
        }
        int at = count;
        while (at > 0 && values[at - 1] > value) {
            values[at] = values[at - 1];
            numbers[at] = numbers[at - 1];
            at--;
        }
        values[at] = value;
        numbers[at] = latest;
        count++;
    }

    private int oldest() {
        int oldest = 0;
        for (int i = 1; i < count; i++) {
            oldest = numbers[i] < numbers[oldest] ? i : oldest;
        }
        return oldest;
    }

    private void remove(int at) {
        System.arraycopy(values, at + 1, values, at, count - at - 1);
        System.arraycopy(numbers, at + 1, numbers, at, count - at - 1);
        count--;
        values[count] = 0;
    }

    /** Returns the median of all that are kept; there is at least one. */
    double median() {
        int middle = count / 2;
        return count == 2 * middle ? (values[middle - 1] + values[middle]) / 2 : values[middle];
    }

    /** Returns the mean without a share of the values at each side. */
    double trimmedMean(double trim) {
        int left = (int) (trim * count);
        double sum = 0;
        for (int i = left; i < count - left; i++) {
            sum += values[i];
        }
        return sum / (count - 2 * left);
    }

    /**
     * Returns the median of the latest values, as NWS's source finds it: of one it is the least of all that are kept, and of none or
     * a negative number, which its adaptive median asks for, there is 0 in the place of the middle.
     */
    double medianOfLatest(int window) {
        if (window == 1) {
            return values[0];
        }
        int half = window / 2;
        int seen = 0;
        int before = 0;
        int at = 0;
        for (; at < count; at++) {
            if (numbers[at] > latest - window) {
                seen++;
                if (seen == half) {
                    before = at;
                }
            }
            if (seen == half + 1) {
                break;
            }
        }
        return window == 2 * half ? (values[before] + values[at]) / 2 : values[at];
    }
}
