package org.diperf.plugins.lib.process;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.util.Map;

/**
 * What is needed of the C library (Linux with glibc 2.26 or later, 64 bits). Mapped directly, and addresses are plain
 * numbers, because a program may run a thousand times a second.
 */
final class LibC {

    /** Sizes are larger than any that glibc has. */
    static final int ATTRIBUTES_BYTES = 1024;

    static final int ACTIONS_BYTES = 1024;
    static final int SIGSET_BYTES = 128;
    static final short SPAWN_SETSIGDEF = 0x04;
    static final short SPAWN_SETSIGMASK = 0x08;
    static final short SPAWN_SETSID = 0x80;
    static final int O_RDONLY = 0;
    static final int O_WRONLY = 1;
    static final int O_CLOEXEC = 0x80000;
    static final int CLOCK_THREAD_CPUTIME_ID = 3;
    static final int SIGKILL = 9;
    static final short POLLIN = 1;
    static final short POLLOUT = 4;
    static final int EINTR = 4;
    static final long SYS_PIDFD_OPEN = 434;

    /** Whether {@link CloseFrom} is there. */
    static final boolean CLOSES_FROM;

    static {
        NativeLibrary library = NativeLibrary.getInstance("c", Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));
        Native.register(LibC.class, library);
        CLOSES_FROM = CloseFrom.bind(library);
    }

    /** What glibc has since 2.34. */
    static final class CloseFrom {

        private CloseFrom() {}

        private static boolean bind(NativeLibrary library) {
            try {
                Native.register(CloseFrom.class, library);
                return true;
            } catch (UnsatisfiedLinkError older) {
                return false;
            }
        }

        /** Adds the closing of all files from a number on. */
        static native int posix_spawn_file_actions_addclosefrom_np(long actions, int from);
    }

    private LibC() {}

    /**
     * Loads it, if that is still to be done.
     *
     * @throws LinkageError when JNA or the C library cannot be used
     */
    static void load() {
        if (Native.POINTER_SIZE != Long.BYTES) {
            throw new UnsatisfiedLinkError("programs can be started with posix_spawn only on 64-bit machines");
        }
        getpid();
    }

    static native int getpid();

    static native int pipe2(long ends, int flags);

    static native int open(long path, int flags);

    static native int close(int fd);

    static native long read(int fd, long buffer, long count);

    static native long pread(int fd, long buffer, long count, long offset);

    static native long write(int fd, long buffer, long count);

    static native int poll(long descriptors, long count, int timeoutMillis);

    static native int kill(int pid, int signal);

    static native int waitpid(int pid, long status, int options);

    static native int wait4(int pid, long status, int options, long usage);

    static native int clock_gettime(int clock, long time);

    static native long syscall(long number, long first, long second);

    static native int sigemptyset(long set);

    static native int sigfillset(long set);

    static native int posix_spawnattr_init(long attributes);

    static native int posix_spawnattr_setflags(long attributes, short flags);

    static native int posix_spawnattr_setsigdefault(long attributes, long set);

    static native int posix_spawnattr_setsigmask(long attributes, long set);

    static native int posix_spawn_file_actions_init(long actions);

    static native int posix_spawn_file_actions_adddup2(long actions, int from, int to);

    static native int posix_spawn_file_actions_addopen(long actions, int fd, long path, int flags, int mode);

    static native int posix_spawn_file_actions_addclose(long actions, int fd);

    static native int posix_spawn_file_actions_destroy(long actions);

    static native int posix_spawnp(long pid, long file, long actions, long attributes, long argv, long env);

    static native String strerror(int errno);
}
