package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads blocks of exchanges. */
public final class CallExchanges {

    private CallExchanges() {}

    /**
     * Decodes a block of exchanges. Columns of numbers that it lacks are zeros.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @throws CorruptBlockException when it cannot be decoded
     */
    public static List<CallExchange> decode(ByteBuffer data, Block header) throws CorruptBlockException {
        int rows = header.rows();
        long[] places = new long[rows];
        long[][] numbers = new long[SampleColumn.EXCHANGE_TEXT.id() + 1][rows];
        List<String> outcomes = Collections.nCopies(rows, Outcome.OK);
        List<String> texts = List.of();
        try {
            for (Column column : Column.of(data, header)) {
                SampleColumn known = SampleColumn.of(Block.EXCHANGES, column.id());
                if (known == SampleColumn.EXCHANGE_OUTCOME) {
                    outcomes = texts(column, places, rows);
                } else if (known == SampleColumn.EXCHANGE_TEXT) {
                    texts = texts(column, places, rows);
                } else if (known == SampleColumn.EXCHANGE_END) {
                    column.instants(numbers[column.id()], rows, header.baseNanos());
                } else if (known != null) {
                    column.integers(numbers[column.id()], rows, header.baseNanos());
                }
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected " + rows + " rows, got a column that ends early");
        }
        if (texts.isEmpty()) {
            throw new CorruptBlockException("expected a text column, got none");
        }
        List<CallExchange> exchanges = new ArrayList<>(rows);
        for (int row = 0; row < rows; row++) {
            exchanges.add(new CallExchange(
                    numbers[SampleColumn.EXCHANGE_END.id()][row],
                    outcomes.get(row),
                    number(numbers, SampleColumn.EXCHANGE_CLIENT, row),
                    Math.max(0, numbers[SampleColumn.EXCHANGE_CALL.id()][row]),
                    number(numbers, SampleColumn.EXCHANGE_REQUEST, row),
                    number(numbers, SampleColumn.EXCHANGE_TARGET, row),
                    Math.max(0, numbers[SampleColumn.EXCHANGE_LATENCY.id()][row]),
                    number(numbers, SampleColumn.EXCHANGE_WANTED, row),
                    texts.get(row)));
        }
        return exchanges;
    }

    private static int number(long[][] numbers, SampleColumn column, int row) throws CorruptBlockException {
        long number = numbers[column.id()][row];
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new CorruptBlockException(
                    "expected a " + column.word() + " from 0 to " + Integer.MAX_VALUE + ", got " + number);
        }
        return (int) number;
    }

    private static List<String> texts(Column column, long[] places, int rows) throws CorruptBlockException {
        List<String> words = column.words(places, rows);
        List<String> texts = new ArrayList<>(rows);
        for (int row = 0; row < rows; row++) {
            texts.add(words.get((int) places[row]));
        }
        return texts;
    }
}
