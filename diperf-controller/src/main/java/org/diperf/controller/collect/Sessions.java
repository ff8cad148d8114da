package org.diperf.controller.collect;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeService;
import org.diperf.tester.link.Stamps;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules by which testers join, report, are lost and come back. Confined to the collector's event loop. */
final class Sessions {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    private static final int BURST = 8;
    private static final long BURST_MILLIS = 10;
    private static final long BURST_LIMIT_MILLIS = 1_000;
    private static final long MAX_PING_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_STRANGERS = 256;
    private static final int MAX_REFUSALS_TOLD = 1_000;
    private static final int MAX_LOG_LINE = 4_000;

    private final EventLoop loop;
    private final NanoClock clock;
    private final RunCredentials credentials;
    private final Collector.Config config;
    private final Collector.Listener listener;
    private final Map<Integer, CompletableFuture<Void>> joins = new ConcurrentHashMap<>();
    private final SampleStore store;
    private final long epoch;
    private final Map<Integer, Session> sessions = new TreeMap<>();
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Set<String> refusalsTold = new HashSet<>();
    private int strangers;
    private boolean paused;
    private boolean failed;
    private @Nullable Long globalStartNanos;
    private final List<Stage> appended = new ArrayList<>();
    private @Nullable Long stopGraceNanos;
    private boolean bye;
    private TimeService time = TimeService.NONE;

    Sessions(
            EventLoop loop,
            NanoClock clock,
            RunCredentials credentials,
            Collector.Config config,
            long epoch,
            SampleStore store,
            Collector.Listener listener) {
        this.loop = loop;
        this.clock = clock;
        this.credentials = credentials;
        this.config = config;
        this.epoch = epoch;
        this.store = store;
        this.listener = listener;
    }

    /** Gives a tester's session, made when it is first asked for; {@code null} when there is no such tester. */
    private @Nullable Session session(int tester) {
        return tester < 1 || tester > config.testers()
                ? null
                : sessions.computeIfAbsent(tester, number -> new Session(number, clock, epoch, store::offerClock));
    }

    /** Says from now on where the time server answers. */
    void time(TimeService service) {
        time = service;
    }

    // Connections

    /** Takes note of a new connection; false when there are too many that have not said who they are. */
    boolean opened(Connection connection) {
        assert loop.inEventLoop();
        if (strangers >= MAX_STRANGERS) {
            refused(connection, "too many connections that have not joined (limit " + MAX_STRANGERS + ")");
            return false;
        }
        strangers++;
        connections.add(connection);
        connection.channel().config().setAutoRead(!paused);
        return true;
    }

    void closed(Connection connection) {
        assert loop.inEventLoop();
        if (connections.remove(connection) && !connection.isAuthenticated()) {
            strangers--;
        }
        for (Session session : sessions.values()) {
            if (session.channel == connection.channel()) {
                session.channel = null;
            }
        }
    }

    /** Logs why a peer was not let in, once per reason and address. */
    void refused(Connection connection, String reason) {
        if (refusalsTold.size() < MAX_REFUSALS_TOLD && refusalsTold.add(connection.peer() + ' ' + reason)) {
            LOG.warn("refused {}: {}", connection.peer(), reason);
        }
    }

    /** Ends a connection whose bytes make no sense, and the testers behind it. */
    void broken(Connection connection, String reason) {
        if (!connection.isAuthenticated()) {
            refused(connection, reason);
            connection.channel().close();
            return;
        }
        for (Session session : sessions.values()) {
            if (session.channel == connection.channel()) {
                fault(session, "broke the protocol: " + reason);
            }
        }
        connection.channel().close();
    }

    // Frames

    void received(Connection connection, Frame frame, long atNanos) {
        assert loop.inEventLoop();
        Session session = connection.maySpeakFor(frame.tester()) ? session(frame.tester()) : null;
        if (session == null) {
            broken(connection, "its certificate does not let it speak for tester " + frame.tester());
            return;
        }
        Message message = frame.message();
        if (message instanceof Message.Hello hello) {
            hello(connection, session, hello, frame, atNanos);
            return;
        }
        if (session.channel != connection.channel()) {
            broken(
                    connection,
                    "wanted a hello first, found " + message.getClass().getSimpleName());
            return;
        }
        session.received(frame, atNanos);
        cameBack(session);
        if (message instanceof Message.Block block) {
            block(session, block.data());
        } else if (message instanceof Message.Pong) {
            session.pongs++;
            tellReady(session, session.pongs >= BURST);
        } else if (message instanceof Message.Status status) {
            tell(() -> listener.status(session.tester, status.status()));
        } else if (message instanceof Message.Ready) {
            ready(session);
        } else if (message instanceof Message.Refused refused) {
            if (!session.refused) {
                session.refused = true;
                tell(() -> listener.refused(session.tester, refused.reason()));
            }
        } else if (message instanceof Message.Finished finished) {
            if (session.totals == null) {
                session.totals = finished.totals();
                tell(() -> listener.finished(session.tester, finished.totals()));
            }
        } else if (message instanceof Message.Exchanges exchanges) {
            exchanges.exchanges().forEach(session::received);
        } else if (message instanceof Message.Log log) {
            String line = log.line();
            String bounded = line.length() > MAX_LOG_LINE ? line.substring(0, MAX_LOG_LINE) + "..." : line;
            tell(() -> listener.log(session.tester, bounded));
        } else {
            broken(
                    connection,
                    "wanted a tester's message, found " + message.getClass().getSimpleName());
        }
    }

    private void hello(Connection connection, Session session, Message.Hello hello, Frame frame, long atNanos) {
        Optional<String> objection = objection(session, connection, hello);
        if (objection.isPresent()) {
            refused(connection, objection.get());
            // Answered on a session's stamps of its own: this peer is nobody yet.
            connection
                    .channel()
                    .writeAndFlush(new Stamps(frame.tester())
                            .frame(new Message.RejectedHello(objection.get()), clock.nanoTime()))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        if (!connection.isAuthenticated()) {
            connection.authenticated();
            strangers--;
        }
        Channel old = session.channel;
        boolean first = session.facts == null;
        session.attach(connection.channel(), hello.facts());
        if (old != null && old != connection.channel()) {
            old.close();
        }
        session.received(frame, atNanos);
        session.send(new Message.Welcome(session.durable, config.leaseNanos(), time));
        if (first) {
            tell(() -> listener.joined(session.tester, hello.facts()));
            joined(session.tester).complete(null);
        } else {
            tell(() -> listener.log(session.tester, "connected again from " + connection.peer()));
            cameBack(session);
        }
        catchUp(session);
    }

    /** Completes when a tester has joined for the first time. Any thread. */
    CompletableFuture<Void> joined(int tester) {
        return joins.computeIfAbsent(tester, none -> new CompletableFuture<>());
    }

    private Optional<String> objection(Session session, Connection connection, Message.Hello hello) {
        if (!credentials.isToken(hello.token())) {
            return Optional.of("wanted this run's token, found another one: use the ticket of this run");
        }
        if (hello.protocol() != Frame.VERSION) {
            return Optional.of("wanted wire version " + Frame.VERSION + ", found version " + hello.protocol()
                    + ": use the same DiPerF for controller and testers");
        }
        if (session.fault != null) {
            return Optional.of("tester " + session.tester + " was dropped before: " + session.fault);
        }
        if (!hello.resume() && session.isConnected() && session.channel != connection.channel()) {
            return Optional.of("tester " + session.tester + " has joined already, from another process");
        }
        if (!hello.resume() && (session.ready || session.lastBlock > 0)) {
            return Optional.of("tester " + session.tester
                    + " was at work before; a new process cannot continue what died with the old one");
        }
        return Optional.empty();
    }

    /** Repeats what the tester may have missed while it was away; it ignores what it knows. */
    private void catchUp(Session session) {
        if (bye) {
            session.send(new Message.Bye());
            return;
        }
        if (session.assignment != null) {
            session.send(new Message.Assign(session.assignment));
            appended.forEach(stage -> session.send(new Message.Append(stage)));
        }
        if (session.started) {
            session.send(new Message.Start(session.startNanos, session.joinNanos));
        } else if (session.ready) {
            burst(session);
        }
        if (stopGraceNanos != null) {
            session.send(new Message.Stop(stopGraceNanos));
        }
        if (session.stopGraceNanos != null) {
            session.send(new Message.Stop(session.stopGraceNanos));
        }
    }

    private void block(Session session, ByteBuffer data) {
        Block header;
        try {
            header = Block.read(data);
            if (Block.length(data) != data.remaining()) {
                throw new CorruptBlockException(
                        "wanted one block of " + Block.length(data) + " bytes, found " + data.remaining());
            }
        } catch (CorruptBlockException e) {
            fault(session, "sent a block that cannot be used: " + e.getMessage());
            return;
        }
        if (header.tester() != session.tester) {
            fault(session, "sent a block of tester " + header.tester());
            return;
        }
        if (header.number() <= session.lastBlock) {
            // Came twice: after a reconnect everything that was not acknowledged comes again.
            return;
        }
        if (header.number() != session.lastBlock + 1) {
            fault(
                    session,
                    "sent block " + header.number() + " after block " + session.lastBlock
                            + ": the blocks between are missing");
            return;
        }
        if (failed) {
            return;
        }
        session.lastBlock = header.number();
        if (!store.offer(session.tester, header.number(), data.duplicate())) {
            pause(true);
        }
        tell(() -> listener.block(session.tester, data.duplicate()));
    }

    private void ready(Session session) {
        if (session.assignment == null) {
            fault(session, "said that it was ready before it had an assignment");
            return;
        }
        if (!session.ready) {
            session.ready = true;
            if (session.answers >= BURST) {
                tellReady(session, true);
            } else {
                burst(session);
            }
        }
    }

    /** Pings in quick succession, so that the offset is good before the start. */
    private void burst(Session session) {
        if (session.readyTold) {
            return;
        }
        session.pongs = 0;
        Channel current = session.channel;
        for (int ping = 0; ping < BURST; ping++) {
            var unused = loop.schedule(
                    () -> {
                        if (session.channel == current) {
                            ping(session);
                        }
                    },
                    ping * BURST_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
        var unused = loop.schedule(() -> tellReady(session, true), BURST_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tellReady(Session session, boolean measured) {
        Optional<OffsetEstimate.Offset> offset = session.offset();
        if (session.ready && !session.readyTold && measured && offset.isPresent() && session.fault == null) {
            session.readyTold = true;
            long testerNanos = clock.nanoTime() - offset.get().thetaNanos();
            tell(() -> listener.ready(session.tester, testerNanos));
            if (globalStartNanos != null) {
                start(session, globalStartNanos);
            }
        }
    }

    private void ping(Session session) {
        session.pingNanos = clock.nanoTime();
        session.send(new Message.Ping());
    }

    // Orders of the run

    void assign(int tester, Assignment assignment) {
        Session session = session(tester);
        if (session != null && session.assignment == null) {
            session.assignment = assignment;
            session.send(new Message.Assign(assignment));
        }
    }

    /** Appends a stage to the plan of all testers, those too that come back later. */
    void append(Stage stage) {
        appended.add(stage);
        sessions.values().stream()
                .filter(session -> session.assignment != null)
                .forEach(session -> session.send(new Message.Append(stage)));
    }

    void start(long atNanos) {
        globalStartNanos = atNanos;
        sessions.values().forEach(session -> start(session, atNanos));
    }

    private void start(Session session, long atNanos) {
        Optional<OffsetEstimate.Offset> offset = session.offset();
        if (!session.readyTold || session.started || session.fault != null || offset.isEmpty()) {
            return;
        }
        if (clock.nanoTime() - atNanos - session.joinNanos >= 0) {
            // Too late for the start, and nobody has said yet when it is to join.
            return;
        }
        session.started = true;
        session.startNanos = atNanos - offset.get().thetaNanos();
        session.send(new Message.Start(session.startNanos, session.joinNanos));
        tell(() -> listener.started(session.tester, session.startNanos));
    }

    /** Lets a tester that is ready take part in a run that is under way. */
    void join(int tester, long joinNanos) {
        Session session = session(tester);
        if (session != null && !session.started && globalStartNanos != null && stopGraceNanos == null) {
            session.joinNanos = joinNanos;
            start(session, globalStartNanos);
        }
    }

    /** Ends the load of one tester, now and when it comes back. */
    void stop(int tester, long graceNanos) {
        Session session = session(tester);
        if (session != null) {
            session.stopGraceNanos = graceNanos;
            session.send(new Message.Stop(graceNanos));
        }
    }

    void stop(long graceNanos) {
        stopGraceNanos = stopGraceNanos == null ? graceNanos : Math.min(stopGraceNanos, graceNanos);
        sessions.values().forEach(session -> session.send(new Message.Stop(graceNanos)));
    }

    void bye() {
        bye = true;
        sessions.values().forEach(session -> session.send(new Message.Bye()));
    }

    // What the store says

    void durable(Map<Integer, Long> highest) {
        highest.forEach((tester, number) -> {
            Session session = sessions.get(tester);
            if (session != null) {
                session.durable = number;
                session.send(new Message.Ack(number));
            }
        });
    }

    void overflowed(String reason) {
        LOG.warn(reason);
        tell(() -> listener.overflowed(reason));
    }

    void failed(String reason) {
        failed = true;
        pause(false);
        LOG.error(reason);
        tell(() -> listener.failed(reason));
    }

    /** Stops or continues to read from all testers. */
    void pause(boolean wanted) {
        if (paused != wanted) {
            paused = wanted;
            long now = clock.nanoTime();
            connections.forEach(connection -> connection.channel().config().setAutoRead(!wanted));
            // While we did not listen nobody was silent.
            sessions.values().forEach(session -> session.heardNanos = now);
        }
    }

    // Time

    void tick() {
        long now = clock.nanoTime();
        long everyNanos = Math.min(MAX_PING_NANOS, config.leaseNanos() / 5);
        for (Session session : sessions.values()) {
            if (session.isConnected() && now - session.pingNanos >= everyNanos) {
                ping(session);
            }
            long silentNanos = now - session.heardNanos;
            if (session.isLeased() && !session.lost && !paused && silentNanos > config.leaseNanos()) {
                session.lost = true;
                String reason = (session.isConnected() ? "silent for " : "gone for ") + silentNanos / 1_000_000
                        + " ms (limit " + config.leaseNanos() / 1_000_000 + " ms)";
                tell(() -> listener.lost(session.tester, reason, session.heardNanos));
            }
        }
        for (Connection connection : Set.copyOf(connections)) {
            if (!connection.isAuthenticated() && now - connection.openedNanos() > HELLO_NANOS) {
                refused(connection, "did not join within " + HELLO_NANOS / 1_000_000_000 + " s");
                connection.channel().close();
            }
        }
    }

    private void cameBack(Session session) {
        if (session.lost) {
            session.lost = false;
            tell(() -> listener.back(session.tester));
        }
    }

    private void fault(Session session, String reason) {
        if (session.fault == null) {
            session.fault = reason;
            LOG.warn("tester {} is dropped: it {}", session.tester, reason);
            if (session.channel != null) {
                session.channel.close();
                session.channel = null;
            }
            tell(() -> listener.lost(session.tester, reason, clock.nanoTime()));
        }
    }

    /** Hands over the last clock rows and ends all connections. */
    void close() {
        sessions.values().forEach(Session::flushClock);
        Set.copyOf(connections).forEach(connection -> connection.channel().close());
    }

    /** A listener's fault is not a tester's. */
    private void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.error("the collector's listener failed", e);
        }
    }
}
