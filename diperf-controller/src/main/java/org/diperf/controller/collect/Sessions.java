package org.diperf.controller.collect;

import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
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
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.security.RunCredentials;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeService;
import org.diperf.tester.transport.Stamps;
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
    private static final int MAX_LOG_LINE = 4_000;
    private static final int CROWD = 1_000;

    private final EventLoop loop;
    private final NanoClock clock;
    private final RunCredentials credentials;
    private final CollectorConfig config;
    private final TesterEvents listener;
    private final Map<Integer, CompletableFuture<Void>> joins = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<Void>> relays = new ConcurrentHashMap<>();
    private final SampleStore store;
    private final long epoch;
    private final Map<Integer, Session> sessions = new TreeMap<>();
    private final Set<Peer> peers = new LinkedHashSet<>();
    private final Strangers strangers = new Strangers();
    private final Journal journal;
    private final Orders orders;
    private @Nullable Datagrams datagrams;
    /** Whether another collector was killed before this one, and what it held in memory may be missing. */
    private boolean mayMiss;

    private volatile long silentNanos;

    /** When all sessions were last looked at, which takes a while where they are very many. */
    private long lookedNanos;

    private boolean paused;
    private boolean failed;
    private TimeService time = TimeService.NONE;

    Sessions(
            EventLoop loop,
            NanoClock clock,
            Control control,
            CollectorConfig config,
            long epoch,
            SampleStore store,
            TesterEvents listener) {
        this.loop = loop;
        this.clock = clock;
        this.credentials = control.credentials();
        this.journal = control.journal();
        this.config = config;
        this.epoch = epoch;
        this.lookedNanos = clock.nanoTime();
        this.store = store;
        this.listener = listener;
        this.orders = new Orders(
                clock,
                journal,
                this::session,
                sessions.values(),
                session -> tell(() -> listener.started(session.tester, session.startNanos)));
    }

    /** Gives what the run wants of its testers. */
    Orders orders() {
        return orders;
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

    /** Goes on where a collector was killed, before anybody is let in. */
    void restore(KeptSamples kept, List<Frame> noted) {
        mayMiss = config.memoryBytes() > 0;
        for (Frame frame : noted) {
            Session session = session(frame.tester());
            Message message = frame.message();
            if (session == null) {
                continue;
            }
            if (message instanceof Message.Append append) {
                orders.restore(append.stage());
            } else {
                session.restore(message);
            }
        }
        long now = clock.nanoTime();
        for (Session session : sessions.values()) {
            session.heardNanos = now;
            session.lastBlock = kept.blocks().getOrDefault(session.tester, 0L);
            session.durable = session.lastBlock;
            TesterTotals totals = session.totals;
            if (totals != null) {
                tell(() -> listener.finished(session.tester, totals));
            }
            // Whoever goes on for them says how long it waits for them.
            session.lost = session.started && totals == null;
        }
    }

    /** Takes a frame of the spool that a tester has left. */
    void left(Frame frame) {
        Session session = sessions.get(frame.tester());
        if (session != null && session.assignment != null && session.fault == null) {
            cameBack(session);
            if (frame.message() instanceof Message.Block block) {
                block(session, block.data());
            } else if (frame.message() instanceof Message.Finished finished) {
                finished(session, finished.totals());
            }
        }
    }

    // Peers

    /** Takes note of a new peer; false when it is not let in. */
    boolean opened(Peer peer) {
        assert loop.inEventLoop();
        if (!strangers.admit(peer, clock.nanoTime())) {
            return false;
        }
        peers.add(peer);
        peer.pause(paused);
        return true;
    }

    /** Takes note that a relay of this run is there. */
    void relayCame(Peer peer, int number) {
        strangers.forget(peer);
        LOG.info("relay {} is there, at {}", number, peer.address());
        relay(number).complete(null);
    }

    /** Completes when a relay is there for the first time. Any thread. */
    CompletableFuture<Void> relay(int number) {
        return relays.computeIfAbsent(number, none -> new CompletableFuture<>());
    }

    void closed(Peer peer) {
        assert loop.inEventLoop();
        peers.remove(peer);
        strangers.forget(peer);
        for (Session session : peer.sessions()) {
            session.detach(peer);
        }
    }

    /** Logs why a peer was not let in, once per reason and address. */
    void refused(Peer peer, String reason) {
        if (peer.isAuthenticated()) {
            strangers.tell(peer, reason);
        } else {
            strangers.refused(peer, reason, clock.nanoTime());
        }
    }

    /** Ends a way whose bytes make no sense, and the testers behind it but for those of a relay, who come again. */
    void broken(Peer peer, String reason) {
        if (!peer.isAuthenticated()) {
            refused(peer, reason);
        } else if (!peer.isRelay()) {
            peer.sessions().forEach(session -> fault(session, "broke the protocol: " + reason));
        } else {
            LOG.warn("the relay at {} broke the protocol: {}", peer.address(), reason);
        }
        peer.close();
    }

    /** Takes note of a frame that makes no sense, where the next one can be read. */
    void nonsense(Peer peer, int tester, String reason) {
        Session session = sessions.get(tester);
        if (peer.isRelay() && peer.isAuthenticated()) {
            if (session != null && session.peer == peer) {
                fault(session, "broke the protocol: " + reason);
            }
        } else {
            broken(peer, reason);
        }
    }

    // Frames

    void received(Peer peer, Frame frame, long atNanos) {
        assert loop.inEventLoop();
        Session session = peer.maySpeakFor(frame.tester()) ? session(frame.tester()) : null;
        if (session == null) {
            broken(peer, "its certificate does not let it speak for tester " + frame.tester());
            return;
        }
        Message message = frame.message();
        boolean isFirst = peer.speaks();
        if (message instanceof Message.Enrol enrol) {
            if (isFirst || !peer.isRelay()) {
                enrol(peer, frame.tester(), enrol);
            } else {
                // A relay passes on a hello first: this is a tester behind it, who must get no keys in its name.
                nonsense(peer, frame.tester(), "wanted a tester's message, found one of those without a relay");
            }
            return;
        }
        if (message instanceof Message.Hello hello) {
            hello(peer, session, hello, frame, atNanos);
            return;
        }
        if (session.peer != peer) {
            // Behind a relay a tester may have been dropped, or gone elsewhere, while this was under way.
            if (!peer.isRelay() || !peer.isAuthenticated()) {
                broken(peer, "wanted a hello first, found " + message.getClass().getSimpleName());
            }
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
                journal.note(session.tester, refused);
                tell(() -> listener.refused(session.tester, refused.reason()));
            }
        } else if (message instanceof Message.Finished finished) {
            finished(session, finished.totals());
        } else if (message instanceof Message.Exchanges exchanges) {
            exchanges.exchanges().forEach(session::received);
        } else if (message instanceof Message.Log log) {
            String line = log.line();
            String bounded = line.length() > MAX_LOG_LINE ? line.substring(0, MAX_LOG_LINE) + "..." : line;
            tell(() -> listener.log(session.tester, bounded));
        } else {
            nonsense(
                    peer,
                    session.tester,
                    "wanted a tester's message, found " + message.getClass().getSimpleName());
        }
    }

    /** Gives keys for datagrams to a peer on a connection with TLS, which is not needed any more. */
    private void enrol(Peer peer, int tester, Message.Enrol enrol) {
        Datagrams ways = datagrams;
        if (!(peer instanceof TlsPeer tls) || ways == null || !credentials.isToken(enrol.token())) {
            String reason = ways == null ? "this run has no datagrams" : "wanted this run's token, found another one";
            refused(peer, reason);
            peer.send(new Stamps(tester).frame(new Message.RejectedHello(reason), clock.nanoTime()));
            peer.close();
            return;
        }
        if (!peer.isAuthenticated()) {
            peer.authenticated();
            strangers.forget(peer);
        }
        tls.enrol(ways).ifPresent(enrolled -> peer.send(new Stamps(tester).frame(enrolled, clock.nanoTime())));
    }

    /** Says by which port datagrams come. */
    void datagrams(Datagrams ways) {
        datagrams = ways;
    }

    private void hello(Peer peer, Session session, Message.Hello hello, Frame frame, long atNanos) {
        Optional<String> objection = objection(session, peer, hello);
        if (objection.isPresent()) {
            refused(peer, objection.get());
            // Answered on stamps of its own: this peer is nobody yet.
            peer.send(new Stamps(frame.tester()).frame(new Message.RejectedHello(objection.get()), clock.nanoTime()));
            if (!peer.isRelay()) {
                peer.close();
            }
            return;
        }
        if (!peer.isAuthenticated()) {
            peer.authenticated();
            strangers.forget(peer);
        }
        Peer old = session.peer;
        boolean first = session.facts == null;
        session.attach(peer, hello.facts());
        if (old != null && old != peer && !old.isRelay()) {
            old.close();
        }
        session.received(frame, atNanos);
        session.send(new Message.Welcome(session.durable, config.leaseNanos(), time));
        if (first) {
            journal.note(session.tester, new Message.Hello("", hello.protocol(), hello.resume(), hello.facts()));
            tell(() -> listener.joined(session.tester, hello.facts()));
            joined(session.tester).complete(null);
        } else {
            tell(() -> listener.log(session.tester, "connected again from " + peer.address()));
            cameBack(session);
        }
        orders.repeat(session);
        if (session.ready && !session.started) {
            burst(session);
        }
    }

    private void finished(Session session, TesterTotals totals) {
        if (session.totals != null) {
            return;
        }
        session.totals = totals;
        noteFinished(session);
        tell(() -> listener.finished(session.tester, totals));
    }

    /** A tester is done for whoever goes on with the run when nothing of it is missing; else it will say so again. */
    private void noteFinished(Session session) {
        TesterTotals totals = session.totals;
        if (totals != null && !session.totalsNoted && session.durable >= session.lastBlock) {
            session.totalsNoted = true;
            journal.note(session.tester, new Message.Finished(totals));
        }
    }

    /** Completes when a tester has joined for the first time. Any thread. */
    CompletableFuture<Void> joined(int tester) {
        return joins.computeIfAbsent(tester, none -> new CompletableFuture<>());
    }

    private Optional<String> objection(Session session, Peer peer, Message.Hello hello) {
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
        if (!hello.resume() && session.isConnected() && session.peer != peer) {
            return Optional.of("tester " + session.tester + " has joined already, from another process");
        }
        if (!hello.resume() && (session.ready || session.lastBlock > 0)) {
            return Optional.of("tester " + session.tester
                    + " was at work before; a new process cannot continue what died with the old one");
        }
        return Optional.empty();
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
        if (failed) {
            // It stays with the tester, as all that follows.
            return;
        }
        if (header.number() != session.lastBlock + 1 && !(mayMiss && session.wasRestored)) {
            fault(
                    session,
                    "sent block " + header.number() + " after block " + session.lastBlock
                            + ": the blocks between are missing");
            return;
        }
        if (header.number() != session.lastBlock + 1) {
            String gap = "blocks " + (session.lastBlock + 1) + " to " + (header.number() - 1)
                    + " were held in the memory of a controller that was killed, and are lost";
            tell(() -> listener.log(session.tester, gap));
        }
        session.wasRestored = false;
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
        Peer current = session.peer;
        for (int ping = 0; ping < BURST; ping++) {
            var unused = loop.schedule(
                    () -> {
                        if (session.peer == current) {
                            ping(session);
                        }
                    },
                    ping * BURST_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
        var unused = loop.schedule(() -> tellReady(session, true), BURST_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tellReady(Session session, boolean measured) {
        if (!session.ready || session.readyTold || !measured || session.fault != null) {
            return;
        }
        Optional<OffsetEstimate.Offset> offset = session.offset();
        if (offset.isPresent()) {
            session.readyTold = true;
            long testerNanos = clock.nanoTime() - offset.get().thetaNanos();
            tell(() -> listener.ready(session.tester, testerNanos));
            orders.ready(session);
        }
    }

    private void ping(Session session) {
        session.pingNanos = clock.nanoTime();
        session.send(new Message.Ping());
    }

    // What the store says

    void durable(Map<Integer, Long> highest) {
        highest.forEach((tester, number) -> {
            Session session = sessions.get(tester);
            if (session != null) {
                session.durable = number;
                session.send(new Message.Ack(number));
                noteFinished(session);
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
            peers.forEach(peer -> peer.pause(wanted));
            if (datagrams != null) {
                datagrams.pause(wanted);
            }
            // While we did not listen nobody was silent.
            sessions.values().forEach(session -> session.heardNanos = now);
        }
    }

    // Time

    void tick() {
        long now = clock.nanoTime();
        // Every message says that we live, and every report is a clock exchange: very many testers get no more than
        // these.
        boolean isCrowd = sessions.size() > CROWD;
        long everyNanos = Math.min(MAX_PING_NANOS, config.leaseNanos() / 5);
        strangers.tick(now);
        if (isCrowd && now - lookedNanos < everyNanos / 2) {
            return;
        }
        lookedNanos = now;
        long longestNanos = 0;
        for (Session session : sessions.values()) {
            long lastNanos = isCrowd ? Math.max(session.pingNanos, session.sentNanos) : session.pingNanos;
            if (session.isConnected() && now - lastNanos >= everyNanos) {
                ping(session);
            }
            long heardAgoNanos = now - session.heardNanos;
            if (!session.isLeased() || session.lost || paused) {
                continue;
            }
            if (heardAgoNanos > config.leaseNanos()) {
                session.lost = true;
                String reason = (session.isConnected() ? "silent for " : "gone for ") + heardAgoNanos / 1_000_000
                        + " ms (limit " + config.leaseNanos() / 1_000_000 + " ms)";
                tell(() -> listener.lost(session.tester, reason, session.heardNanos));
            } else {
                longestNanos = Math.max(longestNanos, heardAgoNanos);
            }
        }
        silentNanos = longestNanos;
    }

    /** Gives how long nothing was heard of the tester under way that was heard longest ago, ns. From any thread. */
    long silentNanos() {
        return silentNanos;
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
            Peer peer = session.peer;
            if (peer != null && peer.isRelay()) {
                session.send(new Message.RejectedHello("dropped: it " + reason));
                session.detach(peer);
            } else if (peer != null) {
                peer.close();
                session.detach(peer);
            }
            tell(() -> listener.lost(session.tester, reason, clock.nanoTime()));
        }
    }

    /** Hands over the last clock rows and ends all connections. */
    void close() {
        sessions.values().forEach(Session::flushClock);
        Set.copyOf(peers).forEach(Peer::close);
        journal.close();
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
