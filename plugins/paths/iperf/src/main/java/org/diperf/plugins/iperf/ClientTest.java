package org.diperf.plugins.iperf;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.core.spi.Recorder;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One test, from connecting to its report. It follows the states that the server tells. A test of a number of bytes, or of
 * datagrams, waits before its end until the server's system has taken all, because what comes after the end is not counted
 * there. Confined to its event loop.
 */
final class ClientTest {

    private static final int MAX_RESULTS_BYTES = 4 << 20;
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** How often it is looked whether all that was sent has arrived. */
    private static final long LOOK_MICROS = 500;
    /** How long the server's program has to read what its system has taken, besides two round trips. */
    private static final long READ_NANOS = 20_000_000L;
    /** How long is waited for what the server had sent when it was told the end. */
    private static final long REST_SECONDS = 3;
    /** How long the reason may be behind what it leads to. */
    private static final long REASON_MILLIS = 200;
    /** How long the server may take to leave a test that is done. */
    private static final long LEAVE_MILLIS = 1_000;

    private final Settings settings;
    private final Request request;
    private final SocketAddress address;
    private final EventLoop loop;
    private final Recorder recorder;
    private final NanoClock clock;
    private final long beganNanos;
    private final ByteBuf block;
    private final @Nullable DatagramBuffers datagrams;
    private final Quota quota;
    private final ControlReader reader = new ControlReader(new FromServer());
    private final Map<Metric, Double> metrics = new LinkedHashMap<>();
    private final List<Flow> open = new ArrayList<>();

    private Consumer<TestReport> whenEnded = report -> {};
    private @Nullable Channel control;
    private @Nullable StreamDialer dial;
    private @Nullable LoopCpuTime times;
    private double[] cpu = new double[3];
    private List<Results.OfStream> sent = List.of();
    private @Nullable Results own;
    private @Nullable Results other;
    private String phase = "before the test";
    private boolean heard;
    private boolean complete;
    private boolean runDue;
    private boolean running;
    private boolean omitting;
    private boolean ending;
    private boolean resultsDue;
    private boolean over;
    private boolean cancelled;
    private long received;
    private long rttNanos;
    private long endNanos;
    private long lastUp;
    private long lastDown;
    private long lastNanos;

    ClientTest(
            Settings settings,
            SocketAddress address,
            EventLoop loop,
            Recorder recorder,
            NanoClock clock,
            long beganNanos) {
        this.settings = settings;
        this.request = settings.request();
        this.address = address;
        this.loop = loop;
        this.recorder = recorder;
        this.clock = clock;
        this.beganNanos = beganNanos;
        this.omitting = settings.omitNanos() > 0;
        this.quota = new Quota(request, omitting);
        boolean sends = request.upward() > 0 && !request.udp();
        this.block = sends ? PayloadPattern.block(request.block()) : Unpooled.EMPTY_BUFFER;
        this.datagrams = request.udp() ? new DatagramBuffers(request.block()) : null;
    }

    /** Begins; the report may come before this returns. */
    void start(Consumer<TestReport> reportTo) {
        whenEnded = reportTo;
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channelFactory(SessionLoops.sockets(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                // The framework owns the timeout of a call, the connection's set-up included.
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0)
                .handler(new Control())
                .connect(address);
        control = connecting.channel();
        long connectNanos = clock.nanoTime();
        Sockets.then(connecting, loop, () -> {
            if (over) {
                return;
            }
            if (connecting.cause() != null) {
                fail(Failures.of(connecting.cause()));
                return;
            }
            Channel made = connecting.channel();
            TcpState state = TcpState.of(made);
            rttNanos = state == null ? clock.nanoTime() - connectNanos : state.rttMicros() * 1_000;
            recorder.observe(IperfMetrics.NETWORK_RTT, clock.nanoTime(), rttNanos / 1e6);
            byte[] cookie = Cookie.fresh();
            dial = new StreamDialer(
                    request,
                    made.remoteAddress(),
                    cookie,
                    loop,
                    quota,
                    block,
                    datagrams,
                    new Streams(),
                    () -> {
                        complete = true;
                        run();
                    },
                    clock);
            tell(made.alloc().directBuffer(Cookie.BYTES).writeBytes(cookie));
        });
    }

    /** Returns whether the server has said nothing at all. */
    boolean isNotYetHeard() {
        return !heard;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /**
     * Calls back when the connection is closed, at once where there is none. After a test that went well the server closes
     * it, when it has left the test; until then it is busy.
     */
    void whenLeft(Runnable then) {
        Channel leaving = control;
        if (leaving == null || !leaving.isOpen()) {
            then.run();
        } else {
            leaving.closeFuture().addListener(closed -> then.run());
        }
    }

    /** Gives the test up, and lets the server know. */
    void cancel() {
        cancelled = true;
        if (!over && heard) {
            tell(State.CLIENT_TERMINATE);
        }
        fail(Failure.ofService("cancelled"));
    }

    private void tell(byte state) {
        Channel to = control;
        if (to != null) {
            tell(to.alloc().directBuffer(1).writeByte(state));
        }
    }

    private void tell(ByteBuf message) {
        Channel to = control;
        if (to != null) {
            to.writeAndFlush(message, to.voidPromise());
        } else {
            message.release();
        }
    }

    private void tellJson(String json) {
        Channel to = control;
        if (to != null) {
            tell(ControlReader.frame(to.alloc().directBuffer(), json));
        }
    }

    private List<Flow> flows() {
        StreamDialer made = dial;
        return made == null ? List.of() : made.flows();
    }

    private List<Flow> flows(boolean sending) {
        return flows().stream().filter(flow -> flow.sends() == sending).toList();
    }

    private final class FromServer implements ControlReader.Messages {

        @Override
        public void state(byte state) throws MalformedMessageException {
            heard = true;
            switch (state) {
                case State.PARAM_EXCHANGE -> {
                    phase = "while sending the parameters";
                    tellJson(request.toJson());
                }
                case State.CREATE_STREAMS -> {
                    phase = "while creating streams";
                    StreamDialer made = dial;
                    if (made != null) {
                        made.next();
                    }
                }
                case State.TEST_START -> phase = "during the test";
                case State.TEST_RUNNING -> {
                    runDue = true;
                    run();
                }
                case State.EXCHANGE_RESULTS -> {
                    phase = "while exchanging results";
                    resultsDue = true;
                    if (request.downward() > 0) {
                        loop.schedule(ClientTest.this::tellResults, REST_SECONDS, TimeUnit.SECONDS);
                    }
                    tellResultsWhenAllIsHere();
                }
                case State.DISPLAY_RESULTS -> succeed();
                case State.SERVER_TERMINATE -> fail(Failure.ofService("server terminated the test"));
                case State.ACCESS_DENIED -> fail(Failure.ofService("server busy"));
                default -> throw new MalformedMessageException("unknown state");
            }
        }

        @Override
        public void json(String text) throws MalformedMessageException {
            other = Results.parse(text);
        }

        @Override
        public void error(int number) {
            heard = true;
            fail(ServerErrors.failure(number));
        }
    }

    /** Begins when the server says so and the streams are there: the last answer to a datagram may come after its word. */
    private void run() {
        if (running || over || !complete || !runDue) {
            return;
        }
        running = true;
        metrics.put(IperfMetrics.SET_UP, (clock.nanoTime() - beganNanos) / 1e6);
        times = new LoopCpuTime(clock);
        open.addAll(flows(false));
        lastNanos = clock.nanoTime();
        flows().forEach(Flow::start);
        loop.schedule(this::second, SECOND_NANOS, TimeUnit.NANOSECONDS);
        if (omitting) {
            loop.schedule(this::omitOver, settings.omitNanos(), TimeUnit.NANOSECONDS);
        }
        if (settings.timeNanos() > 0) {
            loop.schedule(() -> end(request.udp()), settings.omitNanos() + settings.timeNanos(), TimeUnit.NANOSECONDS);
        }
        endIfAllIsHere();
    }

    /** Ends a test of bytes that only come; all of them may have come before the server's word that the test runs. */
    private void endIfAllIsHere() {
        if (!running || omitting || !request.hasQuota()) {
            return;
        }
        long wanted = request.bytes() > 0 ? request.bytes() : request.blocks() * request.block();
        if (received >= wanted && request.upward() == 0) {
            end(false);
        }
    }

    private void omitOver() {
        if (over || ending) {
            return;
        }
        omitting = false;
        quota.omitOver();
        received = 0;
        lastUp = 0;
        lastDown = 0;
        lastNanos = clock.nanoTime();
        times = new LoopCpuTime(clock);
        flows().forEach(Flow::omitOver);
    }

    /** What the streams tell. */
    private final class Streams implements Flow.Watcher {

        @Override
        public void quotaUsed() {
            end(true);
        }

        @Override
        public void received(long bytes) {
            received += bytes;
            endIfAllIsHere();
        }

        @Override
        public void ended(Flow flow) {
            open.remove(flow);
            if (!ending) {
                failUnlessTold(Failure.ofService("stream closed during the test"));
            } else {
                tellResultsWhenAllIsHere();
            }
        }

        @Override
        public void failed(Failure why) {
            if (!resultsDue) {
                failUnlessTold(why);
            }
        }

        /** A server that gives up a test closes its streams first, and then says why. */
        private void failUnlessTold(Failure why) {
            loop.schedule(() -> fail(why), REASON_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** @param whole whether to wait until the server has all that was sent */
    private void end(boolean whole) {
        if (ending || over) {
            return;
        }
        ending = true;
        flows().forEach(Flow::stop);
        if (whole && request.upward() > 0) {
            endWhenDelivered();
        } else {
            tellEnd(clock.nanoTime());
        }
    }

    private void endWhenDelivered() {
        if (over) {
            return;
        }
        if (flows(true).stream().allMatch(Flow::isDelivered)) {
            long deliveredNanos = clock.nanoTime();
            loop.schedule(() -> tellEnd(deliveredNanos), READ_NANOS + 2 * rttNanos, TimeUnit.NANOSECONDS);
        } else {
            loop.schedule(this::endWhenDelivered, LOOK_MICROS, TimeUnit.MICROSECONDS);
        }
    }

    private void tellEnd(long atNanos) {
        if (over) {
            return;
        }
        endNanos = atNanos;
        LoopCpuTime since = times;
        if (since != null) {
            cpu = since.percent();
        }
        sent = flows(true).stream().map(flow -> flow.result(atNanos)).toList();
        tell(State.TEST_END);
    }

    private void tellResultsWhenAllIsHere() {
        if (!resultsDue) {
            return;
        }
        // Datagrams have no end that could be seen.
        if (request.udp() && request.downward() > 0) {
            loop.schedule(this::tellResults, READ_NANOS, TimeUnit.NANOSECONDS);
        } else if (request.udp() || open.isEmpty()) {
            tellResults();
        }
    }

    private List<Results.OfStream> results() {
        List<Results.OfStream> all = new ArrayList<>(sent);
        for (Flow flow : flows(false)) {
            all.add(flow.result(endNanos));
        }
        return all;
    }

    private void tellResults() {
        if (own != null || over) {
            return;
        }
        boolean counts = sent.stream().anyMatch(stream -> stream.retransmits() >= 0);
        Results told = new Results(cpu[0], cpu[1], cpu[2], request.upward() == 0 ? -1 : counts ? 1 : 0, results());
        own = told;
        reader.expectJson(MAX_RESULTS_BYTES);
        tellJson(told.toJson());
    }

    private void succeed() {
        Results here = own;
        Results there = other;
        if (here == null || there == null) {
            fail(Failure.ofService("malformed: test ended without results"));
            return;
        }
        long bytes = 0;
        boolean both = request.upward() > 0 && request.downward() > 0;
        if (request.upward() > 0) {
            List<Results.OfStream> got = of(there, sent);
            metrics.putAll(IperfMetrics.direction(false).of(request.udp(), sent, got, sent));
            bytes += sum(got);
        }
        if (request.downward() > 0) {
            IperfMetrics.Direction direction = IperfMetrics.direction(both);
            List<Results.OfStream> got =
                    flows(false).stream().map(flow -> flow.result(endNanos)).toList();
            metrics.putAll(direction.of(request.udp(), of(there, got), got, got));
            if (request.udp()) {
                long late = flows(false).stream()
                        .mapToLong(flow -> flow instanceof UdpFlow udp ? udp.late() : 0)
                        .sum();
                metrics.put(direction.late(), (double) late);
            }
            bytes += sum(got);
        }
        Double rate = metrics.get(IperfMetrics.direction(false).rate());
        if (rate != null && !request.udp() && request.bitsPerSecond() == 0) {
            recorder.observe(IperfMetrics.NETWORK_BANDWIDTH, endNanos, rate);
        }
        metrics.put(IperfMetrics.CPU, here.cpuPercent());
        metrics.put(IperfMetrics.CPU_REMOTE, there.cpuPercent());
        tell(State.IPERF_DONE);
        close(new TestReport(null, bytes, metrics));
    }

    private static List<Results.OfStream> of(Results results, List<Results.OfStream> same) {
        List<Integer> ids = same.stream().map(Results.OfStream::id).toList();
        return results.streams().stream()
                .filter(stream -> ids.contains(stream.id()))
                .toList();
    }

    private static long sum(List<Results.OfStream> streams) {
        return Math.max(0, streams.stream().mapToLong(Results.OfStream::bytes).sum());
    }

    private void second() {
        if (over || ending) {
            return;
        }
        loop.schedule(this::second, SECOND_NANOS, TimeUnit.NANOSECONDS);
        long nowNanos = clock.nanoTime();
        double seconds = (nowNanos - lastNanos) / 1e9;
        long up = flows(true).stream().mapToLong(Flow::bytes).sum();
        long down = flows(false).stream().mapToLong(Flow::bytes).sum();
        boolean both = request.upward() > 0 && request.downward() > 0;
        if (request.upward() > 0) {
            observe(IperfMetrics.direction(false), up - lastUp, seconds, nowNanos);
        }
        if (request.downward() > 0) {
            observe(IperfMetrics.direction(both), down - lastDown, seconds, nowNanos);
        }
        lastUp = up;
        lastDown = down;
        lastNanos = nowNanos;
        for (Flow flow : flows(true)) {
            TcpState state = flow.state();
            if (state != null) {
                recorder.observe(IperfMetrics.RTT, nowNanos, state.rttMicros() / 1e3);
                recorder.observe(IperfMetrics.WINDOW, nowNanos, state.windowSegments());
            }
        }
    }

    private void observe(IperfMetrics.Direction direction, long bytes, double seconds, long nowNanos) {
        recorder.observe(direction.second(), nowNanos, IperfMetrics.Direction.megabits(Math.max(0, bytes), seconds));
    }

    private void fail(Failure why) {
        close(new TestReport(why, 0, metrics));
    }

    private void close(TestReport report) {
        if (over) {
            return;
        }
        over = true;
        reader.stop();
        StreamDialer made = dial;
        if (made != null) {
            made.close();
        }
        Channel closing = control;
        if (closing != null && closing.isOpen()) {
            if (report.failure() == null) {
                loop.schedule(() -> closing.close(), LEAVE_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                // After what was told.
                closing.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        }
        block.release();
        if (datagrams != null) {
            datagrams.close();
        }
        // The last thing done here: the next test may begin within it.
        whenEnded.accept(report);
    }

    private final class Control extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            try {
                reader.read(bytes);
            } catch (MalformedMessageException e) {
                fail(Failure.ofService("malformed: " + e.getMessage()));
            } finally {
                bytes.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail(Failure.ofService("connection closed " + phase));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fail(Failures.of(cause));
        }
    }
}
