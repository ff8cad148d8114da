package org.diperf.plugins.ssh;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.diperf.plugins.lib.jsch.Channels;
import org.diperf.plugins.lib.proc.BoundedInput;
import org.diperf.plugins.lib.proc.FirstBytes;
import org.jspecify.annotations.Nullable;

/** A log-in on a machine, over which scripts run side by side. Thread-safe. */
final class Connection implements AutoCloseable {

    /** Of a script's output; what a node may fill this machine's memory with. */
    static final int MAX_OUT_BYTES = 1 << 20;

    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int CHANNEL_MILLIS = 20_000;
    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "diperf-ssh-watch");
        thread.setDaemon(true);
        return thread;
    });

    private final Address address;
    private final Session session;
    private final @Nullable Connection jump;

    Connection(Address address, Session session, @Nullable Connection jump) {
        this.address = address;
        this.session = session;
        this.jump = jump;
    }

    /**
     * What a script came to.
     *
     * @param exitCode 255 where the connection broke
     * @param out what it wrote, UTF-8
     * @param error what it wrote to standard error
     */
    record Result(int exitCode, String out, String error) {

        /** Returns the output of a script that went well. */
        String orThrow(String wanted) throws IOException {
            if (exitCode != 0) {
                String said = error.isBlank() ? "exit code " + exitCode : error.strip();
                throw new IOException("expected " + wanted + ", got: " + said);
            }
            return out;
        }
    }

    /** A script under way. Its streams are for one thread each. */
    static final class Running implements AutoCloseable {

        private final ChannelExec channel;
        private final InputStream out;
        private final OutputStream in;
        private final FirstBytes error;
        private final String sender;
        private volatile boolean late;
        private volatile @Nullable ScheduledFuture<?> watch;

        private Running(ChannelExec channel, InputStream out, OutputStream in, FirstBytes error, String sender) {
            this.sender = sender;
            this.channel = channel;
            this.out = out;
            this.in = in;
            this.error = error;
        }

        /** Returns what it writes; reading more bytes than that fails. */
        InputStream out(long most) {
            return new BoundedInput(out, most, sender);
        }

        /** Returns what it writes, however much; reading a line of more bytes than that fails. */
        BoundedLines lines(int longest) {
            return new BoundedLines(out, longest, sender);
        }

        /** Returns what it reads after its own text. */
        OutputStream in() {
            return in;
        }

        String error() {
            return error.text();
        }

        /** Returns the exit code after the output has ended; 255 where there is none. */
        int exitCode() {
            // The code comes right after the end of the output; JSch has nothing to wait on.
            for (int i = 0; i < 400 && !channel.isClosed(); i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            return channel.getExitStatus() < 0 ? 255 : channel.getExitStatus();
        }

        private void closeAfter(Duration limit) {
            watch = WATCH.schedule(
                    () -> {
                        late = true;
                        channel.disconnect();
                    },
                    limit.toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        /** Returns whether it was closed because it took too long. */
        boolean isLate() {
            return late;
        }

        @Override
        public void close() {
            ScheduledFuture<?> watching = watch;
            if (watching != null) {
                watching.cancel(false);
            }
            channel.disconnect();
        }
    }

    Address address() {
        return address;
    }

    boolean isOpen() {
        return session.isConnected() && (jump == null || jump.isOpen());
    }

    /** Starts a script; what it reads is sent by the caller. */
    Running start(Script script) throws IOException {
        byte[] text = script.text().getBytes(StandardCharsets.UTF_8);
        try {
            ChannelExec channel = (ChannelExec) Channels.opened(session.openChannel("exec"));
            // The log-in shell may be any; it only has to start sh, which takes the script from the connection.
            channel.setCommand("exec sh -c 'eval \"$(head -c " + text.length + ")\"'");
            FirstBytes error = new FirstBytes(MAX_ERROR_BYTES);
            channel.setErrStream(error);
            InputStream out = channel.getInputStream();
            OutputStream in = channel.getOutputStream();
            channel.connect(CHANNEL_MILLIS);
            in.write(text);
            in.flush();
            return new Running(channel, out, in, error, address.toString());
        } catch (JSchException e) {
            throw new IOException("the ssh connection to " + address + " broke: " + e.getMessage(), e);
        }
    }

    /** Starts a script whose channel is closed, so that its streams end, when it takes longer than that. */
    Running start(Script script, Duration limit) throws IOException {
        Running running = start(script);
        running.closeAfter(limit);
        return running;
    }

    /** Runs a script to its end. */
    Result run(Script script, Duration limit) throws IOException {
        return run(script, null, limit);
    }

    /** Runs a script that reads a file of this machine. */
    Result run(Script script, @Nullable Path input, Duration limit) throws IOException {
        try (Running running = start(script, limit)) {
            try {
                send(running, input);
                String out = new String(running.out(MAX_OUT_BYTES).readAllBytes(), StandardCharsets.UTF_8);
                int code = running.exitCode();
                if (running.isLate()) {
                    throw late(limit);
                }
                return new Result(code, out, running.error());
            } catch (IOException e) {
                throw running.isLate() ? late(limit) : e;
            }
        }
    }

    private IOException late(Duration limit) {
        return new IOException(address + " did not finish within " + limit.toMillis() / 1e3 + " s");
    }

    private static void send(Running running, @Nullable Path input) throws IOException {
        try (OutputStream in = running.in()) {
            if (input != null) {
                Files.copy(input, in);
            }
        } catch (IOException e) {
            // The script ended before it had read all; its exit code says why.
            if (input == null) {
                throw e;
            }
        }
    }

    /**
     * Forwards a port of the machine's loopback to an address that this machine reaches.
     *
     * @return the port there
     */
    int forwardBack(InetSocketAddress to) throws IOException {
        try {
            return session.setPortForwardingR("0:" + to.getHostString() + ":" + to.getPort());
        } catch (JSchException e) {
            throw new IOException(
                    "expected a port on " + address + " forwarded to the controller, got: " + e.getMessage()
                            + "; AllowTcpForwarding must be enabled in its sshd_config",
                    e);
        }
    }

    /**
     * Forwards a port of this machine's loopback to an address that the machine reaches.
     *
     * @return the port here
     */
    int forward(String host, int port) throws JSchException {
        return session.setPortForwardingL("127.0.0.1", 0, host, port);
    }

    /** Forwards that very port of the machine, after a new log-in. */
    void forwardBack(int port, InetSocketAddress to) throws IOException {
        try {
            session.setPortForwardingR(port, to.getHostString(), to.getPort());
        } catch (JSchException e) {
            throw new IOException("port " + port + " of " + address + " cannot be forwarded: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        session.disconnect();
        if (jump != null) {
            jump.close();
        }
    }
}
