package org.diperf.controller.collect;

import java.util.Optional;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.Source;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterTotals;
import org.diperf.core.wire.TimeExchange;
import org.diperf.tester.transport.Stamps;
import org.jspecify.annotations.Nullable;

/**
 * What the collector knows of one tester; outlives its connections. Confined to the collector's event loop.
 */
final class Session {

    private static final long SECOND_NANOS = 1_000_000_000;

    final int tester;
    private final NanoClock clock;
    private final long epoch;
    private final ClockRows rows;
    private final OffsetEstimate offset = new OffsetEstimate();

    @Nullable
    Peer peer;

    @Nullable
    TesterFacts facts;

    @Nullable
    Assignment assignment;

    @Nullable
    TesterTotals totals;
    /** Whether the journal has them. */
    boolean totalsNoted;

    @Nullable
    String fault;

    /** Of a stop that is meant for it alone. */
    @Nullable
    Long stopGraceNanos;

    boolean lost;
    boolean ready;
    boolean readyTold;
    boolean refused;
    boolean started;
    long startNanos;
    /** From when on it begins calls, after the start of the run. */
    long joinNanos;

    long heardNanos;
    long pingNanos;
    long sentNanos;
    long pongs;
    /** Answers of the time server on this connection. */
    long answers;

    long lastBlock;
    long durable;
    /** Whether another collector knew it, and nothing has come since. */
    boolean wasRestored;

    private Stamps stamps;
    private @Nullable Exchange tightest;
    private long tightestSecond;

    /**
     * @param epoch which clock the controller's is
     * @param rows takes rows of the clock file
     */
    Session(int tester, NanoClock clock, long epoch, Consumer<String> rows) {
        this.tester = tester;
        this.clock = clock;
        this.epoch = epoch;
        this.rows = new ClockRows(tester, rows);
        this.stamps = new Stamps(tester);
    }

    /** Takes over what another collector has noted of it. */
    void restore(Message noted) {
        wasRestored = true;
        if (noted instanceof Message.Hello hello) {
            facts = hello.facts();
        } else if (noted instanceof Message.Assign assign) {
            assignment = assign.assignment();
        } else if (noted instanceof Message.Start start) {
            ready = true;
            readyTold = true;
            started = true;
            startNanos = start.localStartNanos();
            joinNanos = start.joinNanos();
        } else if (noted instanceof Message.Stop stop) {
            stopGraceNanos = stop.graceNanos();
        } else if (noted instanceof Message.Refused) {
            refused = true;
        } else if (noted instanceof Message.Finished finished) {
            totals = finished.totals();
            totalsNoted = true;
        }
    }

    /** Continues by this way. */
    void attach(Peer fresh, TesterFacts newFacts) {
        if (peer != null) {
            peer.detach(this);
        }
        peer = fresh;
        fresh.attach(this);
        facts = newFacts;
        stamps = new Stamps(tester);
        answers = 0;
    }

    /** Takes note that this way leads to it no longer. */
    void detach(Peer gone) {
        gone.detach(this);
        if (peer == gone) {
            peer = null;
        }
    }

    boolean isConnected() {
        return peer != null && peer.isActive();
    }

    /** Says whether its lease counts: it has joined, has more to say, and nobody debugs it. */
    boolean isLeased() {
        return facts != null
                && fault == null
                && !refused
                && totals == null
                && (assignment == null || !assignment.debug());
    }

    void send(Message message) {
        if (peer != null && peer.isActive()) {
            sentNanos = clock.nanoTime();
            peer.send(stamps.frame(message, sentNanos));
        }
    }

    /** Notes a frame's stamps; each answer to a frame of ours is an exchange. */
    void received(Frame frame, long atNanos) {
        heardNanos = atNanos;
        if (stamps.mayHaveSent(frame.echoOfNanos())) {
            Message message = frame.message();
            boolean pong = message instanceof Message.Pong;
            boolean report = message instanceof Message.Block || message instanceof Message.Status;
            Exchange exchange =
                    new Exchange(frame.echoOfNanos(), frame.echoReceivedNanos(), frame.sentNanos(), atNanos);
            if ((pong || report) && exchange.isPlausible()) {
                note(pong, exchange);
            }
        }
        stamps.received(frame, atNanos);
    }

    /** @param pong whether the answer was sent at once and alone */
    private void note(boolean pong, Exchange exchange) {
        if (pong) {
            compare(exchange);
            writeFrame(exchange);
            return;
        }
        long second = Math.floorDiv(exchange.serverReceived(), SECOND_NANOS);
        if (second != tightestSecond) {
            flushClock();
            tightestSecond = second;
        }
        if (tightest == null || exchange.roundTripNanos() < tightest.roundTripNanos()) {
            tightest = exchange;
        }
    }

    /** Writes the tightest exchange of the blocks and reports of the current second. */
    void flushClock() {
        if (tightest != null) {
            writeFrame(tightest);
            tightest = null;
        }
    }

    /** Notes what the tester learned of the time server. */
    void received(TimeExchange exchange) {
        if (exchange.exchange().isPlausible()) {
            answers++;
            if (exchange.epoch() == epoch) {
                compare(exchange.exchange());
            }
            rows.write(host(), Source.UDP, exchange.epoch(), exchange.wallMillis(), exchange.exchange());
        }
    }

    /** Takes note of when it begins, on its own clock. The comparison of clocks was for that alone. */
    void start(long localNanos) {
        started = true;
        startNanos = localNanos;
        offset.clear();
    }

    private void compare(Exchange exchange) {
        if (!started) {
            offset.add(exchange);
        }
    }

    private void writeFrame(Exchange exchange) {
        rows.write(host(), Source.FRAME, epoch, 0, exchange);
    }

    private String host() {
        return facts == null ? "" : facts.host();
    }

    /** Estimates the controller's clock minus the tester's; empty once it has been told when to start. */
    Optional<OffsetEstimate.Offset> offset() {
        return offset.offset();
    }
}
