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
public final class ReceiveTimestamps implements SocketArrivals {

    // <asm-generic/socket.h>, <bits/socket.h>
    private static final int SOL_SOCKET = 1;
    private static final int SO_TIMESTAMPNS = 35;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int MSG_PEEK = 2;
    /** With {@link #MSG_PEEK} nothing is copied. */
    private static final int MSG_TRUNC = 0x20;

    private static final int MSG_DONTWAIT = 0x40;

    // struct msghdr, and what it points to, with pointers and lengths of eight bytes.
    private static final int VECTOR = 0;
    private static final int LENGTH_AT = VECTOR + 8;
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

    // struct tcp_info of <linux/tcp.h>; the last is there since Linux 5.5.
    private static final int BYTES_RECEIVED_AT = 128;
    private static final int OUT_OF_ORDER_AT = 224;
    private static final int INFO_LENGTH = OUT_OF_ORDER_AT + Integer.BYTES;

    /** More than any connection has for its reader. */
    private static final long EVERYTHING = 1L << 31;

    private static final boolean BOUND = bind();

    private final Memory memory;
    private final ByteBuffer view;
    private final long message;
    private final Memory one;
    private final Memory info;
    private final ByteBuffer infoView;
    private final long infoAt;
    private final long infoLengthAt;

    private ReceiveTimestamps() {
        memory = new Memory(ROOM);
        memory.clear();
        view = memory.getByteBuffer(0, ROOM).order(ByteOrder.nativeOrder());
        long base = Pointer.nativeValue(memory);
        message = base + MESSAGE;
        view.putLong(VECTOR, base + BYTE).putLong(LENGTH_AT, 1);
        view.putLong(VECTOR_AT, base + VECTOR).putLong(VECTORS_AT, 1).putLong(CONTROL_AT, base + CONTROL);
        one = new Memory(Integer.BYTES);
        one.setInt(0, 1);
        info = new Memory(INFO_LENGTH + Integer.BYTES);
        info.clear();
        infoView = info.getByteBuffer(0, INFO_LENGTH + Integer.BYTES).order(ByteOrder.nativeOrder());
        infoAt = Pointer.nativeValue(info);
        infoLengthAt = infoAt + INFO_LENGTH;
    }

    /** Makes one; {@code null} where the system has no such stamps. Loads native code. */
    public static @Nullable ReceiveTimestamps ofThisSystem() {
        return BOUND ? new ReceiveTimestamps() : null;
    }

    private static boolean bind() {
        try {
            if (!Platform.isLinux() || Native.POINTER_SIZE != Long.BYTES || Native.LONG_SIZE != Long.BYTES) {
                return false;
            }
            Native.register(ReceiveTimestamps.class, "c");
            return true;
        } catch (LinkageError e) {
            return false;
        }
    }

    private static native int setsockopt(int descriptor, int level, int option, long value, int length);

    private static native int getsockopt(int descriptor, int level, int option, long value, long length);

    private static native long recvmsg(int descriptor, long message, int flags);

    /** Has the kernel keep stamps of what a socket receives from now on; does nothing where it has none for that. */
    public void ask(int descriptor) {
        var unused = setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, Pointer.nativeValue(one), Integer.BYTES);
    }

    @Override
    public long first(int descriptor) {
        return stamp(descriptor, 1, MSG_PEEK | MSG_DONTWAIT);
    }

    @Override
    public long last(int descriptor) {
        return stamp(descriptor, EVERYTHING, MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC);
    }

    /** Returns the stamp of the last of so many bytes that there are. */
    private long stamp(int descriptor, long bytes, int flags) {
        view.putLong(LENGTH_AT, bytes).putLong(CONTROL_LENGTH_AT, CONTROL_LENGTH);
        long got = recvmsg(descriptor, message, flags);
        if (got <= 0
                || view.getLong(CONTROL_LENGTH_AT) < FILLED
                || view.getInt(LEVEL_AT) != SOL_SOCKET
                || view.getInt(TYPE_AT) != SO_TIMESTAMPNS) {
            return NONE;
        }
        return view.getLong(SECONDS_AT) * 1_000_000_000L + view.getLong(NANOS_AT);
    }

    @Override
    public boolean look(int descriptor) {
        infoView.putInt(INFO_LENGTH, INFO_LENGTH);
        return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, infoAt, infoLengthAt) == 0
                && infoView.getInt(INFO_LENGTH) == INFO_LENGTH;
    }

    @Override
    public long bytes() {
        return infoView.getLong(BYTES_RECEIVED_AT);
    }

    @Override
    public int outOfOrder() {
        return infoView.getInt(OUT_OF_ORDER_AT);
    }
}
