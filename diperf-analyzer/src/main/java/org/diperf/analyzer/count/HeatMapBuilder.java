package org.diperf.analyzer.count;

import java.util.List;
import org.diperf.analyzer.result.HeatMap;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.WeightedValues;
import org.jspecify.annotations.Nullable;

/** Lays the response times of quanta out as a heat map. */
final class HeatMapBuilder {

    private static final int MAX_COLUMNS = 160;
    private static final int MAX_ROWS = 60;
    private static final List<Integer> FINENESS = List.of(40, 30, 20, 15, 12, 10, 8, 6, 5, 4);

    private HeatMapBuilder() {}

    /**
     * Makes a heat map of the response times of each quantum.
     *
     * @param size how many quanta there are
     * @param quantumNanos their width
     */
    static HeatMap of(@Nullable Durations[] response, int size, long quantumNanos) {
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
            return HeatMap.NONE;
        }
        double decades = Math.log10(Math.max(greatest, least * 1.0001) / least);
        int fineness = FINENESS.stream()
                .filter(each -> each * decades < MAX_ROWS - 2)
                .findFirst()
                .orElse(FINENESS.get(FINENESS.size() - 1));
        int low = (int) Math.floor(Math.log10(least) * fineness + 1e-9);
        int rows = (int) Math.floor(Math.log10(greatest) * fineness + 1e-9) - low + 1;
        int each = (size + MAX_COLUMNS - 1) / MAX_COLUMNS;
        long[][] counts = new long[(size + each - 1) / each][rows];
        for (int i = 0; i < size; i++) {
            Durations times = response[i];
            if (times != null) {
                long[] column = counts[i / each];
                WeightedValues weighted = new WeightedValues();
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
