package org.diperf.controller.time;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.TimeDatagram;
import org.diperf.core.wire.TimeTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions for the time by UDP, on a thread of its own that waits in the kernel: the shortest way from a
 * datagram to its stamp. What is no question, or lacks the run's tag, is not answered, only counted. All methods may be
 * called from any thread.
 */
public final class TimeServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeServer.class);
    private static final int SOCKET_BYTES = 4 << 20;
    private static final int JOIN_SECONDS = 2;

    private final DatagramChannel channel;
    private final NanoClock clock;
    private final TimeTag tag;
    private final long epoch;
    private final Thread thread;
    /** One byte more than a question, so that a longer datagram is seen to be longer. */
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);

    private volatile long answered;
    private volatile long refused;

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

    /** Gives the address it answers at. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    /** Counts the questions that were answered. */
    public long answered() {
        return answered;
    }

    /** Counts the datagrams that were no questions of ours. */
    public long refused() {
        return refused;
    }

    private void serve() {
        while (channel.isOpen()) {
            try {
                serveOne();
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // Of one asker, who may be gone or out of reach; the others are still there.
                LOG.debug("a question for the time was not answered", e);
            }
        }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // Written by this thread alone.
    private void serveOne() throws IOException {
        datagram.clear();
        SocketAddress asker = channel.receive(datagram);
        long receivedNanos = clock.nanoTime();
        if (asker == null) {
            return;
        }
        if (!TimeDatagram.isQuestion(datagram, datagram.position()) || !tag.isRight(datagram)) {
            refused++;
            return;
        }
        TimeDatagram.answer(datagram, receivedNanos, epoch, clock.nanoTime());
        tag.sign(datagram);
        datagram.flip();
        channel.send(datagram, asker);
        answered++;
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
