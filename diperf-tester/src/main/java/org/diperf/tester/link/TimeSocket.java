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

    private record Question(long askedNanos, long wallMillis) {}

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
        Thread thread = new Thread(this::receive, "diperf-tester-clock-" + tester);
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
            long askedNanos = clock.nanoTime();
            TimeDatagram.ask(question, tester, number, askedNanos);
            askingTag.sign(question);
            open.put(number, new Question(askedNanos, wallMillis));
            channel.write(question);
        } catch (IOException e) {
            LOG.debug("tester {} could not ask for the time", tester, e);
        }
    }

    private void receive() {
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
