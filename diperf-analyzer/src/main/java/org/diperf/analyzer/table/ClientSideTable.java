package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.Bandwidth;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.jspecify.annotations.Nullable;

/** What clients measured besides response times: payload, first calls of connections, metrics of their own. */
public final class ClientSideTable {

    private static final Table<Row> TABLE = Table.of(
            List.of(
                    Column.forPeople("measured by clients", Row::label),
                    Column.forPeople("values", row -> Numbers.count(row.values().count()))),
            Stream.concat(Stream.of(Statistic.MEAN, Statistic.STDDEV, Statistic.MIN), Statistic.shown().stream())
                    .map(statistic -> Column.<Row>forPeople(
                            statistic.path(), row -> Numbers.plain(row.values().of(statistic))))
                    .toList(),
            List.of(Column.forPeople("unit", row -> row.unit().isEmpty() ? Numbers.NONE : RunText.clean(row.unit()))));

    /** From this rate on payload is worth a line on a terminal. */
    private static final double MUCH = 1;
    /** First calls that take so much longer are worth one. */
    private static final double SLOWER = 1.5;

    private ClientSideTable() {}

    /** A set of values that clients measured. */
    public record Row(String label, Statistics values, String unit) {}

    /** Returns the table. */
    public static Table<Row> table() {
        return TABLE;
    }

    /** Returns the rows: first and later calls where they differ, then metrics in their order. */
    public static List<Row> rows(Analysis analysis) {
        ClientSide side = analysis.summary().clientSide();
        List<Row> rows = new ArrayList<>();
        if (side == null) {
            return rows;
        }
        times("first calls of connections", side.firstCalls(), rows);
        times("later calls", side.laterCalls(), rows);
        Map<String, MetricSummary> metrics = side.metrics();
        if (metrics != null) {
            metrics.forEach((name, metric) -> rows.add(new Row(RunText.clean(name), metric.values(), metric.unit())));
        }
        return rows;
    }

    private static void times(String what, @Nullable Statistics times, List<Row> rows) {
        if (times != null) {
            rows.add(new Row(what, times, "ms"));
        }
    }

    /** Returns what a terminal should say: what stands out. */
    public static List<String> lines(Analysis analysis) {
        ClientSide side = analysis.summary().clientSide();
        List<String> lines = new ArrayList<>();
        if (side == null) {
            return lines;
        }
        Bandwidth bandwidth = side.bandwidth();
        if (bandwidth != null && bandwidth.megabitsPerSecond() >= MUCH) {
            lines.add(moved(analysis));
        }
        Statistics first = side.firstCalls();
        Statistics later = side.laterCalls();
        if (first != null && later != null && first.p50() >= SLOWER * later.p50()) {
            lines.add(firsts(analysis));
        }
        return lines;
    }

    /** Says what was moved, and how fast; empty where clients report no bytes. */
    public static String moved(Analysis analysis) {
        ClientSide side = analysis.summary().clientSide();
        Bandwidth bandwidth = side == null ? null : side.bandwidth();
        return bandwidth == null
                ? ""
                : Numbers.brief(bandwidth.megabitsPerSecond()) + " Mbit/s of payload ("
                        + Numbers.bytes(bandwidth.bytesPerSecond()) + "/s)";
    }

    /** Sets first calls of connections against later ones; empty where all were the one or the other. */
    public static String firsts(Analysis analysis) {
        ClientSide side = analysis.summary().clientSide();
        Statistics first = side == null ? null : side.firstCalls();
        Statistics later = side == null ? null : side.laterCalls();
        return first == null || later == null
                ? ""
                : "first calls of connections: " + Numbers.count(first.count()) + ", p50 " + Numbers.time(first.p50())
                        + ", longest " + Numbers.time(first.max()) + "; later ones: p50 " + Numbers.time(later.p50());
    }
}
