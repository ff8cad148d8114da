package org.diperf.tester.time;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.core.wire.TimeTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a time server. Answers are received by a thread of their own that waits in the kernel: a wait for several things
 * would put its own time between an answer and its stamp. Where an answer comes quickly that thread asks a {@link QueryBurst}
 * more at once. {@link #ask} is confined to one thread.
 */
final class TimeSocket implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeSocket.class);
    private static final int MAX_OPEN = 256;
    private static final int REHEARSALS = 300;
    /** A rehearsal takes much less, unless a datagram is lost that it waits for. */
    private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What is remembered of a question; the stamp is written last, before the sending. */
    private static final class Question {
        private final long wallMillis;
        private volatile long askedNanos;

        Question(long wallMillis) {
            this.wallMillis = wallMillis;
        }
    }

    private final int tester;
    private final NanoClock clock;
    private final WallClock wall;
    private final Consumer<TimeExchange> answers;
    private final DatagramChannel channel;
    private final QueryBurst volley;
    private final TimeTag askingTag;
    private final TimeTag answeringTag;
    private final ByteBuffer question = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
    private final Map<Integer, Question> open = new ConcurrentHashMap<>();
    private int sequence = ThreadLocalRandom.current().nextInt();
    /** Whether the last answer was quick, so that a volley will follow the next one. */
    private volatile boolean quick;
    /** Who rehearses now, if anybody does; guarded by this. */
    private @Nullable Thread rehearsing;

    /** What is done before somebody is asked; tests have one of their own. */
    interface Rehearsal {

        /** Returns or fails when its thread is interrupted. */
        void carryOut() throws IOException;
    }

    /** @param answers called on the receiving thread */
    TimeSocket(
            int tester,
            InetAddress host,
            TimeServerSettings service,
            NanoClock clock,
            WallClock wall,
            Consumer<TimeExchange> answers)
            throws IOException {
        this.tester = tester;
        this.clock = clock;
        this.wall = wall;
        this.answers = answers;
        this.askingTag = new TimeTag(service.key());
        this.answeringTag = new TimeTag(service.key());
        InetSocketAddress server = new InetSocketAddress(host, service.port());
        this.channel = DatagramChannel.open();
        try {
            // Connected: the kernel drops what others send, and both calls are shorter.
            channel.connect(server);
            this.volley = new QueryBurst(tester, server, service, clock);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Rehearses, then receives.
     *
     * @param loop whose timer ends a rehearsal that would not end
     * @param ready called on the receiving thread when it may be asked
     */
    void open(EventLoop loop, Runnable ready) {
        open(loop, () -> rehearse(tester, clock, wall), ready);
    }

    synchronized void open(EventLoop loop, Rehearsal rehearsal, Runnable ready) {
        Thread thread = new Thread(() -> receive(rehearsal, ready), "diperf-tester-clock-" + tester);
        thread.setDaemon(true);
        rehearsing = thread;
        thread.start();
        var unused = loop.schedule(this::endRehearsal, REHEARSAL_NANOS, TimeUnit.NANOSECONDS);
    }

    private synchronized void endRehearsal() {
        if (rehearsing != null) {
            rehearsing.interrupt();
        }
    }

    private synchronized void rehearsed() {
        rehearsing = null;
        // What was meant for the rehearsal would close the socket.
        var unused = Thread.interrupted();
    }

    /** Sends one question. */
    void ask() {
        if (open.size() >= MAX_OPEN) {
            // Nobody answers: what is that old will not be answered any more.
            open.clear();
        }
        int number = ++sequence;
        long wallMillis = Math.round(wall.unixSeconds() * 1e3);
        try {
            question.clear();
            TimeDatagram.ask(question, tester, number, quick);
            askingTag.sign(question);
            Question asked = new Question(wallMillis);
            open.put(number, asked);
            long askedNanos = clock.nanoTime();
            TimeDatagram.askedNanos(question, askedNanos);
            asked.askedNanos = askedNanos;
            channel.write(question);
        } catch (IOException e) {
            LOG.debug("tester {} could not query the time", tester, e);
        }
    }

    /**
     * Asks itself, so that the way from stamp to wire is compiled, here as on the other side, when it counts. Without
     * tags, which are not on that way.
     */
    private static void rehearse(int tester, NanoClock clock, WallClock wall) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
        try (DatagramChannel mirror = DatagramChannel.open().bind(new InetSocketAddress(here, 0))) {
            int port = ((InetSocketAddress) mirror.getLocalAddress()).getPort();
            TimeServerSettings itself = new TimeServerSettings(port, 0, new byte[0]);
            try (TimeSocket asker = new TimeSocket(tester, here, itself, clock, wall, exchange -> {})) {
                for (int i = 0; i < REHEARSALS; i++) {
                    asker.ask();
                    mirror(mirror, datagram);
                    var unused = asker.receiveOne();
                    if (asker.volley.ask(0)) {
                        mirror(mirror, datagram);
                        var unusedToo = asker.volley.hasAnswer(0);
                    }
                }
            }
        }
    }

    private static void mirror(DatagramChannel mirror, ByteBuffer datagram) throws IOException {
        SocketAddress from = mirror.receive(datagram.clear());
        TimeDatagram.answer(datagram, 1, 1, 1);
        mirror.send(datagram.flip(), from);
    }

    private void receive(Rehearsal rehearsal, Runnable ready) {
        try {
            rehearsal.carryOut();
        } catch (IOException e) {
            LOG.debug("tester {} could not warm up its time queries", tester, e);
        }
        rehearsed();
        try {
            ready.run();
        } catch (RejectedExecutionException e) {
            // The link is closed.
            return;
        }
        while (channel.isOpen()) {
            try {
                TimeExchange first = receiveOne();
                if (first != null) {
                    quick = QueryBurst.isQuick(first);
                    answers.accept(quick ? volley.best(first) : first);
                }
            } catch (PortUnreachableException e) {
                LOG.debug("tester {}: the time server is no longer listening", tester);
            } catch (IOException | RejectedExecutionException e) {
                // Closed, or the link is.
                return;
            }
        }
    }

    private @Nullable TimeExchange receiveOne() throws IOException {
        answer.clear();
        int length = channel.read(answer);
        long receivedNanos = clock.nanoTime();
        if (!TimeDatagram.isAnswer(answer, length) || !answeringTag.isRight(answer)) {
            return null;
        }
        Question asked = open.remove(TimeDatagram.sequence(answer));
        if (asked == null) {
            return null;
        }
        TimeExchange exchange = new TimeExchange(
                TimeDatagram.epoch(answer),
                asked.wallMillis,
                new Exchange(
                        TimeDatagram.sentNanos(answer),
                        receivedNanos,
                        asked.askedNanos,
                        TimeDatagram.receivedNanos(answer)));
        return exchange.exchange().isPlausible() ? exchange : null;
    }

    @Override
    public void close() {
        endRehearsal();
        try (volley) {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a socket could not be closed", e);
        }
    }
}
