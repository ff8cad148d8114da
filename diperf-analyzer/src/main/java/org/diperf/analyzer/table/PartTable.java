package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.result.Summary.GroupFairness;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;
import org.jspecify.annotations.Nullable;

/** The table of the parts of a run, such as its groups. */
public final class PartTable {

    private PartTable() {}

    /** Names what the rows are: {@code group}, {@code host}, {@code site}. */
    public static String head(Breakdown breakdown) {
        return RunText.clean(breakdown.by());
    }

    /** One part with its numbers over the whole run, or over the peak. */
    public record Row(String name, GroupSummary summary, CallStatistics numbers) implements PartCounts {}

    /** Returns the parts, over the whole run. */
    public static List<Row> rows(Breakdown breakdown) {
        return breakdown.parts().stream()
                .map(part -> new Row(part.name(), part.summary(), part.summary().numbers()))
                .toList();
    }

    /**
     * Makes the table of the whole run.
     *
     * @param rate heading of the rate of ok calls
     * @param remark heading of what is said of a row in words
     */
    public static Table<Row> of(Analysis analysis, Breakdown breakdown, String rate, String remark) {
        return Table.of(
                List.of(
                        Column.<Row>of(breakdown.by(), Row::name)
                                .shown(head(breakdown), row -> RunText.clean(row.name())),
                        Column.of("testers", row -> row.summary().testers()),
                        Column.of("clients", row -> row.summary().clients()),
                        Column.of("start_s", row -> row.summary().startSeconds())),
                CallColumns.counts(),
                List.of(
                        Column.of("share", row -> row.numbers().share()),
                        CallColumns.rate(rate, RateUnit.of(analysis.run()))),
                CallColumns.response(),
                CallColumns.times("service", Row::serviceTime, Statistic.P50, Statistic.P99),
                CallColumns.times("lag", Row::sendLag, Statistic.P50, Statistic.P99),
                List.of(
                        Column.of(
                                "peak_ok",
                                row -> row.summary().peak() == null
                                        ? null
                                        : row.summary().peak().calls().ok()),
                        Column.of("peak_share", row -> row.summary().peakShare()),
                        Column.of(
                                "peak_throughput_per_s",
                                row -> CallColumns.perSecond(row.summary().peak()))),
                CallColumns.times(
                        "peak_response",
                        row -> row.summary().peak() == null
                                ? null
                                : row.summary().peak().responseTime(),
                        Statistic.P50,
                        Statistic.P99),
                List.of(
                        Column.of("fairness_jain", row -> jain(row.summary())),
                        Column.of("utilisation_stddev", row -> deviation(row.summary())),
                        Column.forPeople(remark, row -> remark(row.summary()))));
    }

    private static String remark(GroupSummary part) {
        List<String> words = new ArrayList<>();
        Integer clients = part.clients();
        Integer testers = part.testers();
        Double share = part.numbers().share();
        Double start = part.startSeconds();
        if (clients != null) {
            words.add(Numbers.count(clients, "client"));
        }
        if (testers != null) {
            words.add(Numbers.count(testers, "tester"));
        }
        if (share != null) {
            words.add(Numbers.share(share) + " of all ok calls");
        }
        if (start != null && start > 0) {
            words.add("from " + Numbers.clock(start));
        }
        return String.join(", ", words);
    }

    /** Makes the table of the peak, which is for people alone. */
    public static Table<Row> atPeak(Analysis analysis, Breakdown breakdown) {
        return Table.of(
                List.of(
                        Column.forPeople(head(breakdown), row -> RunText.clean(row.name())),
                        Column.forPeople(
                                "ok calls", row -> Numbers.count(row.calls().ok())),
                        Column.forPeople(
                                "failed", row -> Numbers.count(row.calls().failed())),
                        CallColumns.rate("ok calls", RateUnit.of(analysis.run())),
                        Column.forPeople(
                                "share", row -> Numbers.share(or(row.summary().peakShare())))),
                CallColumns.response(),
                List.of(
                        Column.forPeople("fairness (Jain)", row -> Numbers.plain(or(jain(row.summary())))),
                        Column.forPeople("utilisation deviation", row -> Numbers.share(or(deviation(row.summary()))))));
    }

    /** Returns the parts over the peak; none where there is none. */
    public static List<Row> peakRows(Breakdown breakdown) {
        List<Row> rows = new ArrayList<>();
        for (Breakdown.Part part : breakdown.parts()) {
            Window peak = part.summary().peak();
            if (peak == null) {
                return List.of();
            }
            rows.add(new Row(part.name(), part.summary(), peak.numbers()));
        }
        return rows;
    }

    private static @Nullable Double jain(GroupSummary part) {
        Fairness fairness = part.fairness();
        return fairness == null ? null : (Double) fairness.jain();
    }

    private static @Nullable Double deviation(GroupSummary part) {
        Fairness fairness = part.fairness();
        return fairness == null ? null : (Double) fairness.utilisationStddev();
    }

    /** Says how evenly the parts were served; {@code null} where that was not measured. */
    public static @Nullable String between(Analysis analysis) {
        GroupFairness between = analysis.summary().groupFairness();
        return between == null
                ? null
                : "Fairness between them, based on the average per client during the peak: Jain's index "
                        + Numbers.plain(between.jain()) + " (1: all equal).";
    }

    private static double or(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }
}
