package org.diperf.plugins.emulated.distributed;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.clock.NanoClock;

/**
 * An engine's process and the frames to and from it, over its standard input and output: wherever it is, it needs no port, and nobody else
 * can speak to it. Confined to one thread, but for {@link #checkSilence}.
 */
final class EngineLink implements AutoCloseable {

    private static final int BUFFER = 1 << 16;
    private static final int MAX_LINES = 20;
    private static final int MAX_LINE = 500;
    private static final long END_SECONDS = 5;

    private final String name;
    private final Process process;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final NanoClock clock;
    private final long maxSilenceNanos;
    /** What it said last besides frames; guarded by itself. */
    private final Deque<String> complaints = new ArrayDeque<>();

    private final Thread complaining;
    /** Since when an answer is waited for; {@link Long#MAX_VALUE}: none is. */
    private volatile long waitingNanos = Long.MAX_VALUE;

    private volatile boolean wasSilent;

    /** @param maxSilenceNanos after which an engine that owes an answer is ended */
    EngineLink(String name, List<String> command, NanoClock clock, long maxSilenceNanos) throws IOException {
        this.name = name;
        this.clock = clock;
        this.maxSilenceNanos = maxSilenceNanos;
        this.process = new ProcessBuilder(command).start();
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), BUFFER));
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream(), BUFFER));
        this.complaining = new Thread(this::listen, "diperf-emulated-complaints");
        complaining.setDaemon(true);
        complaining.start();
    }

    private void listen() {
        try (BufferedReader said = process.errorReader()) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                synchronized (complaints) {
                    complaints.add(line.substring(0, Math.min(line.length(), MAX_LINE)));
                    if (complaints.size() > MAX_LINES) {
                        complaints.remove();
                    }
                }
            }
        } catch (IOException e) {
            // It has gone, as at an end of its output.
        }
    }

    long pid() {
        return process.pid();
    }

    void send(Frame frame) throws IOException, InterruptedException {
        try {
            frame.write(out);
        } catch (IOException e) {
            throw gone(e);
        }
    }

    /** Waits for its next frame. */
    Frame receive() throws IOException, InterruptedException {
        Frame frame;
        try {
            frame = next();
        } catch (ProtocolException e) {
            throw new IOException(name + " sent something that is no frame: " + e.getMessage(), e);
        } catch (IOException e) {
            throw gone(e);
        }
        if (frame.kind() == Frame.Kind.FAILED) {
            throw new IOException(name + " cannot continue: " + frame.text());
        }
        return frame;
    }

    private Frame next() throws IOException {
        waitingNanos = clock.nanoTime();
        try {
            return Frame.read(in);
        } finally {
            waitingNanos = Long.MAX_VALUE;
        }
    }

    private IOException gone(IOException cause) throws InterruptedException {
        if (wasSilent) {
            return new IOException(
                    name + " did not answer for " + TimeUnit.NANOSECONDS.toSeconds(maxSilenceNanos) + " s", cause);
        }
        boolean hasEnded = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        complaining.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        String said;
        synchronized (complaints) {
            said = String.join("; ", complaints);
        }
        return new IOException(
                name
                        + (hasEnded ? " has exited with code " + process.exitValue() : " has closed its streams")
                        + (said.isEmpty() ? "" : ": " + said),
                cause);
    }

    /** Ends the process if it owes an answer for too long, so that nobody waits for ever. May be called by any thread. */
    void checkSilence() {
        long since = waitingNanos;
        if (since != Long.MAX_VALUE && clock.nanoTime() - since > maxSilenceNanos) {
            wasSilent = true;
            process.destroyForcibly();
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Waits for an engine that has been told to end, for some seconds. */
    void awaitEnd() throws IOException, InterruptedException {
        out.close();
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }
}
