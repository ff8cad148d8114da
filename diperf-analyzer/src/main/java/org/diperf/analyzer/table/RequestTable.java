package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.RequestSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;

/** The table of the kinds of request, and of the run's own numbers in the same columns. */
public final class RequestTable {

    private RequestTable() {}

    /** A kind of request, or a part of the run. */
    public record Row(String label, CallStatistics numbers) implements PartCounts {}

    /** @param rate heading of the rate of ok calls */
    public static Table<Row> of(Analysis analysis, String rate) {
        return Table.of(
                List.of(
                        Column.<Row>of("request", Row::label).shown("request", row -> RunText.clean(row.label())),
                        Column.<Row>of("calls", row -> row.calls().total())
                                .shown("calls", row -> Numbers.count(row.calls().total())),
                        Column.of("ok", row -> row.calls().ok()),
                        Column.<Row>of("failed", row -> row.calls().failed())
                                .shown(
                                        "failed",
                                        row -> Numbers.count(row.calls().failed())),
                        CallColumns.rate(rate, RateUnit.of(analysis.run()))),
                CallColumns.response());
    }

    /** Returns the kinds of request, by number. */
    public static List<Row> kinds(Analysis analysis) {
        return analysis.requests().entrySet().stream()
                .map(kind -> new Row(kind.getKey(), kind.getValue().numbers()))
                .toList();
    }

    /**
     * Returns the kinds of request in the measured part, as the first row of a table has them all; none where there is only one: that
     * row is it.
     */
    public static List<Row> severalKinds(Analysis analysis) {
        return analysis.requests().size() <= 1
                ? List.of()
                : analysis.requests().entrySet().stream()
                        .map(kind ->
                                new Row(kind.getKey(), measured(kind.getValue()).numbers()))
                        .toList();
    }

    private static RequestSummary measured(RequestSummary kind) {
        RequestSummary measured = kind.measured();
        return measured == null ? kind : measured;
    }

    /** Returns the measured part, if it is not the whole run, and the whole run. */
    public static List<Row> windows(Summary summary) {
        List<Row> rows = new ArrayList<>();
        Window measured = summary.measured();
        String part = MeasuredPart.of(summary);
        if (measured != null && part != null) {
            rows.add(new Row("all " + part, measured.numbers()));
        }
        rows.add(new Row("whole run", summary.numbers()));
        return rows;
    }
}
