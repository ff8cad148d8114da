package org.diperf.controller.collect;

import io.netty.channel.Channel;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.link.Stamps;
import org.jspecify.annotations.Nullable;

/**
 * What the collector knows of one tester; outlives its connections. Confined to the collector's event loop.
 */
final class Session {

    private static final long SECOND_NANOS = 1_000_000_000;

    final int tester;
    private final NanoClock clock;
    private final Consumer<String> clockRows;
    private final OffsetEstimate offset = new OffsetEstimate();

    @Nullable
    Channel channel;

    @Nullable
    TesterFacts facts;

    @Nullable
    Assignment assignment;

    @Nullable
    TesterTotals totals;

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
    long pongs;
    long lastBlock;
    long durable;
    private Stamps stamps;
    private @Nullable Exchange tightest;
    private String tightestSource = "";
    private long tightestSecond;

    /** @param clockRows takes rows of the clock file */
    Session(int tester, NanoClock clock, Consumer<String> clockRows) {
        this.tester = tester;
        this.clock = clock;
        this.clockRows = clockRows;
        this.stamps = new Stamps(tester);
    }

    /** Continues on this connection. */
    void attach(Channel fresh, TesterFacts newFacts) {
        channel = fresh;
        facts = newFacts;
        stamps = new Stamps(tester);
    }

    boolean isConnected() {
        return channel != null && channel.isActive();
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
        if (channel != null && channel.isActive()) {
            channel.writeAndFlush(stamps.frame(message, clock.nanoTime()), channel.voidPromise());
        }
    }

    /** Notes a frame's stamps; each answer to a frame of ours is an exchange. */
    void received(Frame frame, long atNanos) {
        heardNanos = atNanos;
        if (stamps.mayHaveSent(frame.echoOfNanos())) {
            Message message = frame.message();
            String source = message instanceof Message.Pong
                    ? "ping"
                    : message instanceof Message.Block ? "block" : message instanceof Message.Status ? "status" : "";
            Exchange exchange =
                    new Exchange(frame.echoOfNanos(), frame.echoReceivedNanos(), frame.sentNanos(), atNanos);
            if (!source.isEmpty() && exchange.isPlausible()) {
                note(source, exchange);
            }
        }
        stamps.received(frame, atNanos);
    }

    /** @param source what carried the answer: {@code ping}, {@code block} or {@code status} */
    private void note(String source, Exchange exchange) {
        if (source.equals("ping")) {
            offset.add(exchange);
            clockRows.accept(row(source, exchange));
            return;
        }
        long second = Math.floorDiv(exchange.serverReceived(), SECOND_NANOS);
        if (second != tightestSecond) {
            flushClock();
            tightestSecond = second;
        }
        if (tightest == null || exchange.roundTripNanos() < tightest.roundTripNanos()) {
            tightest = exchange;
            tightestSource = source;
        }
    }

    /** Writes the tightest exchange of the blocks and reports of the current second. */
    void flushClock() {
        if (tightest != null) {
            clockRows.accept(row(tightestSource, tightest));
            tightest = null;
        }
    }

    private String row(String source, Exchange exchange) {
        String host = facts == null ? "" : facts.host();
        return String.format(
                Locale.ROOT,
                "%d,%s,%s,%d,%d,%d,%d",
                tester,
                quoted(host),
                source,
                exchange.serverSent(),
                exchange.clientReceived(),
                exchange.clientSent(),
                exchange.serverReceived());
    }

    /** Quotes a field of a CSV file where it needs it (RFC 4180); control characters would break its lines. */
    private static String quoted(String field) {
        String plain = field.replaceAll("\\p{Cntrl}", " ");
        return plain.contains(",") || plain.contains("\"") ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
    }

    /** Estimates the controller's clock minus the tester's. */
    Optional<OffsetEstimate.Offset> offset() {
        return offset.offset();
    }
}
