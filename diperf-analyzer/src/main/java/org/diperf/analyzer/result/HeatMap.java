package org.diperf.analyzer.result;

import java.util.Arrays;

/**
 * Counts of ok calls by the time at which they ended and by their response time. Columns are equally wide in time, rows
 * equally high in the logarithm of the response time.
 *
 * @param columnSeconds width of a column
 * @param fromMillis lower edge of the lowest row
 * @param rowsPerDecade rows for a factor of ten
 * @param counts by column and row
 */
public record HeatMap(double columnSeconds, double fromMillis, int rowsPerDecade, long[][] counts) {

    /** Of a run without ok calls. */
    public static final HeatMap NONE = new HeatMap(1, 1, 1, new long[0][]);

    /** Returns the lower edge of a row, ms; that of the row above is its upper one. */
    public double edgeMillis(int row) {
        return fromMillis * Math.pow(10, (double) row / rowsPerDecade);
    }

    /** Counts the rows. */
    public int rows() {
        return counts.length == 0 ? 0 : counts[0].length;
    }

    /** Returns the highest count of a cell. */
    public long most() {
        return Arrays.stream(counts).flatMapToLong(Arrays::stream).max().orElse(0);
    }
}
