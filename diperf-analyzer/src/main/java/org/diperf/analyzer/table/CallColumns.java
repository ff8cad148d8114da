package org.diperf.analyzer.table;

import java.util.List;
import java.util.function.Function;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.jspecify.annotations.Nullable;

/** The columns that say how the calls of a part of a run went, the same in every table. */
final class CallColumns {

    private CallColumns() {}

    /** Counts calls by how they ended; people see all that ended, and the failed ones. */
    static <T extends PartCounts> List<Column<T>> counts() {
        return List.of(
                Column.forPeople("calls", row -> Numbers.count(row.calls().total())),
                count("planned", CallCounts::planned),
                count("sent", CallCounts::sent),
                count("ok", CallCounts::ok),
                CallColumns.<T>count("failed", CallCounts::failed)
                        .shown("failed", row -> Numbers.count(row.calls().failed())),
                count("timed_out", CallCounts::timedOut),
                count("dropped", CallCounts::dropped),
                count("unfinished", CallCounts::unfinished),
                count("bytes", CallCounts::bytes));
    }

    private static <T extends PartCounts> Column<T> count(String name, Function<CallCounts, Long> of) {
        return Column.of(name, row -> of.apply(row.calls()));
    }

    /** Returns ok calls a second; people see them in the unit that the experiment asked for. */
    static <T extends PartCounts> Column<T> rate(String heading, RateUnit unit) {
        return Column.<T>of("throughput_per_s", CallColumns::perSecond).shown(heading + unit.symbol(), row -> {
            Double rate = perSecond(row);
            return Numbers.plain(rate == null ? Double.NaN : rate * unit.factor());
        });
    }

    /** Returns the mean throughput; {@code null}: there is none. */
    static @Nullable Double perSecond(@Nullable PartCounts part) {
        Throughput throughput = part == null ? null : part.throughput();
        return throughput == null ? null : (Double) throughput.mean();
    }

    /** Returns the statistics of response times; people see those that are meant for tables. */
    static <T extends PartCounts> List<Column<T>> response() {
        return Column.shownStatistics(
                "response", "ms", (row, statistic) -> statistic(row.responseTime(), statistic), Numbers::plain);
    }

    /** Returns some statistics of other times, for files alone. */
    static <T> List<Column<T>> times(String name, Function<T, @Nullable Statistics> of, Statistic... statistics) {
        return java.util.stream.Stream.of(statistics)
                .map(statistic ->
                        Column.<T>of(name + "_" + statistic.key() + "_ms", row -> statistic(of.apply(row), statistic)))
                .toList();
    }

    /** Returns a statistic; {@code NaN} where there is none. */
    static double statistic(@Nullable Statistics statistics, Statistic statistic) {
        return statistics == null ? Double.NaN : statistics.of(statistic);
    }
}
