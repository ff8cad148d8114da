package org.diperf.analyzer.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.diperf.analyzer.grid.GridSummary.FindingSummary;
import org.diperf.analyzer.grid.GridSummary.PointSummary;
import org.diperf.analyzer.grid.GridSummary.RunSummary;
import org.diperf.analyzer.grid.GridSummary.SaturationSpread;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.text.Numbers;
import org.jspecify.annotations.Nullable;

/** The columns of the table of points: those that say something of this grid. */
final class PointColumns {

    private final GridSummary grid;
    private final List<Column<PointSummary>> columns = new ArrayList<>();
    private final int textColumns;

    PointColumns(GridAnalysis analysis) {
        this.grid = analysis.summary();
        GridNames names = GridNames.of(grid);
        names.keys().forEach(key -> add(names.name(key), point -> GridNames.value(point.set(), key)));
        if (columns.isEmpty()) {
            add("point", point -> "all");
        }
        boolean foreign = GridText.isAsFound(grid);
        if (foreign) {
            add("load", this::load);
        }
        textColumns = columns.size();
        boolean trials = grid.points().stream().anyMatch(point -> point.runs().size() > 1);
        if (trials || !foreign) {
            add("trials", point -> String.valueOf(point.n()));
        }
        if (analysis.main() == Metric.FOUND) {
            add("found", point -> median(point.found()));
        }
        if (analysis.main() == Metric.BANDWIDTH) {
            add("Mbit/s", point -> median(Metric.BANDWIDTH.of(point)));
        }
        add("calls/s", point -> median(point.throughput()));
        if (trials) {
            add("95 % interval", point -> interval(point.throughput()));
        }
        if (!trials) {
            add("mean ms", point -> median(mean(point)));
        }
        add("p50 ms", point -> median(Metric.MEDIAN.of(point)));
        add("p99 ms", point -> median(Metric.P99.of(point)));
        if (trials) {
            add("p99 quartiles", point -> quartiles(Metric.P99.of(point)));
        }
        if (grid.points().stream().anyMatch(point -> point.saturation() != null)) {
            add("saturation", PointColumns::saturation);
        }
        add(
                "failed",
                point -> point.failed() == null
                        ? Numbers.NONE
                        : Numbers.share(point.failed().median()));
        add("fairness", point -> median(point.fairness()));
        FindingSummary finding = grid.finding();
        add("", point -> point.verdict().equals("valid") ? isBest(finding, point) ? "best" : "" : point.verdict());
    }

    /** Of points that differ by no more than trials scatter, none is marked, as the finding names none. */
    private static boolean isBest(@Nullable FindingSummary finding, PointSummary point) {
        return finding != null
                && Boolean.TRUE.equals(finding.isLargerThanNoise())
                && finding.best().equals(point.set());
    }

    private void add(String head, Function<PointSummary, String> cell) {
        columns.add(Column.forPeople(head, cell));
    }

    Table<PointSummary> table() {
        return Table.of(columns);
    }

    /** Counts the columns from the left that hold text. */
    int textColumns() {
        return textColumns;
    }

    private String load(PointSummary point) {
        return grid.runs().stream()
                .filter(run -> point.runs().contains(run.number()))
                .map(RunSummary::load)
                .map(load -> load == null ? Numbers.NONE : load)
                .findFirst()
                .orElse(Numbers.NONE);
    }

    /** Says where throughput stops to grow: {@code 24}, of some of the trials {@code 24 (2 of 3)}, or that it does not. */
    private static String saturation(PointSummary point) {
        SaturationSpread saturation = point.saturation();
        if (saturation == null) {
            return Numbers.NONE;
        }
        Spread clients = saturation.clients();
        if (clients == null) {
            return "not reached";
        }
        return Numbers.level(clients.median())
                + (clients.n() < saturation.judged() ? " (" + clients.n() + " of " + saturation.judged() + ")" : "");
    }

    private static @Nullable Spread mean(PointSummary point) {
        Map<String, Spread> times = point.responseTime();
        return times == null ? null : times.get("mean");
    }

    private static String median(@Nullable Spread spread) {
        return spread == null ? Numbers.NONE : Numbers.plain(spread.median());
    }

    private static String quartiles(@Nullable Spread spread) {
        return spread == null || spread.n() < 2
                ? Numbers.NONE
                : Numbers.plain(spread.q1()) + " to " + Numbers.plain(spread.q3());
    }

    private static String interval(@Nullable Spread spread) {
        Double low = spread == null ? null : spread.low();
        Double high = spread == null ? null : spread.high();
        return low == null || high == null ? Numbers.NONE : Numbers.plain(low) + " to " + Numbers.plain(high);
    }
}
