package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Gathers exchanges and lays them out as a block. They are few. Confined to one thread. */
public final class ExchangeWriter implements BlockWriter {

    /** CallExchanges a block: its texts must fit, however many bytes a character takes. */
    private static final int MOST = 16;

    private static final int COLUMNS = SampleColumn.EXCHANGE_TEXT.id();

    private final int tester;
    private final List<CallExchange> exchanges = new ArrayList<>();
    private final IntegerCodec codec = new IntegerCodec();

    /** @param tester from 1 */
    public ExchangeWriter(int tester) {
        this.tester = tester;
    }

    /**
     * Adds one exchange.
     *
     * @throws IllegalStateException when the block is full
     */
    public void add(CallExchange exchange) {
        if (isFull()) {
            throw new IllegalStateException("The block is full with " + MOST + " exchanges; encode it first");
        }
        exchanges.add(exchange);
    }

    @Override
    public int rows() {
        return exchanges.size();
    }

    /** Returns whether the next exchange needs a new block. */
    public boolean isFull() {
        return exchanges.size() == MOST;
    }

    @Override
    public int maxEncodedLength() {
        int words = exchanges.stream()
                .mapToInt(each -> (each.outcome().length() + each.text().length()) * 3 + 2 * Varints.MAX)
                .sum();
        return Block.HEADER
                + COLUMNS * (Block.COLUMN + Packing.MAX_EXTRA)
                + exchanges.size() * COLUMNS * Long.BYTES
                + words
                + 32;
    }

    @Override
    public void encode(ByteBuffer to, long number) {
        int rows = exchanges.size();
        long[] ends = column(CallExchange::endNanos);
        BlockEncoder encoder = new BlockEncoder(to, codec, Block.EXCHANGES, COLUMNS, tester, rows, ends[0]);
        encoder.instants(SampleColumn.EXCHANGE_END.id(), ends);
        words(
                encoder,
                SampleColumn.EXCHANGE_OUTCOME,
                exchanges.stream().map(CallExchange::outcome).toList());
        encoder.integers(SampleColumn.EXCHANGE_CLIENT.id(), column(CallExchange::client));
        encoder.integers(SampleColumn.EXCHANGE_CALL.id(), column(CallExchange::call));
        encoder.integers(SampleColumn.EXCHANGE_REQUEST.id(), column(CallExchange::request));
        encoder.integers(SampleColumn.EXCHANGE_TARGET.id(), column(CallExchange::target));
        encoder.integers(SampleColumn.EXCHANGE_LATENCY.id(), column(CallExchange::latencyNanos));
        encoder.integers(SampleColumn.EXCHANGE_WANTED.id(), column(CallExchange::limit));
        words(
                encoder,
                SampleColumn.EXCHANGE_TEXT,
                exchanges.stream().map(CallExchange::text).toList());
        long first = ends[0];
        long last = ends[0];
        for (long end : ends) {
            first = end - first < 0 ? end : first;
            last = end - last > 0 ? end : last;
        }
        encoder.finish(number, first, last);
        exchanges.clear();
    }

    private long[] column(ToLongFunction<CallExchange> value) {
        return exchanges.stream().mapToLong(value).toArray();
    }

    private static void words(BlockEncoder encoder, SampleColumn column, List<String> texts) {
        List<String> distinct = texts.stream().distinct().toList();
        encoder.words(
                column.id(),
                distinct,
                texts.stream().mapToLong(distinct::indexOf).toArray());
    }
}
