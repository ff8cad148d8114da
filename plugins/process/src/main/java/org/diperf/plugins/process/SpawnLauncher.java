package org.diperf.plugins.process;

import com.sun.jna.Memory;
import com.sun.jna.StringArray;
import com.sun.jna.ptr.IntByReference;
import java.io.File;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Starts programs by posix_spawn with POSIX_SPAWN_SETSID: as fast as the machine can, whatever the size of this JVM, and
 * each in a session of its own with default signals.
 */
final class SpawnLauncher extends Launcher {

    private static final int FIRST_FREE_FD = 3;

    private final LibC libC;

    SpawnLauncher(LibC libC) {
        this.libC = libC;
    }

    @Override
    public String limits() {
        return "";
    }

    @Override
    public Running start(Program program) throws CannotStartException {
        int[] input = pipe(program);
        int[] output;
        try {
            output = pipe(program);
        } catch (CannotStartException e) {
            close(input);
            throw e;
        }
        int pid;
        try {
            pid = spawn(program, input[0], output[1]);
        } catch (CannotStartException e) {
            close(input);
            close(output);
            throw e;
        }
        libC.close(input[0]);
        libC.close(output[1]);
        Spawned running = new Spawned(libC, pid, input[1], output[0], program);
        workers.execute(running);
        return running;
    }

    private int[] pipe(Program program) throws CannotStartException {
        int[] ends = new int[2];
        if (libC.pipe2(ends, LibC.O_CLOEXEC) != 0) {
            throw CannotStartException.of(program, "too many open files");
        }
        return ends;
    }

    private void close(int[] ends) {
        libC.close(ends[0]);
        libC.close(ends[1]);
    }

    private int spawn(Program program, int input, int output) throws CannotStartException {
        try (Memory attributes = new Memory(LibC.ATTRIBUTES_BYTES);
                Memory actions = new Memory(LibC.ACTIONS_BYTES);
                Memory signals = new Memory(LibC.SIGSET_BYTES)) {
            libC.posix_spawnattr_init(attributes);
            libC.posix_spawn_file_actions_init(actions);
            try {
                // A tester ignores some signals and blocks others; a program must not inherit that.
                libC.sigfillset(signals);
                libC.posix_spawnattr_setsigdefault(attributes, signals);
                libC.sigemptyset(signals);
                libC.posix_spawnattr_setsigmask(attributes, signals);
                libC.posix_spawnattr_setflags(
                        attributes, (short) (LibC.SPAWN_SETSIGDEF | LibC.SPAWN_SETSIGMASK | LibC.SPAWN_SETSID));
                libC.posix_spawn_file_actions_adddup2(actions, input, 0);
                libC.posix_spawn_file_actions_adddup2(actions, output, 1);
                libC.posix_spawn_file_actions_addopen(actions, 2, "/dev/null", LibC.O_WRONLY, 0);
                closeOthers(actions);
                IntByReference pid = new IntByReference();
                int error = libC.posix_spawnp(
                        pid,
                        program.command().get(0),
                        actions,
                        attributes,
                        new StringArray(program.command().toArray(new String[0]), "UTF-8"),
                        new StringArray(environment(program), "UTF-8"));
                if (error != 0) {
                    throw CannotStartException.of(
                            program, error, libC.strerror(error).toLowerCase(Locale.ROOT));
                }
                return pid.getValue();
            } finally {
                libC.posix_spawn_file_actions_destroy(actions);
                libC.posix_spawnattr_destroy(attributes);
            }
        }
    }

    /** Keeps this JVM's own files and sockets from the program. */
    private void closeOthers(Memory actions) {
        try {
            libC.posix_spawn_file_actions_addclosefrom_np(actions, FIRST_FREE_FD);
        } catch (UnsatisfiedLinkError beforeGlibc234) {
            String[] open = new File("/proc/self/fd").list();
            for (String fd : open == null ? new String[0] : open) {
                int number = Integer.parseInt(fd);
                if (number >= FIRST_FREE_FD) {
                    libC.posix_spawn_file_actions_addclose(actions, number);
                }
            }
        }
    }

    private static String[] environment(Program program) {
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(program.environment());
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
    }
}
