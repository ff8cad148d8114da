package org.diperf.plugins.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Starts programs on a node and hears of their ends, all over one channel: sshd allows only some ten on a connection.
 * The programs keep running when the channel breaks. Thread-safe.
 */
final class Supervisor implements AutoCloseable {

    /** How a program ended: its exit code and its last words. */
    record Ended(int code, String words) {}

    /** Is told what happens, on the supervisor's thread. */
    interface Listener {
        /** A program has ended. */
        void ended(String name, Ended how);

        /** Nothing more will be heard, although programs may still run. */
        void lost(String why);
    }

    /** A program's last words are a tenth of that. */
    private static final int LONGEST_LINE = 16 << 10;

    private final Connection.Running channel;
    private final Listener listener;
    private final Map<String, CompletableFuture<Ended>> programs = new ConcurrentHashMap<>();
    private final Thread reader;
    private volatile boolean leaving;

    private Supervisor(Connection.Running channel, Address address, Listener listener) {
        this.channel = channel;
        this.listener = listener;
        this.reader = new Thread(this::read, "diperf-ssh-" + address);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the supervising script. */
    static Supervisor start(Connection connection, Script script, Listener listener) throws IOException {
        return new Supervisor(connection.start(script), connection.address(), listener);
    }

    /**
     * Starts a program.
     *
     * @param name of letters, digits and hyphens; each once
     * @param script of the shell that becomes the program
     * @param input that it reads; never shown anywhere
     */
    synchronized void launch(String name, String script, String input) throws IOException {
        programs.put(name, new CompletableFuture<>());
        StringBuilder text = new StringBuilder("job " + name + "\n");
        indent(text, script);
        text.append("input\n");
        indent(text, input);
        text.append("end\n");
        OutputStream to = channel.in();
        to.write(text.toString().getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    private static void indent(StringBuilder text, String lines) {
        lines.lines().forEach(line -> text.append(' ').append(line).append('\n'));
    }

    /** Waits for a program that was launched; {@code false}: it still runs, or nobody knows. */
    boolean awaitEnd(String name, long nanos) throws InterruptedException {
        CompletableFuture<Ended> end = programs.get(name);
        if (end == null) {
            return false;
        }
        try {
            end.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | TimeoutException unknown) {
            return false;
        }
    }

    /** Says how a program ended; {@code null}: it has not, or nobody knows. */
    @Nullable
    Ended endOf(String name) {
        CompletableFuture<Ended> end = programs.get(name);
        return end == null || !end.isDone() || end.isCompletedExceptionally() ? null : end.join();
    }

    /** Returns whether nothing more will be heard. */
    boolean isLost() {
        return !reader.isAlive();
    }

    private void read() {
        String why = "the connection was closed";
        try {
            BoundedLines lines = channel.lines(LONGEST_LINE);
            for (String line = lines.next(); line != null; line = lines.next()) {
                String[] words = line.split(" ", 4);
                if (words.length >= 3 && words[0].equals("ended") && words[2].matches("[0-9]{1,3}")) {
                    Ended how = new Ended(Integer.parseInt(words[2]), words.length == 4 ? words[3].strip() : "");
                    CompletableFuture<Ended> program = programs.get(words[1]);
                    if (program != null && program.complete(how)) {
                        listener.ended(words[1], how);
                    }
                }
            }
            if (!channel.error().isBlank()) {
                why = channel.error().strip();
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        }
        boolean open = programs.values().stream().anyMatch(program -> !program.isDone());
        if (open && !leaving) {
            listener.lost(why);
        }
        IOException gone = new IOException(why);
        programs.values().forEach(program -> program.completeExceptionally(gone));
    }

    /** Takes leave, so that the script knows that the controller cleans up, and closes the channel. */
    @Override
    public void close() {
        leaving = true;
        try {
            synchronized (this) {
                channel.in().write("bye\n".getBytes(StandardCharsets.UTF_8));
                channel.in().close();
            }
            reader.join(500);
        } catch (IOException gone) {
            // Then there is nobody to take leave of.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
    }
}
