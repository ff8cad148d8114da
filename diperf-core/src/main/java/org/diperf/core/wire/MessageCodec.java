package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.clock.Exchange;
import org.diperf.core.experiment.LoopChoice;

/** Lays out each kind of message. A type's number is never given to another kind. */
final class MessageCodec {

    private static final List<Class<? extends Message>> TYPES = List.of(
            Message.Hello.class,
            Message.Ready.class,
            Message.Refused.class,
            Message.Pong.class,
            Message.Block.class,
            Message.Status.class,
            Message.Finished.class,
            Message.Log.class,
            Message.Welcome.class,
            Message.RejectedHello.class,
            Message.Assign.class,
            Message.Start.class,
            Message.Ping.class,
            Message.Ack.class,
            Message.Stop.class,
            Message.Bye.class,
            Message.Append.class,
            Message.Exchanges.class,
            Message.Enrol.class,
            Message.Enrolled.class);

    /** Their numbers on the wire are their places here. */
    private static final List<LoopChoice.Io> IOS =
            List.of(LoopChoice.Io.AUTO, LoopChoice.Io.EPOLL, LoopChoice.Io.NIO, LoopChoice.Io.IO_URING);

    private MessageCodec() {}

    /** Gives the number of a type of message, from 1. */
    static int typeOf(Class<? extends Message> message) {
        return TYPES.indexOf(message) + 1;
    }

    static void write(Message message, WireOutput out) {
        if (message instanceof Message.Block block) {
            out.raw(block.data());
        } else if (message instanceof Message.Hello hello) {
            out.text(hello.token());
            out.int32(hello.protocol());
            out.bool(hello.resume());
            writeFacts(hello.facts(), out);
        } else if (message instanceof Message.Refused refused) {
            out.text(refused.reason());
        } else if (message instanceof Message.Status status) {
            writeStatus(status.status(), out);
        } else if (message instanceof Message.Finished finished) {
            writeTotals(finished.totals(), out);
        } else if (message instanceof Message.Log log) {
            out.text(log.line());
        } else if (message instanceof Message.Welcome welcome) {
            out.int64(welcome.durable());
            out.int64(welcome.leaseNanos());
            writeTime(welcome.time(), out);
        } else if (message instanceof Message.RejectedHello rejected) {
            out.text(rejected.reason());
        } else if (message instanceof Message.Assign assign) {
            writeAssignment(assign.assignment(), out);
        } else if (message instanceof Message.Start start) {
            out.int64(start.localStartNanos());
            out.int64(start.joinNanos());
        } else if (message instanceof Message.Ack ack) {
            out.int64(ack.durable());
        } else if (message instanceof Message.Stop stop) {
            out.int64(stop.graceNanos());
        } else if (message instanceof Message.Append append) {
            PlanCodec.writeStage(append.stage(), out);
        } else if (message instanceof Message.Exchanges exchanges) {
            out.list(exchanges.exchanges(), exchange -> writeExchange(exchange, out));
        } else if (message instanceof Message.Enrol enrol) {
            out.text(enrol.token());
        } else if (message instanceof Message.Enrolled enrolled) {
            out.int32(enrolled.id());
            out.int32(enrolled.port());
            out.raw(ByteBuffer.wrap(enrolled.up()));
            out.raw(ByteBuffer.wrap(enrolled.down()));
        }
        // Ready, Pong, Ping and Bye say all by their type.
    }

    static Message read(int type, WireInput in) throws WireException {
        return switch (type) {
            case 1 -> new Message.Hello(in.text(), in.int32(), in.bool(), readFacts(in));
            case 2 -> new Message.Ready();
            case 3 -> new Message.Refused(in.text());
            case 4 -> new Message.Pong();
            case 5 -> new Message.Block(in.rest());
            case 6 -> new Message.Status(readStatus(in));
            case 7 -> new Message.Finished(readTotals(in));
            case 8 -> new Message.Log(in.text());
            case 9 -> new Message.Welcome(in.int64(), in.int64(), readTime(in));
            case 10 -> new Message.RejectedHello(in.text());
            case 11 -> new Message.Assign(readAssignment(in));
            case 12 -> new Message.Start(in.int64(), in.int64());
            case 13 -> new Message.Ping();
            case 14 -> new Message.Ack(in.int64());
            case 15 -> new Message.Stop(in.int64());
            case 16 -> new Message.Bye();
            case 17 -> new Message.Append(PlanCodec.readStage(in));
            case 18 -> new Message.Exchanges(in.list(() -> readExchange(in)));
            case 19 -> new Message.Enrol(in.text());
            case 20 ->
                new Message.Enrolled(
                        in.int32(), in.int32(), in.bytes(DatagramSeal.KEY_BYTES), in.bytes(DatagramSeal.KEY_BYTES));
            default ->
                throw new WireException("Wanted a message of type 1 to " + TYPES.size() + " of wire version "
                        + Frame.VERSION + ", found type " + type);
        };
    }

    private static void writeTime(TimeService time, WireOutput out) {
        out.int32(time.port());
        out.int64(time.syncNanos());
        byte[] key = time.key();
        out.int8(key.length);
        out.raw(ByteBuffer.wrap(key));
    }

    private static TimeService readTime(WireInput in) throws WireException {
        return new TimeService(in.int32(), in.int64(), in.bytes(in.uint8()));
    }

    private static void writeExchange(TimeExchange exchange, WireOutput out) {
        out.int64(exchange.epoch());
        out.int64(exchange.wallMillis());
        out.int64(exchange.exchange().serverSent());
        out.int64(exchange.exchange().clientReceived());
        out.int64(exchange.exchange().clientSent());
        out.int64(exchange.exchange().serverReceived());
    }

    private static TimeExchange readExchange(WireInput in) throws WireException {
        return new TimeExchange(in.int64(), in.int64(), new Exchange(in.int64(), in.int64(), in.int64(), in.int64()));
    }

    private static void writeFacts(TesterFacts facts, WireOutput out) {
        out.text(facts.host());
        out.int32(facts.cores());
        out.int64(facts.memoryBytes());
        out.text(facts.java());
        out.list(facts.jvmFlags(), out::text);
        out.text(facts.os());
        out.bool(facts.debugger());
    }

    private static TesterFacts readFacts(WireInput in) throws WireException {
        return new TesterFacts(in.text(), in.int32(), in.int64(), in.text(), in.list(in::text), in.text(), in.bool());
    }

    private static void writeStatus(TesterStatus status, WireOutput out) {
        out.int32(status.activeClients());
        out.int32(status.inFlight());
        out.int64(status.sent());
        out.int64(status.ok());
        out.int64(status.failed());
        out.int64(status.dropped());
    }

    private static TesterStatus readStatus(WireInput in) throws WireException {
        return new TesterStatus(in.int32(), in.int32(), in.int64(), in.int64(), in.int64(), in.int64());
    }

    private static void writeTotals(TesterTotals totals, WireOutput out) {
        out.int64(totals.sent());
        out.int64(totals.dropped());
        out.int64(totals.lateEnds());
        out.int32(totals.stuckClients());
        out.int32(totals.rejected().size());
        totals.rejected().forEach((reason, count) -> {
            out.text(reason);
            out.int64(count);
        });
        out.int64(totals.firstCallNanos());
        out.text(totals.aborted());
    }

    private static TesterTotals readTotals(WireInput in) throws WireException {
        long sent = in.int64();
        long dropped = in.int64();
        long lateEnds = in.int64();
        int stuckClients = in.int32();
        int reasons = in.count();
        Map<String, Long> rejected = new LinkedHashMap<>();
        for (int i = 0; i < reasons; i++) {
            rejected.put(in.text(), in.int64());
        }
        return new TesterTotals(sent, dropped, lateEnds, stuckClients, rejected, in.int64(), in.text());
    }

    private static void writeAssignment(Assignment assignment, WireOutput out) {
        PlanCodec.write(assignment.plan(), out);
        out.int32(assignment.slot());
        out.text(assignment.plugin());
        new ValueCodec().writeMap(assignment.with(), out);
        out.list(assignment.jars(), jar -> {
            out.text(jar.name());
            out.text(jar.sha256());
        });
        out.int32(assignment.loops().loops());
        out.int8(IOS.indexOf(assignment.loops().io()));
        out.int64(assignment.loops().spinNanos());
        out.int64(assignment.leaseNanos());
        out.int64(assignment.lingerNanos());
        out.bool(assignment.debug());
        ScriptCodec.write(assignment.script(), out);
    }

    private static Assignment readAssignment(WireInput in) throws WireException {
        return new Assignment(
                PlanCodec.read(in),
                in.int32(),
                in.text(),
                new ValueCodec().readMap(in),
                in.list(() -> new PluginJar(in.text(), in.text())),
                new LoopChoice(in.int32(), IOS.get(in.choice(IOS.size())), in.int64()),
                in.int64(),
                in.int64(),
                in.bool(),
                ScriptCodec.read(in));
    }
}
