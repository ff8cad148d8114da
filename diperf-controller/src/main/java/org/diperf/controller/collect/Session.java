package org.diperf.controller.collect;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallClients;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.tester.link.SpoolFile;
import org.diperf.tester.transport.FrameTimestamps;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tester as the collector sees it, from its first hello to its totals: what it said, what it was told, which of its
 * blocks are kept. Outlives its connections. Confined to the collector's event loop.
 */
final class Session {

    /** Pings before the start, in quick succession, from which the clock's offset is estimated. */
    static final int BURST = 8;

    static final long BURST_MILLIS = 10;
    /** After so long the start relies on the answers that have come. */
    static final long BURST_LIMIT_MILLIS = 1_000;

    /** So often a tester may join again at once, and so often a second after that. */
    static final int MAX_JOINS = 8;

    static final int JOINS_PER_SECOND = 1;

    /** So many clock exchanges of a tester are kept at once, and so many a second after that: each is a row of a file. */
    static final int MAX_EXCHANGES = 10_000;

    static final int EXCHANGES_PER_SECOND = 200;

    /** Who was let in and knows it has said something by then: it is pinged once a second. */
    static final long ANSWER_NANOS = 2_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int MAX_LOG_LINE = 4_000;

    private final int tester;
    private final NanoClock clock;
    private final Journal journal;
    private final ClockComparison comparison;
    private final BlockSequence blocks;
    private final Context context;
    private final RateLimit joins;
    private boolean toldOfJoins;
    private final RateLimit exchanges;

    private Phase phase = Phase.EXPECTED;
    private @Nullable Peer peer;
    private @Nullable Assignment assignment;
    private Message.@Nullable Start start;
    private @Nullable TesterTotals totals;
    /** Why it was dropped, in {@link Phase#DROPPED}. */
    private @Nullable String fault;
    /** Of a stop that is meant for this tester alone. */
    private @Nullable Long stopGraceNanos;

    /** Whether it has said more than hello: it then knows that it was let in. */
    private boolean spoke;
    /** Whether its lease has run out since it was last heard. */
    private boolean lost;
    /** When it is to begin calls, after the start of the run. */
    private long joinNanos;

    private long heardNanos;
    private long pingNanos;
    private long sentNanos;
    /** Answers to the pings of the current burst. */
    private long pongs;
    /** Answers of the time server on this connection. */
    private long answers;

    private FrameTimestamps stamps;

    /** How far a tester has come. It only moves forward, and may leave out phases. */
    enum Phase {
        /** It has not joined yet; it may have its assignment already. */
        EXPECTED,
        JOINED,
        /** It has prepared what it was assigned; the offset of its clock is yet to be measured. */
        PREPARED,
        /** The offset of its clock is known: it can be given its start. */
        READY,
        STARTED,
        /** It cannot carry out its assignment, or can no longer. */
        REFUSED,
        /** It has sent its totals; some blocks may still have to become durable. */
        FINISHED,
        /** The journal has its totals: a resumed run does not wait for it. */
        NOTED,
        /** It broke the protocol. */
        DROPPED;

        /** Returns whether a new process may join as this tester. */
        boolean isBeforeWork() {
            return compareTo(PREPARED) < 0;
        }

        /** Returns whether its silence matters: it has joined and has more to say. */
        boolean isLeased() {
            return compareTo(JOINED) >= 0 && compareTo(STARTED) <= 0;
        }
    }

    /** What sessions need of their collector. */
    interface Context {

        /** Stops reading: the store has no room for more blocks. */
        void full();

        /** Returns whether nothing more can be kept: what comes stays with its tester. */
        boolean hasFailed();

        /** Returns whether a killed collector may have taken acknowledged blocks with it. */
        boolean mayMissBlocks();

        /** Returns what reads the clients of a block of calls. */
        CallClients clients();

        /** Runs a task on the collector's event loop. */
        void later(long delayMillis, Runnable task);

        /** A tester is ready and the offset of its clock is known, so that it can be given its start. */
        void ready(Session session);

        /** Tells the listener, whose faults are not the session's. */
        void tell(Consumer<TesterEvents> event);
    }

    Session(
            int tester,
            NanoClock clock,
            Journal journal,
            ClockComparison comparison,
            BlockSequence.Store store,
            Context context) {
        this.tester = tester;
        this.clock = clock;
        this.journal = journal;
        this.comparison = comparison;
        this.blocks = new BlockSequence(tester, store, context);
        this.context = context;
        this.stamps = new FrameTimestamps(tester);
        this.joins = new RateLimit(MAX_JOINS, JOINS_PER_SECOND, clock.nanoTime());
        this.exchanges = new RateLimit(MAX_EXCHANGES, EXCHANGES_PER_SECOND, clock.nanoTime());
    }

    int tester() {
        return tester;
    }

    /** Moves on to a phase; false when the tester is as far or further. */
    private boolean enter(Phase next) {
        boolean isForward = phase.compareTo(next) < 0;
        phase = isForward ? next : phase;
        return isForward;
    }

    // What another collector knew

    /** Takes over a message that another collector has noted. */
    void restore(Message noted) {
        if (noted instanceof Message.Hello hello) {
            know(hello.facts());
        } else if (noted instanceof Message.Assign assign) {
            assigned(assign.assignment());
        } else if (noted instanceof Message.Start order) {
            started(order);
        } else if (noted instanceof Message.Stop stop) {
            stopGraceNanos = stop.graceNanos();
        } else if (noted instanceof Message.Refused) {
            enter(Phase.REFUSED);
        } else if (noted instanceof Message.Finished finished) {
            totals = finished.totals();
            enter(Phase.NOTED);
        }
    }

    /**
     * Ends the restoring.
     *
     * @param kept number of the tester's last block in the sample files; 0: there is none
     */
    void restored(long kept) {
        spoke = true;
        heardNanos = clock.nanoTime();
        blocks.restore(kept);
        TesterTotals found = totals;
        if (found != null) {
            context.tell(listener -> listener.finished(tester, found));
        }
        // Who resumes the run says how long it waits for the tester.
        lost = start != null && found == null;
    }

    // Connections

    /** Returns whether the tester may join again: it is told all that it is to do each time, which is much for a few bytes. */
    boolean mayJoin(long nowNanos) {
        boolean may = joins.take(nowNanos);
        if (!may && !toldOfJoins) {
            toldOfJoins = true;
            tell("joins too often (limit " + MAX_JOINS + " at once, then " + JOINS_PER_SECOND
                    + " per second); some of its attempts are ignored");
        }
        return may;
    }

    /** Writes to the run's log what the tester does. */
    void tell(String what) {
        context.tell(listener -> listener.log(tester, what));
    }

    boolean isConnected() {
        return peer != null && peer.isActive();
    }

    boolean isReachedBy(Peer other) {
        return peer == other;
    }

    /**
     * Continues by the way on which a hello came.
     *
     * @return whether the tester has joined for the first time
     */
    boolean join(Peer fresh, Message.Hello hello, Frame frame, long atNanos, long leaseNanos, TimeServerSettings time) {
        Peer old = peer;
        boolean first = phase == Phase.EXPECTED;
        attach(fresh);
        know(hello.facts());
        if (old != null && old != fresh && !old.isRelay()) {
            old.close();
        }
        note(frame, atNanos);
        send(new Message.Welcome(blocks.durable(), leaseNanos, time));
        if (first) {
            journal.note(tester, new Message.Hello("", hello.protocol(), hello.resume(), hello.facts()));
            context.tell(listener -> listener.joined(tester, hello.facts()));
        } else {
            context.tell(listener -> listener.log(tester, "connected again from " + fresh.address()));
            cameBack();
        }
        burst();
        return first;
    }

    private void know(TesterFacts facts) {
        enter(Phase.JOINED);
        comparison.host(facts.host());
    }

    private void attach(Peer fresh) {
        if (peer != null) {
            peer.detach(this);
        }
        peer = fresh;
        fresh.attach(this);
        stamps = new FrameTimestamps(tester);
        answers = 0;
    }

    /** Takes note that this way leads to the tester no longer. */
    void detach(Peer gone) {
        gone.detach(this);
        if (peer == gone) {
            peer = null;
        }
    }

    private void send(Message message) {
        if (peer != null && peer.isActive()) {
            sentNanos = clock.nanoTime();
            peer.send(stamps.frame(message, sentNanos));
        }
    }

    /** Returns whether it was heard so short a time ago that its process seems to live. */
    boolean isHeard(long nowNanos) {
        return nowNanos - heardNanos < ANSWER_NANOS;
    }

    /**
     * Returns whether a hello is to be left without an answer, so that it comes again: it is that of another process, or of one
     * that our welcome did not reach, by a way that looks alive to us alone.
     */
    boolean isInDoubt(Peer from, boolean resumes) {
        return !resumes && !spoke && isConnected() && peer != from && !from.isRelay() && isHeard(clock.nanoTime());
    }

    /** Says why a process that says hello cannot be this tester; empty when it can. */
    Optional<String> objection(Peer from, boolean resumes) {
        if (fault != null) {
            return Optional.of("tester " + tester + " was dropped earlier: " + fault);
        }
        if (!resumes && spoke && isConnected() && peer != from) {
            return Optional.of("tester " + tester + " has already joined from another process");
        }
        if (!resumes && (!phase.isBeforeWork() || blocks.hasAny())) {
            return Optional.of(
                    "tester " + tester + " was already working; a new process cannot continue the old one's work");
        }
        return Optional.empty();
    }

    /** Drops the tester, which broke the protocol, for good. */
    void fault(String reason) {
        if (!enter(Phase.DROPPED)) {
            return;
        }
        fault = reason;
        LOG.warn("tester {} is dropped: it {}", tester, reason);
        Peer way = peer;
        if (way != null) {
            if (way.isRelay()) {
                // Others are behind it.
                send(new Message.RejectedHello("dropped: it " + reason));
            } else {
                way.close();
            }
            detach(way);
        }
        context.tell(listener -> listener.dropped(tester, reason, clock.nanoTime()));
    }

    // What the tester says

    /** Takes a frame that came by the tester's way; false when it is no message of a tester. */
    boolean received(Frame frame, long atNanos) {
        note(frame, atNanos);
        spoke = true;
        cameBack();
        Message message = frame.message();
        if (message instanceof Message.Block block) {
            block(block.data());
        } else if (message instanceof Message.Pong) {
            pongs++;
            if (pongs >= BURST) {
                measured();
            }
        } else if (message instanceof Message.Status status) {
            context.tell(listener -> listener.status(tester, status.status()));
            context.tell(listener -> listener.clock(tester, comparison.errorNanos(atNanos)));
        } else if (message instanceof Message.Ready) {
            prepared();
        } else if (message instanceof Message.Refused refusal) {
            refused(refusal);
        } else if (message instanceof Message.Finished finished) {
            finished(finished.totals());
        } else if (message instanceof Message.Exchanges told) {
            told.exchanges()
                    .forEach(
                            exchange -> answers += mayKeepExchange(atNanos) && comparison.timeServer(exchange) ? 1 : 0);
        } else if (message instanceof Message.Log log) {
            String line = log.line();
            String bounded = line.length() > MAX_LOG_LINE ? line.substring(0, MAX_LOG_LINE) + "..." : line;
            context.tell(listener -> listener.log(tester, bounded));
        } else {
            return false;
        }
        return true;
    }

    /** Says why a spool cannot be this tester's; empty: it can. */
    Optional<String> objection(SpoolFile.Head spool) {
        if (assignment == null) {
            return Optional.of("expected the spool of a tester that took part, got one from tester-" + tester
                    + ", which had no assignment");
        }
        if (fault != null) {
            return Optional.of("tester-" + tester + " was dropped earlier: it " + fault);
        }
        return spool.slot() == assignment.slot()
                ? Optional.empty()
                : Optional.of("expected share " + assignment.slot() + " of the load, which tester-" + tester
                        + " was assigned, got share " + spool.slot());
    }

    /** Returns the number of the last block that has come; 0: none has. */
    long lastBlock() {
        return blocks.last();
    }

    /** Takes a message of the spool that the tester has left. */
    void left(Message message) {
        if (assignment == null || phase == Phase.DROPPED) {
            return;
        }
        cameBack();
        if (message instanceof Message.Block block) {
            block(block.data());
        } else if (message instanceof Message.Finished finished) {
            finished(finished.totals());
        }
    }

    /** Notes a frame's stamps; each answer to a frame of ours is an exchange. */
    private void note(Frame frame, long atNanos) {
        heardNanos = atNanos;
        if (stamps.mayHaveSent(frame.echoOfNanos())) {
            Message message = frame.message();
            Exchange exchange =
                    new Exchange(frame.echoOfNanos(), frame.echoReceivedNanos(), frame.sentNanos(), atNanos);
            if (message instanceof Message.Pong && mayKeepExchange(atNanos)) {
                comparison.ping(exchange);
            } else if (message instanceof Message.Block || message instanceof Message.Status) {
                comparison.report(exchange);
            }
        }
        stamps.received(frame, atNanos);
    }

    private boolean mayKeepExchange(long nowNanos) {
        return exchanges.take(nowNanos);
    }

    private void cameBack() {
        if (lost) {
            lost = false;
            context.tell(listener -> listener.back(tester));
        }
    }

    private void refused(Message.Refused refusal) {
        if (enter(Phase.REFUSED)) {
            journal.note(tester, refusal);
            context.tell(listener -> listener.refused(tester, refusal.reason()));
        }
    }

    private void finished(TesterTotals found) {
        if (enter(Phase.FINISHED)) {
            totals = found;
            noteFinished();
            context.tell(listener -> listener.finished(tester, found));
        }
    }

    /** A resumed run takes a tester for done when no block of it is missing; else the tester says it again. */
    private void noteFinished() {
        if (phase == Phase.FINISHED
                // From then on its blocks are not taken.
                && !context.hasFailed()
                && totals != null
                && blocks.isDurable()
                && journal.note(tester, new Message.Finished(totals))) {
            enter(Phase.NOTED);
        }
    }

    private void block(ByteBuffer data) {
        blocks.take(data).ifPresent(this::fault);
    }

    /** Acknowledges that the blocks up to this number are durable. */
    void durable(long number) {
        blocks.durable(number);
        send(new Message.Ack(number));
        noteFinished();
    }

    // Readiness

    private void prepared() {
        if (assignment == null) {
            fault("reported ready before it had an assignment");
        } else if (enter(Phase.PREPARED)) {
            if (answers >= BURST) {
                measured();
            } else {
                burst();
            }
        }
    }

    /** Pings in quick succession, so that the offset is good before the start. */
    private void burst() {
        if (phase != Phase.PREPARED) {
            return;
        }
        pongs = 0;
        Peer current = peer;
        for (int i = 0; i < BURST; i++) {
            context.later(i * BURST_MILLIS, () -> {
                if (peer == current) {
                    ping();
                }
            });
        }
        context.later(BURST_LIMIT_MILLIS, this::measured);
    }

    /** Makes a prepared tester ready, unless nothing is known of its clock yet. */
    private void measured() {
        Optional<OffsetEstimate.Offset> offset = comparison.offset();
        if (phase == Phase.PREPARED && offset.isPresent()) {
            enter(Phase.READY);
            long testerNanos = clock.nanoTime() - offset.get().thetaNanos();
            context.tell(listener -> listener.ready(tester, testerNanos));
            context.ready(this);
        }
    }

    // What the tester is told

    /** Gives the tester its assignment; a second one is ignored. */
    void assign(Assignment given) {
        if (assignment == null && journal.noteOrder(tester, new Message.Assign(given.withoutSecrets()))) {
            assigned(given);
            send(new Message.Assign(given));
        }
    }

    private void assigned(Assignment given) {
        assignment = given;
        blocks.holdTo(given.plan().own(given.slot()));
    }

    /** Appends a stage to its plan, where it has one. */
    void append(Stage stage) {
        if (assignment != null) {
            send(new Message.Append(stage));
        }
    }

    /** Says when, after the start of the run, it is to begin calls; too late once it has its start. */
    void joinAt(long afterStartNanos) {
        joinNanos = afterStartNanos;
    }

    /** Gives a tester that is ready its start on its own clock, unless it has one or the instant has passed. */
    void start(long atNanos) {
        Optional<OffsetEstimate.Offset> offset = comparison.offset();
        // Too late for the start, it waits until somebody says when it is to join.
        if (phase != Phase.READY || offset.isEmpty() || clock.nanoTime() - atNanos - joinNanos >= 0) {
            return;
        }
        Message.Start order = new Message.Start(atNanos - offset.get().thetaNanos(), joinNanos);
        if (journal.noteOrder(tester, order)) {
            started(order);
            send(order);
            context.tell(listener -> listener.started(tester, order.localStartNanos()));
        }
    }

    private void started(Message.Start order) {
        start = order;
        enter(Phase.STARTED);
        comparison.started();
    }

    /** Ends the load of this tester alone. */
    void stop(long graceNanos) {
        stopGraceNanos = graceNanos;
        journal.note(tester, new Message.Stop(graceNanos));
        send(new Message.Stop(graceNanos));
    }

    /** Passes on an end of the load of all testers. */
    void stopWithAll(long graceNanos) {
        send(new Message.Stop(graceNanos));
    }

    void bye() {
        send(new Message.Bye());
    }

    /**
     * Repeats what the tester may have missed while it was away; it ignores what it knows.
     *
     * @param appended stages that came after the assignment
     * @param allStopGraceNanos of the end of all testers' load; {@code null}: it has not been ended
     */
    void repeat(List<Stage> appended, @Nullable Long allStopGraceNanos) {
        if (assignment != null) {
            send(new Message.Assign(assignment));
            appended.forEach(stage -> send(new Message.Append(stage)));
        }
        if (start != null) {
            send(start);
        }
        if (allStopGraceNanos != null) {
            send(new Message.Stop(allStopGraceNanos));
        }
        if (stopGraceNanos != null) {
            send(new Message.Stop(stopGraceNanos));
        }
    }

    // Time

    /**
     * Pings the tester when the last ping is so long ago.
     *
     * @param everyMessage whether all that was said to it counts as a ping
     */
    void pingEvery(long everyNanos, long nowNanos, boolean everyMessage) {
        long lastNanos = everyMessage ? Math.max(pingNanos, sentNanos) : pingNanos;
        if (isConnected() && nowNanos - lastNanos >= everyNanos) {
            ping();
        }
    }

    private void ping() {
        pingNanos = clock.nanoTime();
        send(new Message.Ping());
    }

    /** Leaves out of the silence the time in which the collector did not listen. */
    void listenedAgain(long pausedNanos, long nowNanos) {
        heardNanos = nowNanos - Math.max(0, pausedNanos - heardNanos);
    }

    /**
     * Declares the tester lost when it is silent for longer than its lease.
     *
     * @return for how long it is silent, ns; 0 where that does not count
     */
    long checkLease(long leaseNanos, long nowNanos) {
        if (!phase.isLeased() || lost || assignment != null && assignment.debug()) {
            return 0;
        }
        long silentNanos = nowNanos - heardNanos;
        if (silentNanos <= leaseNanos) {
            return silentNanos;
        }
        lost = true;
        String reason = (isConnected() ? "silent for " : "gone for ") + silentNanos / 1_000_000 + " ms (limit "
                + leaseNanos / 1_000_000 + " ms)";
        long lastHeardNanos = heardNanos;
        context.tell(listener -> listener.lost(tester, reason, lastHeardNanos));
        return 0;
    }

    /** Hands over the clock row of the current second. */
    void flushClock() {
        comparison.flush();
    }
}
