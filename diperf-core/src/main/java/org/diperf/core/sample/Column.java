package org.diperf.core.sample;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One column of a block being read: where its data lies and how it is coded. */
record Column(int id, int type, int codec, ByteBuffer data) {

    /** Reads the column table of a block whose header was read and checked; no column that is known comes twice. */
    static List<Column> of(ByteBuffer data, Block header) throws CorruptBlockException {
        long[] seen = new long[Block.MAX_COLUMNS / Long.SIZE];
        ByteBuffer block = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = Block.length(data) - Block.CHECKSUM;
        int at = Block.HEADER;
        int dataAt = Block.HEADER + header.columns() * Block.COLUMN;
        List<Column> columns = new ArrayList<>(header.columns());
        for (int i = 0; i < header.columns(); i++, at += Block.COLUMN) {
            int length = block.getInt(at + 4);
            if (length < 0 || length > end - dataAt) {
                throw new CorruptBlockException(
                        "expected a column of at most " + (end - dataAt) + " bytes, got " + length);
            }
            ByteBuffer slice = block.slice(dataAt, length).order(ByteOrder.LITTLE_ENDIAN);
            int id = block.getShort(at) & 0xFFFF;
            once(id, seen);
            columns.add(new Column(id, block.get(at + 2), block.get(at + 3), slice));
            dataAt += length;
        }
        return columns;
    }

    /** A column that came again would cost a pass over all rows, and hide the one that was looked at. */
    private static void once(int id, long[] seen) throws CorruptBlockException {
        if (id < Block.MAX_COLUMNS) {
            if ((seen[id / Long.SIZE] & 1L << id) != 0) {
                throw again(id);
            }
            seen[id / Long.SIZE] |= 1L << id;
        }
    }

    private static CorruptBlockException again(int id) {
        return new CorruptBlockException("expected unique columns, got column " + id + " twice");
    }

    /** Finds one column; {@code null} where the block has none of this id. */
    static @Nullable Column of(ByteBuffer data, Block header, int id) throws CorruptBlockException {
        ByteBuffer block = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        int end = Block.length(data) - Block.CHECKSUM;
        int at = Block.HEADER;
        long dataAt = Block.HEADER + header.columns() * (long) Block.COLUMN;
        Column found = null;
        for (int i = 0; i < header.columns(); i++, at += Block.COLUMN) {
            int length = block.getInt(at + 4);
            if (length < 0 || length > end - dataAt) {
                throw new CorruptBlockException(
                        "expected a column of at most " + (end - dataAt) + " bytes, got " + length);
            }
            if ((block.getShort(at) & 0xFFFF) == id) {
                if (found != null) {
                    throw again(id);
                }
                ByteBuffer slice = block.slice((int) dataAt, length).order(ByteOrder.LITTLE_ENDIAN);
                found = new Column(id, block.get(at + 2), block.get(at + 3), slice);
            }
            dataAt += length;
        }
        return found;
    }

    void integers(long[] into, int rows, long base) throws CorruptBlockException {
        expect(Block.TYPE_INTEGER);
        IntegerCodec.read(data, codec, into, rows, base);
    }

    /** Reads instants that have neither latency nor client. */
    void instants(long[] into, int rows, long base) throws CorruptBlockException {
        expect(Block.TYPE_INTEGER);
        StartCodec.read(data, codec, into, rows, base);
    }

    /** Reads intended starts; {@code latencies} and {@code clients} have been read before. */
    void starts(StartCodec starts, long[] into, long[] latencies, long[] clients, int rows, long base)
            throws CorruptBlockException {
        expect(Block.TYPE_INTEGER);
        starts.read(data, codec, into, latencies, clients, rows, base);
    }

    void decimals(double[] into, int rows) throws CorruptBlockException {
        expect(Block.TYPE_DECIMAL);
        DecimalCodec.read(data, codec, into, rows);
    }

    /** Reads a metric of calls; {@code latencies} and {@code lags} have been read before. */
    void metric(double[] into, long[] latencies, long[] lags, int rows) throws CorruptBlockException {
        expect(Block.TYPE_DECIMAL);
        DecimalCodec.read(data, codec, into, latencies, lags, rows);
    }

    /** Reads the words that there are. */
    List<String> dictionary(int rows) throws CorruptBlockException {
        expect(Block.TYPE_WORD);
        long count = Varints.get(data);
        if (count < 1 || count > rows) {
            throw new CorruptBlockException("expected 1 to " + rows + " words, got " + count);
        }
        List<String> dictionary = new ArrayList<>((int) count);
        for (int i = 0; i < count; i++) {
            long length = Varints.get(data);
            if (length < 0 || length > data.remaining()) {
                throw new CorruptBlockException(
                        "expected a word of at most " + data.remaining() + " bytes, got " + length);
            }
            byte[] bytes = new byte[(int) length];
            data.get(bytes);
            dictionary.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return dictionary;
    }

    /** Reads the places into {@code into} and returns the dictionary. */
    List<String> words(long[] into, int rows) throws CorruptBlockException {
        List<String> dictionary = dictionary(rows);
        places().integers(into, rows, 0);
        checkPlaces(into, rows, dictionary);
        return dictionary;
    }

    /** Returns the column of places in the dictionary, which has been read before. */
    Column places() {
        return new Column(id, Block.TYPE_INTEGER, data.get(), data);
    }

    static void checkPlaces(long[] places, int rows, List<String> dictionary) throws CorruptBlockException {
        for (int i = 0; i < rows; i++) {
            if (places[i] < 0 || places[i] >= dictionary.size()) {
                throw new CorruptBlockException(
                        "expected a word index below " + dictionary.size() + ", got " + places[i]);
            }
        }
    }

    /** Returns the same data, read by another codec. */
    Column withCodec(int other) {
        return new Column(id, type, other, data);
    }

    boolean isConstant() {
        return type == Block.TYPE_INTEGER && codec == IntegerCodec.CONSTANT;
    }

    /** Reads the one value of a column that is constant. */
    long constant() throws CorruptBlockException {
        return Varints.unzigzag(Varints.get(data));
    }

    private void expect(int wanted) throws CorruptBlockException {
        if (type != wanted) {
            throw new CorruptBlockException("expected column " + id + " of type " + wanted + ", got type " + type);
        }
    }
}
