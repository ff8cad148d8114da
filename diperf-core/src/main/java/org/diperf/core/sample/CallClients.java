package org.diperf.core.sample;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The clients of the calls of one block, for who wants nothing else of it; reused from block to block. Confined to one thread. */
public final class CallClients {

    private long[] clients = new long[0];

    /**
     * Decodes the clients of a block of calls.
     *
     * @param data at the block's begin; the position stays
     * @param header what {@link Block#read} said of it
     * @return one for each row, and more than that; overwritten by the next block
     * @throws CorruptBlockException when they cannot be decoded
     */
    public long[] decode(ByteBuffer data, Block header) throws CorruptBlockException {
        int rows = header.rows();
        if (clients.length < rows) {
            clients = new long[rows];
        }
        Column column = Column.of(data, header, CallWriter.CLIENT);
        try {
            if (column == null) {
                Arrays.fill(clients, 0, rows, 0);
            } else {
                column.integers(clients, rows, header.baseNanos());
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptBlockException("expected " + rows + " clients, got a column that ends early");
        }
        return clients;
    }
}
