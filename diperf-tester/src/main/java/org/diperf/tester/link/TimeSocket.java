package org.diperf.tester.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeService;
import org.diperf.core.wire.TimeTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a time server. Answers are received by a thread of their own that waits in the kernel: a wait for several things
 * would put its own time between an answer and its stamp. {@link #ask} is confined to one thread.
 */
final class TimeSocket implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeSocket.class);
    private static final int MAX_OPEN = 256;
    private static final int REHEARSALS = 1_000;

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
    private final TimeTag askingTag;
    private final TimeTag answeringTag;
    private final ByteBuffer question = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
    private final Map<Integer, Question> open = new ConcurrentHashMap<>();
    private int sequence = ThreadLocalRandom.current().nextInt();

    /** @param answers called on the receiving thread */
    TimeSocket(
            int tester,
            InetAddress host,
            TimeService service,
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
        this.channel = DatagramChannel.open();
        try {
            // Connected: the kernel drops what others send, and both calls are shorter.
            channel.connect(new InetSocketAddress(host, service.port()));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Begins to receive. */
    void open(TimeService service) {
        Thread thread = new Thread(() -> receive(service), "diperf-tester-clock-" + tester);
        thread.setDaemon(true);
        thread.start();
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
            TimeDatagram.ask(question, tester, number);
            askingTag.sign(question);
            Question asked = new Question(wallMillis);
            open.put(number, asked);
            long askedNanos = clock.nanoTime();
            TimeDatagram.askedNanos(question, askedNanos);
            asked.askedNanos = askedNanos;
            channel.write(question);
        } catch (IOException e) {
            LOG.debug("tester {} could not ask for the time", tester, e);
        }
    }

    /** Asks itself, so that the way from stamp to wire is compiled, here as on the other side, when it counts. */
    private static void rehearse(int tester, TimeService service, NanoClock clock, WallClock wall) {
        InetAddress here = InetAddress.getLoopbackAddress();
        ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
        TimeTag tag = new TimeTag(service.key());
        try (DatagramChannel mirror = DatagramChannel.open().bind(new InetSocketAddress(here, 0))) {
            int port = ((InetSocketAddress) mirror.getLocalAddress()).getPort();
            TimeService itself = new TimeService(port, 0, service.key());
            try (TimeSocket asker = new TimeSocket(tester, here, itself, clock, wall, exchange -> {})) {
                for (int i = 0; i < REHEARSALS; i++) {
                    asker.ask();
                    var from = mirror.receive(datagram.clear());
                    TimeDatagram.answer(datagram, 1, 1, 1);
                    tag.sign(datagram);
                    mirror.send(datagram.flip(), from);
                    asker.receiveOne();
                }
            }
        } catch (IOException e) {
            LOG.debug("tester {} did not rehearse the questions for the time", tester, e);
        }
    }

    private void receive(TimeService service) {
        rehearse(tester, service, clock, wall);
        while (channel.isOpen()) {
            try {
                receiveOne();
            } catch (PortUnreachableException e) {
                LOG.debug("tester {}: nobody listens where the time server was", tester);
            } catch (IOException | RejectedExecutionException e) {
                // Closed, or the link is.
                return;
            }
        }
    }

    private void receiveOne() throws IOException {
        answer.clear();
        int length = channel.read(answer);
        long receivedNanos = clock.nanoTime();
        if (!TimeDatagram.isAnswer(answer, length) || !answeringTag.isRight(answer)) {
            return;
        }
        Question asked = open.remove(TimeDatagram.sequence(answer));
        if (asked == null) {
            return;
        }
        TimeExchange exchange = new TimeExchange(
                TimeDatagram.epoch(answer),
                asked.wallMillis,
                new Exchange(
                        TimeDatagram.sentNanos(answer),
                        receivedNanos,
                        asked.askedNanos,
                        TimeDatagram.receivedNanos(answer)));
        if (exchange.exchange().isPlausible()) {
            answers.accept(exchange);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a socket could not be closed", e);
        }
    }
}
