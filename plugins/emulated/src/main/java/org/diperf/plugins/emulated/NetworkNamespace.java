package org.diperf.plugins.emulated;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** Takes threads into the networks of hosts and back (Linux, setns(2)). Stateless. */
final class NetworkNamespace {

    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_CLOEXEC = 0x80000;

    static {
        Native.register(NetworkNamespace.class, NativeLibrary.getInstance("c"));
    }

    private NetworkNamespace() {}

    /**
     * Runs an action in a network. Sockets that it makes stay there.
     *
     * @param network file of its namespace
     * @throws IOException also if the network cannot be entered
     */
    static <T> T within(Path network, Callable<T> action) throws Exception {
        int own = check(open("/proc/thread-self/ns/net", O_CLOEXEC), "this thread's network namespace is unknown");
        try {
            int other = check(
                    open(network.toString(), O_CLOEXEC), "the network namespace " + network + " cannot " + "be opened");
            try {
                check(setns(other, CLONE_NEWNET), "the network namespace " + network + " cannot be entered");
                try {
                    return action.call();
                } finally {
                    check(setns(own, CLONE_NEWNET), "the network namespace " + network + " cannot be left");
                }
            } finally {
                close(other);
            }
        } finally {
            close(own);
        }
    }

    private static int check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": error " + Native.getLastError());
        }
        return result;
    }

    private static native int open(String path, int flags);

    private static native int close(int file);

    private static native int setns(int file, int kind);
}
