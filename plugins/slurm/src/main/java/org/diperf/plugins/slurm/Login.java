package org.diperf.plugins.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Where Slurm's commands are: this machine, or one that the command {@code ssh} reaches without asking. Thread-safe. */
final class Login {

    private static final long LIMIT_SECONDS = 120;
    // A Ctrl-C at the controller's terminal reaches all its processes; these must end by themselves.
    private static final List<String> UNDISTURBED = List.of("setsid", "-w");

    private final String name;
    private final List<String> before;

    /** @param before the command that gets a script as its last argument */
    Login(String name, List<String> before) {
        this.name = name;
        this.before = List.copyOf(before);
    }

    static Login here() {
        return new Login("this machine", List.of("sh", "-c"));
    }

    /** @param target {@code [user@]host} */
    static Login over(String target) {
        return new Login(target, List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", target));
    }

    /** Names it for people. */
    String name() {
        return name;
    }

    /** What a script said. */
    record Answer(int exitCode, String output, String errors) {

        boolean isGood() {
            return exitCode == 0;
        }

        /** Returns what it said in one line, the errors first. */
        String words() {
            String said = (errors + '\n' + output).strip().replaceAll("\\s*\\R\\s*", "; ");
            return said.isEmpty() ? "exit code " + exitCode + " and no word" : said;
        }
    }

    /** Writes what a script is to read. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Runs a script of the POSIX shell that reads nothing. */
    Answer run(String script) throws IOException, InterruptedException {
        return run(script, out -> {});
    }

    /**
     * Runs a script of the POSIX shell, and waits for its end.
     *
     * @throws IOException when it cannot be run, or takes more than two minutes
     */
    Answer run(String script, Input input) throws IOException, InterruptedException {
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
            CompletableFuture<String> output = reading(process.getInputStream());
            CompletableFuture<String> errors = reading(process.getErrorStream());
            CompletableFuture<Void> fed = CompletableFuture.runAsync(() -> feed(process, input), Login::inThread);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + " did not answer within " + LIMIT_SECONDS + " s");
            }
            fed.join();
            return new Answer(process.exitValue(), output.get(), errors.get());
        } catch (ExecutionException e) {
            throw new IOException("the answer of " + name + " cannot be read: " + e.getCause(), e);
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

    private static CompletableFuture<String> reading(InputStream from) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (from) {
                        return new String(from.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        return "";
                    }
                },
                Login::inThread);
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
        return String.join(" ", words.stream().map(Login::quoted).toList());
    }
}
