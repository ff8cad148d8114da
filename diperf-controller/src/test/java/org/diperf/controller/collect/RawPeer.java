package org.diperf.controller.collect;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.wire.Frame;
import org.diperf.core.wire.Message;
import org.diperf.core.wire.Ticket;

/** A tester's end of the wire that says whatever the test wants. */
final class RawPeer implements AutoCloseable {

    final Ticket ticket;
    private final SSLSocket socket;
    private final DataInputStream in;

    RawPeer(Ticket ticket) throws Exception {
        this.ticket = ticket;
        char[] password = new char[0];
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("me", ticket.key(), password, new Certificate[] {ticket.certificate()});
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
        keyManagers.init(keys, password);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", ticket.authority());
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLSv1.3");
        tls.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        socket = (SSLSocket) tls.getSocketFactory().createSocket(ticket.hosts().get(0), ticket.port());
        socket.setSoTimeout(15_000);
        in = new DataInputStream(socket.getInputStream());
    }

    void handshake() throws IOException {
        socket.startHandshake();
    }

    void send(Message message) throws IOException {
        raw(new Frame(ticket.tester(), NanoClock.SYSTEM.nanoTime(), 0, 0, message).encode());
    }

    void raw(ByteBuffer bytes) throws IOException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        socket.getOutputStream().write(copy);
    }

    void hello(boolean resume) throws IOException {
        send(new Message.Hello(ticket.token(), Frame.VERSION, resume, MiniCluster.FACTS));
    }

    void block(int tester, long number) throws IOException {
        ObservationWriter writer = new ObservationWriter(tester, 1);
        writer.add("raw", number, 1, ObservationWriter.NONE, ObservationWriter.NONE);
        ByteBuffer data = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(data, number);
        send(new Message.Block(data.flip()));
    }

    /** Waits for a message of this kind; passes over the others. */
    <M extends Message> M await(Class<M> kind) throws IOException {
        while (true) {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            Message message = Frame.decode(ByteBuffer.wrap(frame)).message();
            if (kind.isInstance(message)) {
                return kind.cast(message);
            }
        }
    }

    /** Waits until the other end closes; gives what came before. */
    List<Class<?>> awaitEnd() throws IOException {
        List<Class<?>> kinds = new ArrayList<>();
        try {
            while (true) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                kinds.add(Frame.decode(ByteBuffer.wrap(frame)).message().getClass());
            }
        } catch (EOFException | SSLException | SocketException e) {
            return kinds;
        }
    }

    /** Reads what comes, on a thread of its own, until the other end closes. */
    Thread drain() {
        Thread thread = new Thread(
                () -> {
                    try {
                        socket.setSoTimeout(0);
                        in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // It is cut off.
                    }
                },
                "raw-peer-drain");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
