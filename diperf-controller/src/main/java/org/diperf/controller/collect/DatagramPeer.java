package org.diperf.controller.collect;

import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.diperf.core.security.Role;
import org.diperf.core.wire.DatagramCipher;
import org.diperf.core.wire.DatagramStream;
import org.diperf.core.wire.Frame;

/** A peer that is reached by sealed datagrams. Confined to the collector's event loop. */
final class DatagramPeer extends Peer {

    final DatagramCipher seal;
    final DatagramStream stream = new DatagramStream(Frame.MAX_LENGTH);
    final int id;
    private final Datagrams datagrams;
    private final Role.Holder holder;
    /** Where its last datagram came from. */
    private InetSocketAddress at;

    private long heardNanos;
    private boolean open = true;
    /** Whether it has something to send in this turn of the loop. */
    boolean isDirty;

    DatagramPeer(
            Datagrams datagrams,
            int id,
            Role.Holder holder,
            DatagramCipher seal,
            InetSocketAddress at,
            long openedNanos) {
        super(openedNanos);
        this.datagrams = datagrams;
        this.id = id;
        this.holder = holder;
        this.seal = seal;
        this.at = at;
        this.heardNanos = openedNanos;
    }

    Role.Holder holder() {
        return holder;
    }

    InetSocketAddress at() {
        return at;
    }

    long heardNanos() {
        return heardNanos;
    }

    /** Takes note that a datagram of its own came. */
    void heard(InetSocketAddress from, long nowNanos) {
        heardNanos = nowNanos;
        if (!from.equals(at)) {
            at = from;
        }
    }

    @Override
    boolean maySpeakFor(int tester) {
        return holder.role() == Role.RELAY || holder.number() == tester;
    }

    @Override
    boolean isRelay() {
        return holder.role() == Role.RELAY;
    }

    @Override
    public String address() {
        return at.getAddress().getHostAddress();
    }

    @Override
    boolean isActive() {
        return open;
    }

    @Override
    void send(ByteBuf frame) {
        ByteBuffer bytes = frame.nioBuffer();
        stream.write(bytes);
        frame.release();
        if (stream.waitingBytes() > MAX_UNSENT_BYTES) {
            tellUnread();
            close();
        } else {
            datagrams.dirty(this);
        }
    }

    @Override
    void pause(boolean wanted) {
        datagrams.pause(wanted);
    }

    @Override
    public void close() {
        if (open) {
            datagrams.flush();
            open = false;
            datagrams.closed(this);
        }
    }
}
