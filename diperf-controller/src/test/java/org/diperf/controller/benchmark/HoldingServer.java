package org.diperf.controller.benchmark;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * A web server that holds each request for a known time and records when it came and when its answer left, on the
 * machine's monotonic clock. It spins, so that neither instant waits for a wake-up. One thread; a request must fit into
 * one read, and name itself in a header {@code X-Call: CLIENT.NUMBER}.
 *
 * <p>Arguments: {@code PORT RECORD_FILE HOLD_MICROS,... [STALL_AFTER_MILLIS STALL_MILLIS]}. Holds are given in turns. The
 * stall begins so long after the first request; no answer leaves until it is over, while requests are read and held, so
 * that what a stopped server would have to catch up with is not in the comparison. At its end (SIGTERM) it writes lines
 * {@code CLIENT NUMBER ARRIVED_NANOS LEFT_NANOS}, and first {@code stall FROM_NANOS TO_NANOS} where there was one.
 */
public final class HoldingServer {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAME = "x-call: ".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST = 2_000_000;

    /** A request that is held. */
    private record Held(SocketChannel channel, int place, long untilNanos) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            return Long.compare(untilNanos - other.untilNanos, 0);
        }
    }

    private final ByteBuffer in = ByteBuffer.allocateDirect(16 << 10);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(ANSWER.length).put(ANSWER);
    private final PriorityQueue<Held> held = new PriorityQueue<>();
    private final long[] holdsNanos;
    private final long stallAfterNanos;
    private final long stallNanos;
    private final int[] clients = new int[MOST];
    private final int[] numbers = new int[MOST];
    private final long[] arrived = new long[MOST];
    private final long[] left = new long[MOST];
    private volatile int count;
    private volatile long stallFrom;
    private volatile long stallTo;
    private volatile boolean stop;

    private HoldingServer(long[] holdsNanos, long stallAfterNanos, long stallNanos) {
        this.holdsNanos = holdsNanos;
        this.stallAfterNanos = stallAfterNanos;
        this.stallNanos = stallNanos;
    }

    /** Serves until it is terminated. */
    public static void main(String[] arguments) throws IOException {
        long[] holds = Arrays.stream(arguments[2].split(","))
                .mapToLong(micros -> Long.parseLong(micros) * 1_000)
                .toArray();
        boolean stalls = arguments.length > 3;
        HoldingServer server = new HoldingServer(
                holds,
                stalls ? Long.parseLong(arguments[3]) * 1_000_000 : Long.MAX_VALUE,
                stalls ? Long.parseLong(arguments[4]) * 1_000_000 : 0);
        Thread serving = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop = true;
            try {
                serving.join(2_000);
                server.write(Path.of(arguments[1]));
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        server.serve(Integer.parseInt(arguments[0]));
    }

    private void serve(int port) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress("127.0.0.1", port), 4_096);
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        while (!stop) {
            selector.selectNow(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept(listening, selector);
                    } else {
                        read((SocketChannel) key.channel());
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            if (!stalls()) {
                answerDue();
            }
            Thread.yield(); // to whoever else must work on this core
        }
    }

    private void accept(ServerSocketChannel listening, Selector selector) throws IOException {
        for (SocketChannel channel = listening.accept(); channel != null; channel = listening.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    private boolean stalls() {
        if (stallTo != 0 || count == 0) {
            return false;
        }
        long now = System.nanoTime();
        if (stallFrom == 0 && now - arrived[0] >= stallAfterNanos) {
            stallFrom = now;
        }
        if (stallFrom != 0 && now - stallFrom >= stallNanos) {
            stallTo = now;
        }
        return stallFrom != 0 && stallTo == 0;
    }

    private void read(SocketChannel channel) throws IOException {
        int length;
        try {
            length = channel.read(in.clear());
        } catch (IOException reset) {
            length = -1;
        }
        if (length < 0) {
            channel.close();
            return;
        }
        long now = System.nanoTime();
        int at = find();
        int place = count;
        if (at < 0) {
            // A question from outside the measurement.
            channel.write(answer.position(0).limit(ANSWER.length));
            return;
        }
        clients[place] = number(at);
        numbers[place] = number(afterDot(at));
        arrived[place] = now;
        count = place + 1;
        held.add(new Held(channel, place, now + holdsNanos[place % holdsNanos.length]));
    }

    /** Finds the value of the header that names the call; -1 where there is none. */
    private int find() {
        for (int at = 0; at + NAME.length < in.position(); at++) {
            int same = 0;
            while (same < NAME.length && (in.get(at + same) | 0x20) == (NAME[same] | 0x20)) {
                same++;
            }
            if (same == NAME.length) {
                return at + same;
            }
        }
        return -1;
    }

    private int number(int from) {
        int value = 0;
        for (int at = from; at < in.position() && Character.isDigit(in.get(at)); at++) {
            value = 10 * value + in.get(at) - '0';
        }
        return value;
    }

    private int afterDot(int from) {
        int at = from;
        while (in.get(at) != '.') {
            at++;
        }
        return at + 1;
    }

    private void answerDue() throws IOException {
        for (Held first = held.peek();
                first != null && first.untilNanos - System.nanoTime() <= 0;
                first = held.peek()) {
            held.poll();
            answer.position(0).limit(ANSWER.length);
            left[first.place] = System.nanoTime();
            try {
                first.channel.write(answer);
            } catch (IOException gone) {
                first.channel.close();
            }
        }
    }

    private void write(Path file) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            if (stallTo != 0) {
                out.printf(Locale.ROOT, "stall %d %d%n", stallFrom, stallTo);
            }
            for (int i = 0; i < count; i++) {
                out.printf(Locale.ROOT, "%d %d %d %d%n", clients[i], numbers[i], arrived[i], left[i]);
            }
        }
    }
}
