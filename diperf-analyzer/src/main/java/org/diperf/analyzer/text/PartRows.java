package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.Summary.Fairness;
import org.diperf.analyzer.result.Summary.GroupFairness;
import org.diperf.analyzer.result.Summary.GroupSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.jspecify.annotations.Nullable;

/** The table of the parts of a run, such as its groups. Terminal and report show the same. */
public final class PartRows {

    private PartRows() {}

    /** Names what the rows are: {@code group}, {@code host}, {@code site}. */
    public static String head(Breakdown breakdown) {
        return Words.clean(breakdown.by());
    }

    /** Gives the rows over the whole run, the last cell in words: share of the ok calls, and when they began. */
    public static List<List<String>> of(Analysis analysis, Breakdown breakdown, int most) {
        RateUnit unit = RateUnit.of(analysis.run());
        List<List<String>> rows = new ArrayList<>();
        for (Breakdown.Part part :
                breakdown.parts().subList(0, Math.min(most, breakdown.parts().size()))) {
            List<String> cells = new ArrayList<>(TableRow.of(part).cells(unit));
            cells.add(remark(part.summary()));
            rows.add(cells);
        }
        return rows;
    }

    private static String remark(GroupSummary part) {
        List<String> words = new ArrayList<>();
        Integer clients = part.clients();
        Integer testers = part.testers();
        Double share = part.share();
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

    /** Gives the head of the table of the peak. */
    public static List<String> peakHead(Breakdown breakdown, RateUnit unit) {
        return List.of(
                head(breakdown),
                "ok calls",
                "failed",
                "ok calls" + unit.symbol(),
                "share",
                "p50",
                "p99",
                "fairness (Jain)",
                "utilisation deviates by");
    }

    /** Gives the rows over the peak; none where there is none. */
    public static List<List<String>> atPeak(Analysis analysis, Breakdown breakdown) {
        RateUnit unit = RateUnit.of(analysis.run());
        List<List<String>> rows = new ArrayList<>();
        for (Breakdown.Part part : breakdown.parts()) {
            Window peak = part.summary().peak();
            if (peak == null) {
                return List.of();
            }
            Throughput throughput = peak.throughput();
            Fairness fairness = part.summary().fairness();
            rows.add(List.of(
                    Words.clean(part.name()),
                    Numbers.count(peak.calls().ok()),
                    Numbers.count(peak.calls().failed()),
                    Numbers.plain(throughput == null ? Double.NaN : throughput.mean() * unit.factor()),
                    Numbers.share(or(part.summary().peakShare())),
                    Numbers.plain(
                            peak.responseTime() == null
                                    ? Double.NaN
                                    : peak.responseTime().p50()),
                    Numbers.plain(
                            peak.responseTime() == null
                                    ? Double.NaN
                                    : peak.responseTime().p99()),
                    Numbers.plain(fairness == null ? Double.NaN : fairness.jain()),
                    Numbers.share(fairness == null ? Double.NaN : fairness.utilisationStddev())));
        }
        return rows;
    }

    /** Says how evenly the parts were served; {@code null} where that was not measured. */
    public static @Nullable String between(Analysis analysis) {
        GroupFairness between = analysis.summary().groupFairness();
        return between == null
                ? null
                : "Between them, by what one client of each had on average over the peak: Jain's index "
                        + Numbers.plain(between.jain()) + " (1: all the same).";
    }

    private static double or(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }
}
