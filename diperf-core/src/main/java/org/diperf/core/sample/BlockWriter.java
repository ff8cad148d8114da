package org.diperf.core.sample;

import java.nio.ByteBuffer;

/** Gathers rows of one kind and lays them out as a block. Confined to one thread. */
public sealed interface BlockWriter permits CallWriter, ObservationWriter, ExchangeWriter, EventWriter {

    /** Counts the rows gathered. */
    int rows();

    /**
     * Bounds the bytes of the block as it stands.
     *
     * @return what {@link #encode} needs at most
     */
    int maxEncodedLength();

    /**
     * Appends the block to the buffer and begins a new one.
     *
     * @param number of the block among the tester's, from 1
     */
    void encode(ByteBuffer to, long number);
}
