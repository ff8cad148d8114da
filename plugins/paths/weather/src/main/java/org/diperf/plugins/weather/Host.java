package org.diperf.plugins.weather;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process of the service: listens for messages, and answers each connection on a thread of its own. More than {@link #MAX_CONNECTIONS} at
 * once are hung up on, and so is who sends what is no message, or too slowly. Messages that end a host, change its name server or its
 * diagnostics are refused: nobody is known by more than an address. Thread-safe.
 */
final class Host implements AutoCloseable {

    static final int MAX_CONNECTIONS = 128;

    /** A message comes whole within this time. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration IDLE = Duration.ofMinutes(2);
    /** As NWS's clients have it: 64 characters of a name, a colon and four of a port. */
    private static final int NAME_BYTES = 69;

    /** What a host is, by its number in a {@link Message#HOST_TEST_RESULT}. */
    enum Kind {
        FORECASTER,
        MEMORY,
        NAMESERVER,
        SENSOR
    }

    /** Answers messages of one kind of host; on any thread, several at once. */
    interface Service {

        /**
         * Answers a message.
         *
         * @param link to answer on, where the answer is more than a message
         * @return the answer; {@code null} if it was given, or there is none to this message: the connection then ends
         * @throws IllegalArgumentException when the message cannot be read: the connection ends
         */
        @Nullable
        Message answer(Message request, Link link) throws IOException;
    }

    private final Kind kind;
    private final Service service;
    private final Duration patience;
    private final Duration idle;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile String name = "";
    private volatile String nameServer = "";

    /**
     * Starts one.
     *
     * @param listen where; port 0 means any free one
     * @throws IOException when the port cannot be had
     */
    Host(Kind kind, InetSocketAddress listen, Service service) throws IOException {
        this(kind, listen, service, PATIENCE, IDLE);
    }

    /**
     * @param patience until a message is there, from its first byte on
     * @param idle between messages
     */
    Host(Kind kind, InetSocketAddress listen, Service service, Duration patience, Duration idle) throws IOException {
        this.kind = kind;
        this.service = service;
        this.patience = patience;
        this.idle = idle;
        listening = new ServerSocket();
        try {
            listening.setReuseAddress(true);
            // NWS's default of a bandwidth test, so that it can use a connection that is there.
            listening.setReceiveBufferSize(NetProbe.USUAL_BUFFER);
            listening.bind(Link.resolved(listen), MAX_CONNECTIONS);
        } catch (IOException e) {
            listening.close();
            throw e;
        }
        start("diperf-nws-" + kind.name().toLowerCase(Locale.ROOT), this::acceptAll);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Says who asks for it that it is registered by this name, and where. */
    void named(String registered, String with) {
        name = registered;
        nameServer = with;
    }

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void acceptAll() {
        while (!listening.isClosed()) {
            Socket accepted;
            try {
                accepted = listening.accept();
            } catch (IOException e) {
                // It is closed, or there are no more file descriptors; then a connection that ends gives one back.
                LockSupport.parkNanos(10_000_000);
                continue;
            }
            if (open.size() >= MAX_CONNECTIONS) {
                close(accepted);
                continue;
            }
            open.add(accepted);
            start("diperf-nws-connection", () -> {
                try (Link link = new Link(accepted)) {
                    serve(link);
                } catch (IOException | IllegalArgumentException refused) {
                    // by either end: the connection ends, and nothing else with it
                } finally {
                    open.remove(accepted);
                    close(accepted);
                }
            });
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    private void serve(Link link) throws IOException {
        while (true) {
            Message request = link.receive(idle, patience, most());
            Message answer = request.type() == Message.HOST_TEST
                    ? new Message(Message.HOST_TEST_RESULT, tested())
                    : request.type() > Message.HOST_TEST && request.type() <= Message.HOST_FAILED
                            ? Message.of(Message.HOST_FAILED)
                            : service.answer(request, link);
            if (answer == null) {
                return;
            }
            link.send(answer, patience);
        }
    }

    private int most() {
        return kind == Kind.MEMORY
                ? State.BYTES + State.MAX_RECORDS * State.MAX_RECORD_BYTES
                : Attributes.MAX_CHARS + 8;
    }

    private byte[] tested() {
        ByteBuffer info = ByteBuffer.allocate(2 * NAME_BYTES + 2 * Integer.BYTES);
        put(info, name).putInt(kind.ordinal());
        put(info, nameServer).putInt(1);
        return info.array();
    }

    private static ByteBuffer put(ByteBuffer into, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = Math.min(bytes.length, NAME_BYTES - 1);
        int end = into.position() + NAME_BYTES;
        return into.put(bytes, 0, length).position(end);
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            // it is closed
        }
        open.forEach(Host::close);
    }
}
