package org.diperf.plugins.lib.http2;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the header blocks of one connection (HPACK, RFC 7541). Fields that never change go into the peer's table with the first request
 * that has them, as long as they fit; from then on a request without others is the same few bytes, which are kept. Nothing is ever
 * evicted, so what is kept stays true until the peer changes the size of its table. Confined to its connection.
 */
final class HeaderWriter {

    /** What a peer has without saying so, and the most that is used. */
    private static final int TABLE_BYTES = 4096;

    private static final byte[] NONE = {};

    /** By field: 1 + how many were in the table before it; 0: it is not in the table. */
    private int[] places = new int[16];

    private int inserted;
    private int bytes;
    private int limit = TABLE_BYTES;
    private boolean limitChanged;
    /** By head: the block, as long as the table has as many entries as when it was written. */
    private byte[][] blocks = {};

    private int[] blockStates = {};
    private @Nullable ByteBuf out;

    /** Takes what the peer says of the size of its table. */
    void peerTable(long size) {
        int allowed = (int) Math.min(TABLE_BYTES, size);
        if (allowed != limit) {
            limit = allowed;
            limitChanged = true;
            Arrays.fill(places, 0);
            Arrays.fill(blocks, NONE);
            inserted = 0;
            bytes = 0;
        }
    }

    /** Writes the block of a request. */
    void write(RequestHead head, ByteBuf to) {
        int id = head.id();
        if (id < blocks.length && blocks[id].length > 0 && blockStates[id] == inserted && head.isConstant()) {
            to.writeBytes(blocks[id]);
            return;
        }
        int from = to.writerIndex();
        int before = inserted;
        boolean plain = !limitChanged;
        out = to;
        if (limitChanged) {
            // Emptied first: so nothing has to be known of what the peer would have evicted.
            integer(0x20, 5, 0);
            integer(0x20, 5, limit);
            limitChanged = false;
        }
        head.write(this);
        if (plain && before == inserted && head.isConstant()) {
            keep(id, to, from);
        }
    }

    private void keep(int id, ByteBuf to, int from) {
        if (id >= blocks.length) {
            int known = blocks.length;
            blocks = Arrays.copyOf(blocks, id + 1);
            Arrays.fill(blocks, known, id + 1, NONE);
            blockStates = Arrays.copyOf(blockStates, id + 1);
        }
        byte[] block = new byte[to.writerIndex() - from];
        to.getBytes(from, block);
        blocks[id] = block;
        blockStates[id] = inserted;
    }

    /** Writes a field that never changes: by its place in a table where it has one. */
    void fixed(RequestHead.Field field, byte[] value) {
        int id = field.id();
        if (id >= places.length) {
            places = Arrays.copyOf(places, Math.max(id + 1, 2 * places.length));
        }
        if (field.staticPair() > 0) {
            integer(0x80, 7, field.staticPair());
        } else if (places[id] > 0) {
            integer(0x80, 7, StaticTable.LENGTH + 1 + inserted - places[id]);
        } else if (!field.isSensitive() && bytes + field.tableBytes() <= limit) {
            literal(0x40, 6, field, value);
            places[id] = ++inserted;
            bytes += field.tableBytes();
        } else {
            literal(field.isSensitive() ? 0x10 : 0, 4, field, value);
        }
    }

    /** Writes a field that changes, which no table is to hold. */
    void varying(RequestHead.Field field, String value) {
        literal(field.isSensitive() ? 0x10 : 0, 4, field, value.getBytes(StandardCharsets.UTF_8));
    }

    private void literal(int mark, int bits, RequestHead.Field field, byte[] value) {
        integer(mark, bits, field.staticName());
        if (field.staticName() == 0) {
            string(field.name());
        }
        string(value);
    }

    private void string(byte[] text) {
        integer(0, 7, text.length);
        to().writeBytes(text);
    }

    /** Writes a number behind a mark (RFC 7541, section 5.1). */
    private void integer(int mark, int bits, int value) {
        int most = (1 << bits) - 1;
        if (value < most) {
            to().writeByte(mark | value);
            return;
        }
        to().writeByte(mark | most);
        int left = value - most;
        for (; left >= 0x80; left >>>= 7) {
            to().writeByte(left & 0x7f | 0x80);
        }
        to().writeByte(left);
    }

    private ByteBuf to() {
        if (out == null) {
            throw new IllegalStateException("No block has been started");
        }
        return out;
    }
}
