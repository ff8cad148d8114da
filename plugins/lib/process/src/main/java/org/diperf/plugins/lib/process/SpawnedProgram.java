package org.diperf.plugins.lib.process;

import com.sun.jna.Native;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.core.clock.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A program started by {@link SpawnLauncher}. Who waits for it serves its pipes until it has ended, kills what is left of
 * its group and reaps it; only then may its number go to another process.
 */
final class SpawnedProgram extends RunningProgram {

    // A write of at most PIPE_BUF bytes does not block after poll has said that there is room.
    private static final int PIPE_BUF = 4096;
    private static final int WNOHANG = 1;
    private static final int WITHOUT_PIDFD_MILLIS = 5;
    private static final int REAP_MILLIS = 500;

    private static final NanoClock CLOCK = NanoClock.SYSTEM;

    /** Starting a program takes less where processors are free. */
    private static final long SLOW_START_NANOS = 250_000;

    private final SpawnLauncher launcher;
    private final ScratchMemory scratch;
    private final int pid;
    private final int output;
    private final int pidfd;
    private final long askedNanos;
    private final Program program;
    private int input;
    private int written;
    private boolean outputOpen = true;
    private boolean reaped;
    private int status;
    private @Nullable RunQueueWait waits;

    // Written by the thread that serves the program, before its exit is known.
    private long startedNanos;
    private long endedNanos = UNKNOWN;

    /** @param askedNanos when it was to be started */
    SpawnedProgram(
            SpawnLauncher launcher,
            ScratchMemory scratch,
            int pid,
            int input,
            int output,
            Program program,
            long askedNanos) {
        this.askedNanos = askedNanos;
        this.launcher = launcher;
        this.scratch = scratch;
        this.pid = pid;
        this.input = input;
        this.output = output;
        this.program = program;
        this.pidfd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, pid, 0);
    }

    @Override
    public synchronized void kill() {
        if (!reaped) {
            LibC.kill(-pid, LibC.SIGKILL);
        }
    }

    /** Kills the program when the thread that waits in native code is interrupted, which itself would not notice. */
    private final class Guard extends AbstractInterruptibleChannel {

        void enter() {
            begin();
        }

        void leave() throws InterruptedException {
            try {
                end(true);
            } catch (ClosedByInterruptException e) {
                Thread.interrupted();
                throw new InterruptedException();
            } catch (AsynchronousCloseException e) {
                throw new AssertionError("nothing else closes it", e);
            }
        }

        @Override
        protected void implCloseChannel() {
            kill();
        }
    }

    @Override
    public ExitStatus await(ReaperThread waiting) throws InterruptedException {
        return Threads.isVirtual() ? awaitWorker(waiting.isWatched()) : awaitHere(waiting);
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long endedNanos() {
        return endedNanos;
    }

    @Override
    public RunQueueWait waits() {
        RunQueueWait open = waits;
        if (open == null) {
            open = RunQueueWait.of(pid, CLOCK);
            waits = open;
        }
        return open;
    }

    private ExitStatus awaitHere(ReaperThread waiting) throws InterruptedException {
        Guard guard = new Guard();
        ExitStatus ended = null;
        guard.enter();
        try {
            ended = serve(guard, waiting);
        } finally {
            guard.leave();
        }
        if (ended == null) {
            throw new InterruptedException();
        }
        return ended;
    }

    /** Waits while another thread serves: waiting in native code would hold the carrier of a virtual thread. */
    private ExitStatus awaitWorker(boolean watched) throws InterruptedException {
        CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
        launcher.workers.execute(() -> {
            try (ReaperThread waiting = watched ? ReaperThread.ofThisThread() : ReaperThread.UNWATCHED) {
                exit.complete(serve(null, waiting));
            } catch (RuntimeException | Error e) {
                exit.completeExceptionally(e);
            }
        });
        try {
            return exit.get();
        } catch (InterruptedException e) {
            kill();
            try {
                exit.get(REAP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException late) {
                // A process in an uninterruptible wait dies later; its worker reaps it then.
            }
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The program's output could not be read", e.getCause());
        }
    }

    /** Serves until the end; gives {@code null} when a worker continues because the program was killed and is not dead. */
    private @Nullable ExitStatus serve(@Nullable Guard guard, ReaperThread waiting) {
        boolean handedOver = false;
        TaskTimes times = waiting.isWatched() && pidfd >= 0 ? scratch.times(pid) : null;
        try {
            ExitStatus ended = null;
            ProgramTimes first = see(waiting, times);
            startedNanos = CLOCK.nanoTime();
            while (ended == null) {
                scratch.describe(0, outputOpen ? output : -1, LibC.POLLIN);
                scratch.describe(1, input, LibC.POLLOUT);
                scratch.describe(2, pidfd, LibC.POLLIN);
                int events = LibC.poll(scratch.descriptors(), 3, pidfd >= 0 ? REAP_MILLIS : WITHOUT_PIDFD_MILLIS);
                long foundNanos = CLOCK.nanoTime();
                if (events == 0 && guard != null && !guard.isOpen() && pidfd >= 0) {
                    launcher.workers.execute(() -> serve(null, ReaperThread.UNWATCHED));
                    handedOver = true;
                    return null;
                }
                boolean exited = pidfd >= 0 ? scratch.happened(2) : hasExited();
                long busyNanos = exited && times != null ? waiting.busyNanos() : UNKNOWN;
                if (outputOpen && scratch.happened(0)) {
                    outputOpen = take();
                }
                if (input >= 0 && scratch.happened(1)) {
                    feed();
                }
                if (exited) {
                    while (outputOpen && isReady()) {
                        outputOpen = take();
                    }
                    if (times == null) {
                        ended = reap();
                    } else {
                        long waited = times.read() ? times.waitedNanos() : UNKNOWN;
                        ended = reap();
                        boolean alone = ProgramTimes.isAlone(
                                times.ranNanos(), times.turns(), scratch.usedNanos(), scratch.switches());
                        endedNanos =
                                alone ? first.endedNanos(new ProgramTimes(foundNanos, busyNanos, waited)) : UNKNOWN;
                    }
                }
            }
            return ended;
        } catch (RuntimeException | Error e) {
            kill();
            reap();
            throw e;
        } finally {
            if (times != null) {
                times.close();
            }
            if (!handedOver) {
                close();
            }
        }
    }

    /**
     * Looks how things stand before the program is waited for. What it has waited before it ran counts twice, as it was being
     * started and as its own, where that cannot be much.
     */
    private ProgramTimes see(ReaperThread waiting, @Nullable TaskTimes times) {
        if (times == null) {
            return ProgramTimes.NOTHING;
        }
        long now = CLOCK.nanoTime();
        long waited = 0;
        if (now - askedNanos > SLOW_START_NANOS) {
            waited = times.read() ? times.waitedNanos() : UNKNOWN;
        }
        return new ProgramTimes(now, waiting.busyNanos(), waited);
    }

    private void close() {
        if (input >= 0) {
            LibC.close(input);
        }
        LibC.close(output);
        if (waits != null) {
            waits.close();
        }
        if (pidfd >= 0) {
            LibC.close(pidfd);
        }
        launcher.giveBack(scratch);
    }

    private boolean isReady() {
        scratch.describe(0, output, LibC.POLLIN);
        return LibC.poll(scratch.descriptors(), 1, 0) > 0;
    }

    /** Takes what there is, and says whether more may come. */
    private boolean take() {
        int count = (int) LibC.read(output, scratch.buffer(), ScratchMemory.BUFFER_BYTES);
        if (count > 0) {
            scratch.take(count);
            program.output().take(scratch.bytes, count);
        }
        return count > 0 || (count < 0 && Native.getLastError() == LibC.EINTR);
    }

    private void feed() {
        int count = Math.min(PIPE_BUF, program.input().length - written);
        scratch.put(program.input(), written, count);
        long done = LibC.write(input, scratch.buffer(), count);
        // On an error it does not read its input, which is its right.
        written = done >= 0 ? written + (int) done : program.input().length;
        if (written == program.input().length) {
            LibC.close(input);
            input = -1;
        }
    }

    /** Reaps as it looks, on kernels before 5.3, which have no descriptors of processes. */
    private synchronized boolean hasExited() {
        if (LibC.waitpid(pid, scratch.number(), WNOHANG) == pid) {
            LibC.kill(-pid, LibC.SIGKILL);
            reaped = true;
            status = scratch.givenNumber();
        }
        return reaped;
    }

    private synchronized ExitStatus reap() {
        if (!reaped) {
            // While the leader is not reaped its group keeps its number: this reaches nobody else.
            LibC.kill(-pid, LibC.SIGKILL);
            int result;
            do {
                result = LibC.wait4(pid, scratch.number(), 0, scratch.usage());
            } while (result < 0 && Native.getLastError() == LibC.EINTR);
            reaped = true;
            status = scratch.givenNumber();
        }
        int signal = status & 0x7f;
        return signal != 0 ? new ExitStatus(0, signal) : new ExitStatus(status >> 8 & 0xff, 0);
    }
}
