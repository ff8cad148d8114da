package org.diperf.controller.benchmark;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import org.diperf.core.wire.TimeDatagram;

/**
 * Asks a time server as many clients, each with a socket and so an address of its own, in turns and in one thread.
 *
 * <p>Arguments: {@code PORT CLIENTS SECONDS RATE}. With RATE 0 it asks as fast as it is answered, with 128 questions under
 * way; else so many questions a second, spread evenly. Prints one JSON object. Both ends read the same clock, so that the
 * turn-round (answer sent less question received) and the stay (answer sent less question sent, which holds the wait in
 * the server's socket) are seen from outside.
 */
public final class TimeSwarm {

    private static final int WINDOW = 128;
    private static final long LOST_NANOS = 200_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int MOST = 40_000_000;

    private record Asked(DatagramChannel channel, int sequence, long askedNanos) {}

    private final DatagramChannel[] clients;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(TimeDatagram.BYTES + 1);
    private final ArrayDeque<Asked> underWay = new ArrayDeque<>(WINDOW);
    private final int[] turnRound;
    private final int[] stay;
    private int answered;
    private long lost;
    private int next;

    private TimeSwarm(int port, int count, int most) throws IOException {
        clients = new DatagramChannel[count];
        for (int i = 0; i < count; i++) {
            clients[i] = DatagramChannel.open();
            clients[i].connect(new InetSocketAddress("127.0.0.1", port));
            clients[i].configureBlocking(false);
        }
        turnRound = new int[most];
        stay = new int[most];
    }

    /** Asks, and prints. */
    public static void main(String[] arguments) throws IOException {
        int count = Integer.parseInt(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        double rate = Double.parseDouble(arguments[3]);
        TimeSwarm swarm = new TimeSwarm(
                Integer.parseInt(arguments[0]), count, (int) Math.min(MOST, seconds * (rate > 0 ? rate : 1e6)));
        swarm.ask(2 * SECOND, rate); // until both JVMs have compiled what they do
        swarm.answered = 0;
        swarm.lost = 0;
        long elapsed = swarm.ask(seconds * SECOND, rate);
        PrintStream out = System.out;
        out.println(swarm.result(count, elapsed));
    }

    private long ask(long forNanos, double rate) throws IOException {
        long begin = System.nanoTime();
        long sent = 0;
        for (long now = begin; now - begin < forNanos; now = System.nanoTime()) {
            boolean due = rate > 0 ? (now - begin) * rate / SECOND > sent : underWay.size() < WINDOW;
            if (due && underWay.size() < 16 * WINDOW) {
                send(now);
                sent++;
            } else {
                receive(now);
            }
        }
        long elapsed = System.nanoTime() - begin;
        while (!underWay.isEmpty()) {
            receive(System.nanoTime());
        }
        return elapsed;
    }

    private void send(long now) throws IOException {
        DatagramChannel client = clients[next % clients.length];
        TimeDatagram.ask(datagram, 0, next);
        TimeDatagram.askedNanos(datagram, now);
        for (int at = 48; at < TimeDatagram.BYTES; at++) {
            datagram.put(at, (byte) 0);
        }
        datagram.clear().limit(TimeDatagram.BYTES);
        client.write(datagram);
        underWay.add(new Asked(client, next, now));
        next++;
    }

    /** One thread answers in the order of the questions, so that only the oldest needs a look. */
    private void receive(long now) throws IOException {
        Asked oldest = underWay.peek();
        if (oldest == null) {
            return;
        }
        int length = oldest.channel.read(datagram.clear());
        if (TimeDatagram.isAnswer(datagram, length) && TimeDatagram.sequence(datagram) == oldest.sequence) {
            underWay.remove();
            if (answered < turnRound.length) {
                turnRound[answered] = (int) (TimeDatagram.sentNanos(datagram) - TimeDatagram.receivedNanos(datagram));
                stay[answered] = (int) (TimeDatagram.sentNanos(datagram) - oldest.askedNanos);
                answered++;
            }
        } else if (now - oldest.askedNanos > LOST_NANOS) {
            underWay.remove();
            lost++;
        }
    }

    private String result(int count, long elapsed) {
        Arrays.sort(turnRound, 0, answered);
        Arrays.sort(stay, 0, answered);
        return String.format(
                Locale.ROOT,
                "{\"clients\":%d,\"perSecond\":%.0f,\"lost\":%d,\"turnRoundP99Micros\":%.2f,\"stayP50Micros\":%.2f,"
                        + "\"stayP99Micros\":%.2f}",
                count,
                answered * (double) SECOND / elapsed,
                lost,
                at(turnRound, 0.99),
                at(stay, 0.5),
                at(stay, 0.99));
    }

    private double at(int[] sorted, double share) {
        return answered == 0 ? Double.NaN : sorted[(int) (share * (answered - 1))] / 1e3;
    }
}
