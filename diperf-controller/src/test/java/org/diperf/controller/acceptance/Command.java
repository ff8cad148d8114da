package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A process under test: its output is gathered while it runs, and it is ended with the test. */
final class Command implements AutoCloseable {

    /** Long checks run side by side with others that take the processors. */
    private static final long LIMIT_SECONDS = Boolean.getBoolean("diperf.long") ? 900 : 180;

    /** Since GNU coreutils 8.31. */
    private static final List<String> RESETTING = List.of("env", "--default-signal=INT");

    private static final boolean RESETS_SIGNALS = resetsSignals();

    /** A command of seconds is over before the optimising compiler pays for itself; see {@code ./diperf}. */
    private static final List<String> QUICK =
            Boolean.getBoolean("diperf.long") ? List.of() : List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final StringBuilder output = new StringBuilder();
    private final Thread reader;

    private Command(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "acceptance-output");
        this.reader.setDaemon(true);
        this.reader.start();
    }

    static Command start(Path folder, List<String> command) throws IOException {
        return start(folder, Map.of(), command);
    }

    /** @param environment added to the test's own */
    static Command start(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(listening(command))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new Command(builder.start());
    }

    /**
     * Lets a command hear SIGINT even when the tests were started with it ignored, as background jobs of a script are: a
     * process inherits that, and a JVM honours it.
     */
    private static List<String> listening(List<String> command) {
        if (!RESETS_SIGNALS) {
            return command;
        }
        List<String> all = new ArrayList<>(RESETTING);
        all.addAll(command);
        return all;
    }

    private static boolean resetsSignals() {
        try {
            List<String> probe = new ArrayList<>(RESETTING);
            probe.add("true");
            return new ProcessBuilder(probe).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Starts a shell that is busy with a loop, until it is closed or this JVM has gone, in whatever way.
     *
     * @param before words before the shell's, such as those that give it a priority
     */
    static Command busy(Path folder, List<String> before, String loop) throws IOException {
        List<String> command = new ArrayList<>(before);
        // What watches the pipe from this JVM is another process than the busy one.
        command.addAll(
                List.of("sh", "-c", "exec 3<&0; { read -r end <&3; kill -KILL $$; } & exec 3<&- </dev/null; " + loop));
        return start(folder, command);
    }

    /** Starts DiPerF's packaged jar. */
    static Command diperf(Path folder, String... arguments) throws IOException, InterruptedException {
        return start(folder, commandLine(controllerJar(), arguments));
    }

    /** Returns the words that start a controller's jar; flags of its JVM may be put in at index 1. */
    static List<String> commandLine(Path jar, String... arguments) throws IOException, InterruptedException {
        List<String> command = plainCommandLine(jar, arguments);
        if (jar.equals(controllerJar())) {
            command.addAll(1, LoadedClasses.flags(jar, QUICK));
        }
        command.addAll(1, QUICK);
        return command;
    }

    /** Returns the words by which a user starts a controller's jar, with the JVM as it is. */
    static List<String> plainCommandLine(Path jar, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java(), "-jar", jar.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static Path controllerJar() {
        Path jar = Path.of(System.getProperty("diperf.jar", "target/diperf-controller.jar"))
                .toAbsolutePath();
        if (!Files.exists(jar)) {
            throw new IllegalStateException("Expected the packaged jar " + jar + "; run: mvn -DskipTests package");
        }
        return jar;
    }

    /** Returns whether a program of this name can be run. */
    static boolean installed(String program) {
        for (String folder : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private void read() {
        byte[] buffer = new byte[8192];
        try (InputStream from = process.getInputStream()) {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                synchronized (output) {
                    output.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
                    output.notifyAll();
                }
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Waits until the output so far satisfies the condition. */
    void awaitOutput(Predicate<String> condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        synchronized (output) {
            while (!condition.test(output.toString())) {
                if (System.nanoTime() > deadline || !process.isAlive()) {
                    throw new AssertionError("Expected other output than:\n" + output);
                }
                output.wait(100);
            }
        }
    }

    void type(String text) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write(text.getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Waits for the end and gives the exit code. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(
                    "Expected the process to end, got it running after " + LIMIT_SECONDS + " s:\n" + output());
        }
        reader.join(5_000);
        return process.exitValue();
    }

    String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
