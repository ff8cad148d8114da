package org.diperf.plugins.emulated.distributed;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What an engine says when it has done all that it may: numbers, and then for each other engine for which it has packets the engine's
 * number, how many bytes, and the packets.
 *
 * @param nextNanos when it or another engine next has something to do by what it knows; {@link Long#MAX_VALUE}: nothing
 * @param busyNanos processor time that it took
 */
record Window(long nextNanos, long busyNanos) {

    private static final int BYTES = 2 * Long.BYTES;
    private static final int HEADER = 2 * Integer.BYTES;

    /** Writes it, with packets by number of the engine; all are then gone. */
    Frame write(Packets[] outgoing) {
        int size = BYTES;
        for (Packets packets : outgoing) {
            size += packets.size() == 0 ? 0 : HEADER + packets.size();
        }
        ByteBuffer content = ByteBuffer.allocate(size).putLong(nextNanos).putLong(busyNanos);
        for (int part = 0; part < outgoing.length; part++) {
            if (outgoing[part].size() > 0) {
                content.putInt(part).putInt(outgoing[part].size());
                outgoing[part].writeTo(content);
                outgoing[part].clear();
            }
        }
        return new Frame(Frame.Kind.DONE, content.flip());
    }

    /**
     * Reads one.
     *
     * @param incoming by number of the engine, gets packets for it
     * @throws IOException if it is none
     */
    static Window read(Frame frame, Packets[] incoming) throws IOException {
        ByteBuffer content = frame.content(Frame.Kind.DONE);
        if (content.remaining() < BYTES) {
            throw new IOException("Expected a window of at least " + BYTES + " bytes, got " + content.remaining());
        }
        Window window = new Window(content.getLong(), content.getLong());
        while (content.hasRemaining()) {
            int part = content.remaining() < HEADER ? -1 : content.getInt();
            int bytes = part < 0 ? 0 : content.getInt();
            if (part < 0
                    || part >= incoming.length
                    || bytes < 0
                    || bytes > content.remaining()
                    || bytes % Packets.BYTES != 0) {
                throw new IOException("Expected packets for an engine below " + incoming.length + " in multiples of "
                        + Packets.BYTES + " bytes, got " + bytes + " bytes for engine " + part);
            }
            incoming[part].addAll(content.slice(content.position(), bytes));
            content.position(content.position() + bytes);
        }
        return window;
    }
}
