package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.RequestRow;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Times;
import org.diperf.analyzer.result.Summary.Window;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of requests; times in ms, {@code NaN} where there is none.
 *
 * @param label what the row is of
 * @param calls ended, ok or failed
 * @param failed of these
 * @param perSecond ok calls a second
 * @param times p50, p95, p99, p99.9 and maximum
 */
public record TableRow(String label, long calls, long failed, double perSecond, List<Double> times) {

    /** Gives the rows of the measured part, if it is not the whole run, and of the whole run. */
    public static List<TableRow> windows(Summary summary) {
        List<TableRow> rows = new ArrayList<>();
        Window measured = summary.measured();
        if (measured != null
                && (measured.fromSeconds() > 0.001 || measured.toSeconds() < summary.durationSeconds() - 0.001)) {
            String label = "all " + Numbers.clock(measured.fromSeconds()) + "–" + Numbers.clock(measured.toSeconds());
            rows.add(of(label, measured.calls(), measured.throughput(), measured.responseTime()));
        }
        rows.add(of("whole run", summary.calls(), summary.throughput(), summary.responseTime()));
        return rows;
    }

    /** Gives the row of one kind of request. */
    public static TableRow of(RequestRow r) {
        return new TableRow(
                Words.clean(r.name()),
                r.calls(),
                r.failed(),
                r.perSecond(),
                List.of(r.p50(), r.p95(), r.p99(), r.p999(), r.max()));
    }

    /** Gives the row of one stage. */
    static TableRow of(String label, StageSummary stage) {
        return of(label, stage.calls(), stage.throughput(), stage.responseTime());
    }

    /** Gives the row of one part of a run, over the whole of it. */
    static TableRow of(Breakdown.Part part) {
        return of(
                Words.clean(part.name()),
                part.summary().calls(),
                part.summary().throughput(),
                part.summary().responseTime());
    }

    private static TableRow of(String label, CallCounts calls, @Nullable Throughput throughput, @Nullable Times times) {
        List<Double> values = times == null
                ? List.of(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN)
                : List.of(times.p50(), times.p95(), times.p99(), times.p999(), times.max());
        return new TableRow(
                label, calls.total(), calls.failed(), throughput == null ? Double.NaN : throughput.mean(), values);
    }

    /** Writes the row, column by column. */
    public List<String> cells(RateUnit unit) {
        List<String> cells = new ArrayList<>();
        cells.add(label);
        cells.add(Numbers.count(calls));
        cells.add(Numbers.count(failed));
        cells.add(Numbers.plain(perSecond * unit.factor()));
        times.forEach(time -> cells.add(Numbers.plain(time)));
        return cells;
    }
}
