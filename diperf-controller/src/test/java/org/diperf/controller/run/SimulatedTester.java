package org.diperf.controller.run;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.collect.HandDrivenCollector;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.TestCall;
import org.diperf.core.wire.Assignment;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.diperf.tester.engine.RunningEngine;
import org.diperf.tester.link.Membership;
import org.diperf.tester.link.SpoolFile;
import org.diperf.tester.link.Tester;
import org.diperf.tester.time.TimeProbe;
import org.diperf.tester.transport.ChannelConnection;
import org.diperf.tester.transport.DatagramConnection;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.FrameTimestamps;
import org.jspecify.annotations.Nullable;

/**
 * A tester whose engine, clock and connections are its test's. Remembers what it measured and what it was told it may
 * forget.
 */
final class SimulatedTester implements RunningEngine, Membership.Events {

    private static final TesterFacts FACTS = new TesterFacts("here", 2, 1 << 30, "17", List.of(), "Linux", false);
    private static final int BLOCKS = 6;
    private static final long CALL_NANOS = 1_000_000;

    final int number;
    /** Whether it comes by datagrams, for which a connection brings the keys. */
    final boolean byDatagrams;
    /** Which calls are in each block. */
    final List<List<Long>> blocks = new ArrayList<>();
    /** Blocks that it was told are safe. */
    int forgotten;

    boolean killed;
    private final String token;
    private final NanoClock clock;
    private final Path spools;
    private final Membership membership;
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
    private final List<String> story;
    private @Nullable EmbeddedChannel channel;
    private @Nullable EmbeddedChannel enrolling;
    private @Nullable EmbeddedChannel datagrams;
    private int ways;
    private int client;
    private boolean started;
    private boolean stopped;
    private boolean terminated;
    private long startNanos;
    private long lastNanos;
    private long calls;

    SimulatedTester(int number, boolean byDatagrams, String token, NanoClock clock, Path spools, List<String> story) {
        this.number = number;
        this.byDatagrams = byDatagrams;
        this.token = token;
        this.clock = clock;
        this.spools = spools;
        this.story = story;
        Tester.Setup setup = new Tester.Setup(
                id -> Optional.empty(),
                List.of(),
                (assignment, tester, plugin, scratch, sink, its, listener) -> this,
                FACTS,
                spools,
                1 << 20,
                60 * HandDrivenRun.S,
                spools);
        TimeProbe time = new TimeProbe(number, clock, new EmbeddedChannel().eventLoop(), line -> {});
        this.membership = new Membership(number, token, setup, clock, time, Runnable::run, this);
    }

    // Its process

    boolean isAlive() {
        return !killed && membership.exitCode().isEmpty();
    }

    boolean isMeasuring() {
        return isAlive() && started && !stopped && blocks.size() < BLOCKS && clock.nanoTime() - startNanos >= 0;
    }

    /** Measures one block of so many calls. */
    void measure(int size) {
        CallWriter writer = new CallWriter(number, size, 0);
        List<Long> measured = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            lastNanos = Math.max(lastNanos + 1, clock.nanoTime());
            measured.add(idOf(lastNanos, number));
            writer.add(new TestCall(lastNanos, 0, CALL_NANOS).client(client).bytes(1));
        }
        calls += size;
        blocks.add(List.copyOf(measured));
        membership.sink().write(writer);
    }

    /** Names a call by when it was to begin, of which each tester has one. */
    static long idOf(long intendedNanos, int tester) {
        return 10 * intendedNanos + tester;
    }

    /** Returns whether its load came to its end by itself. */
    boolean hasCarriedOutItsPlan() {
        return done.isDone() && !stopped && !killed && !terminated;
    }

    /** Counts the calls that it has made. */
    long calls() {
        return calls;
    }

    /** Does what other threads than the link's do in a tester. */
    void work() {
        Runnable next = work.poll();
        if (next != null) {
            next.run();
        } else if (isAlive() && !done.isDone() && (stopped || blocks.size() == BLOCKS)) {
            done.complete(new TesterTotals(calls, 0, 0, 0, Map.of(), calls));
        }
    }

    /** Looks at the clock after so much time. */
    void passed(long nanos) {
        EmbeddedChannel open = datagrams;
        if (isAlive() && open != null) {
            open.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
            open.runPendingTasks();
        }
        if (isAlive()) {
            membership.tick();
        }
    }

    void terminate() {
        terminated = true;
        membership.terminate();
    }

    /** Returns the samples that it has left; {@code null}: it has not. */
    @Nullable
    Path spool() {
        Path file = SpoolFile.of(spools, number);
        return Files.exists(file) ? file : null;
    }

    // Its connections

    /** Returns its end of a new connection. */
    EmbeddedChannel connect() {
        EmbeddedChannel fresh = new HandDrivenCollector.AddressedChannel(
                HandDrivenCollector.ADDRESS, FrameDecoder.decoding(clock, Frame.MAX_LENGTH), new Connection());
        if (byDatagrams) {
            enrolling = fresh;
            fresh.writeAndFlush(new FrameTimestamps(number).frame(new Message.Enrol(token), clock.nanoTime()));
        } else {
            channel = fresh;
            membership.connected(new ChannelConnection(fresh));
        }
        return fresh;
    }

    /** Returns the channel by which its datagrams come and go; {@code null}: there is none. */
    @Nullable
    EmbeddedChannel datagrams() {
        return killed ? null : datagrams;
    }

    /** Joins by datagrams; the connection that brought their keys has done its work. */
    private void enrolled(Message.Enrolled enrolled) {
        InetSocketAddress own =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 5_000 + 1_000 * number + ways++);
        EmbeddedChannel fresh = new HandDrivenCollector.AddressedChannel(own);
        fresh.freezeTime();
        datagrams = fresh;
        membership.connected(new DatagramConnection(
                fresh.eventLoop(),
                fresh,
                HandDrivenCollector.ADDRESS,
                enrolled,
                clock,
                new DatagramConnection.Events() {
                    @Override
                    public void came(Frame frame, long atNanos) {
                        heard(frame, atNanos);
                    }

                    @Override
                    public void writable() {
                        // The next look at the clock ships what there is.
                    }

                    @Override
                    public void gone(String why) {
                        datagrams = null;
                        membership.gone();
                    }
                }));
    }

    private final class Connection extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof FrameDecoder.Arrival arrival)) {
                throw new AssertionError("tester " + number + " was sent " + message);
            }
            if (!isAlive()) {
                return;
            }
            if (context.channel() == channel) {
                heard(arrival.frame(), arrival.atNanos());
            } else if (context.channel() == enrolling) {
                Message said = arrival.frame().message();
                if (!(said instanceof Message.Enrolled keys)) {
                    throw new AssertionError("tester " + number + " got no keys but " + said);
                }
                enrolled(keys);
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (context.channel() == channel) {
                channel = null;
                membership.gone();
            } else if (context.channel() == enrolling) {
                enrolling = null;
            }
        }
    }

    private void heard(Frame frame, long atNanos) {
        if (!isAlive()) {
            return;
        }
        Message said = frame.message();
        if (said instanceof Message.RejectedHello rejected) {
            throw new AssertionError("tester " + number + " was not let in: " + rejected.reason());
        }
        membership.received(frame, atNanos);
        if (said instanceof Message.Ack ack) {
            forgets((int) ack.durable(), "acknowledged");
        } else if (said instanceof Message.Welcome welcome) {
            forgets((int) welcome.durable(), "welcomed with");
        } else if (said instanceof Message.Bye) {
            story.add("tester " + number + " is released with " + blocks.size() + " blocks");
        }
    }

    private void forgets(int durable, String why) {
        if (durable > forgotten) {
            forgotten = durable;
            story.add("tester " + number + " " + why + " block " + durable);
        }
    }

    @Override
    public void welcomed() {}

    @Override
    public void trouble(String reason) {
        story.add("tester " + number + " gives up its connection: " + reason);
    }

    @Override
    public void assigned(Assignment assignment) {
        client = assignment.plan().own(assignment.slot()).first();
        work.add(() -> membership.prepared(this));
    }

    @Override
    public void ended() {
        story.add("tester " + number + " ends with " + membership.exitCode().orElseThrow());
        EmbeddedChannel open = channel != null ? channel : enrolling;
        if (open != null) {
            open.close();
        }
        // As that of a process that ends: nothing is said any more.
        datagrams = null;
    }

    // Its engine

    @Override
    public void prepare() {}

    @Override
    public void start(long atNanos, long joinNanos) {
        started = true;
        startNanos = atNanos;
    }

    @Override
    public void append(Stage stage) {
        throw new AssertionError("The plan does not grow");
    }

    @Override
    public void stop(long graceNanos) {
        stopped = true;
    }

    @Override
    public TesterStatus status() {
        return new TesterStatus(1, 0, calls, calls, 0, 0);
    }

    @Override
    public CompletableFuture<TesterTotals> done() {
        return done;
    }

    @Override
    public void close() {
        stopped = true;
    }
}
