package org.diperf.tester.machine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * When the kernel received what a TCP connection has for its reader, which is before any thread was woken for it. Asked of
 * the C library, without taking anything from the connection. Confined to one thread.
 */
public final class ReceiveStamps {

    /** Stands for: the kernel does not say. */
    public static final long NONE = Long.MIN_VALUE;

    // <asm-generic/socket.h>, <bits/socket.h>
    private static final int SOL_SOCKET = 1;
    private static final int SO_TIMESTAMPNS = 35;
    private static final int MSG_PEEK = 2;
    private static final int MSG_DONTWAIT = 0x40;

    // struct msghdr, and what it points to, with pointers and lengths of eight bytes.
    private static final int VECTOR = 0;
    private static final int BYTE = 16;
    private static final int MESSAGE = 24;
    private static final int CONTROL = 80;
    private static final int CONTROL_LENGTH = 64;
    private static final int ROOM = CONTROL + CONTROL_LENGTH;
    private static final int VECTOR_AT = MESSAGE + 16;
    private static final int VECTORS_AT = MESSAGE + 24;
    private static final int CONTROL_AT = MESSAGE + 32;
    private static final int CONTROL_LENGTH_AT = MESSAGE + 40;
    private static final int LEVEL_AT = CONTROL + 8;
    private static final int TYPE_AT = CONTROL + 12;
    private static final int SECONDS_AT = CONTROL + 16;
    private static final int NANOS_AT = CONTROL + 24;
    private static final int FILLED = 32;

    private static final boolean BOUND = bind();

    private final Memory memory;
    private final ByteBuffer view;
    private final long message;
    private final Memory one;

    private ReceiveStamps() {
        memory = new Memory(ROOM);
        memory.clear();
        view = memory.getByteBuffer(0, ROOM).order(ByteOrder.nativeOrder());
        long base = Pointer.nativeValue(memory);
        message = base + MESSAGE;
        view.putLong(VECTOR, base + BYTE).putLong(VECTOR + 8, 1);
        view.putLong(VECTOR_AT, base + VECTOR).putLong(VECTORS_AT, 1).putLong(CONTROL_AT, base + CONTROL);
        one = new Memory(Integer.BYTES);
        one.setInt(0, 1);
    }

    /** Makes one; {@code null} where the system has no such stamps. Loads native code. */
    public static @Nullable ReceiveStamps ofThisSystem() {
        return BOUND ? new ReceiveStamps() : null;
    }

    private static boolean bind() {
        try {
            if (!Platform.isLinux() || Native.POINTER_SIZE != Long.BYTES || Native.LONG_SIZE != Long.BYTES) {
                return false;
            }
            Native.register(ReceiveStamps.class, "c");
            return true;
        } catch (LinkageError e) {
            return false;
        }
    }

    private static native int setsockopt(int descriptor, int level, int option, long value, int length);

    private static native long recvmsg(int descriptor, long message, int flags);

    /** Has the kernel keep stamps of what a socket receives from now on; does nothing where it has none for that. */
    public void ask(int descriptor) {
        var unused = setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, Pointer.nativeValue(one), Integer.BYTES);
    }

    /**
     * Returns when the first segment came that nobody has read yet, or the last one of those that the kernel has joined
     * with it: ns since 1970, or {@link #NONE}.
     */
    public long first(int descriptor) {
        view.putLong(CONTROL_LENGTH_AT, CONTROL_LENGTH);
        long got = recvmsg(descriptor, message, MSG_PEEK | MSG_DONTWAIT);
        if (got <= 0
                || view.getLong(CONTROL_LENGTH_AT) < FILLED
                || view.getInt(LEVEL_AT) != SOL_SOCKET
                || view.getInt(TYPE_AT) != SO_TIMESTAMPNS) {
            return NONE;
        }
        return view.getLong(SECONDS_AT) * 1_000_000_000L + view.getLong(NANOS_AT);
    }
}
