package org.diperf.plugins.sshcopy;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SocketFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.lib.jsch.Channels;
import org.jspecify.annotations.Nullable;

/** A client's log-in on one host. Used by its client's thread; {@link #close} may come from any. */
final class Login implements AutoCloseable {

    private final Session session;
    private final @Nullable ChannelSftp sftp;
    private final long connectNanos;
    private final long loginNanos;

    private Login(Session session, @Nullable ChannelSftp sftp, long connectNanos, long loginNanos) {
        this.session = session;
        this.sftp = sftp;
        this.connectNanos = connectNanos;
        this.loginNanos = loginNanos;
    }

    /** Makes connections that an interrupt closes, and says when they were made. */
    private static final class Interruptible implements SocketFactory {

        private final NanoClock clock;
        private long connectedNanos;

        Interruptible(NanoClock clock) {
            this.clock = clock;
        }

        @Override
        @SuppressWarnings("AddressSelection") // as ssh does: the first address of the name
        public Socket createSocket(String host, int port) throws IOException {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.connect(new InetSocketAddress(host, port));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            connectedNanos = clock.nanoTime();
            return channel.socket();
        }

        @Override
        public InputStream getInputStream(Socket socket) throws IOException {
            return socket.getInputStream();
        }

        @Override
        public OutputStream getOutputStream(Socket socket) throws IOException {
            return socket.getOutputStream();
        }
    }

    /**
     * Connects and logs in.
     *
     * @param whileOpening told of what to disconnect should it take too long
     */
    static Login open(CopySession shared, Host host, Consumer<Session> whileOpening) throws JSchException {
        Interruptible sockets = new Interruptible(shared.clock());
        long start = shared.clock().nanoTime();
        Session session = shared.sessionTo(host);
        session.setSocketFactory(sockets);
        whileOpening.accept(session);
        try {
            session.connect();
            ChannelSftp sftp = null;
            if (shared.isSftp()) {
                sftp = (ChannelSftp) Channels.opened(session.openChannel("sftp"));
                sftp.connect();
            }
            long now = shared.clock().nanoTime();
            return new Login(session, sftp, sockets.connectedNanos - start, now - sockets.connectedNanos);
        } catch (JSchException e) {
            session.disconnect();
            throw e;
        }
    }

    long connectNanos() {
        return connectNanos;
    }

    long loginNanos() {
        return loginNanos;
    }

    boolean isOpen() {
        return session.isConnected() && (sftp == null || sftp.isConnected());
    }

    ChannelSftp sftp() {
        if (sftp == null) {
            throw new IllegalStateException("This log-in is for scp, not SFTP");
        }
        return sftp;
    }

    Session session() {
        return session;
    }

    ChannelExec command() throws JSchException {
        return (ChannelExec) Channels.opened(session.openChannel("exec"));
    }

    @Override
    public void close() {
        session.disconnect();
    }
}
