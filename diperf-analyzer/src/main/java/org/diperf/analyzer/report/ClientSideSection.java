package org.diperf.analyzer.report;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.text.ClientSideRows;

/** What clients measured besides response times. Absent where that is nothing. */
final class ClientSideSection {

    private ClientSideSection() {}

    static void write(Analysis analysis, Html html) {
        List<List<String>> rows = ClientSideRows.of(analysis, Tables.MAX_ROWS);
        String moved = ClientSideRows.moved(analysis);
        if (rows.isEmpty() && moved.isEmpty()) {
            return;
        }
        html.element("h3", "What clients measured besides", "id", "measured-by-clients");
        if (!moved.isEmpty()) {
            html.element("p", "Over the measured part, ok calls moved " + moved + ".");
        }
        if (!rows.isEmpty()) {
            html.table("Over the measured part, of ok calls; each in its own unit", 1, ClientSideRows.head(), rows);
        }
    }
}
