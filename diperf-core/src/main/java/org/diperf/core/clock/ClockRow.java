package org.diperf.core.clock;

import java.util.Locale;
import org.diperf.core.spi.CsvField;

/**
 * A row of {@code clock.csv}: one exchange of stamps between a tester and a server.
 *
 * @param host of the tester, as a field of the file
 * @param source where the exchange comes from
 * @param epoch which clock the server's is; 0: unknown
 * @param wallMillis the tester's wall clock when it sent; 0: unknown
 * @param exchange the four stamps
 */
public record ClockRow(int tester, String host, Source source, long epoch, long wallMillis, Exchange exchange) {

    /** The first line of the file. */
    public static final String HEADER =
            "tester,host,source,epoch,client_wall_ms,server_sent_ns,client_received_ns,client_sent_ns,server_received_ns";

    private static final int NUMBERS = 6;

    /** Returns the name of a host as {@link #host} wants it. */
    public static String field(String host) {
        return CsvField.of(host);
    }

    /** Writes the row, without its end of line. */
    public String line() {
        return tester
                + ","
                + host
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
                + exchange.serverReceived();
    }

    /**
     * Reads a line. Its numbers are taken from its end, so that a host's name may hold anything.
     *
     * @throws IllegalArgumentException when it is no row, or half of one
     */
    public static ClockRow parse(String line) {
        long[] numbers = new long[NUMBERS];
        int end = line.length();
        for (int i = NUMBERS - 1; i >= 0; i--) {
            int comma = before(line, end);
            String field = line.substring(comma + 1, end).strip();
            numbers[i] = field.isEmpty() ? 0 : Long.parseLong(field);
            end = comma;
        }
        int behindHost = before(line, end);
        String source = line.substring(behindHost + 1, end).strip();
        int behindTester = line.indexOf(',');
        if (behindTester == behindHost) {
            throw new IllegalArgumentException("Expected the nine fields of " + HEADER + ", got: " + line);
        }
        return new ClockRow(
                Integer.parseInt(line.substring(0, behindTester).strip()),
                line.substring(behindTester + 1, behindHost),
                Source.valueOf(source.toUpperCase(Locale.ROOT)),
                numbers[0],
                numbers[1],
                new Exchange(numbers[2], numbers[3], numbers[4], numbers[5]));
    }

    private static int before(String line, int end) {
        int comma = line.lastIndexOf(',', end - 1);
        if (comma < 0) {
            throw new IllegalArgumentException("Expected the nine fields of " + HEADER + ", got: " + line);
        }
        return comma;
    }
}
