package org.diperf.controller.collect;

import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.CallClients;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.link.SpoolFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All testers of a run: finds the session that a frame belongs to, holds leases, and stops reading while the disk is
 * behind. Confined to the collector's event loop.
 */
final class Sessions implements Session.Context {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
    private static final long MAX_PING_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int CROWD = 1_000;

    private final EventLoop loop;
    private final NanoClock clock;
    private final CollectorConfig config;
    private final TesterEvents listener;
    private final Map<Integer, CompletableFuture<Void>> joins = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<Void>> relays = new ConcurrentHashMap<>();
    private final SampleStore store;
    private final long epoch;
    private final Map<Integer, Session> sessions = new TreeMap<>();
    private final Set<Peer> peers = new LinkedHashSet<>();
    private final Admission admission;
    private final Journal journal;
    private final TesterCommands orders;
    private final CallClients clients = new CallClients();
    private @Nullable Datagrams datagrams;
    /** Whether another collector was killed before this one, and what it held in memory may be missing. */
    private boolean mayMiss;

    private volatile long silentNanos;

    /** When all sessions were last looked at, which takes a while where they are very many. */
    private long lookedNanos;

    private boolean paused;
    /** When it last stopped to read. */
    private long pausedNanos;

    private boolean failed;
    private TimeServerSettings time = TimeServerSettings.NONE;

    Sessions(
            EventLoop loop,
            NanoClock clock,
            ControlFolder control,
            CollectorConfig config,
            long epoch,
            SampleStore store,
            TesterEvents listener) {
        this.loop = loop;
        this.clock = clock;
        this.admission = new Admission(clock, control.credentials());
        this.journal = control.journal();
        journal.onFailure(this::failed);
        this.config = config;
        this.epoch = epoch;
        this.lookedNanos = clock.nanoTime();
        this.store = store;
        this.listener = listener;
        this.orders = new TesterCommands(journal, this::session, sessions.values());
    }

    /** Returns what the run wants of its testers. */
    TesterCommands orders() {
        return orders;
    }

    /** Returns a tester's session, made when it is first asked for; {@code null} when there is no such tester. */
    private @Nullable Session session(int tester) {
        return tester < 1 || tester > config.testers() ? null : sessions.computeIfAbsent(tester, this::newSession);
    }

    private Session newSession(int tester) {
        return new Session(tester, clock, journal, new ClockComparison(tester, epoch, store::offerClock), store, this);
    }

    /** Says from now on where the time server answers. */
    void time(TimeServerSettings service) {
        time = service;
    }

    /** Says by which port datagrams come. */
    void datagrams(Datagrams ways) {
        datagrams = ways;
        admission.datagrams(ways);
    }

    /** Resumes where a collector was killed, before anybody is let in. */
    void restore(RecoveredSamples kept, List<Frame> noted) {
        mayMiss = config.memoryBytes() > 0;
        for (Frame frame : noted) {
            Session session = session(frame.tester());
            if (session == null) {
                continue;
            }
            if (frame.message() instanceof Message.Append append) {
                orders.restore(append.stage());
            } else {
                session.restore(frame.message());
            }
        }
        sessions.forEach((tester, session) -> session.restored(kept.blocks().getOrDefault(tester, 0L)));
    }

    /**
     * Says why a spool cannot be that of a tester of this run; empty: it can.
     *
     * @param from tester from whose machine it came; 0: not known
     */
    Optional<String> objection(SpoolFile.Head spool, int from) {
        if (from != 0 && from != spool.tester()) {
            return Optional.of("expected the spool of tester-" + from + ", as in its file name, got one from tester-"
                    + spool.tester());
        }
        Session session = sessions.get(spool.tester());
        return session == null
                ? Optional.of("expected the spool of a tester in this run, got one from tester-" + spool.tester()
                        + ", which never joined it")
                : session.objection(spool);
    }

    /** Returns the number of the last block that has come from a tester; 0: none has. */
    long lastBlock(int tester) {
        Session session = sessions.get(tester);
        return session == null ? 0 : session.lastBlock();
    }

    /** Takes a frame of the spool that a tester has left. */
    void left(Frame frame) {
        Session session = sessions.get(frame.tester());
        if (session != null) {
            session.left(frame.message());
        }
    }

    // Peers

    /** Takes note of a new peer; false when it is not let in. */
    boolean opened(Peer peer) {
        assert loop.inEventLoop();
        if (!admission.mayTry(peer)) {
            return false;
        }
        peers.add(peer);
        peer.pause(paused);
        return true;
    }

    /** Takes note that a relay of this run is there. */
    void relayCame(Peer peer, int number) {
        admission.forget(peer);
        LOG.info("relay {} is connected, at {}", number, peer.address());
        relay(number).complete(null);
    }

    /** Completes when a relay is there for the first time. Any thread. */
    CompletableFuture<Void> relay(int number) {
        return relays.computeIfAbsent(number, none -> new CompletableFuture<>());
    }

    /** Completes when a tester has joined for the first time. Any thread. */
    CompletableFuture<Void> joined(int tester) {
        return joins.computeIfAbsent(tester, none -> new CompletableFuture<>());
    }

    void closed(Peer peer) {
        assert loop.inEventLoop();
        peers.remove(peer);
        admission.forget(peer);
        for (Session session : peer.sessions()) {
            session.detach(peer);
        }
    }

    /** Logs why a peer was not let in, once per reason and address. */
    void refused(Peer peer, String reason) {
        refused(peer, reason, false);
    }

    /** @param noise whether the peer cost next to nothing */
    void refused(Peer peer, String reason, boolean noise) {
        admission.refused(peer, reason, noise);
    }

    /** Ends a way whose bytes make no sense, and the testers behind it but for those of a relay, who come again. */
    void broken(Peer peer, String reason) {
        if (!peer.isAuthenticated()) {
            admission.refused(peer, reason, false);
        } else if (!peer.isRelay()) {
            peer.sessions().forEach(session -> session.fault("violated the protocol: " + reason));
        } else {
            LOG.warn("the relay at {} violated the protocol: {}", peer.address(), reason);
        }
        peer.close();
    }

    /** Takes note of a frame that makes no sense, where the next one can be read. */
    void nonsense(Peer peer, int tester, String reason) {
        if (!peer.isRelay() || !peer.isAuthenticated()) {
            broken(peer, reason);
            return;
        }
        Session session = sessions.get(tester);
        if (session != null && session.isReachedBy(peer)) {
            session.fault("violated the protocol: " + reason);
        }
    }

    // Frames

    void received(Peer peer, Frame frame, long atNanos) {
        assert loop.inEventLoop();
        int tester = frame.tester();
        Session session = peer.maySpeakFor(tester) ? session(tester) : null;
        if (session == null) {
            broken(peer, "its certificate does not allow it to act for tester " + tester);
            return;
        }
        Message message = frame.message();
        boolean isFirst = peer.speaks();
        if (message instanceof Message.Enrol enrol) {
            if (isFirst || !peer.isRelay()) {
                admission.enrol(peer, tester, enrol);
            } else {
                // A relay passes on a hello first: this is a tester behind it, who must get no keys in its name.
                nonsense(peer, tester, "expected a tester's message, got one for direct connections only");
            }
        } else if (message instanceof Message.Hello hello) {
            if (!session.mayJoin(clock.nanoTime()) || session.isInDoubt(peer, hello.resume())) {
                // Each time it is told all that it is to do. Another way is closed; behind a relay others share it.
                if (peer.isRelay()) {
                    admission.tryLater(peer, tester);
                } else {
                    peer.close();
                }
            } else if (admission.admits(peer, tester, session, hello)) {
                if (session.join(peer, hello, frame, atNanos, config.leaseNanos(), time)) {
                    joined(tester).complete(null);
                }
                orders.repeat(session);
            }
        } else if (!session.isReachedBy(peer)) {
            // Behind a relay a tester may have been dropped, or gone elsewhere, while this was under way.
            if (!peer.isRelay() || !peer.isAuthenticated()) {
                broken(peer, "expected a hello first, got " + message.getClass().getSimpleName());
            }
        } else if (!session.received(frame, atNanos)) {
            nonsense(
                    peer,
                    tester,
                    "expected a tester's message, got " + message.getClass().getSimpleName());
        }
    }

    // What the store says

    void durable(Map<Integer, Long> highest) {
        highest.forEach((tester, number) -> {
            Session session = sessions.get(tester);
            if (session != null) {
                session.durable(number);
            }
        });
    }

    void overflowed(String reason) {
        LOG.warn(reason);
        tell(events -> events.overflowed(reason));
    }

    void waitsForDisk(String reason) {
        LOG.warn("the samples in memory cannot be written yet: {}", reason);
        tell(events -> events.waitsForDisk(reason));
    }

    /** Keeps nothing more: what comes stays with its tester. The first reason counts. */
    void failed(String reason) {
        if (!failed) {
            failed = true;
            pause(false);
            LOG.error(reason);
            tell(events -> events.failed(reason));
        }
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
            if (wanted) {
                pausedNanos = now;
            } else {
                sessions.values().forEach(session -> session.listenedAgain(pausedNanos, now));
            }
        }
    }

    // Time

    void tick() {
        long now = clock.nanoTime();
        // Every message says that we live, and every report is a clock exchange: very many testers get no more than
        // these.
        boolean isCrowd = sessions.size() > CROWD;
        long everyNanos = Math.min(MAX_PING_NANOS, config.leaseNanos() / 5);
        admission.tick(now);
        if (isCrowd && now - lookedNanos < everyNanos / 2) {
            return;
        }
        lookedNanos = now;
        long longestNanos = 0;
        for (Session session : sessions.values()) {
            session.pingEvery(everyNanos, now, isCrowd);
            if (!paused) {
                longestNanos = Math.max(longestNanos, session.checkLease(config.leaseNanos(), now));
            }
        }
        silentNanos = longestNanos;
    }

    /** Returns how long nothing was heard of the tester under way that was heard longest ago, ns. From any thread. */
    long silentNanos() {
        return silentNanos;
    }

    /** Hands over the clock rows of the current second. */
    void flushClocks() {
        sessions.values().forEach(Session::flushClock);
    }

    /** Hands over the last clock rows and ends all connections. */
    void close() {
        flushClocks();
        Set.copyOf(peers).forEach(Peer::close);
    }

    // What sessions need

    @Override
    public CallClients clients() {
        return clients;
    }

    @Override
    public void full() {
        pause(true);
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public boolean mayMissBlocks() {
        return mayMiss;
    }

    @Override
    public void later(long delayMillis, Runnable task) {
        var unused = loop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void ready(Session session) {
        orders.ready(session);
    }

    @Override
    public void tell(Consumer<TesterEvents> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            LOG.error("the collector's listener failed", e);
        }
    }
}
