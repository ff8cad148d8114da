package org.diperf.plugins.emulated.netem;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the kernel what the queueing disciplines of a network have done: what {@code tc -s qdisc} shows, without a process. Confined to one
 * thread at a time.
 */
public final class Disciplines implements AutoCloseable {

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_ROUTE = 0;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int TIME_BYTES = 16;
    private static final int MESSAGE_BYTES = 1 << 16;

    static {
        Native.register(Disciplines.class, NativeLibrary.getInstance("c"));
    }

    private final int socket;
    private final Memory room = new Memory(MESSAGE_BYTES);
    private final ByteBuffer view = room.getByteBuffer(0, MESSAGE_BYTES).order(ByteOrder.nativeOrder());

    private Disciplines(int socket) {
        this.socket = socket;
    }

    /** Opens it in the network that the calling thread is in, of which it then tells whoever asks. */
    public static Disciplines open() throws IOException {
        int made = check(socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_ROUTE), "cannot query queueing disciplines");
        try (Memory second = new Memory(TIME_BYTES)) {
            second.setLong(0, 1);
            second.setLong(Long.BYTES, 0);
            setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, Pointer.nativeValue(second), TIME_BYTES);
        }
        return new Disciplines(made);
    }

    /** Returns the index of a device in the network that the calling thread is in. */
    public static int device(String name) throws IOException {
        int index = if_nametoindex(name);
        if (index == 0) {
            throw new IOException("there is no device " + name);
        }
        return index;
    }

    private static int check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": error " + Native.getLastError());
        }
        return result;
    }

    /** Returns what all of them say. */
    public List<DisciplineCounts> read() throws IOException {
        long base = Pointer.nativeValue(room);
        view.clear();
        DisciplineMessages.ask(view);
        check((int) send(socket, base, view.position(), 0), "cannot query queueing disciplines");
        List<DisciplineCounts> found = new ArrayList<>();
        boolean isAll = false;
        while (!isAll) {
            int length = check(
                    (int) recv(socket, base, MESSAGE_BYTES, 0), "the kernel does not report queueing disciplines");
            view.clear().limit(length);
            isAll = DisciplineMessages.read(view, found);
        }
        return found;
    }

    @Override
    public void close() {
        close(socket);
        room.close();
    }

    private static native int close(int file);

    private static native int socket(int domain, int type, int protocol);

    private static native int setsockopt(int socket, int level, int option, long value, int bytes);

    private static native long send(int socket, long from, long bytes, int flags);

    private static native long recv(int socket, long into, long bytes, int flags);

    private static native int if_nametoindex(String name);
}
