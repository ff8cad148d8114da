package org.diperf.tester.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.time.TimeProbe;
import org.diperf.tester.transport.ChannelConnection;
import org.diperf.tester.transport.DatagramConnection;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.FrameTimestamps;
import org.diperf.tester.transport.Sockets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a {@link Membership} its event loop and its ways to the controller: connections, made again when they are gone,
 * or datagrams under keys that a connection has brought. Methods that other threads call say so.
 */
final class Link {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final long TICK_MILLIS = 100;

    private final Ticket ticket;
    private final NanoClock clock;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Dialer dialer;
    private final Membership membership;

    /**
     * @param onAssignment called once on the event loop; must not block
     * @param onExit called on the event loop when {@link #exitCode} has become known
     */
    Link(Ticket ticket, Tester.Setup setup, NanoClock clock, Consumer<Assignment> onAssignment, Runnable onExit)
            throws SSLException {
        this.ticket = ticket;
        this.clock = clock;
        this.group = Sockets.oneLoop("diperf-tester-link-" + ticket.tester());
        this.loop = group.next();
        this.dialer = new Dialer(
                ticket,
                "tester " + ticket.tester(),
                loop,
                () -> FrameDecoder.decoding(clock, Frame.MAX_LENGTH),
                new Connections());
        this.membership = new Membership(
                ticket.tester(),
                ticket.token(),
                setup,
                clock,
                new TimeProbe(ticket.tester(), clock, loop, this::log),
                this::onLoop,
                new Membership.Events() {
                    @Override
                    public void welcomed() {
                        dialer.welcomed();
                    }

                    @Override
                    public void trouble(String reason) {
                        dialer.trouble(reason);
                    }

                    @Override
                    public void assigned(Assignment assignment) {
                        onAssignment.accept(assignment);
                    }

                    @Override
                    public void ended() {
                        dialer.stop();
                        onExit.run();
                    }
                });
    }

    /** Returns the sink for the engine. Any thread. */
    Spool spool() {
        return membership.spool();
    }

    /** Tells how the tester ends; empty while it does not. Any thread. */
    OptionalInt exitCode() {
        return membership.exitCode();
    }

    /** Begins to connect. Any thread. */
    void open() {
        onLoop(() -> {
            membership.uplink().heard(clock.nanoTime());
            dialer.connect();
            var unused = loop.scheduleAtFixedRate(membership::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    /** Says that the engine waits for the start. Any thread. */
    void prepared(RunningEngine ready) {
        onLoop(() -> membership.prepared(ready));
    }

    /** Says why the assignment cannot be carried out. Any thread. */
    void refuse(String reason) {
        onLoop(() -> membership.refuse(reason));
    }

    /** Sends a line to the run's log, now or when there is a connection. Any thread. */
    void log(String line) {
        onLoop(() -> membership.log(line));
    }

    /** Stops the load and ends the tester when its samples are safe, at the latest after four seconds. Any thread. */
    void terminate() {
        onLoop(membership::terminate);
    }

    /** Releases everything; idempotent. Any thread but the event loop's. */
    void close() {
        membership.spool().close();
        onLoop(() -> {
            membership.end(ExitCode.TERMINATED);
            membership.uplink().close();
        });
        RunningEngine running = engineOrNull();
        if (running != null) {
            running.close();
        }
        dialer.close();
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    private @Nullable RunningEngine engineOrNull() {
        try {
            return loop.submit(membership::engine).awaitUninterruptibly().getNow();
        } catch (RejectedExecutionException e) {
            return null;
        }
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the link is closed", e);
        }
    }

    /** Makes ways of connections. */
    private final class Connections implements Dialer.Events {

        @Override
        public void connected(Channel fresh) {
            if (ticket.datagrams()) {
                // Where this gets through and datagrams do not, no controller gives the load a lease.
                Message enrol = new Message.Enrol(ticket.token());
                fresh.writeAndFlush(new FrameTimestamps(ticket.tester()).frame(enrol, clock.nanoTime()));
            } else {
                // A handshake under the run's certificate shows that the controller lives as well as a frame does.
                membership.uplink().heard(clock.nanoTime());
                membership.connected(new ChannelConnection(fresh));
            }
        }

        @Override
        public void came(Channel from, Object message) {
            if (!(message instanceof FrameDecoder.Arrival arrival)) {
                return;
            }
            Message content = arrival.frame().message();
            if (membership.uplink().isOn(from)) {
                membership.received(arrival.frame(), arrival.atNanos());
            } else if (content instanceof Message.Enrolled enrolled && ticket.datagrams()) {
                enrolled(from, enrolled);
            } else if (content instanceof Message.RejectedHello rejected) {
                membership.rejected(rejected);
            }
        }

        /** Joins by datagrams; the connection that brought their keys has done its work. */
        private void enrolled(Channel from, Message.Enrolled enrolled) {
            if (membership.uplink().phase() != Uplink.Phase.DOWN
                    || !(from.remoteAddress() instanceof InetSocketAddress controller)) {
                return;
            }
            try {
                membership.connected(
                        new DatagramConnection(loop, controller.getAddress(), enrolled, clock, new Datagrams()));
            } catch (IOException e) {
                dialer.trouble(String.valueOf(e.getMessage()));
            }
            from.close();
        }

        @Override
        public void writable(Channel which) {
            membership.pump();
        }

        @Override
        public boolean gone(Channel which) {
            if (membership.uplink().isOn(which)) {
                membership.gone();
            }
            return membership.uplink().phase() == Uplink.Phase.DOWN;
        }
    }

    /** Hears of the way by datagrams. */
    private final class Datagrams implements DatagramConnection.Events {

        @Override
        public void came(Frame frame, long atNanos) {
            membership.received(frame, atNanos);
        }

        @Override
        public void writable() {
            membership.pump();
        }

        @Override
        public void gone(String why) {
            dialer.trouble("the datagram connection ended: " + why);
            membership.gone();
            dialer.connectLater();
        }
    }
}
