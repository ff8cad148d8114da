package org.diperf.tester.time;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.diperf.core.clock.Exchange;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeExchange;
import org.diperf.core.wire.TimeServerSettings;
import org.diperf.core.wire.TimeTag;

/**
 * A few questions to a time server that is near, each sent as soon as the one before was answered. Nobody sleeps
 * meanwhile: what a thread takes to wake up, which is more than the way there and back and not the same on both sides,
 * is in none of the stamps. Tags are written before the first question and read after the last answer, because the server
 * stays awake only so long. Confined to one thread.
 */
final class QueryBurst implements AutoCloseable {

    /** The first may still find the server asleep. A server has many testers, so no more than it takes. */
    private static final int QUESTIONS = 2;

    /** Where a way there and back takes longer, waking up matters little. */
    private static final long QUICK_NANOS = 300_000;

    private static final int MAX_LOOKS = 10_000;

    private final int tester;
    private final NanoClock clock;
    private final DatagramChannel channel;
    private final TimeTag tag;
    private final ByteBuffer[] questions = new ByteBuffer[QUESTIONS];
    private final ByteBuffer[] answers = new ByteBuffer[QUESTIONS];
    private final long[] askedNanos = new long[QUESTIONS];
    private final long[] receivedNanos = new long[QUESTIONS];
    private int sequence;

    QueryBurst(int tester, InetSocketAddress server, TimeServerSettings service, NanoClock clock) throws IOException {
        this.tester = tester;
        this.clock = clock;
        this.tag = new TimeTag(service.key());
        this.channel = DatagramChannel.open();
        try {
            channel.connect(server);
            channel.configureBlocking(false);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        for (int i = 0; i < QUESTIONS; i++) {
            questions[i] = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
            answers[i] = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
        }
        prepare();
    }

    /** Returns whether an answer came so quickly that a volley is worth while. */
    static boolean isQuick(TimeExchange exchange) {
        return exchange.exchange().roundTripNanos() <= QUICK_NANOS;
    }

    /** Asks, and gives the exchange with the shortest way there and back: this one or one of the volley. */
    TimeExchange best(TimeExchange first) throws IOException {
        int answered = 0;
        while (answered < QUESTIONS && ask(answered) && await(answered)) {
            answered++;
        }
        TimeExchange best = first;
        for (int i = 0; i < answered; i++) {
            ByteBuffer answer = answers[i];
            Exchange next = new Exchange(
                    TimeDatagram.sentNanos(answer),
                    receivedNanos[i],
                    askedNanos[i],
                    TimeDatagram.receivedNanos(answer));
            if (tag.isRight(answer)
                    && next.isPlausible()
                    && next.roundTripNanos() < best.exchange().roundTripNanos()) {
                best = new TimeExchange(TimeDatagram.epoch(answer), first.wallMillis(), next);
            }
        }
        prepare();
        return best;
    }

    private void prepare() {
        for (int i = 0; i < QUESTIONS; i++) {
            TimeDatagram.ask(questions[i], tester, ++sequence, i < QUESTIONS - 1);
            tag.sign(questions[i]);
        }
    }

    /** Sends the question of this index, and says whether it was sent. */
    boolean ask(int index) throws IOException {
        ByteBuffer question = questions[index];
        long now = clock.nanoTime();
        TimeDatagram.askedNanos(question, now);
        askedNanos[index] = now;
        return channel.write(question.clear()) > 0;
    }

    private boolean await(int index) throws IOException {
        for (int looks = 0; looks < MAX_LOOKS && clock.nanoTime() - askedNanos[index] < QUICK_NANOS; looks++) {
            if (hasAnswer(index)) {
                return true;
            }
            // The server may have been woken on this thread's processor.
            Thread.yield();
        }
        return false;
    }

    /** Looks once whether the answer to the question of this index has come; its tag is not looked at. */
    boolean hasAnswer(int index) throws IOException {
        ByteBuffer answer = answers[index].clear();
        int length = channel.read(answer);
        if (length == 0) {
            return false;
        }
        receivedNanos[index] = clock.nanoTime();
        return TimeDatagram.isAnswer(answer, length)
                && TimeDatagram.sequence(answer) == TimeDatagram.sequence(questions[index]);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
