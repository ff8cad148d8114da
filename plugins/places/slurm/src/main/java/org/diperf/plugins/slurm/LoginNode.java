package org.diperf.plugins.slurm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.lib.proc.FirstBytes;

/** Where Slurm's commands are: this machine, or one that the command {@code ssh} reaches without asking. Thread-safe. */
final class LoginNode {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    /** For files, over a slow line too. */
    private static final Duration COPY_LIMIT = Duration.ofMinutes(15);
    /** Of what a script says: the logs of all testers are most of it. */
    private static final int MAX_BYTES = 32 << 20;

    private static final int MAX_ERROR_BYTES = 64 << 10;
    /** For the errors of a script that has ended to come out of the pipe. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);
    // A Ctrl-C at the controller's terminal reaches all its processes; these must end by themselves.
    private static final List<String> UNDISTURBED = List.of("setsid", "-w");

    private final String name;
    private final List<String> before;
    private final Duration limit;

    /** @param before the command that gets a script as its last argument */
    LoginNode(String name, List<String> before) {
        this(name, before, LIMIT);
    }

    /** @param limit for the answer of a script that moves no files */
    LoginNode(String name, List<String> before, Duration limit) {
        this.name = name;
        this.before = List.copyOf(before);
        this.limit = limit;
    }

    static LoginNode here() {
        return new LoginNode("this machine", List.of("sh", "-c"));
    }

    /** @param target {@code [user@]host} */
    static LoginNode over(String target) {
        return new LoginNode(target, List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", target));
    }

    /** Names it for people. */
    String name() {
        return name;
    }

    /** Words the command by which a user copies a file from there to the current folder. */
    String copying(String path) {
        return isHere() ? "cp " + quoted(path) + " ." : "scp " + quoted(name + ":" + path) + " .";
    }

    private boolean isHere() {
        return !before.get(0).equals("ssh");
    }

    /** What a script said. */
    record Answer(int exitCode, String output, String errors) {

        boolean isGood() {
            return exitCode == 0;
        }

        /** Returns what it said in one line, the errors first. */
        String words() {
            String said = (errors + '\n' + output).strip().replaceAll("\\s*\\R\\s*", "; ");
            return said.isEmpty() ? "exit code " + exitCode + " and no output" : said;
        }
    }

    /** Writes what a script is to read. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Runs a script of the POSIX shell that reads nothing, and waits for its end.
     *
     * @throws IOException when it cannot be run, takes more than two minutes, or says more than 32 MiB
     */
    Answer run(String script) throws IOException, InterruptedException {
        return run(script, out -> {}, limit);
    }

    /**
     * Runs a script of the POSIX shell that reads a file, and waits for its end.
     *
     * @throws IOException when it cannot be run, takes more than 15 minutes, or says more than 32 MiB
     */
    Answer run(String script, Input input) throws IOException, InterruptedException {
        return run(script, input, COPY_LIMIT);
    }

    private Answer run(String script, Input input, Duration most) throws IOException, InterruptedException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Outcome outcome = run(script, input, said, MAX_BYTES, most);
        return new Answer(outcome.exitCode(), said.toString(StandardCharsets.UTF_8), outcome.errors());
    }

    /**
     * Brings a file that a script writes to its output, within 15 minutes.
     *
     * @param most bytes of it
     * @return the script's exit code and errors, without its output
     */
    Answer copy(String script, OutputStream to, long most) throws IOException, InterruptedException {
        Outcome outcome = run(script, out -> {}, to, most, COPY_LIMIT);
        return new Answer(outcome.exitCode(), "", outcome.errors());
    }

    private record Outcome(int exitCode, String errors) {}

    private Outcome run(String script, Input input, OutputStream to, long most, Duration within)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(UNDISTURBED);
        command.addAll(before);
        command.add(script);
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new IOException(
                    "the slurm testbed needs " + before.get(0) + " and setsid (util-linux): " + e.getMessage(), e);
        }
        try {
            CompletableFuture<Boolean> output = working(() -> isAllOf(process, to, most));
            FirstBytes errors = new FirstBytes(MAX_ERROR_BYTES);
            CompletableFuture<Long> allErrors =
                    working(() -> process.getErrorStream().transferTo(errors));
            CompletableFuture<Void> fed = CompletableFuture.runAsync(() -> feed(process, input), LoginNode::inThread);
            CompletableFuture.allOf(process.onExit(), output, fed).get(within.toMillis(), TimeUnit.MILLISECONDS);
            if (!output.join()) {
                throw new IOException(
                        "expected at most " + most + " bytes from " + name + ", got more; the rest was not read");
            }
            // A program that was left behind, such as ssh's for the next connections, may keep this open as long as it
            // lives.
            allErrors
                    .completeOnTimeout(0L, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
                    .get();
            return new Outcome(process.exitValue(), errors.text());
        } catch (TimeoutException e) {
            throw new IOException(name + " did not answer within " + Quantity.format(within), e);
        } catch (ExecutionException e) {
            throw new IOException("the answer from " + name + " cannot be read: " + e.getCause(), e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void feed(Process process, Input input) {
        try (OutputStream to = process.getOutputStream()) {
            input.writeTo(to);
        } catch (IOException e) {
            // It ended before it read all: its exit code and its words tell why.
            assert e != null;
        }
    }

    /** Passes on what a process writes; false, and its end, when that is more than wanted. */
    private static boolean isAllOf(Process process, OutputStream to, long most) throws IOException {
        byte[] chunk = new byte[1 << 16];
        long passed = 0;
        try (InputStream from = process.getInputStream()) {
            for (int read = from.read(chunk); read >= 0; read = from.read(chunk)) {
                passed += read;
                if (passed > most) {
                    process.destroyForcibly();
                    return false;
                }
                to.write(chunk, 0, read);
            }
        }
        return true;
    }

    private static <T> CompletableFuture<T> working(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        inThread(() -> {
            try {
                done.complete(work.call());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static void inThread(Runnable work) {
        Thread thread = new Thread(work, "diperf-slurm-pipe");
        thread.setDaemon(true);
        thread.start();
    }

    /** Quotes a word for the shell. */
    static String quoted(String word) {
        return '\'' + word.replace("'", "'\\''") + '\'';
    }

    static String quoted(List<String> words) {
        return String.join(" ", words.stream().map(LoginNode::quoted).toList());
    }
}
