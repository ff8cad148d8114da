package org.diperf.plugins.process;

import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import com.sun.jna.ptr.IntByReference;
import java.util.Map;

/** What is needed of the C library (Linux with glibc 2.26 or later). Sizes are larger than any that glibc has. */
interface LibC extends Library {

    int ATTRIBUTES_BYTES = 1024;
    int ACTIONS_BYTES = 1024;
    int SIGSET_BYTES = 128;
    short SPAWN_SETSIGDEF = 0x04;
    short SPAWN_SETSIGMASK = 0x08;
    short SPAWN_SETSID = 0x80;
    int O_WRONLY = 1;
    int O_CLOEXEC = 0x80000;
    int SIGKILL = 9;
    short POLLIN = 1;
    short POLLOUT = 4;
    int EINTR = 4;
    long SYS_PIDFD_OPEN = 434;

    /**
     * @throws LinkageError when JNA or the C library cannot be used
     */
    static LibC load() {
        LibC libC = Native.load("c", LibC.class, Map.of(Library.OPTION_STRING_ENCODING, "UTF-8"));
        libC.getpid();
        return libC;
    }

    int getpid();

    int pipe2(int[] ends, int flags);

    int close(int fd);

    long read(int fd, Memory buffer, long count);

    long write(int fd, Memory buffer, long count);

    int poll(Memory descriptors, long count, int timeoutMillis);

    int kill(int pid, int signal);

    int waitpid(int pid, IntByReference status, int options);

    long syscall(long number, long first, long second);

    int sigemptyset(Pointer set);

    int sigfillset(Pointer set);

    int posix_spawnattr_init(Pointer attributes);

    int posix_spawnattr_setflags(Pointer attributes, short flags);

    int posix_spawnattr_setsigdefault(Pointer attributes, Pointer set);

    int posix_spawnattr_setsigmask(Pointer attributes, Pointer set);

    int posix_spawnattr_destroy(Pointer attributes);

    int posix_spawn_file_actions_init(Pointer actions);

    int posix_spawn_file_actions_adddup2(Pointer actions, int from, int to);

    int posix_spawn_file_actions_addopen(Pointer actions, int fd, String path, int flags, int mode);

    int posix_spawn_file_actions_addclose(Pointer actions, int fd);

    int posix_spawn_file_actions_addclosefrom_np(Pointer actions, int from);

    int posix_spawn_file_actions_destroy(Pointer actions);

    int posix_spawnp(
            IntByReference pid, String file, Pointer actions, Pointer attributes, StringArray argv, StringArray env);

    String strerror(int errno);
}
