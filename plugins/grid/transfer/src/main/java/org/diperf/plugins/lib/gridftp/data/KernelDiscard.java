package org.diperf.plugins.lib.gridftp.data;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.util.Locale;

/**
 * Has the kernel drop what has come on a TCP socket, without a copy: recv(2) with MSG_TRUNC. The data has crossed the network
 * and is acknowledged; nobody looks at it. Linux alone, by native code.
 */
public final class KernelDiscard {

    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int ECONNRESET = 104;

    private static final boolean POSSIBLE = map();

    private KernelDiscard() {}

    private static boolean map() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
            return false;
        }
        try {
            Native.register(KernelDiscard.class, NativeLibrary.getInstance("c"));
            return Native.POINTER_SIZE == Long.BYTES;
        } catch (LinkageError e) {
            // No native code here: data is read, and forgotten then.
            return false;
        }
    }

    /** Returns whether this system can; the first question loads native code. */
    public static boolean isPossible() {
        return POSSIBLE;
    }

    /**
     * Drops what is there.
     *
     * @param most bytes to drop
     * @return how many were dropped; 0 where nothing has come, and at the end, which the next read tells
     * @throws IOException when the connection is broken
     */
    static long drop(int descriptor, long most) throws IOException {
        long count = recv(descriptor, 0, most, MSG_TRUNC | MSG_DONTWAIT);
        if (count >= 0) {
            return count;
        }
        int error = Native.getLastError();
        if (error == EAGAIN || error == EINTR) {
            return 0;
        }
        throw new IOException(error == ECONNRESET ? "Connection reset by peer" : "recv: error " + error);
    }

    private static native long recv(int descriptor, long buffer, long length, int flags);
}
