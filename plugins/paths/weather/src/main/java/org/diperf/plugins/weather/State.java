package org.diperf.plugins.weather;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a memory is given or asked for, as NWS sends it: the series' name in 128 bytes, the length and the number of its records as 32-bit numbers,
 * a sequence number and how long to keep it as 64-bit floating-point numbers; behind them the records, newest first when they come from a
 * memory.
 *
 * @param series the name of the series
 * @param sequence of the records; in a request, the one that all records must be above
 * @param keepSeconds how long to keep them
 */
record State(String series, int recordBytes, int records, double sequence, double keepSeconds) {

    static final int NAME_BYTES = 128;
    static final int BYTES = NAME_BYTES + 2 * Integer.BYTES + 2 * Double.BYTES;
    /** Of a record. */
    static final int MAX_RECORD_BYTES = 128;
    /** Of a message. */
    static final int MAX_RECORDS = 10_000;

    /** Ten years: NWS's sensors have everything kept so long. */
    static final double LONG_SECONDS = 315_360_000;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is none, or one of its numbers is out of its range
     */
    static State read(byte[] data) {
        if (data.length < BYTES) {
            throw new IllegalArgumentException("expected " + BYTES + " bytes of a state, got " + data.length);
        }
        ByteBuffer fields = ByteBuffer.wrap(data, NAME_BYTES, BYTES - NAME_BYTES);
        return new State(
                Message.text(data, 0, NAME_BYTES),
                fields.getInt(),
                fields.getInt(),
                fields.getDouble(),
                fields.getDouble());
    }

    State {
        if (series.isEmpty() || series.length() >= NAME_BYTES || series.chars().anyMatch(each -> each <= ' ')) {
            throw new IllegalArgumentException(
                    "expected the name of a series, 1 to 127 characters, got '" + series + "'");
        }
        if (recordBytes < 0 || recordBytes > MAX_RECORD_BYTES || records < 0 || records > MAX_RECORDS) {
            throw new IllegalArgumentException("expected at most " + MAX_RECORDS + " records of at most "
                    + MAX_RECORD_BYTES + " bytes, got " + records + " of " + recordBytes);
        }
    }

    /** Returns the state of records, with them behind it. */
    static byte[] write(String series, double sequence, List<String> records) {
        int longest = records.stream().mapToInt(String::length).max().orElse(0);
        State state = new State(series, longest, records.size(), sequence, LONG_SECONDS);
        ByteBuffer whole = ByteBuffer.allocate(BYTES + longest * records.size());
        state.put(whole);
        for (String each : records) {
            byte[] padded = (each + " ".repeat(longest - each.length())).getBytes(StandardCharsets.ISO_8859_1);
            whole.put(padded);
        }
        return whole.array();
    }

    /** Returns a request for so many records at most. */
    static byte[] request(String series, int records) {
        ByteBuffer whole = ByteBuffer.allocate(BYTES);
        new State(series, 0, records, 0, 0).put(whole);
        return whole.array();
    }

    private void put(ByteBuffer into) {
        byte[] name = series.getBytes(StandardCharsets.ISO_8859_1);
        into.put(name).position(into.position() + NAME_BYTES - name.length);
        into.putInt(recordBytes).putInt(records).putDouble(sequence).putDouble(keepSeconds);
    }

    /**
     * Reads the records that stand behind it.
     *
     * @throws IllegalArgumentException when there are fewer, or one has a character that no record has
     */
    List<String> records(byte[] data) {
        if (data.length < BYTES + (long) records * recordBytes) {
            throw new IllegalArgumentException("expected " + records + " records of " + recordBytes + " bytes, got "
                    + (data.length - BYTES) + " bytes");
        }
        List<String> all = new ArrayList<>(records);
        for (int i = 0; i < records; i++) {
            String record =
                    Message.text(data, BYTES + i * recordBytes, recordBytes).stripTrailing();
            if (record.chars().anyMatch(each -> each < ' ' || each > '~')) {
                throw new IllegalArgumentException("expected a record of plain characters, got '" + record + "'");
            }
            all.add(record);
        }
        return all;
    }

    /** Returns a measurement as NWS writes it. */
    static String record(double unixSeconds, double value) {
        return String.format(Locale.ROOT, "%11.0f %20.5f", unixSeconds, value);
    }
}
