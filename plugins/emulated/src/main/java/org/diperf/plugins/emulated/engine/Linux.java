package org.diperf.plugins.emulated.engine;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is needed of the C library and the kernel besides reading and writing (Linux, 64 bits). */
final class Linux {

    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int PR_SET_TIMERSLACK = 29;
    private static final int SCHED_FIFO = 1;
    private static final short POLLIN = 1;
    private static final int POLLFD_BYTES = 8;
    private static final int EINTR = 4;

    // <linux/if.h>, <linux/if_tun.h>
    private static final int IFREQ_BYTES = 40;
    private static final int FLAGS_AT = 16;
    private static final short IFF_TUN = 0x0001;
    private static final short IFF_NO_PI = 0x1000;
    private static final short IFF_VNET_HDR = 0x4000;
    private static final long TUNSETIFF = 0x400454caL;
    private static final long TUNSETOFFLOAD = 0x400454d0L;
    private static final long TUN_F_CSUM_AND_TSO4 = 3;
    private static final long TUNSETCARRIER = 0x400454e2L;

    static {
        Native.register(Linux.class, NativeLibrary.getInstance("c"));
        Epoll.ensureAvailability();
    }

    private Linux() {}

    /**
     * Makes a TUN device in the network namespace of this process, through which the kernel hands over packets of one TCP
     * connection as one. It is gone when the descriptor is closed, wherever it has been moved to.
     */
    static FileDescriptor tun(String name) throws IOException {
        int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
        check(device, "cannot open /dev/net/tun");
        try (Memory request = new Memory(IFREQ_BYTES)) {
            request.clear();
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            request.write(0, bytes, 0, bytes.length);
            request.setShort(FLAGS_AT, (short) (IFF_TUN | IFF_NO_PI | IFF_VNET_HDR));
            check(ioctl(device, TUNSETIFF, Pointer.nativeValue(request)), "the device " + name + " cannot be created");
            check(ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM_AND_TSO4), "the device " + name + " refuses offload");
        }
        return new FileDescriptor(device);
    }

    /** Has a TUN device say that it has a carrier, or has none, to the network namespace in which it is. */
    static void carrier(FileDescriptor device, boolean isThere) throws IOException {
        try (Memory is = new Memory(Integer.BYTES)) {
            is.setInt(0, isThere ? 1 : 0);
            check(ioctl(device.intValue(), TUNSETCARRIER, Pointer.nativeValue(is)), "cannot set a device's carrier");
        }
    }

    /** Makes two ends of which each reads the packets that are written to the other. */
    static List<FileDescriptor> pair() throws IOException {
        try (Memory ends = new Memory(2 * Integer.BYTES)) {
            int type = SOCK_SEQPACKET | O_NONBLOCK | O_CLOEXEC;
            check(socketpair(AF_UNIX, type, 0, Pointer.nativeValue(ends)), "cannot create a socket pair");
            return List.of(new FileDescriptor(ends.getInt(0)), new FileDescriptor(ends.getInt(Integer.BYTES)));
        }
    }

    /** Has the kernel wake this thread when it asks to be woken, and not up to 50 µs later. */
    static void wakeInTime() {
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    }

    /**
     * Has the kernel run this thread before all ordinary ones, as soon as it wakes: others on the same processors would make
     * packets tens of milliseconds late. Without the right to it, as in some containers, nothing changes.
     */
    static void goFirst() {
        try (Memory priority = new Memory(Integer.BYTES)) {
            priority.setInt(0, 1);
            sched_setscheduler(0, SCHED_FIFO, Pointer.nativeValue(priority));
        }
    }

    private static void check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": error " + Native.getLastError());
        }
    }

    /** Waits for packets to read. Confined to one thread. */
    static final class Poll implements AutoCloseable {

        private final int count;
        private final Memory memory;
        private final ByteBuffer view;
        private final long timeAt;

        Poll(List<FileDescriptor> descriptors) {
            count = descriptors.size();
            timeAt = (long) POLLFD_BYTES * count;
            memory = new Memory(timeAt + 2 * Long.BYTES);
            memory.clear();
            view = memory.getByteBuffer(0, memory.size()).order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                view.putInt(POLLFD_BYTES * i, descriptors.get(i).intValue());
                view.putShort(POLLFD_BYTES * i + Integer.BYTES, POLLIN);
            }
        }

        /** Waits at most so long; returns how many can be read. */
        int await(long nanos) throws IOException {
            view.putLong((int) timeAt, nanos / 1_000_000_000L)
                    .putLong((int) timeAt + Long.BYTES, nanos % 1_000_000_000L);
            long base = Pointer.nativeValue(memory);
            int ready = ppoll(base, count, base + timeAt, 0);
            if (ready < 0 && Native.getLastError() != EINTR) {
                throw new IOException("ppoll: error " + Native.getLastError());
            }
            return Math.max(0, ready);
        }

        boolean canRead(int descriptor) {
            return view.getShort(POLLFD_BYTES * descriptor + Integer.BYTES + Short.BYTES) != 0;
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private static native int open(String path, int flags);

    private static native int ioctl(int descriptor, long request, long argument);

    private static native int socketpair(int domain, int type, int protocol, long ends);

    private static native int prctl(int option, long first, long second, long third, long fourth);

    private static native int sched_setscheduler(int thread, int policy, long priority);

    private static native int ppoll(long descriptors, long count, long timeout, long mask);
}
