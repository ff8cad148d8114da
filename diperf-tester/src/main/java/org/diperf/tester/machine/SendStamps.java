package org.diperf.tester.machine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * When the kernel gave what a TCP connection sends to the device, by the stamps that it leaves in the connection's queue of errors
 * (Linux, <i>Documentation/networking/timestamping.rst</i>). For the loopback, a veth and most cards it is there when the sending has
 * returned. Asked of the C library. Confined to one thread.
 */
public final class SendStamps implements Departures {

    // <asm-generic/socket.h>, <linux/net_tstamp.h>, <bits/socket.h>
    private static final int SOL_SOCKET = 1;
    private static final int SO_TIMESTAMPING = 37;
    private static final int OF_DEVICE = 1 << 1;
    private static final int BY_SOFTWARE = 1 << 4;
    private static final int WITHOUT_DATA = 1 << 11;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_ERRQUEUE = 0x2000;

    // struct msghdr with pointers and lengths of eight bytes, and room for what comes beside a message.
    private static final int CONTROL = 56;
    private static final int CONTROL_LENGTH = 256;
    private static final int CONTROL_AT = 32;
    private static final int CONTROL_LENGTH_AT = 40;

    // struct cmsghdr, and struct scm_timestamping, whose first instant is the software's.
    private static final int HEADER = 16;
    private static final int LEVEL_AT = 8;
    private static final int TYPE_AT = 12;
    private static final int STAMPS = 48;

    /** A connection leaves no more behind between two calls, unless something is wrong. */
    private static final int MOST = 64;

    private static final boolean BOUND = bind();

    private final Memory memory;
    private final ByteBuffer view;
    private final long message;
    private final Memory on;
    private final Memory off;

    private SendStamps() {
        memory = new Memory(CONTROL + CONTROL_LENGTH);
        memory.clear();
        view = memory.getByteBuffer(0, CONTROL + CONTROL_LENGTH).order(ByteOrder.nativeOrder());
        message = Pointer.nativeValue(memory);
        view.putLong(CONTROL_AT, message + CONTROL);
        on = new Memory(Integer.BYTES);
        on.setInt(0, OF_DEVICE | BY_SOFTWARE | WITHOUT_DATA);
        off = new Memory(Integer.BYTES);
        off.setInt(0, 0);
    }

    /** Makes one; {@code null} where the system has no such stamps. Loads native code. */
    public static @Nullable SendStamps ofThisSystem() {
        return BOUND ? new SendStamps() : null;
    }

    private static boolean bind() {
        try {
            if (!Platform.isLinux() || Native.POINTER_SIZE != Long.BYTES || Native.LONG_SIZE != Long.BYTES) {
                return false;
            }
            Native.register(SendStamps.class, "c");
            return true;
        } catch (LinkageError e) {
            return false;
        }
    }

    private static native int setsockopt(int descriptor, int level, int option, long value, int length);

    private static native long recvmsg(int descriptor, long message, int flags);

    @Override
    public void note(int descriptor, boolean notes) {
        long value = Pointer.nativeValue(notes ? on : off);
        var unused = setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPING, value, Integer.BYTES);
    }

    @Override
    public long takeLast(int descriptor) {
        long last = NONE;
        for (int i = 0; i < MOST; i++) {
            view.putLong(CONTROL_LENGTH_AT, CONTROL_LENGTH);
            if (recvmsg(descriptor, message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
                break;
            }
            last = Math.max(last, stamp((int) view.getLong(CONTROL_LENGTH_AT)));
        }
        return last;
    }

    /** Returns the stamp among so many bytes of what came beside a message. */
    private long stamp(int length) {
        for (int at = 0; at + HEADER <= length; ) {
            long size = view.getLong(CONTROL + at);
            if (size < HEADER || size > length - at) {
                break;
            }
            if (view.getInt(CONTROL + at + LEVEL_AT) == SOL_SOCKET
                    && view.getInt(CONTROL + at + TYPE_AT) == SO_TIMESTAMPING
                    && size >= HEADER + STAMPS) {
                int stamps = CONTROL + at + HEADER;
                return view.getLong(stamps) * 1_000_000_000L + view.getLong(stamps + Long.BYTES);
            }
            at += (int) (size + Long.BYTES - 1) & -Long.BYTES;
        }
        return NONE;
    }
}
