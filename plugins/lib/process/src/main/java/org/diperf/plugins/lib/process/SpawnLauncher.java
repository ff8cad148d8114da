package org.diperf.plugins.lib.process;

import com.sun.jna.Memory;
import java.io.File;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;

/**
 * Starts programs by posix_spawn with POSIX_SPAWN_SETSID: as fast as the machine can, whatever the size of this JVM, and
 * each in a session of its own with default signals. All happens on the thread that starts a program and waits for it;
 * what is the same for all programs is laid down once, and native memory is used again.
 */
final class SpawnLauncher extends Launcher {

    private static final int FIRST_FREE_FD = 3;
    private static final int NONE = -1;

    private final ConcurrentLinkedDeque<ScratchMemory> scratches = new ConcurrentLinkedDeque<>();
    private final Memory attributes = new Memory(LibC.ATTRIBUTES_BYTES);
    private final Memory nowhere = new Memory("/dev/null".length() + 1L);
    private final NativeEnvironment inherited = new NativeEnvironment(System.getenv());

    SpawnLauncher() {
        LibC.load();
        nowhere.setString(0, "/dev/null", "US-ASCII");
        long address = ScratchMemory.address(attributes);
        LibC.posix_spawnattr_init(address);
        try (Memory signals = new Memory(LibC.SIGSET_BYTES)) {
            // A tester ignores some signals and blocks others; a program must not inherit that.
            LibC.sigfillset(ScratchMemory.address(signals));
            LibC.posix_spawnattr_setsigdefault(address, ScratchMemory.address(signals));
            LibC.sigemptyset(ScratchMemory.address(signals));
            LibC.posix_spawnattr_setsigmask(address, ScratchMemory.address(signals));
        }
        LibC.posix_spawnattr_setflags(
                address, (short) (LibC.SPAWN_SETSIGDEF | LibC.SPAWN_SETSIGMASK | LibC.SPAWN_SETSID));
    }

    @Override
    public String limits() {
        return "";
    }

    @Override
    public ReaperThread waiting() {
        return ReaperThread.ofThisThread();
    }

    @Override
    public RunningProgram start(Program program) throws ProgramStartException {
        long askedNanos = NanoClock.SYSTEM.nanoTime();
        ScratchMemory free = scratches.poll();
        ScratchMemory scratch = free != null ? free : new ScratchMemory();
        int input = NONE;
        int inputEnd = NONE;
        int output = NONE;
        int outputEnd = NONE;
        boolean started = false;
        try {
            if (program.input().length > 0) {
                pipe(program, scratch);
                input = scratch.end(0);
                inputEnd = scratch.end(1);
            }
            pipe(program, scratch);
            output = scratch.end(0);
            outputEnd = scratch.end(1);
            int pid = spawn(program, scratch, input, outputEnd);
            started = true;
            return new SpawnedProgram(this, scratch, pid, inputEnd, output, program, askedNanos);
        } finally {
            close(input);
            close(outputEnd);
            if (!started) {
                close(inputEnd);
                close(output);
                giveBack(scratch);
            }
        }
    }

    /** Takes back what a program used that has ended. */
    void giveBack(ScratchMemory scratch) {
        scratches.push(scratch);
    }

    private static void pipe(Program program, ScratchMemory scratch) throws ProgramStartException {
        if (LibC.pipe2(scratch.ends(), LibC.O_CLOEXEC) != 0) {
            throw ProgramStartException.of(program, Failure.ofGenerator("too many open files"));
        }
    }

    private static void close(int fd) {
        if (fd != NONE) {
            LibC.close(fd);
        }
    }

    private int spawn(Program program, ScratchMemory scratch, int input, int output) throws ProgramStartException {
        long actions = scratch.actions();
        LibC.posix_spawn_file_actions_init(actions);
        try {
            long path = ScratchMemory.address(nowhere);
            if (input == NONE) {
                LibC.posix_spawn_file_actions_addopen(actions, 0, path, LibC.O_RDONLY, 0);
            } else {
                LibC.posix_spawn_file_actions_adddup2(actions, input, 0);
            }
            LibC.posix_spawn_file_actions_adddup2(actions, output, 1);
            LibC.posix_spawn_file_actions_addopen(actions, 2, path, LibC.O_WRONLY, 0);
            closeOthers(actions);
            List<String> added = program.environment().entrySet().stream()
                    .map(variable -> variable.getKey() + "=" + variable.getValue())
                    .toList();
            long argv = scratch.lay(program.command(), inherited.but(program.environment()), added);
            int error = LibC.posix_spawnp(
                    scratch.number(),
                    scratch.file(),
                    actions,
                    ScratchMemory.address(attributes),
                    argv,
                    argv + (program.command().size() + 1L) * Long.BYTES);
            if (error != 0) {
                throw ProgramStartException.of(
                        program, error, LibC.strerror(error).toLowerCase(Locale.ROOT));
            }
            return scratch.givenNumber();
        } finally {
            LibC.posix_spawn_file_actions_destroy(actions);
        }
    }

    /** Keeps this JVM's own files and sockets from the program. */
    private static void closeOthers(long actions) {
        if (LibC.CLOSES_FROM) {
            LibC.CloseFrom.posix_spawn_file_actions_addclosefrom_np(actions, FIRST_FREE_FD);
            return;
        }
        String[] open = new File("/proc/self/fd").list();
        for (String fd : open == null ? new String[0] : open) {
            int number = Integer.parseInt(fd);
            if (number >= FIRST_FREE_FD) {
                LibC.posix_spawn_file_actions_addclose(actions, number);
            }
        }
    }

    @Override
    void release() {
        for (ScratchMemory scratch = scratches.poll(); scratch != null; scratch = scratches.poll()) {
            scratch.free();
        }
    }
}
