package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/** Lays out one block: header, column table, data, checksum. Not thread-safe; one block after another. */
final class BlockEncoder {

    private final ByteBuffer to;
    private final IntegerCodec integers;
    private final int start;
    private final int rows;
    private final long baseNanos;
    private int column;

    /** Begins a block at the buffer's position; the buffer is little-endian and large enough. */
    BlockEncoder(ByteBuffer to, IntegerCodec integers, int kind, int columns, int tester, int rows, long baseNanos) {
        to.order(ByteOrder.LITTLE_ENDIAN);
        this.to = to;
        this.integers = integers;
        this.start = to.position();
        this.rows = rows;
        this.baseNanos = baseNanos;
        to.putInt(Block.MAGIC).putInt(0).put((byte) Block.VERSION).put((byte) kind);
        to.putShort((short) columns).putInt(tester).putLong(0).putInt(rows).putInt(0);
        to.putLong(baseNanos).putLong(0).putLong(0);
        to.position(to.position() + columns * Block.COLUMN);
    }

    void integers(int id, long[] values) {
        int data = to.position();
        int codec = integers.write(to, values, rows);
        declare(id, Block.TYPE_INTEGER, codec, data);
    }

    /** Lays out a column whose values come in runs. */
    void repeated(int id, long[] values) {
        int data = to.position();
        declare(id, Block.TYPE_INTEGER, integers.writeRepeated(to, values, rows), data);
    }

    /** Lays out a column of bounds, which have been raised to few levels. */
    void bounds(int id, long[] values) {
        int data = to.position();
        declare(id, Block.TYPE_INTEGER, integers.writeLevels(to, values, rows), data);
    }

    /** Lays out a column of differences that {@link ClientCodec} made. */
    void ofClients(int id, long[] differences) {
        int data = to.position();
        declare(id, Block.TYPE_INTEGER, ClientCodec.NEAR | integers.write(to, differences, rows), data);
    }

    void instants(int id, long[] values) {
        long[] distances = new long[rows];
        for (int i = 0; i < rows; i++) {
            distances[i] = values[i] - (i == 0 ? baseNanos : values[i - 1]);
        }
        int data = to.position();
        declare(id, Block.TYPE_INTEGER, StartCodec.FROM_START | integers.write(to, distances, rows), data);
    }

    void starts(int id, StartCodec codec, long[] values, long[] latencies, long[] clients) {
        int data = to.position();
        int used = codec.write(to, values, latencies, clients, rows, baseNanos);
        declare(id, Block.TYPE_INTEGER, used, data);
    }

    void words(int id, List<String> dictionary, long[] places) {
        int data = to.position();
        Varints.put(to, dictionary.size());
        for (String word : dictionary) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            Varints.put(to, bytes.length);
            to.put(bytes);
        }
        int codecAt = to.position();
        to.put((byte) 0);
        to.put(codecAt, (byte) integers.write(to, places, rows));
        declare(id, Block.TYPE_WORD, 0, data);
    }

    /** @param room for as many integers as there are rows, overwritten */
    void decimals(int id, double[] values, long[] room) {
        if (DecimalCodec.millionths(values, room, rows)) {
            counts(id, DecimalCodec.MILLIONTHS, room);
        } else {
            raw(id, values);
        }
    }

    /**
     * Lays out a metric of calls.
     *
     * @param room for as many integers as there are rows, overwritten, as is {@code moreRoom}
     */
    void metric(int id, double[] values, long[] latencies, long[] lags, long[] room, long[] moreRoom) {
        if (!DecimalCodec.millionths(values, room, rows)) {
            raw(id, values);
            return;
        }
        DecimalCodec.toShortOfCalls(room, latencies, lags, moreRoom, rows);
        if (integers.estimate(moreRoom, rows) < integers.estimate(room, rows)) {
            counts(id, DecimalCodec.SHORT_OF_CALL, moreRoom);
        } else {
            counts(id, DecimalCodec.MILLIONTHS, room);
        }
    }

    private void counts(int id, int codec, long[] counts) {
        int data = to.position();
        to.put((byte) 0);
        to.put(data, (byte) integers.write(to, counts, rows));
        declare(id, Block.TYPE_DECIMAL, codec, data);
    }

    private void raw(int id, double[] values) {
        int data = to.position();
        for (int i = 0; i < rows; i++) {
            to.putDouble(values[i]);
        }
        declare(id, Block.TYPE_DECIMAL, DecimalCodec.RAW, data);
    }

    private void declare(int id, int type, int codec, int data) {
        int at = start + Block.HEADER + column++ * Block.COLUMN;
        to.putShort(at, (short) id).put(at + 2, (byte) type).put(at + 3, (byte) codec);
        to.putInt(at + 4, to.position() - data);
    }

    /** Ends the block; the buffer's position is then behind it. */
    void finish(long number, long firstNanos, long lastNanos) {
        int length = to.position() - start + Block.CHECKSUM;
        to.putInt(start + 4, length).putLong(start + 16, number);
        to.putLong(start + 40, firstNanos).putLong(start + 48, lastNanos);
        CRC32C checksum = new CRC32C();
        checksum.update(to.duplicate().position(start).limit(start + length - Block.CHECKSUM));
        to.putInt((int) checksum.getValue());
    }
}
