package org.diperf.plugins.stamp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.netty.Failures;
import org.diperf.plugins.lib.netty.SessionLoops;
import org.diperf.plugins.lib.netty.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * One train of datagrams and the answers to it, over a socket of its own, so that the reflector counts it from the beginning.
 * Confined to its event loop.
 */
final class PacketTrain {

    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    /** Packets are never broken, and what the system has learned of the path is not asked. */
    private static final int PROBE = 3;

    private static final IntegerUnixChannelOption DISCOVER =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, IP_MTU_DISCOVER);

    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final IntegerUnixChannelOption DISCOVER6 =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, IPV6_MTU_DISCOVER);

    private static final int READ_BYTES = 65_536;
    private static final int UDP_AND_IP_BYTES = 28;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** How long a large datagram is waited for, at least; else four round trips. */
    private static final long MIN_WAIT_NANOS = 100 * NANOS_PER_MILLI;

    /** Takes the end of a train. */
    interface WhenEnded {

        /** @param failure {@code null} when at least one datagram was answered */
        void take(long bytes, Map<Metric, Double> metrics, @Nullable Failure failure);
    }

    private final Settings settings;
    private final InetSocketAddress reflector;
    private final EventLoop loop;
    private final ReflectorClock clocks;
    private final NanoClock clock;
    private final long unixBaseNanos;
    private final WhenEnded whenEnded;
    private final long[] sentNanos;
    private final Tally tally;

    private @Nullable Channel channel;
    private @Nullable ScheduledFuture<?> waiting;
    private @Nullable MtuSearch search;
    private Map<Metric, Double> metrics = new LinkedHashMap<>();
    private int sent;
    private @Nullable Integer reflectedBefore;
    private long beganNanos;
    private long roundTripNanos;
    private long bytes;
    private boolean over;
    private @Nullable Failure trouble;

    /** @param unixBaseNanos Unix time when {@code clock} showed 0 */
    PacketTrain(
            Settings settings,
            InetSocketAddress reflector,
            EventLoop loop,
            ReflectorClock clocks,
            NanoClock clock,
            long unixBaseNanos,
            WhenEnded whenEnded) {
        this.settings = settings;
        this.reflector = reflector;
        this.loop = loop;
        this.clocks = clocks;
        this.clock = clock;
        this.unixBaseNanos = unixBaseNanos;
        this.whenEnded = whenEnded;
        this.sentNanos = new long[settings.count()];
        this.tally = new Tally(settings.counts());
    }

    /** Begins; the end may come before this returns. */
    void start() {
        // Connected: the system tells of a port where nobody listens, and drops what others send.
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(SessionLoops.datagramType(loop))
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .handler(new Receiver())
                .connect(reflector);
        Channel made = connecting.channel();
        channel = made;
        Sockets.then(connecting, loop, () -> {
            if (over) {
                return;
            }
            if (connecting.cause() != null) {
                end(Failures.of(connecting.cause()));
                return;
            }
            beganNanos = clock.nanoTime();
            send(made);
        });
    }

    private void send(Channel open) {
        if (over) {
            return;
        }
        int number = sent++;
        ByteBuf packet = open.alloc().directBuffer(settings.bytes());
        sentNanos[number] = clock.nanoTime();
        Packet.sent(packet, number, unixBaseNanos + sentNanos[number], settings.bytes());
        open.writeAndFlush(packet, open.voidPromise());
        bytes += settings.bytes();
        if (sent < settings.count()) {
            long dueNanos = beganNanos + sent * settings.intervalNanos();
            loop.schedule(() -> send(open), Math.max(0, dueNanos - clock.nanoTime()), TimeUnit.NANOSECONDS);
        } else {
            waiting = loop.schedule(this::measured, settings.waitNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void receive(ByteBuf packet, long nowNanos) {
        if (!Packet.isAnswer(packet)) {
            return;
        }
        int number = Packet.answered(packet);
        int counted = Packet.number(packet);
        bytes += packet.readableBytes();
        MtuSearch searching = search;
        if (searching != null) {
            // The numbers of the search go on behind the train's, each with the size that was tried.
            if (number == settings.count() + searching.asking()) {
                searching.passed();
                probe();
            }
            return;
        }
        if (number < 0 || number >= sent) {
            return;
        }
        int reflected = counted - reflectedBefore(number, counted);
        if (reflected < 0 || reflected > 2 * settings.count()) {
            return;
        }
        Exchange exchange =
                new Exchange(Packet.sentNanos(packet), nowNanos, sentNanos[number], Packet.receivedNanos(packet));
        if (exchange.isPlausible()) {
            clocks.add(exchange);
        }
        roundTripNanos = Math.max(roundTripNanos, exchange.roundTripNanos());
        tally.take(number, reflected, exchange);
        if (tally.answered() == settings.count() && waiting != null && waiting.cancel(false)) {
            measured();
        }
    }

    /**
     * Counts what the reflector had answered before. It goes on counting where an earlier train had this port, which it may know
     * for as long as it runs.
     */
    private int reflectedBefore(int number, int counted) {
        Integer known = reflectedBefore;
        if (known == null) {
            // Fewer are answers to datagrams of this train that came twice.
            known = counted - number > settings.count() / 2 ? counted - number : 0;
            reflectedBefore = known;
        }
        return known;
    }

    private void measured() {
        if (over) {
            return;
        }
        metrics = tally.metrics(sent, clocks);
        if (tally.answered() == 0) {
            Failure known = trouble;
            end(known != null ? known : Failure.ofService("no answer"));
            return;
        }
        Channel open = channel;
        if (!settings.mtu() || open == null) {
            end(null);
            return;
        }
        boolean set;
        try {
            set = open.config().setOption(isSix() ? DISCOVER6 : DISCOVER, PROBE);
        } catch (ChannelException e) {
            set = false;
        }
        if (set) {
            search = new MtuSearch(settings.bytes());
            probe();
        } else {
            end(Failure.ofGenerator("mtu: this tester's sockets cannot forbid fragmentation; it needs epoll"));
        }
    }

    /** Sends a datagram of the size that is to be tried. */
    private void probe() {
        MtuSearch searching = search;
        Channel open = channel;
        if (over || searching == null || open == null) {
            return;
        }
        int size = searching.asking();
        if (size == 0) {
            metrics.put(StampMetrics.MTU, (double) searching.found() + UDP_AND_IP_BYTES + (isSix() ? 20 : 0));
            end(null);
            return;
        }
        ScheduledFuture<?> before = waiting;
        if (before != null) {
            before.cancel(false);
        }
        ByteBuf packet = open.alloc().directBuffer(size);
        Packet.sent(packet, settings.count() + size, unixBaseNanos + clock.nanoTime(), size);
        bytes += size;
        open.writeAndFlush(packet).addListener(done -> {
            if (done.cause() != null && searching.asking() == size) {
                searching.tooLarge();
                probe();
            }
        });
        if (searching.asking() == size) {
            waiting = loop.schedule(
                    () -> {
                        searching.silent();
                        probe();
                    },
                    Math.max(MIN_WAIT_NANOS, 4 * roundTripNanos),
                    TimeUnit.NANOSECONDS);
        }
    }

    private boolean isSix() {
        return reflector.getAddress() instanceof Inet6Address;
    }

    /** Gives the train up. */
    void cancel() {
        end(Failure.ofService("cancelled"));
    }

    private void end(@Nullable Failure failure) {
        if (over) {
            return;
        }
        over = true;
        if (waiting != null) {
            waiting.cancel(false);
        }
        Sockets.close(channel);
        // The last thing done here: the next train may begin within it.
        whenEnded.take(bytes, metrics, failure);
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object in) {
            long nowNanos = clock.nanoTime();
            DatagramPacket packet = (DatagramPacket) in;
            try {
                if (!over) {
                    receive(packet.content(), nowNanos);
                }
            } finally {
                packet.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // What one datagram met, the next may not; if none comes back, this is why.
            trouble = Failures.of(cause);
        }
    }
}
