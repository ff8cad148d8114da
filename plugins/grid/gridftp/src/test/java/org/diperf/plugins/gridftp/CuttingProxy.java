package org.diperf.plugins.gridftp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.spi.Url;

/**
 * Stands before a server: passes commands and replies on, leads data connections through itself by changing PORT and what PASV is
 * answered, carries each no faster than it is told, and kills some of them after a random number of bytes. A thread for each way of
 * each connection.
 */
final class CuttingProxy implements AutoCloseable {

    private static final Pattern SIX = Pattern.compile("(\\d+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+)");

    private final ServerSocket control;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final Random random;
    private final int least;
    private final int most;
    private final long bytesPerSecond;
    private final AtomicInteger cutsLeft;
    private volatile boolean freezes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong cutBytes = new AtomicLong();

    /**
     * @param cuts how many data connections are killed, each after {@code least} to {@code most} bytes
     * @param bytesPerSecond of each data connection
     */
    CuttingProxy(int server, long seed, int cuts, int least, int most, long bytesPerSecond) throws IOException {
        this.random = new Random(seed);
        this.cutsLeft = new AtomicInteger(cuts);
        this.least = least;
        this.most = most;
        this.bytesPerSecond = bytesPerSecond;
        control = listen();
        Daemon.start(() -> {
            while (true) {
                Socket client = keep(control.accept());
                try {
                    Socket to = keep(new Socket(InetAddress.getLoopbackAddress(), server));
                    Daemon.start(() -> lines(client, to, true));
                    Daemon.start(() -> lines(to, client, false));
                } catch (IOException e) {
                    client.close(); // there is no server any more
                }
            }
        });
    }

    /** Lets data connections stand still from their instant on, where they would be killed. */
    CuttingProxy freezing() {
        freezes = true;
        return this;
    }

    private ServerSocket listen() throws IOException {
        ServerSocket made = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        open.add(made);
        return made;
    }

    private Socket keep(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        open.add(socket);
        return socket;
    }

    private void lines(Socket from, Socket to, boolean isCommand) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8));
        OutputStream out = to.getOutputStream();
        try (from;
                to) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                boolean tellsPort = isCommand ? line.startsWith("PORT ") : line.startsWith("227 ");
                out.write(((tellsPort ? led(line) : line) + "\r\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Puts a port of its own in the place of the one that is told. */
    private String led(String line) throws IOException {
        Matcher six = SIX.matcher(line);
        if (!six.find()) {
            return line;
        }
        int port = Integer.parseInt(six.group(5)) << 8 | Integer.parseInt(six.group(6));
        ServerSocket listener = listen();
        Daemon.start(() -> {
            while (true) {
                Socket from = keep(listener.accept());
                Socket to = keep(new Socket(InetAddress.getLoopbackAddress(), port));
                long budget = budget();
                Daemon.start(() -> data(from, to, budget));
                Daemon.start(() -> data(to, from, Long.MAX_VALUE));
            }
        });
        int own = listener.getLocalPort();
        return six.replaceFirst("127,0,0,1," + (own >> 8) + "," + (own & 255));
    }

    private synchronized long budget() {
        return cutsLeft.getAndDecrement() > 0 ? least + random.nextInt(most - least) : Long.MAX_VALUE;
    }

    private void data(Socket from, Socket to, long budget) throws IOException {
        byte[] buffer = new byte[32 << 10];
        long beginNanos = System.nanoTime();
        long passed = 0;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        try (from;
                to) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                int now = (int) Math.min(count, budget - passed);
                out.write(buffer, 0, now);
                passed += now;
                bytes.addAndGet(now);
                if (passed == budget) {
                    cutBytes.addAndGet(passed);
                    if (freezes) {
                        stand(from);
                    }
                    return;
                }
                long dueNanos = beginNanos + passed * 1_000_000_000L / bytesPerSecond;
                LockSupport.parkNanos(dueNanos - System.nanoTime());
            }
        }
    }

    /** Waits until this side of a connection is closed, as at the end of the test. */
    private static void stand(Socket from) {
        while (!from.isClosed()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    Url uri(String path) {
        return Url.of("ftp://127.0.0.1:" + control.getLocalPort() + path);
    }

    /** Counts the bytes of all data connections so far, headers of blocks included. */
    long bytes() {
        return bytes.get();
    }

    /** Counts those of the data connections that were killed. */
    long cutBytes() {
        return cutBytes.get();
    }

    /** Returns whether all that was to be killed has been. */
    boolean isDone() {
        return cutsLeft.get() <= 0;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }
}
