package org.diperf.controller.time;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions for the time by UDP, on a thread of its own that waits in the kernel: the shortest way from a
 * datagram to its stamp, but for a question that was announced by one with a tag, for which it stays awake. What is no question, or lacks the run's tag, is not answered, only counted. All methods may be
 * called from any thread.
 */
@SuppressWarnings("NonAtomicOperationOnVolatileField") // The counts are written by the serving thread alone.
public final class TimeServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeServer.class);
    private static final int SOCKET_BYTES = 4 << 20;
    private static final int JOIN_SECONDS = 2;
    private static final int REHEARSALS = 1_000;
    private static final long MIN_SIGN_NANOS = 2_000;
    private static final long MAX_SIGN_NANOS = 500_000;
    private static final int MAX_TRIES = 8;
    private static final int MAX_STILL = 10_000;
    /** Longer than an answer and the next question take on a local network. */
    private static final long FOLLOWING_NANOS = 200_000;

    private static final int MAX_LOOKS = 10_000;

    private final DatagramChannel channel;
    private final NanoClock clock;
    private final TimeTag tag;
    private final long epoch;
    private final Thread thread;
    /** One byte more than a question, so that a longer datagram is seen to be longer. */
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);

    private final boolean tagged;
    private long signNanos = MIN_SIGN_NANOS;
    private int still;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Opens the port and answers from now on.
     *
     * @param port 0: any free one
     * @param key of the tags; empty: questions and answers have none
     * @param epoch which clock this is, see {@link ClockEpoch}
     * @throws IOException when the port cannot be had
     */
    public TimeServer(InetSocketAddress listen, byte[] key, long epoch, NanoClock clock) throws IOException {
        this.clock = clock;
        this.epoch = epoch;
        this.tag = new TimeTag(key);
        this.tagged = key.length > 0;
        this.channel = DatagramChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            channel.bind(listen);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        this.thread = new Thread(this::serve, "diperf-time-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the address it answers at. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    /** Counts the questions that were answered. */
    public long answered() {
        return answered.get();
    }

    /** Counts the datagrams that were no questions of ours. */
    public long refused() {
        return refused.get();
    }

    private void serve() {
        rehearse();
        while (channel.isOpen()) {
            try {
                if (serveOne()) {
                    serveFollowing();
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // Of one asker, who may be gone or out of reach; the others are still there.
                LOG.debug("a time query was not answered", e);
            }
        }
    }

    /** Answers what comes within the time that those who promised another question need for it. */
    private void serveFollowing() throws IOException {
        channel.configureBlocking(false);
        try {
            long until = clock.nanoTime() + FOLLOWING_NANOS;
            for (int looks = 0; looks < MAX_LOOKS && clock.nanoTime() - until < 0; looks++) {
                if (serveOne()) {
                    looks = 0;
                    until = clock.nanoTime() + FOLLOWING_NANOS;
                } else {
                    // Who asks may have been woken on this thread's processor.
                    Thread.yield();
                }
            }
        } finally {
            channel.configureBlocking(true);
        }
    }

    /** Answers one question, and says whether it promised another one. */
    private boolean serveOne() throws IOException {
        datagram.clear();
        SocketAddress asker = channel.receive(datagram);
        long receivedNanos = clock.nanoTime();
        if (asker == null) {
            return false;
        }
        if (!TimeDatagram.isQuestion(datagram, datagram.position()) || !tag.isRight(datagram)) {
            refused.incrementAndGet();
            return false;
        }
        boolean followed = tagged && TimeDatagram.isFollowed(datagram);
        if (tagged) {
            answerAtInstant(receivedNanos);
        } else {
            TimeDatagram.answer(datagram, receivedNanos, epoch, clock.nanoTime());
        }
        datagram.flip();
        channel.send(datagram, asker);
        answered.incrementAndGet();
        return followed;
    }

    /**
     * Promises the instant of sending, signs, and waits for it: the tag covers T3 and takes microseconds, which would
     * otherwise lie between the stamp and the sending, on this way and not on the other.
     */
    private void answerAtInstant(long receivedNanos) {
        long now = clock.nanoTime();
        long sentNanos = now + signNanos;
        TimeDatagram.answer(datagram, receivedNanos, epoch, sentNanos);
        tag.sign(datagram);
        long signed = clock.nanoTime();
        for (int tries = 1; signed - sentNanos > 0 && tries < MAX_TRIES; tries++) {
            signNanos = Math.min(MAX_SIGN_NANOS, 2 * signNanos);
            sentNanos = signed + signNanos;
            TimeDatagram.answer(datagram, receivedNanos, epoch, sentNanos);
            tag.sign(datagram);
            signed = clock.nanoTime();
        }
        // Falls slowly to what it takes once the code is compiled, rises at once.
        signNanos = Math.max(MIN_SIGN_NANOS, signNanos - signNanos / 16);
        while (signed - sentNanos < 0) {
            long before = signed;
            signed = clock.nanoTime();
            if (signed == before && ++still > MAX_STILL) {
                return; // a clock that a test holds still
            }
        }
        still = 0;
    }

    /** Answers itself, so that the way from stamp to wire is compiled, here as on the other side, when others ask. */
    private void rehearse() {
        ByteBuffer question = ByteBuffer.allocateDirect(TimeDatagram.BYTES);
        try (DatagramChannel asker = DatagramChannel.open()) {
            InetSocketAddress here = address();
            asker.connect(
                    here.getAddress().isAnyLocalAddress()
                            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), here.getPort())
                            : here);
            asker.configureBlocking(false);
            for (int i = 0; i < REHEARSALS; i++) {
                TimeDatagram.ask(question, 0, i);
                tag.sign(question);
                if (asker.write(question.clear()) > 0) {
                    serveOne();
                }
                asker.read(question.clear());
            }
            answered.addAndGet(-REHEARSALS);
        } catch (IOException e) {
            LOG.debug("the time server did not warm up", e);
        }
    }

    /** Ends; idempotent. */
    @Override
    public void close() throws IOException {
        channel.close();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
