package org.diperf.plugins.emulated.information;

import com.unboundid.asn1.ASN1Exception;
import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory that clients search by LDAP, each connection on a thread of its own: anonymous, in clear, read-only. A client can have it
 * hold no more than one small request and one answer. Thread-safe.
 */
public final class DirectoryServer implements AutoCloseable {

    /** Beyond these, connections are closed as they come. */
    static final int MOST_CONNECTIONS = 1_000;
    /** Filters are as deep as they are long. */
    static final int MOST_REQUEST_BYTES = 4_096;

    private static final int BACKLOG = 512;
    private static final int IDLE_MILLIS = 300_000;
    private static final long STACK_BYTES = 2L << 20;

    private final ServerSocket server;
    private final Answers answers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private DirectoryServer(ServerSocket server, Answers answers) {
        this.server = server;
        this.answers = answers;
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
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "the information service cannot listen on " + address.getHostAddress() + ":" + port + ": "
                            + e.getMessage(),
                    e);
        }
        DirectoryServer made = new DirectoryServer(socket, new Answers(entries));
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
                Socket accepted = server.accept();
                if (open.size() >= MOST_CONNECTIONS) {
                    accepted.close();
                    continue;
                }
                open.add(accepted);
                Thread thread = new Thread(null, () -> serve(accepted), "diperf-information-client", STACK_BYTES);
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // It is closed, or this client has gone already.
                continue;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(IDLE_MILLIS);
            answer(client.getInputStream(), client.getOutputStream(), answers);
        } catch (IOException e) {
            // It has gone, or says nothing any more.
            return;
        } finally {
            open.remove(client);
        }
    }

    /** Answers requests until there are no more, or one that cannot be read. */
    static void answer(InputStream from, OutputStream to, Answers answers) throws IOException {
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
            return Request.readFrom(in, MOST_REQUEST_BYTES);
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
