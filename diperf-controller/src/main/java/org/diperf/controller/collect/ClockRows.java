package org.diperf.controller.collect;

import java.util.Locale;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.Source;

/** Lays out the rows of {@code clock.csv} that tell of one tester. Confined to the collector's event loop. */
final class ClockRows {

    static final String HEADER = "tester,host,source,epoch,client_wall_ms,server_sent_ns,client_received_ns,"
            + "client_sent_ns,server_received_ns";

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
            hostField = quoted(from);
        }
        rows.accept(tester
                + ","
                + hostField
                + ","
                + source.name().toLowerCase(Locale.ROOT)
                + ","
                + epoch
                + ","
                + wallMillis
                + ","
                + exchange.serverSent()
                + ","
                + exchange.clientReceived()
                + ","
                + exchange.clientSent()
                + ","
                + exchange.serverReceived());
    }

    /** Quotes a field of a CSV file where it needs it (RFC 4180); control characters would break its lines. */
    private static String quoted(String field) {
        String plain = field.replaceAll("\\p{Cntrl}", " ");
        return plain.contains(",") || plain.contains("\"") ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
    }
}
