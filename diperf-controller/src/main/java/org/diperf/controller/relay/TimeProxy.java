package org.diperf.controller.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.wire.TimeDatagram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes questions for the time on to the controller's time server, and its answers back, each by a thread that waits in
 * the kernel. The way through lengthens the round trip and with it the bound, on both sides alike; the answer and its tag
 * stay as they are. An answer is never longer than its question. All methods may be called from any thread.
 */
final class TimeProxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TimeProxy.class);
    /** Questions that nobody answers are forgotten when there are so many. */
    private static final int MAX_OPEN = 1 << 16;

    private final DatagramChannel front;
    private final Map<Long, SocketAddress> askers = new ConcurrentHashMap<>();
    private volatile @Nullable DatagramChannel back;
    private volatile @Nullable InetSocketAddress server;

    /** @param listen where testers ask */
    TimeProxy(InetSocketAddress listen) throws IOException {
        front = DatagramChannel.open();
        try {
            front.bind(listen);
        } catch (IOException e) {
            front.close();
            throw e;
        }
        start(this::passQuestions, "diperf-relay-questions");
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() throws IOException {
        return ((InetSocketAddress) front.getLocalAddress()).getPort();
    }

    /** Says where the time server is now. */
    synchronized void server(InetSocketAddress address) {
        if (address.equals(server) || !front.isOpen()) {
            return;
        }
        try {
            DatagramChannel old = back;
            DatagramChannel fresh = DatagramChannel.open().connect(address);
            server = address;
            back = fresh;
            start(() -> passAnswers(fresh), "diperf-relay-answers");
            if (old != null) {
                old.close();
            }
        } catch (IOException e) {
            LOG.warn("cannot query the time server at {}: {}", address, e.getMessage());
        }
    }

    private static long key(ByteBuffer datagram) {
        return (long) TimeDatagram.tester(datagram) << 32 | TimeDatagram.sequence(datagram) & 0xFFFF_FFFFL;
    }

    private void passQuestions() {
        ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
        while (front.isOpen()) {
            try {
                SocketAddress asker = front.receive(datagram.clear());
                DatagramChannel to = back;
                if (asker == null || to == null || !TimeDatagram.isQuestion(datagram, datagram.position())) {
                    continue;
                }
                if (askers.size() >= MAX_OPEN) {
                    askers.clear();
                }
                askers.put(key(datagram), asker);
                to.write(datagram.flip());
            } catch (IOException e) {
                LOG.debug("a time query was not forwarded", e);
            }
        }
    }

    private void passAnswers(DatagramChannel from) {
        ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
        while (from.isOpen()) {
            try {
                from.read(datagram.clear());
                if (TimeDatagram.isAnswer(datagram, datagram.position())) {
                    SocketAddress asker = askers.remove(key(datagram));
                    if (asker != null) {
                        front.send(datagram.flip(), asker);
                    }
                }
            } catch (PortUnreachableException e) {
                LOG.debug("the time server is no longer listening");
            } catch (IOException e) {
                LOG.debug("an answer was not forwarded", e);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        front.close();
        DatagramChannel open = back;
        if (open != null) {
            open.close();
        }
    }
}
