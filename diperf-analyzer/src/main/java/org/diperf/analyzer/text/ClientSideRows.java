package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.Bandwidth;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.result.Summary.Times;
import org.jspecify.annotations.Nullable;

/** What clients measured besides response times: payload, first calls of connections, metrics of their own. */
public final class ClientSideRows {

    private static final List<String> HEAD = List.of(
            "measured by clients", "values", "mean", "deviation", "least", "p50", "p95", "p99", "largest", "unit");

    /** From this rate on payload is worth a line on a terminal. */
    private static final double MUCH = 1;
    /** First calls that take so much longer are worth one. */
    private static final double SLOWER = 1.5;

    private ClientSideRows() {}

    /** Gives the head of the table. */
    public static List<String> head() {
        return HEAD;
    }

    /**
     * Gives the rows: first and later calls where they differ, then metrics in their order.
     *
     * @param most rows given
     */
    public static List<List<String>> of(Analysis analysis, int most) {
        ClientSide side = analysis.summary().clientSide();
        List<List<String>> rows = new ArrayList<>();
        if (side == null) {
            return rows;
        }
        times("first calls of connections", side.firstCalls(), rows);
        times("later calls", side.laterCalls(), rows);
        Map<String, MetricSummary> metrics = side.metrics();
        if (metrics != null) {
            metrics.forEach((name, metric) -> rows.add(List.of(
                    Words.clean(name),
                    Numbers.count(metric.count()),
                    Numbers.plain(metric.mean()),
                    Numbers.plain(metric.stddev()),
                    Numbers.plain(metric.min()),
                    Numbers.plain(metric.p50()),
                    Numbers.plain(metric.p95()),
                    Numbers.plain(metric.p99()),
                    Numbers.plain(metric.max()),
                    metric.unit().isEmpty() ? Numbers.NONE : Words.clean(metric.unit()))));
        }
        return rows.subList(0, Math.min(most, rows.size()));
    }

    private static void times(String what, @Nullable Times times, List<List<String>> rows) {
        if (times != null) {
            rows.add(List.of(
                    what,
                    Numbers.count(times.count()),
                    Numbers.plain(times.mean()),
                    Numbers.plain(times.stddev()),
                    Numbers.plain(times.min()),
                    Numbers.plain(times.p50()),
                    Numbers.plain(times.p95()),
                    Numbers.plain(times.p99()),
                    Numbers.plain(times.max()),
                    "ms"));
        }
    }

    /** Gives what a terminal should say: what stands out. */
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
        Times first = side.firstCalls();
        Times later = side.laterCalls();
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
        Times first = side == null ? null : side.firstCalls();
        Times later = side == null ? null : side.laterCalls();
        return first == null || later == null
                ? ""
                : "first calls of connections: " + Numbers.count(first.count()) + ", p50 " + Numbers.time(first.p50())
                        + ", longest " + Numbers.time(first.max()) + "; later ones: p50 " + Numbers.time(later.p50());
    }
}
