package org.diperf.controller.collect;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.security.Role;
import org.diperf.core.wire.DatagramCipher;
import org.diperf.core.wire.DatagramStream;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.WireException;
import org.diperf.tester.transport.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port at which sealed datagrams come in, and those who may send them. A datagram of nobody, or that was changed or
 * comes again, costs a look at its key and is forgotten. Confined to the collector's event loop.
 */
final class Datagrams {

    private static final Logger LOG = LoggerFactory.getLogger(Datagrams.class);
    private static final int SOCKET_BYTES = 16 << 20;
    private static final int DATAGRAM_BYTES = 2_048;
    private static final int BATCH = 64;
    private static final long TICK_MILLIS = 20;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Who is silent for so long has enrolled again, or will. */
    private static final long SILENT_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final int MOST = 1 << 20;

    private final EventLoop loop;
    private final NanoClock clock;
    private final Sessions sessions;
    private final Channel channel;
    private final SecureRandom random = new SecureRandom();
    private final DatagramCipher.Engine engine = new DatagramCipher.Engine();
    private final ByteBuffer scratch = ByteBuffer.allocate(DatagramStream.CONTENT_BYTES);
    private final ByteBuffer content = ByteBuffer.allocate(1 << 16);
    private final Map<Integer, DatagramPeer> peers = new HashMap<>();
    /** Last enrolment of each tester. */
    private final Map<Integer, DatagramPeer> byTester = new HashMap<>();

    private final List<DatagramPeer> dirty = new ArrayList<>();
    private final Set<DatagramPeer> busy = new LinkedHashSet<>();
    private boolean flushing;
    private long lookedNanos;
    private long opened;
    private long refused;

    /** Opens a port. */
    Datagrams(EventLoop loop, InetSocketAddress listen, NanoClock clock, Sessions sessions) throws IOException {
        this(loop, bind(loop, listen), clock, sessions);
    }

    /** @param channel that takes and gives datagrams; of this loop */
    Datagrams(EventLoop loop, Channel channel, NanoClock clock, Sessions sessions) {
        this.loop = loop;
        this.channel = channel;
        this.clock = clock;
        this.sessions = sessions;
        channel.pipeline().addLast(new Handler());
        var unused = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Channel bind(EventLoop loop, InetSocketAddress listen) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Sockets.datagrams())
                .option(ChannelOption.SO_RCVBUF, SOCKET_BYTES)
                .option(ChannelOption.SO_SNDBUF, SOCKET_BYTES)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(DATAGRAM_BYTES * BATCH))
                // Nobody has keys yet: what comes before there is a handler is nobody's.
                .handler(new ChannelInboundHandlerAdapter());
        if (Sockets.datagrams() == EpollDatagramChannel.class) {
            // Many datagrams by one system call.
            bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, DATAGRAM_BYTES);
        }
        ChannelFuture bound = bootstrap.bind(listen).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "Expected UDP port " + listen.getPort() + " of " + listen.getHostString() + " to be free, got: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Makes keys for a peer whose certificate and token were right. */
    Message.Enrolled enrol(Role.Holder holder, InetSocketAddress from) {
        int id = random.nextInt();
        while (id == 0 || peers.containsKey(id)) {
            id = random.nextInt();
        }
        byte[] up = new byte[DatagramCipher.KEY_BYTES];
        byte[] down = new byte[DatagramCipher.KEY_BYTES];
        random.nextBytes(up);
        random.nextBytes(down);
        if (peers.size() < MOST) {
            long now = clock.nanoTime();
            DatagramPeer peer = new DatagramPeer(this, id, holder, new DatagramCipher(id, down, up, engine), from, now);
            peer.authenticated();
            peers.put(id, peer);
            if (holder.role() == Role.TESTER) {
                DatagramPeer before = byTester.put(holder.number(), peer);
                // The way of a tester at work stays until the new one has joined: its ticket may have been started
                // twice.
                if (before != null && before.sessions().stream().noneMatch(session -> session.isHeard(now))) {
                    before.close();
                }
            }
        }
        return new Message.Enrolled(id, port(), up, down);
    }

    private final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof DatagramPacket packet) {
                    receive(packet.content(), packet.sender());
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable problem) {
            LOG.debug("a datagram could not be sent or received", problem);
        }
    }

    private void receive(ByteBuf packet, InetSocketAddress from) {
        ByteBuffer datagram = packet.nioBuffer();
        DatagramPeer peer = peers.get(DatagramCipher.idOf(datagram));
        if (peer == null || !peer.seal.open(datagram, content.clear())) {
            refused++;
            return;
        }
        opened++;
        long now = clock.nanoTime();
        peer.heard(from, now);
        try {
            peer.stream.receive(content.flip(), now, scratch, reply -> send(peer, reply), frame -> {
                if (peer.isActive()) {
                    sessions.received(peer, Frame.decode(frame), now);
                }
            });
            if (peer.stream.isBusy()) {
                busy.add(peer);
            }
        } catch (WireException e) {
            sessions.broken(peer, String.valueOf(e.getMessage()));
        }
    }

    private void send(DatagramPeer peer, ByteBuffer sent) {
        ByteBuf datagram = channel.alloc().ioBuffer(sent.remaining() + DatagramCipher.OVERHEAD);
        ByteBuffer room = datagram.nioBuffer(0, sent.remaining() + DatagramCipher.OVERHEAD);
        peer.seal.seal(sent, room);
        datagram.writerIndex(room.position());
        channel.write(new DatagramPacket(datagram, peer.at()), channel.voidPromise());
    }

    /** Takes note that a peer has something to send: at the end of this turn, together with what else comes. */
    void dirty(DatagramPeer peer) {
        if (!peer.isDirty) {
            peer.isDirty = true;
            dirty.add(peer);
        }
        if (!flushing) {
            flushing = true;
            loop.execute(this::flush);
        }
    }

    void flush() {
        flushing = false;
        long now = clock.nanoTime();
        for (DatagramPeer peer : dirty) {
            peer.isDirty = false;
            if (peer.isActive()) {
                peer.stream.flush(now, scratch, content -> send(peer, content));
                busy.add(peer);
            }
        }
        dirty.clear();
        channel.flush();
    }

    private void tick() {
        long now = clock.nanoTime();
        busy.removeIf(peer -> {
            peer.stream.tick(now, scratch, sent -> send(peer, sent));
            return !peer.isActive() || !peer.stream.isBusy();
        });
        channel.flush();
        if (now - lookedNanos > LOOK_NANOS) {
            lookedNanos = now;
            for (DatagramPeer peer : List.copyOf(peers.values())) {
                if (now - peer.heardNanos() > SILENT_NANOS) {
                    peer.close();
                }
            }
        }
    }

    /** Forgets a peer: what it still sends is nobody's. */
    void closed(DatagramPeer peer) {
        peers.remove(peer.id);
        busy.remove(peer);
        byTester.remove(peer.holder().number(), peer);
        sessions.closed(peer);
    }

    void pause(boolean wanted) {
        channel.config().setAutoRead(!wanted);
    }

    /** Counts the datagrams that were opened. */
    long opened() {
        return opened;
    }

    /** Counts the datagrams that were nobody's, changed, or came again. */
    long refused() {
        return refused;
    }

    void close() {
        channel.close();
    }
}
