package org.diperf.plugins.lib.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.jspecify.annotations.Nullable;

/** Starts programs by the JDK's means. Ends their descendants one by one, so that one that moves away may stay. */
final class JdkLauncher extends Launcher {

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int SIGNALLED = 128;
    private static final Pattern ERROR = Pattern.compile("error[=:] ?([0-9]{1,4})[, (]+([^)]*)");

    private final String reason;

    JdkLauncher(String reason) {
        this.reason = reason;
    }

    @Override
    public String limits() {
        return "programs run without their own process groups, so some of their child processes may be left "
                + "running (" + reason
                + ")";
    }

    /** Several threads of the JDK pass on the end of a program; nobody knows how late each of them runs. */
    @Override
    public ReaperThread waiting() {
        return ReaperThread.UNWATCHED;
    }

    @Override
    public RunningProgram start(Program program) throws ProgramStartException {
        ProcessBuilder builder = new ProcessBuilder(program.command()).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(program.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            // 'error=2, No such file or directory', in newer versions 'error: 2 (No such file or directory)'.
            Matcher error = ERROR.matcher(String.valueOf(e.getMessage()));
            throw error.find()
                    ? ProgramStartException.of(program, Integer.parseInt(error.group(1)), error.group(2))
                    : ProgramStartException.of(
                            program,
                            Failure.known(e).orElseGet(() -> Failure.ofGenerator(String.valueOf(e.getMessage()))));
        }
        Started running = new Started(process);
        workers.execute(() -> feed(process, program));
        workers.execute(() -> running.serve(program));
        return running;
    }

    private static void feed(Process process, Program program) {
        try (OutputStream input = process.getOutputStream()) {
            input.write(program.input());
        } catch (IOException doesNotReadItsInput) {
            // that is its right
        }
    }

    private static final class Started extends RunningProgram {

        private static final long REAP_MILLIS = 500;

        private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
        private final Process process;
        private final long startedNanos = NanoClock.SYSTEM.nanoTime();

        Started(Process process) {
            this.process = process;
        }

        @Override
        public long startedNanos() {
            return startedNanos;
        }

        @Override
        public long endedNanos() {
            return UNKNOWN;
        }

        @Override
        public @Nullable RunQueueWait waits() {
            return null;
        }

        @Override
        public ExitStatus await(ReaperThread waiting) throws InterruptedException {
            try {
                return exit.get();
            } catch (InterruptedException e) {
                kill();
                reaped();
                throw e;
            } catch (ExecutionException e) {
                throw new IllegalStateException("The program's output could not be read", e.getCause());
            }
        }

        private void reaped() throws InterruptedException {
            try {
                exit.get(REAP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // A process in an uninterruptible wait dies later; its worker reaps it then.
            }
        }

        @Override
        public void kill() {
            List<ProcessHandle> all = process.descendants().toList();
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }

        void serve(Program program) {
            byte[] buffer = new byte[BUFFER_BYTES];
            try (InputStream output = process.getInputStream()) {
                int count = output.read(buffer);
                while (count > 0) {
                    program.output().take(buffer, count);
                    count = output.read(buffer);
                }
            } catch (IOException closedByKill) {
                // the exit says what happened
            } catch (RuntimeException e) {
                kill();
                exit.completeExceptionally(e);
            }
            try {
                int code = process.waitFor();
                exit.complete(code > SIGNALLED ? new ExitStatus(0, code - SIGNALLED) : new ExitStatus(code, 0));
            } catch (InterruptedException e) {
                exit.completeExceptionally(e);
            }
        }
    }
}
