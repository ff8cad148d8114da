package org.diperf.tester.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.TimeExchange;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.time.TimeProbe;
import org.diperf.tester.transport.ChannelWay;
import org.diperf.tester.transport.DatagramWay;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Sockets;
import org.diperf.tester.transport.Stamps;
import org.diperf.tester.transport.Way;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link of one tester: one connection at a time, and what must survive it. All state is confined to the event loop;
 * methods that other threads call say so.
 */
final class Link {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final long TICK_MILLIS = 100;

    /** Blocks wait for the next tick, so that this thread seldom wakes beside the load; but no more bytes than these. */
    private static final int SHIP_BYTES = 256 << 10;

    private static final long STATUS_NANOS = 500_000_000;
    private static final long TERMINATE_SECONDS = 4;
    private static final int MAX_LOG_LINES = 100;
    private static final int MAX_LOG_LENGTH = 2_000;

    private final Ticket ticket;
    private final Tester.Setup setup;
    private final NanoClock clock;
    private final Consumer<Assignment> onAssignment;
    private final Runnable onExit;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Dialer dialer;
    private final Spool spool;
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private final AtomicBoolean fullTold = new AtomicBoolean();
    private final ArrayDeque<String> lines = new ArrayDeque<>();

    private final TimeProbe time;

    private volatile int exitCode = -1;
    private @Nullable Way way;
    private Stamps stamps;
    private boolean welcomed;
    private boolean everWelcomed;
    private long heardNanos;
    private long statusNanos;
    private long leaseNanos;
    private @Nullable Assignment assignment;
    private final List<Stage> appended = new ArrayList<>();
    private @Nullable RunningEngine engine;
    private boolean prepared;
    private boolean started;
    private boolean leaseOut;
    private long stopGraceNanos = Long.MAX_VALUE;
    private long shipped;
    private @Nullable String refusal;
    private @Nullable TesterTotals totals;
    private boolean finishedSent;
    private boolean terminating;
    /** Whether somebody else than the controller ended the load: its plan is then not carried out, but lost. */
    private boolean cutShort;

    /**
     * @param onAssignment called once on the event loop; must not block
     * @param onExit called on the event loop when {@link #exitCode} has become known
     */
    Link(Ticket ticket, Tester.Setup setup, NanoClock clock, Consumer<Assignment> onAssignment, Runnable onExit)
            throws SSLException {
        this.ticket = ticket;
        this.setup = setup;
        this.clock = clock;
        this.onAssignment = onAssignment;
        this.onExit = onExit;
        this.stamps = new Stamps(ticket.tester());
        this.group = Sockets.oneLoop("diperf-tester-link-" + ticket.tester());
        this.loop = group.next();
        this.time = new TimeProbe(ticket.tester(), clock, loop, this::log);
        this.dialer = new Dialer(
                ticket,
                "tester " + ticket.tester(),
                loop,
                () -> FrameDecoder.decoding(clock, Frame.MAX_LENGTH),
                events());
        this.spool = new Spool(setup.spoolBytes(), this::blockCame, this::tellFull);
    }

    /** Gives the sink for the engine. Any thread. */
    Spool spool() {
        return spool;
    }

    /** Tells how the tester ends; empty while it does not. Any thread. */
    OptionalInt exitCode() {
        return exitCode < 0 ? OptionalInt.empty() : OptionalInt.of(exitCode);
    }

    /** Begins to connect. Any thread. */
    void open() {
        onLoop(() -> {
            heardNanos = clock.nanoTime();
            dialer.connect();
            var unused = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    /** Says that the engine waits for the start. Any thread. */
    void prepared(RunningEngine ready) {
        ready.done().whenComplete((result, failure) -> onLoop(() -> time.burst(() -> done(result, failure))));
        onLoop(() -> {
            engine = ready;
            appended.forEach(this::append);
            appended.clear();
            if (stopGraceNanos < Long.MAX_VALUE) {
                ready.stop(stopGraceNanos);
            } else {
                time.burst(() -> {
                    prepared = true;
                    sendReady();
                });
            }
        });
    }

    /** Says that the start may come, with what is known of the clock. */
    private void sendReady() {
        sendExchanges();
        send(new Message.Ready());
    }

    /** Says why the assignment cannot be carried out. Any thread. */
    void refuse(String reason) {
        onLoop(() -> {
            refusal = reason;
            LOG.error("tester {} cannot take part: {}", ticket.tester(), reason);
            send(new Message.Refused(reason));
        });
    }

    /** Sends a line to the run's log, now or when there is a connection. Any thread. */
    void log(String line) {
        onLoop(() -> {
            if (lines.size() < MAX_LOG_LINES) {
                lines.add(line.length() > MAX_LOG_LENGTH ? line.substring(0, MAX_LOG_LENGTH) + "..." : line);
            }
            sendLines();
        });
    }

    /** Stops the load and ends the tester when its samples are safe, at the latest after four seconds. Any thread. */
    void terminate() {
        onLoop(() -> {
            if (!terminating) {
                terminating = true;
                cutShort = started && totals == null && stopGraceNanos == Long.MAX_VALUE;
                if (cutShort) {
                    log("was told to end before its plan was over (SIGTERM); its load stops");
                }
                stop(0);
                endWhenSafe();
                var unused = loop.schedule(() -> exit(ExitCode.TERMINATED), TERMINATE_SECONDS, TimeUnit.SECONDS);
            }
        });
    }

    /** Releases everything; idempotent. Any thread but the event loop's. */
    void close() {
        spool.close();
        onLoop(() -> {
            exit(ExitCode.TERMINATED);
            if (way != null) {
                way.close();
            }
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
            return loop.submit(() -> engine).awaitUninterruptibly().getNow();
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

    private void exit(int code) {
        assert loop.inEventLoop();
        if (exitCode < 0) {
            exitCode = code;
            dialer.stop();
            time.close();
            if (code == ExitCode.CONTROLLER_GONE || code == ExitCode.TERMINATED) {
                leaveSpool();
            }
            spool.close();
            onExit.run();
        }
    }

    /** Leaves what is not acknowledged in a file, for whoever goes on with the run. */
    private void leaveSpool() {
        long blocks = spool.unacknowledged();
        if (blocks == 0 || assignment == null) {
            return;
        }
        try {
            LeftSpool.write(setup.spoolFolder(), ticket.tester(), spool, totals, clock);
            LOG.warn(
                    "tester {}: {} blocks of samples that the controller does not have are in {}",
                    ticket.tester(),
                    blocks,
                    LeftSpool.file(setup.spoolFolder(), ticket.tester()));
        } catch (IOException e) {
            LOG.error("tester {}: {} blocks of samples are given up: {}", ticket.tester(), blocks, e.toString());
        }
    }

    // The connection

    /** Gives what the connection's maker tells. */
    private Dialer.Events events() {
        return new Dialer.Events() {
            @Override
            public void connected(Channel fresh) {
                // A handshake under the run's certificate shows that the controller lives as well as a frame does.
                heardNanos = clock.nanoTime();
                if (ticket.datagrams()) {
                    Message enrol = new Message.Enrol(ticket.token());
                    fresh.writeAndFlush(new Stamps(ticket.tester()).frame(enrol, clock.nanoTime()));
                } else {
                    begin(new ChannelWay(fresh));
                }
            }

            @Override
            public void came(Channel from, Object message) {
                if (!(message instanceof FrameDecoder.Arrival arrival)) {
                    return;
                }
                if (way instanceof ChannelWay mine && mine.channel() == from) {
                    received(arrival.frame(), arrival.atNanos());
                } else if (arrival.frame().message() instanceof Message.Enrolled enrolled && ticket.datagrams()) {
                    enrolled(from, enrolled);
                } else if (arrival.frame().message() instanceof Message.RejectedHello rejected) {
                    rejected(rejected);
                }
            }

            @Override
            public void writable(Channel which) {
                pump();
            }

            @Override
            public boolean gone(Channel which) {
                if (way instanceof ChannelWay mine && mine.channel() == which) {
                    way = null;
                    welcomed = false;
                }
                return way == null;
            }
        };
    }

    /** Goes on by datagrams; the connection that brought their keys has done its work. */
    private void enrolled(Channel from, Message.Enrolled enrolled) {
        if (way != null || !(from.remoteAddress() instanceof InetSocketAddress controller)) {
            return;
        }
        try {
            begin(new DatagramWay(loop, controller.getAddress(), enrolled, clock, new DatagramWay.Events() {
                @Override
                public void came(Frame frame, long atNanos) {
                    received(frame, atNanos);
                }

                @Override
                public void writable() {
                    pump();
                }

                @Override
                public void gone(String why) {
                    dialer.trouble("the way by datagrams ended: " + why);
                    way = null;
                    welcomed = false;
                    dialer.connectLater();
                }
            }));
        } catch (IOException e) {
            dialer.trouble(String.valueOf(e.getMessage()));
        }
        from.close();
    }

    private void begin(Way fresh) {
        way = fresh;
        welcomed = false;
        stamps = new Stamps(ticket.tester());
        write(new Message.Hello(ticket.token(), Frame.VERSION, everWelcomed, setup.facts()));
        fresh.flush();
    }

    private void rejected(Message.RejectedHello rejected) {
        LOG.error("tester {} was not let in: {}", ticket.tester(), rejected.reason());
        exit(ExitCode.REJECTED);
    }

    // Messages

    private void received(Frame frame, long atNanos) {
        assert loop.inEventLoop();
        if (frame.tester() != ticket.tester()) {
            drop("Wanted a frame for tester " + ticket.tester() + ", found one for tester " + frame.tester());
            return;
        }
        stamps.received(frame, atNanos);
        heardNanos = atNanos;
        Message message = frame.message();
        if (message instanceof Message.Welcome welcome) {
            welcomed(welcome);
        } else if (message instanceof Message.RejectedHello rejected) {
            rejected(rejected);
        } else if (!welcomed) {
            drop("Wanted a welcome first, found " + message.getClass().getSimpleName());
        } else if (message instanceof Message.Ping) {
            send(new Message.Pong());
        } else if (message instanceof Message.Ack ack) {
            spool.acknowledge(ack.durable());
            pump();
            endWhenSafe();
        } else if (message instanceof Message.Assign assign) {
            if (assignment == null) {
                assignment = assign.assignment();
                leaseNanos = assign.assignment().leaseNanos();
                onAssignment.accept(assign.assignment());
            }
        } else if (message instanceof Message.Append append) {
            if (engine == null) {
                appended.add(append.stage());
            } else {
                append(append.stage());
            }
        } else if (message instanceof Message.Start start) {
            if (engine != null && !started && stopGraceNanos == Long.MAX_VALUE) {
                started = true;
                engine.start(start.localStartNanos(), start.joinNanos());
            }
        } else if (message instanceof Message.Stop stop) {
            stop(stop.graceNanos());
        } else if (message instanceof Message.Bye) {
            exit(refusal == null ? ExitCode.DONE : ExitCode.REFUSED);
        } else {
            drop("Wanted a message of a controller, found " + message.getClass().getSimpleName());
        }
    }

    private void drop(String reason) {
        dialer.trouble(reason);
        if (way != null) {
            way.close();
        }
    }

    private void welcomed(Message.Welcome welcome) {
        welcomed = true;
        everWelcomed = true;
        leaseNanos = Math.max(1, welcome.leaseNanos());
        dialer.welcomed();
        spool.acknowledge(welcome.durable());
        // A controller that held blocks in memory and was killed has fewer than were acknowledged.
        shipped = Math.max(welcome.durable(), spool.acknowledged());
        finishedSent = false;
        // The controller may have missed any of these; it ignores what it knows.
        if (refusal != null) {
            send(new Message.Refused(refusal));
        } else if (prepared) {
            sendReady();
        }
        InetAddress host = way == null ? null : way.host();
        if (host != null) {
            time.server(host, welcome.time());
        }
        sendLines();
        pump();
        endWhenSafe();
    }

    private void append(Stage stage) {
        if (engine != null) {
            try {
                engine.append(stage);
            } catch (IllegalArgumentException | IllegalStateException e) {
                // The controller sends all stages again on the next connection.
                drop("Wanted the stage that follows in a plan that grows: " + e.getMessage());
            }
        }
    }

    /** Stops the load; a second time only with less grace. */
    private void stop(long graceNanos) {
        if (graceNanos < stopGraceNanos) {
            stopGraceNanos = Math.max(0, graceNanos);
            if (engine != null) {
                engine.stop(stopGraceNanos);
            }
        }
    }

    private void done(@Nullable TesterTotals result, @Nullable Throwable failure) {
        if (result != null) {
            totals = result;
            if (cutShort && engine != null) {
                send(new Message.Status(engine.status()));
            }
            if (way instanceof DatagramWay datagrams && datagrams.resent() > 0) {
                log(datagrams.resent() + " of " + datagrams.pieces() + " datagrams were lost, and sent again");
            }
            if (spool.waits() > 0) {
                log("The load stopped " + spool.waits() + " times because the sample buffer was full");
            }
        } else {
            refuse("The engine failed: " + failure);
        }
        pump();
        endWhenSafe();
    }

    private void endWhenSafe() {
        if (terminating && (engine == null || totals != null || refusal != null) && spool.unacknowledged() == 0) {
            exit(ExitCode.TERMINATED);
        }
    }

    // Sending

    private void send(Message message) {
        assert loop.inEventLoop();
        if (way != null && welcomed) {
            write(message);
            way.flush();
        }
    }

    private void write(Message message) {
        if (way != null) {
            way.write(stamps.frame(message, clock.nanoTime()));
        }
    }

    private void sendLines() {
        while (way != null && welcomed && !lines.isEmpty()) {
            send(new Message.Log(lines.remove()));
        }
    }

    private void sendExchanges() {
        if (way != null && welcomed) {
            List<TimeExchange> answered = time.takeAnswered();
            if (!answered.isEmpty()) {
                send(new Message.Exchanges(answered));
            }
        }
    }

    private void blockCame(int bytes) {
        int waiting = waitingBytes.addAndGet(bytes);
        if (waiting >= SHIP_BYTES && waiting - bytes < SHIP_BYTES) {
            onLoop(this::pump);
        }
    }

    private void tellFull() {
        if (fullTold.compareAndSet(false, true)) {
            log("The sample buffer of " + (setup.spoolBytes() >> 20)
                    + " MiB is full; the load waits for the controller");
        }
    }

    /** Ships the blocks that were not shipped on this connection, as far as the socket takes them. */
    private void pump() {
        assert loop.inEventLoop();
        waitingBytes.set(0);
        if (way == null || !welcomed) {
            return;
        }
        boolean written = false;
        while (way != null && way.isWritable()) {
            ByteBuffer block = spool.block(shipped + 1);
            if (block == null) {
                break;
            }
            write(new Message.Block(block));
            written = true;
            shipped++;
        }
        sendExchanges();
        if (totals != null && !finishedSent && !cutShort && shipped >= spool.last()) {
            finishedSent = true;
            write(new Message.Finished(totals));
            written = true;
        }
        if (written && way != null) {
            way.flush();
        }
    }

    // Time

    private void tick() {
        long now = clock.nanoTime();
        long silentNanos = now - heardNanos;
        boolean debug = assignment != null && assignment.debug();
        boolean silent = everWelcomed && silentNanos > leaseNanos && !debug;
        if (silent && started && !leaseOut && totals == null && engine != null) {
            leaseOut = true;
            LOG.warn(
                    "tester {}: the controller is silent for {} ms (limit {} ms); the load stops, the samples are kept",
                    ticket.tester(),
                    silentNanos / 1_000_000,
                    leaseNanos / 1_000_000);
            log("The lease ran out: the controller was silent for " + silentNanos / 1_000_000 + " ms (limit "
                    + leaseNanos / 1_000_000 + " ms); this tester has stopped its load");
            stop(0);
        }
        if (silent && way != null && way.isActive()) {
            way.close();
        }
        long lingerNanos = assignment == null ? setup.joinNanos() : leaseNanos + assignment.lingerNanos();
        if (silentNanos > lingerNanos && (!debug || way == null)) {
            LOG.error(
                    "tester {}: the controller is gone for {} s: waiting no longer",
                    ticket.tester(),
                    silentNanos / 1_000_000_000);
            exit(ExitCode.CONTROLLER_GONE);
        }
        if (now - statusNanos >= STATUS_NANOS && engine != null && totals == null) {
            statusNanos = now;
            send(new Message.Status(engine.status()));
        }
        pump();
    }
}
