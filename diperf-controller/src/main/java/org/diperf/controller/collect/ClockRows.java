package org.diperf.controller.collect;

import java.util.function.Consumer;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.Source;

/** Writes the rows of {@code clock.csv} that tell of one tester. Confined to the collector's event loop. */
final class ClockRows {

    private final int tester;
    private final Consumer<String> rows;
    private String host = "";
    private String hostField = "";

    /** @param rows takes each row, without its end of line */
    ClockRows(int tester, Consumer<String> rows) {
        this.tester = tester;
        this.rows = rows;
    }

    /**
     * Writes a row.
     *
     * @param from the tester's host
     * @param epoch which clock the server's is; 0: unknown
     * @param wallMillis the tester's wall clock when it sent; 0: unknown
     */
    void write(String from, Source source, long epoch, long wallMillis, Exchange exchange) {
        if (!from.equals(host)) {
            host = from;
            hostField = ClockRow.field(from);
        }
        rows.accept(new ClockRow(tester, hostField, source, epoch, wallMillis, exchange).line());
    }
}
