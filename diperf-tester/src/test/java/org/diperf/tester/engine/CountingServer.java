package org.diperf.tester.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections that a service's clients have with it: echoes, or stands before a service and passes on what comes.
 * A connection counts until its client has closed it. Thread-safe.
 */
public final class CountingServer implements AutoCloseable {

    private final ServerSocket server;
    private final @Nullable Url service;
    private final List<Change> changes = new ArrayList<>();
    private final AtomicLong received = new AtomicLong();
    private int open;

    /**
     * A connection was made or closed.
     *
     * @param open how many there are now
     * @param received pieces from clients so far
     */
    public record Change(int open, long received) {}

    /** @param service that answers, {@code null} for an echo */
    CountingServer(@Nullable Url service) throws IOException {
        this.service = service;
        server = new ServerSocket(0, 500, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        start(this::accept);
    }

    /** Returns the address at which clients are counted. */
    Url address(String scheme) {
        String path = service == null ? "" : service.path();
        return Url.of(scheme + "://127.0.0.1:" + server.getLocalPort() + path);
    }

    public synchronized int open() {
        return open;
    }

    /** Lists how many were open after each change. */
    public synchronized List<Integer> counts() {
        return changes.stream().map(Change::open).toList();
    }

    public synchronized List<Change> changes() {
        return List.copyOf(changes);
    }

    /** Counts the pieces that came from clients. */
    public long received() {
        return received.get();
    }

    private synchronized void count(int change) {
        open += change;
        changes.add(new Change(open, received.get()));
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // by one of both sides, or at the end of the test
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            client.setTcpNoDelay(true);
            count(1);
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            if (service == null) {
                passOn(client.getInputStream(), client.getOutputStream());
                return;
            }
            try (Socket upstream = new Socket(server.getInetAddress(), service.port())) {
                upstream.setTcpNoDelay(true);
                start(() -> upstream.getInputStream().transferTo(client.getOutputStream()));
                passOn(client.getInputStream(), upstream.getOutputStream());
            }
        } finally {
            count(-1);
        }
    }

    private void passOn(InputStream from, OutputStream to) throws IOException {
        byte[] bytes = new byte[1 << 14];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            received.incrementAndGet();
            to.write(bytes, 0, read);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
