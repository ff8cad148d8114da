package org.diperf.analyzer.result;

import java.util.Arrays;
import java.util.List;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Weighted;
import org.jspecify.annotations.Nullable;

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

    private static final int MOST_COLUMNS = 160;
    private static final int MOST_ROWS = 60;
    private static final List<Integer> FINENESS = List.of(40, 30, 20, 15, 12, 10, 8, 6, 5, 4);

    /** Gives the lower edge of a row, ms; that of the row above is its upper one. */
    public double edgeMillis(int row) {
        return fromMillis * Math.pow(10, (double) row / rowsPerDecade);
    }

    /** Counts the rows. */
    public int rows() {
        return counts.length == 0 ? 0 : counts[0].length;
    }

    /** Gives the highest count of a cell. */
    public long most() {
        return Arrays.stream(counts).flatMapToLong(Arrays::stream).max().orElse(0);
    }

    /**
     * Makes it of the response times of each quantum.
     *
     * @param size how many quanta there are
     * @param quantumNanos their width
     */
    public static HeatMap of(@Nullable Durations[] response, int size, long quantumNanos) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (int i = 0; i < size; i++) {
            Durations times = response[i];
            if (times != null && times.count() > 0) {
                least = Math.min(least, Math.max(1, times.quantileMillis(0) * 1e6));
                greatest = Math.max(greatest, times.maxMillis() * 1e6);
            }
        }
        if (greatest <= 0) {
            return NONE;
        }
        double decades = Math.log10(Math.max(greatest, least * 1.0001) / least);
        int fineness = FINENESS.stream()
                .filter(each -> each * decades < MOST_ROWS - 2)
                .findFirst()
                .orElse(FINENESS.get(FINENESS.size() - 1));
        int low = (int) Math.floor(Math.log10(least) * fineness + 1e-9);
        int rows = (int) Math.floor(Math.log10(greatest) * fineness + 1e-9) - low + 1;
        int each = (size + MOST_COLUMNS - 1) / MOST_COLUMNS;
        long[][] counts = new long[(size + each - 1) / each][rows];
        for (int i = 0; i < size; i++) {
            Durations times = response[i];
            if (times != null) {
                long[] column = counts[i / each];
                Weighted weighted = new Weighted();
                times.copyTo(weighted, 0);
                weighted.forEach((value, count) -> {
                    int row = (int) Math.floor(Math.log10(Math.max(1, value)) * fineness + 1e-9) - low;
                    column[Math.max(0, Math.min(rows - 1, row))] += count;
                });
            }
        }
        return new HeatMap(each * quantumNanos / 1e9, Math.pow(10, (double) low / fineness) / 1e6, fineness, counts);
    }
}
