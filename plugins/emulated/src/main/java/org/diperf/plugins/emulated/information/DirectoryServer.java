package org.diperf.plugins.emulated.information;

import com.unboundid.asn1.ASN1Exception;
import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A directory that clients search by LDAP, each connection on a thread of its own: anonymous, in clear, read-only. A client can have it
 * hold no more than one small request and one answer. Thread-safe.
 */
public final class DirectoryServer implements AutoCloseable {

    /** Beyond these, connections are closed as they come. */
    static final int MAX_CONNECTIONS = 1_000;
    /** Filters are as deep as they are long. */
    static final int MAX_REQUEST_BYTES = 4_096;

    private static final int BACKLOG = 512;
    private static final int IDLE_MILLIS = 300_000;
    /** How often it looks for clients that do not take their answers. */
    private static final int LOOK_MILLIS = 1_000;

    static final long PAUSE_NANOS = 100_000_000;

    private static final long NANOS_A_MILLI = 1_000_000;
    private static final long STACK_BYTES = 2L << 20;

    private final ServerSocket server;
    private final DirectoryResponder answers;
    private final int idleMillis;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    /** By connection that is being written to, since when. */
    private final Map<Socket, Long> writing = new ConcurrentHashMap<>();

    private DirectoryServer(ServerSocket server, DirectoryResponder answers, int idleMillis) {
        this.server = server;
        this.answers = answers;
        this.idleMillis = idleMillis;
    }

    /**
     * Listens, in the network that the calling thread is in.
     *
     * @param port 0: any that is free
     */
    public static DirectoryServer listen(InetAddress address, int port, Entries entries) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port), BACKLOG);
            return on(socket, entries, IDLE_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "the information service cannot listen on " + address.getHostAddress() + ":" + port + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Serves whoever connects to a socket.
     *
     * @param idleMillis after which a client is given up that asks nothing, or does not take an answer
     */
    static DirectoryServer on(ServerSocket socket, Entries entries, int idleMillis) throws IOException {
        socket.setSoTimeout(LOOK_MILLIS);
        DirectoryServer made = new DirectoryServer(socket, new DirectoryResponder(entries), idleMillis);
        Thread thread = new Thread(made::accept, "diperf-information");
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                admit(server.accept());
            } catch (SocketTimeoutException e) {
                // Nobody came.
            } catch (IOException e) {
                // It is closed, this client has gone already, or no descriptor is free, which may last.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            giveUpIdle();
        }
    }

    private void admit(Socket accepted) throws IOException {
        if (open.size() >= MAX_CONNECTIONS) {
            accepted.close();
            return;
        }
        open.add(accepted);
        Thread thread = new Thread(null, () -> serve(accepted), "diperf-information-client", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes connections to clients that do not take their answers: no timeout of a socket is for writing. */
    private void giveUpIdle() {
        long now = NanoClock.SYSTEM.nanoTime();
        writing.forEach((client, since) -> {
            if (now - since > idleMillis * NANOS_A_MILLI) {
                close(client);
            }
        });
    }

    private static void close(Socket client) {
        try {
            client.close();
        } catch (IOException e) {
            // It has gone.
        }
    }

    /** What is written to a client, and since when. */
    private final class Timed extends FilterOutputStream {

        private final Socket client;

        Timed(Socket client) throws IOException {
            super(client.getOutputStream());
            this.client = client;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            writing.put(client, NanoClock.SYSTEM.nanoTime());
            try {
                out.write(bytes, from, length);
            } finally {
                writing.remove(client);
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(idleMillis);
            answer(client.getInputStream(), new Timed(client), answers);
        } catch (IOException e) {
            // It has gone, or says nothing any more.
            return;
        } finally {
            open.remove(client);
        }
    }

    /** Answers requests until there are no more, or one that cannot be read. */
    static void answer(InputStream from, OutputStream to, DirectoryResponder answers) throws IOException {
        BufferedInputStream in = new BufferedInputStream(from);
        BufferedOutputStream out = new BufferedOutputStream(to);
        for (Request request = next(in); request != null && !request.isUnbind(); request = next(in)) {
            for (ProtocolOp operation : answers.to(request)) {
                new ASN1Sequence(new ASN1Integer(request.id()), operation.encodeProtocolOp()).writeTo(out);
            }
            out.flush();
        }
    }

    private static @Nullable Request next(InputStream in) throws IOException {
        try {
            return Request.readFrom(in, MAX_REQUEST_BYTES);
        } catch (ASN1Exception | LDAPException e) {
            // No LDAP, or too long: like an end.
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
