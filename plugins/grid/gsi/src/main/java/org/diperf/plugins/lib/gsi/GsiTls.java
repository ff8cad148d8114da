package org.diperf.plugins.lib.gsi;

import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * One side of a GSI security context: tokens are TLS records, whatever carries them. Confined to its event loop; the few
 * milliseconds of a handshake's arithmetic are spent there.
 */
public final class GsiTls {

    /** Bytes in front of every record, the last two of which tell its length. */
    public static final int RECORD_HEADER_BYTES = 5;

    private static final String NO_CIPHER = "SSL_NULL_WITH_NULL_NULL";
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final ByteBuffer net;
    private final ByteBuffer app;
    private byte[] rest = new byte[0];

    /** Begins with an engine of {@link GsiCredentials}. */
    public GsiTls(SSLEngine engine) {
        this.engine = engine;
        net = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        app = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    /** Returns whether both sides are known to each other. */
    public boolean isEstablished() {
        HandshakeStatus status = engine.getHandshakeStatus();
        // A session's isValid says whether it can be resumed, which these servers do not offer.
        return !engine.getSession().getCipherSuite().equals(NO_CIPHER)
                && (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED);
    }

    /**
     * Takes a step of the handshake.
     *
     * @param token from the peer, empty at the client's first step; whole records
     * @return what the peer must get, perhaps nothing
     */
    public byte[] handshake(byte[] token) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer in = ByteBuffer.wrap(token);
        if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
            engine.beginHandshake();
        }
        while (true) {
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NEED_TASK) {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            } else if (status == HandshakeStatus.NEED_WRAP) {
                wrapOnce(NOTHING, out);
            } else if (status == HandshakeStatus.NEED_UNWRAP && in.hasRemaining()) {
                app.clear();
                SSLEngineResult result = engine.unwrap(in, app);
                if (result.getStatus() != SSLEngineResult.Status.OK) {
                    throw new SSLException("truncated token");
                }
            } else {
                return out.toByteArray();
            }
        }
    }

    private SSLEngineResult wrapOnce(ByteBuffer plain, ByteArrayOutputStream out) throws SSLException {
        net.clear();
        SSLEngineResult result = engine.wrap(plain, net);
        out.write(net.array(), 0, net.position());
        return result;
    }

    /**
     * Protects bytes; in several records where they need more than one.
     *
     * @throws SSLException also when the peer has ended the context
     */
    public byte[] wrap(byte[] plain) throws SSLException {
        ByteBuffer in = ByteBuffer.wrap(plain);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        do {
            SSLEngineResult result = wrapOnce(in, out);
            if (result.getStatus() != SSLEngineResult.Status.OK || (in.hasRemaining() && result.bytesConsumed() == 0)) {
                throw new SSLException("the peer closed the context");
            }
        } while (in.hasRemaining());
        return out.toByteArray();
    }

    /** Returns what was protected; records may come in parts. */
    public byte[] unwrap(byte[] records) throws SSLException {
        byte[] all = Arrays.copyOf(rest, rest.length + records.length);
        System.arraycopy(records, 0, all, rest.length, records.length);
        ByteBuffer in = ByteBuffer.wrap(all);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (in.hasRemaining()) {
            app.clear();
            SSLEngineResult result = engine.unwrap(in, app);
            out.write(app.array(), 0, app.position());
            if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesConsumed() == 0) {
                break;
            }
        }
        rest = Arrays.copyOfRange(all, in.position(), all.length);
        return out.toByteArray();
    }

    /** Gives back the engine's memory, where it is not the JVM's. */
    public void close() {
        ReferenceCountUtil.safeRelease(engine);
    }

    /**
     * Returns the certificates that the peer sent, its own first.
     *
     * @throws IOException when it sent none
     */
    public X509Certificate[] peer() throws IOException {
        return Arrays.stream(engine.getSession().getPeerCertificates())
                .map(X509Certificate.class::cast)
                .toArray(X509Certificate[]::new);
    }
}
