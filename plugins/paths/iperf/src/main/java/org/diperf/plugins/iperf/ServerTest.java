package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/**
 * A test as the server sees it. When the client tells the end, what it had sent may still be on its way: its results say how
 * much that is, and the server's follow when all has come, or nothing more comes. Confined to the server's event loop.
 */
final class ServerTest {

    private static final int MAX_PARAMETERS_BYTES = 8 << 10;
    private static final int MAX_RESULTS_BYTES = 4 << 20;
    private static final int STREAM_LISTEN = 202;
    private static final int TIME_IS_UP = 160;

    private static final long WATCH_SECONDS = 5;
    /** How long everything but the test itself may take. */
    private static final long OTHERWISE_NANOS = 60_000_000_000L;
    /** How long a client may send nothing. */
    private static final long SILENCE_NANOS = 120_000_000_000L;
    /** When nothing has come for so long, nothing more is on its way. */
    private static final long QUIET_NANOS = 100_000_000L;

    private static final long LOOK_MICROS = 500;

    private final IperfServer server;
    private final Channel control;
    private final byte[] cookie;
    private final NanoClock clock;
    private final ControlReader reader = new ControlReader(new FromClient());
    private final List<Flow> flows = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final Map<InetSocketAddress, UdpFlow> bySender = new HashMap<>();
    private final Flow.Watcher watcher = new Streams();

    private @Nullable Request request;
    private @Nullable Quota quota;
    private ByteBuf block = Unpooled.EMPTY_BUFFER;
    private @Nullable DatagramBuffers datagrams;
    private @Nullable Channel udp;
    private @Nullable LoopCpuTime times;
    private double[] cpu = new double[3];
    private boolean creating;
    private boolean running;
    private boolean over;
    private long sinceNanos;
    private long heardNanos;
    private long endNanos;

    ServerTest(IperfServer server, Channel control, byte[] cookie, NanoClock clock) {
        this.server = server;
        this.control = control;
        this.cookie = cookie.clone();
        this.clock = clock;
    }

    byte[] cookie() {
        return cookie;
    }

    /** Begins, with the client's connection. */
    void start() {
        sinceNanos = clock.nanoTime();
        control.pipeline().addLast(new Control());
        reader.expectJson(MAX_PARAMETERS_BYTES);
        tell(State.PARAM_EXCHANGE);
        control.eventLoop().schedule(this::watch, WATCH_SECONDS, TimeUnit.SECONDS);
    }

    private void tell(byte state) {
        control.writeAndFlush(control.alloc().directBuffer(1).writeByte(state), control.voidPromise());
    }

    /** Ends the test by an error's number, which the client knows. */
    private void refuse(int number) {
        if (!over) {
            control.writeAndFlush(
                    control.alloc()
                            .directBuffer()
                            .writeByte(State.SERVER_ERROR)
                            .writeInt(number)
                            .writeInt(0),
                    control.voidPromise());
            close();
        }
    }

    /** Ends the test because the server ends. */
    void terminate() {
        if (!over) {
            tell(State.SERVER_TERMINATE);
            close();
        }
    }

    /** Gives up a test that goes on for too long. */
    private void watch() {
        Request of = request;
        if (over) {
            return;
        }
        long nowNanos = clock.nanoTime();
        if (!running && nowNanos - sinceNanos > OTHERWISE_NANOS) {
            close();
        } else if (running && of != null) {
            long most = TimeUnit.SECONDS.toNanos((long) of.seconds() + of.omitSeconds()) + OTHERWISE_NANOS;
            if (of.seconds() > 0 && nowNanos - sinceNanos > most) {
                refuse(TIME_IS_UP);
            } else if (of.upward() > 0 && nowNanos - heardNanos > SILENCE_NANOS) {
                refuse(ServerErrors.NO_DATA);
            }
        }
        control.eventLoop().schedule(this::watch, WATCH_SECONDS, TimeUnit.SECONDS);
    }

    private final class FromClient implements ControlReader.Messages {

        @Override
        public void state(byte state) throws MalformedMessageException {
            switch (state) {
                case State.TEST_END -> end();
                case State.IPERF_DONE, State.CLIENT_TERMINATE -> close();
                default -> throw new MalformedMessageException("unknown state");
            }
        }

        @Override
        public void json(String text) throws MalformedMessageException {
            if (request == null) {
                try {
                    create(Request.parse(text));
                } catch (Request.RefusedException e) {
                    refuse(e.number());
                }
            } else {
                Results theirs = Results.parse(text);
                tellResultsWhenAllIsHere(theirs, -1, clock.nanoTime());
            }
        }

        @Override
        public void error(int number) {
            close();
        }
    }

    private void create(Request asked) {
        request = asked;
        quota = Quota.ofServer(asked);
        if (!asked.udp()) {
            block = asked.downward() > 0 ? PayloadPattern.block(asked.block()) : Unpooled.EMPTY_BUFFER;
            creating = true;
            tell(State.CREATE_STREAMS);
            return;
        }
        datagrams = new DatagramBuffers(asked.block());
        ChannelFuture bound = StreamDialer.datagramBootstrap(server.loop(), asked)
                .handler(new UdpPort())
                .bind(server.address());
        udp = bound.channel();
        bound.addListener((ChannelFutureListener) done -> {
            TcpOptions.Unset unset = done.cause() == null ? TcpOptions.setWindow(done.channel(), asked) : null;
            if (done.cause() != null || unset != null) {
                refuse(unset == null ? STREAM_LISTEN : unset.error());
            } else {
                creating = true;
                tell(State.CREATE_STREAMS);
            }
        });
    }

    /** Returns whether a connection with this test's cookie is one of its streams. */
    boolean wantsStream() {
        Request of = request;
        return creating && of != null && !of.udp();
    }

    /** Takes a connection as the next stream. */
    void join(Channel channel) {
        Request of = request;
        Quota limit = quota;
        if (of == null || limit == null) {
            channel.close();
            return;
        }
        TcpOptions.Unset unset = TcpOptions.set(channel, of);
        if (unset != null) {
            channel.close();
            refuse(unset.error());
            return;
        }
        boolean sends = flows.size() >= of.upward();
        channels.add(channel);
        flows.add(new TcpFlow(StreamDialer.id(flows.size()), sends, channel, of, limit, block, 0, watcher, clock));
        runWhenComplete(of);
    }

    private void runWhenComplete(Request of) {
        if (flows.size() < of.upward() + of.downward()) {
            return;
        }
        creating = false;
        running = true;
        sinceNanos = clock.nanoTime();
        heardNanos = sinceNanos;
        times = new LoopCpuTime(clock);
        tell(State.TEST_START);
        tell(State.TEST_RUNNING);
        flows.forEach(Flow::start);
        if (of.omitSeconds() > 0) {
            control.eventLoop().schedule(this::omitOver, of.omitSeconds(), TimeUnit.SECONDS);
        }
    }

    private void omitOver() {
        Quota limit = quota;
        if (running && limit != null) {
            limit.omitOver();
            times = new LoopCpuTime(clock);
            flows.forEach(Flow::omitOver);
        }
    }

    private void end() {
        LoopCpuTime since = times;
        if (!running || since == null) {
            close();
            return;
        }
        running = false;
        sinceNanos = clock.nanoTime();
        endNanos = sinceNanos;
        cpu = since.percent();
        flows.forEach(Flow::stop);
        for (int i = 0; i < channels.size(); i++) {
            // A client that waits for the end of what was sent sees it.
            if (flows.get(i).sends() && channels.get(i) instanceof DuplexChannel duplex) {
                duplex.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> duplex.shutdownOutput());
            }
        }
        reader.expectJson(MAX_RESULTS_BYTES);
        tell(State.EXCHANGE_RESULTS);
    }

    private void tellResultsWhenAllIsHere(Results theirs, long before, long sameSinceNanos) {
        Request of = request;
        if (over || of == null) {
            return;
        }
        long here = came();
        long nowNanos = clock.nanoTime();
        long since = here == before ? sameSinceNanos : nowNanos;
        if (here < sent(of, theirs) && nowNanos - since < QUIET_NANOS) {
            control.eventLoop()
                    .schedule(() -> tellResultsWhenAllIsHere(theirs, here, since), LOOK_MICROS, TimeUnit.MICROSECONDS);
            return;
        }
        List<Results.OfStream> each =
                flows.stream().map(flow -> flow.result(endNanos)).toList();
        boolean counts = each.stream().anyMatch(stream -> stream.retransmits() >= 0);
        Results ours = new Results(cpu[0], cpu[1], cpu[2], of.downward() == 0 ? -1 : counts ? 1 : 0, each);
        control.write(ControlReader.frame(control.alloc().directBuffer(), ours.toJson()), control.voidPromise());
        tell(State.DISPLAY_RESULTS);
    }

    /** Counts what the streams received: bytes, or datagrams. */
    private long came() {
        long sum = 0;
        for (Flow flow : flows) {
            if (!flow.sends()) {
                sum += flow instanceof UdpFlow datagram ? datagram.packetsReceived() : flow.bytes();
            }
        }
        return sum;
    }

    private static long sent(Request of, Results theirs) {
        return theirs.streams().stream()
                .limit(of.upward())
                .mapToLong(stream -> of.udp() ? stream.packets() : stream.bytes())
                .sum();
    }

    private void close() {
        if (over) {
            return;
        }
        over = true;
        running = false;
        reader.stop();
        flows.forEach(Flow::close);
        Channel datagramChannel = udp;
        if (datagramChannel != null) {
            datagramChannel.close();
        }
        control.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        block.release();
        DatagramBuffers memory = datagrams;
        if (memory != null) {
            memory.close();
        }
        server.free(this);
    }

    private final class Streams implements Flow.Watcher {

        @Override
        public void quotaUsed() {
            // The client sees it, and ends the test.
        }

        @Override
        public void received(long bytes) {
            heardNanos = clock.nanoTime();
        }

        @Override
        public void ended(Flow flow) {
            // The control connection tells why.
        }

        @Override
        public void failed(Failure why) {
            // As above.
        }
    }

    /** The socket for the datagrams of all streams. */
    private final class UdpPort extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            DatagramPacket packet = (DatagramPacket) in;
            try {
                UdpFlow known = bySender.get(packet.sender());
                if (known != null) {
                    known.receive(packet.content());
                } else if (creating && packet.content().readableBytes() == Integer.BYTES) {
                    greet(context.channel(), packet.sender());
                }
            } finally {
                packet.release();
            }
        }

        private void greet(Channel channel, InetSocketAddress sender) {
            Request of = request;
            Quota limit = quota;
            DatagramBuffers memory = datagrams;
            if (of == null || limit == null || memory == null) {
                return;
            }
            boolean sends = flows.size() >= of.upward();
            UdpFlow flow = new UdpFlow(
                    StreamDialer.id(flows.size()), sends, channel, sender, of, limit, memory, watcher, clock);
            flows.add(flow);
            bySender.put(sender, flow);
            channel.writeAndFlush(
                    new DatagramPacket(channel.alloc().directBuffer().writeInt(StreamDialer.ANSWER), sender));
            runWhenComplete(of);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (context.channel().isWritable()) {
                bySender.values().forEach(UdpFlow::pump);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // Such as what a client's machine says when its socket is gone; the control connection tells more.
        }
    }

    private final class Control extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            ByteBuf bytes = (ByteBuf) in;
            try {
                reader.read(bytes);
            } catch (MalformedMessageException e) {
                refuse(request == null ? ServerErrors.PARAMETERS : ServerErrors.MESSAGE);
            } finally {
                bytes.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            close();
        }
    }
}
