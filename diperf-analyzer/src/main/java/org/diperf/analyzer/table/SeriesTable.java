package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.MetricRow;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.server.MonitoredMetric;

/** The tables of values over time, one row a quantum; for files alone. */
final class SeriesTable {

    private SeriesTable() {}

    /** One quantum of a part of a run. */
    record Quantum(Breakdown.Part part, int number) {}

    /** Makes the table of the run, with what monitors and clients measured. Rows are the numbers of quanta. */
    static Table<Integer> of(Analysis analysis) {
        Series series = analysis.series();
        List<Column<Integer>> columns = new ArrayList<>(calls(quantum -> series, quantum -> quantum));
        columns.add(Column.of("lag_p99_ms", quantum -> series.lagP99()[quantum]));
        columns.add(Column.of("network_ms", quantum -> series.networkMs()[quantum]));
        columns.add(Column.of("bytes_per_s", quantum -> series.bytes()[quantum]));
        for (MonitoredMetric metric : analysis.server().tracks()) {
            columns.add(Column.of(metric.column(), quantum -> metric.values()[quantum]));
        }
        for (MetricRow metric : analysis.details().metrics()) {
            columns.add(Column.of(metric.column(), quantum -> metric.values()[quantum]));
        }
        return Table.of(columns);
    }

    /** Returns the quanta of the run. */
    static List<Integer> quanta(Analysis analysis) {
        return IntStream.range(0, analysis.series().size()).boxed().toList();
    }

    /** Makes the table of the parts of a run, one after another. */
    static Table<Quantum> ofParts(Breakdown breakdown) {
        List<Column<Quantum>> columns = new ArrayList<>();
        columns.add(Column.of(breakdown.by(), quantum -> quantum.part().name()));
        columns.addAll(calls(quantum -> quantum.part().series(), Quantum::number));
        return Table.of(columns);
    }

    /** Returns the quanta of all parts. */
    static List<Quantum> quanta(Breakdown breakdown) {
        return breakdown.parts().stream()
                .flatMap(part -> IntStream.range(0, part.series().size()).mapToObj(i -> new Quantum(part, i)))
                .toList();
    }

    private static <T> List<Column<T>> calls(Function<T, Series> of, ToIntFunction<T> quantum) {
        List<Column<T>> columns = new ArrayList<>();
        columns.add(Column.of(
                "time_s", row -> quantum.applyAsInt(row) * of.apply(row).quantumSeconds()));
        columns.add(values("activeClients", of, quantum, Series::activeClients));
        columns.add(values("inFlight", of, quantum, Series::inFlight));
        columns.add(values("throughput_per_s", of, quantum, Series::throughput));
        columns.addAll(Column.ofStatistics(
                "response", "ms", (row, statistic) -> of.apply(row).response(statistic)[quantum.applyAsInt(row)]));
        columns.add(values("failed_per_s", of, quantum, Series::failed));
        columns.add(values("dropped_per_s", of, quantum, Series::dropped));
        return columns;
    }

    private static <T> Column<T> values(
            String name, Function<T, Series> of, ToIntFunction<T> quantum, Function<Series, double[]> values) {
        return Column.of(name, row -> values.apply(of.apply(row))[quantum.applyAsInt(row)]);
    }
}
