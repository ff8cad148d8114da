package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.table.ClientSideTable;

/** What clients measured besides response times. Absent where that is nothing. */
final class ClientSideSection {

    private ClientSideSection() {}

    static void write(Analysis analysis, Html html) {
        List<ClientSideTable.Row> rows = ClientSideTable.rows(analysis);
        String moved = ClientSideTable.moved(analysis);
        if (rows.isEmpty() && moved.isEmpty()) {
            return;
        }
        html.element("h3", "Other client measurements", "id", "measured-by-clients");
        if (!moved.isEmpty()) {
            html.element("p", "In the measured part, ok calls transferred " + moved + ".");
        }
        if (!rows.isEmpty()) {
            html.table(
                    "Ok calls in the measured part; each value in its own unit",
                    1,
                    ClientSideTable.table().headings(),
                    ClientSideTable.table().cells(rows.subList(0, Math.min(Tables.MAX_ROWS, rows.size()))));
        }
    }
}
