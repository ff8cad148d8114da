package org.diperf.plugins.process;

import com.sun.jna.Memory;
import com.sun.jna.ptr.IntByReference;

/**
 * A program started by {@link SpawnLauncher}. Its worker serves the pipes until the program has ended, kills what is
 * left of its group and reaps it; only then may its number go to another process.
 */
final class Spawned extends Running implements Runnable {

    private static final int BUFFER_BYTES = 64 << 10;
    // A write of at most PIPE_BUF bytes does not block after poll has said that there is room.
    private static final int PIPE_BUF = 4096;
    private static final int POLLFD_BYTES = 8;
    private static final int WAIT_EVER = -1;
    private static final int WNOHANG = 1;
    private static final int WITHOUT_PIDFD_MILLIS = 5;

    private final LibC libC;
    private final int pid;
    private final int output;
    private final Program program;
    private int input;
    private int written;
    private boolean reaped;

    Spawned(LibC libC, int pid, int input, int output, Program program) {
        this.libC = libC;
        this.pid = pid;
        this.input = input;
        this.output = output;
        this.program = program;
    }

    @Override
    public synchronized void kill() {
        if (!reaped) {
            libC.kill(-pid, LibC.SIGKILL);
        }
    }

    @Override
    public void run() {
        int pidfd = (int) libC.syscall(LibC.SYS_PIDFD_OPEN, pid, 0);
        try (Memory descriptors = new Memory(3L * POLLFD_BYTES);
                Memory buffer = new Memory(BUFFER_BYTES)) {
            Exit ended = null;
            boolean outputOpen = true;
            while (ended == null) {
                describe(descriptors, 0, outputOpen ? output : -1, LibC.POLLIN);
                describe(descriptors, 1, input, LibC.POLLOUT);
                describe(descriptors, 2, pidfd, LibC.POLLIN);
                libC.poll(descriptors, 3, pidfd >= 0 ? WAIT_EVER : WITHOUT_PIDFD_MILLIS);
                if (outputOpen && happened(descriptors, 0)) {
                    outputOpen = take(buffer);
                }
                if (input >= 0 && (written == program.input().length || happened(descriptors, 1))) {
                    feed(buffer);
                }
                if (pidfd >= 0 ? happened(descriptors, 2) : hasExited()) {
                    while (outputOpen && isReady(descriptors)) {
                        outputOpen = take(buffer);
                    }
                    ended = reap();
                }
            }
            exit.complete(ended);
        } catch (RuntimeException | Error e) {
            libC.kill(-pid, LibC.SIGKILL);
            reap();
            exit.completeExceptionally(e);
        } finally {
            if (input >= 0) {
                libC.close(input);
            }
            libC.close(output);
            if (pidfd >= 0) {
                libC.close(pidfd);
            }
        }
    }

    private static void describe(Memory descriptors, int place, int fd, short events) {
        descriptors.setInt((long) place * POLLFD_BYTES, fd);
        descriptors.setShort((long) place * POLLFD_BYTES + 4, events);
        descriptors.setShort((long) place * POLLFD_BYTES + 6, (short) 0);
    }

    private static boolean happened(Memory descriptors, int place) {
        return descriptors.getShort((long) place * POLLFD_BYTES + 6) != 0;
    }

    private boolean isReady(Memory descriptors) {
        describe(descriptors, 0, output, LibC.POLLIN);
        return libC.poll(descriptors, 1, 0) > 0;
    }

    /** Takes what there is, and says whether more may come. */
    private boolean take(Memory buffer) {
        long count = libC.read(output, buffer, BUFFER_BYTES);
        if (count > 0) {
            program.output().take(buffer.getByteArray(0, (int) count), (int) count);
        }
        return count > 0 || (count < 0 && com.sun.jna.Native.getLastError() == LibC.EINTR);
    }

    private void feed(Memory buffer) {
        int count = Math.min(PIPE_BUF, program.input().length - written);
        if (count > 0) {
            buffer.write(0, program.input(), written, count);
            long done = libC.write(input, buffer, count);
            if (done >= 0) {
                written += (int) done;
            } else {
                written = program.input().length; // it does not read its input
            }
        }
        if (written == program.input().length) {
            libC.close(input);
            input = -1;
        }
    }

    // Reaps as it looks, on kernels before 5.3, which have no descriptors of processes.
    private int statusSeen = -1;

    private boolean hasExited() {
        IntByReference status = new IntByReference();
        synchronized (this) {
            if (libC.waitpid(pid, status, WNOHANG) == pid) {
                libC.kill(-pid, LibC.SIGKILL);
                reaped = true;
                statusSeen = status.getValue();
            }
        }
        return reaped;
    }

    private synchronized Exit reap() {
        if (!reaped) {
            // While the leader is not reaped its group keeps its number: this reaches nobody else.
            libC.kill(-pid, LibC.SIGKILL);
            IntByReference status = new IntByReference();
            int result;
            do {
                result = libC.waitpid(pid, status, 0);
            } while (result < 0 && com.sun.jna.Native.getLastError() == LibC.EINTR);
            reaped = true;
            statusSeen = status.getValue();
        }
        int signal = statusSeen & 0x7f;
        return signal != 0 ? new Exit(0, signal) : new Exit(statusSeen >> 8 & 0xff, 0);
    }
}
