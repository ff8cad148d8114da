package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.Analysis;
import org.diperf.analyzer.MetricRow;
import org.diperf.analyzer.MetricRow.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.Words;

/** What the client measured beside times and bytes. Absent where it measured nothing. */
final class MetricSection {

    private static final List<String> HEAD =
            List.of("metric", "unit", "values", "mean", "deviation", "least", "p50", "p90", "p99", "largest");

    private MetricSection() {}

    static void write(Analysis analysis, Html html) {
        List<List<String>> rows = new ArrayList<>();
        for (MetricRow metric : analysis.details().metrics()) {
            Statistics of = metric.statistics();
            if (of != null) {
                rows.add(List.of(
                        Words.clean(metric.name()),
                        Words.clean(metric.unit()),
                        Numbers.count(of.count()),
                        Numbers.plain(of.mean()),
                        Numbers.plain(of.stddev()),
                        Numbers.plain(of.min()),
                        Numbers.plain(of.p50()),
                        Numbers.plain(of.p90()),
                        Numbers.plain(of.p99()),
                        Numbers.plain(of.max())));
            }
        }
        if (!rows.isEmpty()) {
            html.element("h2", "Metrics of the client", "id", "metrics");
            html.table(
                    "What the client measured beside times and bytes, over the measured part: of ok calls, and at instants"
                            + " in between",
                    2,
                    HEAD,
                    rows);
        }
    }
}
