package org.diperf.tester.link;

import io.netty.channel.Channel;
import java.net.InetAddress;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.tester.transport.ChannelConnection;
import org.diperf.tester.transport.Connection;
import org.diperf.tester.transport.FrameTimestamps;
import org.jspecify.annotations.Nullable;

/** The way to the controller, one after another, and what is said on it. Confined to the link's event loop. */
final class Uplink {

    /** How far a way has come. */
    enum Phase {
        /** There is none. */
        DOWN,
        /** The controller has been greeted and has not answered. */
        GREETING,
        /** The controller has let this tester in. */
        WELCOMED
    }

    private final int tester;
    private final NanoClock clock;
    private @Nullable Connection way;
    private FrameTimestamps stamps;
    private Phase phase = Phase.DOWN;
    private boolean wasWelcomed;
    private long heardNanos;
    /** When this way was there. */
    private long openedNanos;

    Uplink(int tester, NanoClock clock) {
        this.tester = tester;
        this.clock = clock;
        this.stamps = new FrameTimestamps(tester);
        this.heardNanos = clock.nanoTime();
    }

    /** Greets the controller on a way that is there. */
    void open(Connection fresh, String token, TesterFacts facts) {
        way = fresh;
        openedNanos = clock.nanoTime();
        phase = Phase.GREETING;
        stamps = new FrameTimestamps(tester);
        write(new Message.Hello(token, Frame.VERSION, wasWelcomed, facts));
        flush();
    }

    /** Called when the controller has let this tester in. */
    void welcomed() {
        phase = Phase.WELCOMED;
        wasWelcomed = true;
    }

    /** Called when the connection is gone. */
    void gone() {
        way = null;
        phase = Phase.DOWN;
    }

    /** Called on each sign of life. */
    void heard(long atNanos) {
        heardNanos = atNanos;
    }

    /** Called for each frame received. */
    void received(Frame frame, long atNanos) {
        stamps.received(frame, atNanos);
        heard(atNanos);
    }

    Phase phase() {
        return phase;
    }

    /** Returns whether the controller has let this tester in at some time, on this way or on one before. */
    boolean wasWelcomed() {
        return wasWelcomed;
    }

    /** Returns the time since the last sign of life of the controller. */
    long silentNanos() {
        return clock.nanoTime() - heardNanos;
    }

    /** Returns whether nothing has come by this way for too long for it to be of use. */
    boolean isDead(long leaseNanos) {
        if (way == null || !wasWelcomed) {
            return false;
        }
        // Nobody tells when the other end of datagrams is gone: whoever resumes the run must be asked within the lease.
        long patienceNanos = way.noticesEnd() ? leaseNanos : leaseNanos / 2;
        return Math.min(silentNanos(), clock.nanoTime() - openedNanos) > patienceNanos;
    }

    boolean isOn(Channel channel) {
        return way instanceof ChannelConnection mine && mine.channel() == channel;
    }

    /** Returns whether there is a controller to be told anything. */
    boolean isUp() {
        return phase == Phase.WELCOMED && way != null && way.isActive();
    }

    /** Returns whether blocks can be written now. */
    boolean takesBlocks() {
        return isUp() && way != null && way.isWritable();
    }

    /** Returns the controller's address; {@code null}: not known. */
    @Nullable
    InetAddress host() {
        return way == null ? null : way.host();
    }

    /** Says of the way what is worth a line in the run's log; {@code null}: nothing. */
    @Nullable
    String remark() {
        return way == null ? null : way.remark();
    }

    /** Sends a message now; without a controller that has let this tester in it is passed over. */
    void send(Message message) {
        if (isUp()) {
            write(message);
            flush();
        }
    }

    /** Queues a message for {@link #flush}. */
    void write(Message message) {
        if (way != null) {
            way.write(stamps.frame(message, clock.nanoTime()));
        }
    }

    void flush() {
        if (way != null) {
            way.flush();
        }
    }

    /** Ends the way; its maker tells that it is gone. */
    void close() {
        if (way != null && way.isActive()) {
            way.close();
        }
    }
}
