package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
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
        List<Column<Integer>> columns = columns(quantum -> series, quantum -> quantum, column -> true);
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
        // Round trips are of testers, not of parts.
        columns.addAll(
                columns(quantum -> quantum.part().series(), Quantum::number, column -> !column.equals(Series.NETWORK)));
        return Table.of(columns);
    }

    /** Returns the quanta of all parts. */
    static List<Quantum> quanta(Breakdown breakdown) {
        return breakdown.parts().stream()
                .flatMap(part -> IntStream.range(0, part.series().size()).mapToObj(i -> new Quantum(part, i)))
                .toList();
    }

    private static <T> List<Column<T>> columns(
            Function<T, Series> of, ToIntFunction<T> quantum, Predicate<Series.Column> among) {
        List<Column<T>> columns = new ArrayList<>();
        columns.add(Column.of(
                "time_s", row -> quantum.applyAsInt(row) * of.apply(row).quantumSeconds()));
        for (Series.Column column : Series.COLUMNS) {
            if (!column.inFiles().isEmpty() && among.test(column)) {
                columns.add(Column.of(column.inFiles(), row -> of.apply(row).of(column)[quantum.applyAsInt(row)]));
            }
        }
        return columns;
    }
}
