package org.diperf.analyzer.table;

import java.util.List;
import java.util.stream.Collectors;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;

/** The table of clients. */
public final class ClientTable {

    private ClientTable() {}

    /** Makes the table. */
    public static Table<ClientRow> of(Analysis analysis) {
        String labels = analysis.summary().labels().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(";"));
        return Table.of(
                List.of(
                        Column.of("client", ClientRow::client).shown("client", row -> Numbers.count(row.client())),
                        Column.of("tester", ClientRow::tester).shown("tester", row -> String.valueOf(row.tester())),
                        Column.of("host", ClientRow::host).shown("host", row -> RunText.clean(row.host())),
                        Column.of("group", ClientRow::group),
                        Column.of("labels", row -> labels),
                        Column.of("from_s", ClientRow::fromSeconds)
                                .shown("from", row -> Numbers.clock(row.fromSeconds())),
                        Column.of("to_s", ClientRow::toSeconds).shown("to", row -> Numbers.clock(row.toSeconds())),
                        Column.of("calls", ClientRow::calls).shown("calls", row -> Numbers.count(row.calls())),
                        Column.of("ok", ClientRow::ok).shown("ok", row -> Numbers.count(row.ok())),
                        Column.of("failed", ClientRow::failed).shown("failed", row -> Numbers.count(row.failed())),
                        Column.of("bytes", ClientRow::bytes).shown("bytes", row -> Numbers.bytes(row.bytes())),
                        Column.forPeople("mean", row -> Numbers.plain(row.response(Statistic.MEAN)))),
                Column.shownStatistics("response", "ms", ClientRow::response, Numbers::plain),
                List.of(
                        Column.of("utilisation", ClientRow::utilisation)
                                .shown("utilisation", row -> Numbers.share(row.utilisation())),
                        Column.of("peak_utilisation", ClientRow::peakUtilisation)
                                .shown("utilisation at peak", row -> Numbers.share(row.peakUtilisation())),
                        Column.of("success_rate", row -> share(row.ok(), row.calls())),
                        Column.of("fail_rate", row -> share(row.failed(), row.calls()))));
    }

    private static double share(long part, long of) {
        return of == 0 ? Double.NaN : (double) part / of;
    }
}
