package org.diperf.controller.run;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Workload;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.transport.DatagramConnection;
import org.diperf.tester.transport.Dialer;
import org.diperf.tester.transport.FrameDecoder;
import org.diperf.tester.transport.Sockets;
import org.jspecify.annotations.Nullable;

/**
 * Testers by the ten thousand in one process, for {@link ManyTesters}: each speaks the wire as a real one does, but sends
 * one made-up block, numbered anew, again and again. A link carries one tester by its own certificate, or, as a relay's
 * does, many.
 */
final class TesterSwarm {

    private static final TesterFacts FACTS = new TesterFacts("swarm", 1, 0, "17", List.of(), "Linux", false);
    private static final long SECOND = 1_000_000_000;
    /** Links that are being made at once: a handshake takes milliseconds of both sides. */
    private static final int CONNECTING = 100;
    /** Blocks that may be unacknowledged when all send as fast as they can: of one tester, and of all together. */
    private static final int WINDOW = 1_024;

    private static final int WINDOW_OF_ALL = 8_192;

    private final EventLoop loop;
    private final byte[] block;
    private final int rows;
    private final long everyNanos;
    private final int floodWindow;
    private final ArrayDeque<Link> toConnect = new ArrayDeque<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Sim> testers = new ArrayList<>();
    private final CountDownLatch welcomed;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private boolean sending;
    private boolean stopping;
    private int next;
    private long beganNanos;

    private TesterSwarm(EventLoop loop, int rows, double perSecond, int testers) {
        this.loop = loop;
        this.rows = rows;
        this.everyNanos = perSecond == 0 ? 0 : Math.round(SECOND / perSecond);
        this.floodWindow = Math.max(1, Math.min(WINDOW, WINDOW_OF_ALL / testers));
        this.block = block(rows);
        this.welcomed = new CountDownLatch(testers);
    }

    private static byte[] block(int rows) {
        CallWriter writer = new CallWriter(1, rows, 0);
        Workload workload = Workload.closed(1, 1 << 12, 64, 1e6, 0);
        while (!writer.isFull()) {
            workload.addTo(writer, 1, 0, NanoClock.SYSTEM.nanoTime());
        }
        ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(data, 1);
        byte[] bytes = new byte[data.flip().remaining()];
        data.get(bytes);
        return bytes;
    }

    /** One simulated tester. Confined to the loop. */
    private static final class Sim {
        private final int number;
        private final Link link;
        private long blocks;
        private long acknowledged;
        private long dueNanos;
        private boolean welcomed;
        private long echoOf;
        private long echoAt;

        Sim(int number, Link link) {
            this.number = number;
            this.link = link;
        }
    }

    /** One connection or way by datagrams, with a tester or many. */
    private final class Link implements Dialer.Events, DatagramConnection.Events {
        private final Ticket ticket;
        private final List<Sim> sims = new ArrayList<>();
        private final int first;
        private @Nullable Dialer dialer;
        private @Nullable Channel channel;
        private @Nullable DatagramConnection way;
        private boolean unflushed;

        Link(Ticket ticket, int first, int count) {
            this.ticket = ticket;
            this.first = first;
            for (int i = 0; i < count; i++) {
                Sim sim = new Sim(first + i, this);
                sims.add(sim);
                testers.add(sim);
            }
        }

        void open() throws IOException {
            dialer = new Dialer(
                    ticket,
                    "swarm " + first,
                    loop,
                    () -> FrameDecoder.decoding(NanoClock.SYSTEM, Frame.MAX_LENGTH),
                    this);
            dialer.connect();
        }

        @Override
        public void connected(Channel fresh) {
            channel = fresh;
            if (ticket.datagrams()) {
                write(sims.get(0), new Message.Enrol(ticket.token()));
            } else {
                hello();
            }
            flush();
        }

        private void hello() {
            for (Sim sim : sims) {
                write(sim, new Message.Hello(ticket.token(), Frame.VERSION, sim.welcomed, FACTS));
            }
        }

        @Override
        public void came(Channel from, Object message) {
            if (!(message instanceof FrameDecoder.Arrival arrival)) {
                return;
            }
            if (arrival.frame().message() instanceof Message.Enrolled enrolled) {
                try {
                    InetAddress host = InetAddress.getByName(ticket.hosts().get(0));
                    DatagramConnection fresh = new DatagramConnection(loop, host, enrolled, NanoClock.SYSTEM, this);
                    channel = null;
                    way = fresh;
                    from.close();
                    hello();
                    flush();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            } else {
                came(arrival.frame(), arrival.atNanos());
            }
        }

        @Override
        public void came(Frame frame, long atNanos) {
            Sim sim = sims.get(frame.tester() - first);
            sim.echoOf = frame.sentNanos();
            sim.echoAt = atNanos;
            Message message = frame.message();
            if (message instanceof Message.Welcome welcome) {
                sim.blocks = welcome.durable();
                sim.acknowledged = welcome.durable();
                if (!sim.welcomed) {
                    sim.welcomed = true;
                    welcomed.countDown();
                    if (sim == sims.get(sims.size() - 1)) {
                        connectNext();
                    }
                }
            } else if (message instanceof Message.Ping) {
                write(sim, new Message.Pong());
                flush();
            } else if (message instanceof Message.Ack ack) {
                sim.acknowledged = ack.durable();
                if (sending && everyNanos == 0) {
                    flood(sim);
                    flush();
                }
            } else if (message instanceof Message.Bye) {
                over.countDown();
            } else if (message instanceof Message.RejectedHello rejected) {
                throw new IllegalStateException("rejected: " + rejected.reason());
            }
        }

        @Override
        public void writable(Channel which) {
            if (sending && everyNanos == 0) {
                sims.forEach(TesterSwarm.this::flood);
                flush();
            }
        }

        @Override
        public void writable() {
            if (sending && everyNanos == 0) {
                sims.forEach(TesterSwarm.this::flood);
                flush();
            }
        }

        @Override
        public boolean gone(Channel which) {
            if (which == channel) {
                channel = null;
                return over.getCount() > 0;
            }
            return false;
        }

        @Override
        public void gone(String why) {
            way = null;
        }

        boolean isWritable() {
            return channel != null ? channel.isWritable() : way != null && way.isWritable();
        }

        void write(Sim sim, Message message) {
            Frame frame = new Frame(sim.number, NanoClock.SYSTEM.nanoTime(), sim.echoOf, sim.echoAt, message);
            ByteBuf bytes = Unpooled.wrappedBuffer(frame.encode());
            if (channel != null) {
                channel.write(bytes, channel.voidPromise());
            } else if (way != null) {
                wayWrite(bytes);
            }
            unflushed = true;
        }

        private void wayWrite(ByteBuf bytes) {
            if (way != null) {
                way.write(bytes);
            }
        }

        void flush() {
            if (unflushed) {
                unflushed = false;
                if (channel != null) {
                    channel.flush();
                } else if (way != null) {
                    way.flush();
                }
            }
        }
    }

    private void connectNext() {
        Link link = toConnect.poll();
        if (link != null) {
            try {
                link.open();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void send(Sim sim) {
        sim.blocks++;
        byte[] bytes = block.clone();
        ByteBuffer data = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(12, sim.number).putLong(16, sim.blocks);
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - 4);
        data.putInt(bytes.length - 4, (int) checksum.getValue());
        sim.link.write(sim, new Message.Block(ByteBuffer.wrap(bytes)));
        sent.addAndGet(rows);
    }

    private void flood(Sim sim) {
        while (sim.blocks - sim.acknowledged < floodWindow && sim.link.isWritable() && !stopping) {
            send(sim);
        }
    }

    private void begin() {
        sending = true;
        beganNanos = NanoClock.SYSTEM.nanoTime();
        if (everyNanos == 0) {
            testers.forEach(this::flood);
            links.forEach(Link::flush);
            return;
        }
        for (int i = 0; i < testers.size(); i++) {
            testers.get(i).dueNanos = beganNanos + everyNanos * i / testers.size();
        }
        var unused = loop.scheduleAtFixedRate(this::turn, 5, 5, TimeUnit.MILLISECONDS);
    }

    /** Testers are due one after another, in the order of the list, again and again. */
    private void turn() {
        long now = NanoClock.SYSTEM.nanoTime();
        while (!stopping && now - testers.get(next).dueNanos >= 0) {
            Sim sim = testers.get(next);
            sim.dueNanos += everyNanos;
            send(sim);
            next = (next + 1) % testers.size();
        }
        links.forEach(Link::flush);
    }

    private void finishSome() {
        stopping = true;
        sending = false;
        boolean all = true;
        for (Sim sim : testers) {
            all &= sim.acknowledged == sim.blocks;
        }
        if (all) {
            System.out.println("acknowledged " + sent.get());
            System.out.flush();
        } else {
            var unused = loop.schedule(this::finishSome, 100, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Runs until the controller says goodbye. Prints {@code joined SECONDS}, then, when a line comes on standard input,
     * begins; at the next line it stops, and prints {@code acknowledged SAMPLES} when all of them are.
     *
     * @param args file of tickets, first tester, testers a link, rows of a block, blocks a second of a tester (0: as fast as
     *     it can)
     */
    public static void main(String[] args) throws Exception {
        Path tickets = Path.of(args[0]);
        int first = Integer.parseInt(args[1]);
        int perLink = Integer.parseInt(args[2]);
        List<Ticket> read = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(tickets)) {
            lines.mark(1);
            while (lines.read() >= 0) {
                lines.reset();
                read.add(Ticket.read(lines));
                lines.mark(1);
            }
        }
        EventLoopGroup group = Sockets.oneLoop("tester-swarm");
        EventLoop loop = group.next();
        TesterSwarm swarm =
                new TesterSwarm(loop, Integer.parseInt(args[3]), Double.parseDouble(args[4]), read.size() * perLink);
        for (int i = 0; i < read.size(); i++) {
            Link link = swarm.new Link(read.get(i), first + i * perLink, perLink);
            swarm.links.add(link);
            swarm.toConnect.add(link);
        }
        long begin = NanoClock.SYSTEM.nanoTime();
        loop.execute(() -> {
            for (int i = 0; i < CONNECTING; i++) {
                swarm.connectNext();
            }
        });
        swarm.welcomed.await();
        System.out.printf(Locale.ROOT, "joined %.1f%n", (NanoClock.SYSTEM.nanoTime() - begin) / 1e9);
        System.in.read();
        loop.execute(swarm::begin);
        System.in.read();
        loop.execute(swarm::finishSome);
        swarm.over.await(60, TimeUnit.SECONDS);
        System.exit(0);
    }
}
