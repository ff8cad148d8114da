package org.diperf.plugins.imports;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ImportedCall;

/** One row of a file as a call; reused from row to row. Confined to one thread. */
final class Row implements ImportedCall {

    private static final int MAX_CLIENTS = 1 << 20;
    private static final int MAX_NAMES = 10_000;
    /** Each has rows of its own in memory. */
    private static final int MAX_TESTERS = 1_000;
    /** What JMeter puts before the cause of a call that got no answer. */
    private static final String NOT_HTTP = "Non HTTP response code: ";

    private static final String TIMEOUT = "timeout";

    private final Columns columns;
    private final List<Integer> metricPlaces;
    private final NameIndex clients = new NameIndex("clients", MAX_CLIENTS);
    private final NameIndex requests = new NameIndex("kinds of request", MAX_NAMES);
    private final NameIndex targets = new NameIndex("targets", MAX_NAMES);
    private final NameIndex testers = new NameIndex("testers", MAX_TESTERS);
    private final double[] metrics;
    private long intended;
    private long start;
    private long lag;
    private long response;
    private long bytes;
    private String outcome = "";
    private boolean cause;
    private int client;
    private int request;
    private int target;
    private int tester;
    private boolean first;

    Row(Columns columns) {
        this.columns = columns;
        this.metricPlaces = columns.metrics();
        this.metrics = new double[metricPlaces.size()];
    }

    /**
     * Reads a row.
     *
     * @throws IllegalArgumentException when it is no call, with the reason
     * @throws IOException when there are too many names
     */
    void read(List<String> row) throws IOException {
        if (row.size() != columns.count()) {
            throw new IllegalArgumentException(
                    "expected " + columns.count() + " fields as in the header, got " + row.size());
        }
        intended = number(row, Field.TIME, text -> Unit.epochNanos(text, columns.unit(Field.TIME)));
        response = number(row, Field.LATENCY, text -> unit(Field.LATENCY).nanos(text));
        lag = columns.of(row, Field.LAG).isEmpty()
                ? 0
                : number(row, Field.LAG, text -> unit(Field.LAG).nanos(text));
        String since = columns.of(row, Field.SINCE_START);
        start = since.isEmpty() ? intended : intended - number(row, Field.SINCE_START, Long::parseLong);
        bytes = columns.of(row, Field.BYTES).isEmpty() ? 0 : number(row, Field.BYTES, Long::parseLong);
        end(row);
        boolean dropped = outcome.equals(ExportedCall.DROPPED) && !cause;
        if (response < 0 || lag < 0 || bytes < 0 || lag > response && !dropped) {
            throw new IllegalArgumentException(
                    "expected times and bytes of at least 0, and a send lag within the response time, got "
                            + Excerpt.row(row));
        }
        for (int i = 0; i < metrics.length; i++) {
            String text = row.get(metricPlaces.get(i)).strip();
            metrics[i] = text.isEmpty() ? Double.NaN : decimal(text);
        }
        String name = columns.of(row, Field.CLIENT);
        client = isNumber(name) ? Integer.parseInt(name) : clients.of(name);
        request = requests.of(or(columns.of(row, Field.REQUEST), "all"));
        target = targets.of(or(columns.of(row, Field.TARGET), "unknown"));
        String of = columns.of(row, Field.TESTER);
        tester = isNumber(of) && Integer.parseInt(of) > 0 ? Integer.parseInt(of) : testers.of(of) + 1;
        first = columns.of(row, Field.FIRST).equals("1");
    }

    private interface Reading {
        long of(String text);
    }

    private long number(List<String> row, Field field, Reading reading) {
        String text = columns.of(row, field);
        try {
            return reading.of(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "expected a number for " + field.word()
                            + (field == Field.TIME
                                    ? ", or a time such as 2026-11-21T10:00:00.123Z or 2026/11/21 10:00:00.123"
                                    : "")
                            + ", got " + Excerpt.field(text),
                    e);
        }
    }

    private static double decimal(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number for a metric, got " + Excerpt.field(text), e);
        }
    }

    private Unit unit(Field field) {
        Unit unit = columns.unit(field);
        return unit == null ? Unit.MILLIS : unit;
    }

    /** Client and tester numbers stay as they are; names are numbered. */
    private static boolean isNumber(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return length > 0 && length <= 6;
    }

    private static String or(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }

    private void end(List<String> row) {
        outcome = columns.of(row, Field.OUTCOME);
        cause = false;
        if (!outcome.isEmpty()) {
            return;
        }
        String code = columns.of(row, Field.CODE);
        String success = columns.of(row, Field.SUCCESS);
        boolean status = code.length() == 3 && isNumber(code) && code.charAt(0) > '0' && code.charAt(0) < '6';
        boolean ok = success.isEmpty()
                ? !status || code.charAt(0) < '4'
                : success.equalsIgnoreCase("true") || success.equals("1");
        if (ok) {
            outcome = ExportedCall.OK;
            return;
        }
        String word = code.startsWith(NOT_HTTP) ? code.substring(NOT_HTTP.length()) : code;
        cause = !word.equals(TIMEOUT);
        outcome = status ? "status " + code : word;
    }

    @Override
    public long intendedNanos() {
        return intended;
    }

    @Override
    public long runStartNanos() {
        return start;
    }

    @Override
    public long lagNanos() {
        return lag;
    }

    @Override
    public long responseNanos() {
        return response;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public String outcome() {
        return outcome;
    }

    @Override
    public boolean isCause() {
        return cause;
    }

    @Override
    public int client() {
        return client;
    }

    @Override
    public int request() {
        return request;
    }

    @Override
    public int target() {
        return target;
    }

    @Override
    public int tester() {
        return tester;
    }

    @Override
    public boolean isFirst() {
        return first;
    }

    @Override
    public double[] metrics() {
        return metrics;
    }

    List<String> requests() {
        return requests.names();
    }

    List<String> targets() {
        return targets.names();
    }

    String testerName(int number) {
        List<String> names = testers.names();
        return number <= names.size() && !names.get(number - 1).isEmpty() ? names.get(number - 1) : "unknown";
    }
}
