package org.diperf.controller.run;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.plan.Stage;
import org.diperf.core.sample.ObservationWriter;
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
import org.diperf.tester.transport.ChannelWay;
import org.diperf.tester.transport.FrameDecoder;
import org.jspecify.annotations.Nullable;

/**
 * A tester whose engine, clock and connections are its test's. Remembers what it measured and what it was told it may
 * forget.
 */
final class SimulatedTester implements RunningEngine, Membership.Events {

    private static final TesterFacts FACTS = new TesterFacts("here", 2, 1 << 30, "17", List.of(), "Linux", false);
    private static final int BLOCKS = 6;

    final int number;
    /** What each block has measured; a value is measured once in a run. */
    final List<List<Double>> blocks = new ArrayList<>();
    /** Blocks that nobody but the controller has any more. */
    int forgotten;

    boolean killed;
    private final NanoClock clock;
    private final Path spools;
    private final Membership membership;
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final CompletableFuture<TesterTotals> done = new CompletableFuture<>();
    private final List<String> story;
    private @Nullable EmbeddedChannel channel;
    private boolean started;
    private boolean stopped;
    private long rows;

    SimulatedTester(int number, String token, NanoClock clock, Path spools, List<String> story) {
        this.number = number;
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
        return isAlive() && started && !stopped && blocks.size() < BLOCKS;
    }

    /** Measures one block, each value of which is nobody else's. */
    void measure(int values) {
        ObservationWriter writer = new ObservationWriter(number, values);
        List<Double> measured = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            double value = number * 1_000_000 + ++rows;
            measured.add(value);
            writer.add("simulated", clock.nanoTime(), value, ObservationWriter.NONE, ObservationWriter.NONE);
        }
        blocks.add(List.copyOf(measured));
        membership.sink().write(writer);
    }

    /** Does what other threads than the link's do in a tester. */
    void work() {
        Runnable next = work.poll();
        if (next != null) {
            next.run();
        } else if (isAlive() && !done.isDone() && (stopped || blocks.size() == BLOCKS)) {
            done.complete(new TesterTotals(rows, 0, 0, 0, Map.of(), 0));
        }
    }

    void tick() {
        if (isAlive()) {
            membership.tick();
        }
    }

    void terminate() {
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
        EmbeddedChannel fresh = new EmbeddedChannel(FrameDecoder.decoding(clock, Frame.MAX_LENGTH), new Connection());
        channel = fresh;
        membership.connected(new ChannelWay(fresh));
        return fresh;
    }

    private final class Connection extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof FrameDecoder.Arrival arrival)) {
                throw new AssertionError("tester " + number + " was sent " + message);
            }
            if (!isAlive() || context.channel() != channel) {
                return;
            }
            Message said = arrival.frame().message();
            if (said instanceof Message.RejectedHello rejected) {
                throw new AssertionError("tester " + number + " was not let in: " + rejected.reason());
            }
            membership.received(arrival.frame(), arrival.atNanos());
            if (said instanceof Message.Ack ack) {
                forgets((int) ack.durable(), "acknowledged");
            } else if (said instanceof Message.Welcome welcome) {
                forgets((int) welcome.durable(), "welcomed with");
            } else if (said instanceof Message.Bye) {
                forgets(blocks.size(), "released with");
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (context.channel() == channel) {
                channel = null;
                membership.gone();
            }
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
        work.add(() -> membership.prepared(this));
    }

    @Override
    public void ended() {
        story.add("tester " + number + " ends with " + membership.exitCode().orElseThrow());
        EmbeddedChannel open = channel;
        if (open != null) {
            open.close();
        }
    }

    // Its engine

    @Override
    public void prepare() {}

    @Override
    public void start(long startNanos, long joinNanos) {
        started = true;
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
        return new TesterStatus(1, 0, rows, rows, 0, 0);
    }

    @Override
    public CompletableFuture<TesterTotals> done() {
        return done;
    }

    @Override
    public void close() {
        stopped = true;
    }

    boolean isStarted() {
        return started;
    }
}
