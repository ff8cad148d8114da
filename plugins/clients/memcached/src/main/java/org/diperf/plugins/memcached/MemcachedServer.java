package org.diperf.plugins.memcached;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.diperf.core.spi.StandIn;

/** A server that keeps lengths of values without bound, each connection on a thread of its own. Thread-safe. */
final class MemcachedServer implements StandIn {

    private final ServerSocketChannel listening;
    private final InetSocketAddress address;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> values = new ConcurrentHashMap<>();
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();

    MemcachedServer(InetSocketAddress listen) throws IOException {
        listening = ServerSocketChannel.open().bind(listen);
        address = (InetSocketAddress) listening.getLocalAddress();
        start(this::accept);
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException closed) {
                        // the server, or its client
                    }
                },
                "diperf-memcached");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            SocketChannel accepted = listening.accept();
            open.add(accepted);
            start(() -> {
                try (Connection connection = new Connection(accepted)) {
                    while (true) {
                        answer(connection, connection.line().split(" "));
                    }
                } finally {
                    open.remove(accepted);
                }
            });
        }
    }

    private void answer(Connection connection, String[] words) throws IOException {
        switch (words[0]) {
            case "get" -> {
                Integer length = values.get(words[1]);
                (length == null ? misses : hits).incrementAndGet();
                if (length != null) {
                    connection.send("VALUE " + words[1] + " 0 " + length, new byte[length]);
                }
                connection.send("END");
            }
            case "set" -> {
                int length = Integer.parseInt(words[4]);
                connection.skip(length);
                values.put(words[1], length);
                connection.send("STORED");
            }
            case "delete" -> connection.send(values.remove(words[1]) == null ? "NOT_FOUND" : "DELETED");
            case "stats" -> {
                connection.send("STAT version diperf");
                connection.send("STAT curr_items " + values.size());
                connection.send("STAT get_hits " + hits);
                connection.send("STAT get_misses " + misses);
                connection.send("STAT evictions 0");
                connection.send("END");
            }
            default -> connection.send("ERROR");
        }
    }

    @Override
    public URI target() {
        return URI.create("memcached://127.0.0.1:" + address.getPort());
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (SocketChannel channel : open) {
                channel.close();
            }
        } catch (IOException e) {
            // closed already
        }
    }
}
