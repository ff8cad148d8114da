package org.diperf.plugins.emulated.netem;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.clock.WallClock;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.engine.TimeHistogram;

/**
 * Sends a packet each 10 ms over a link of its own, and compares how long it takes, by the kernel's stamp of its arrival, with what netem was
 * told. What is more is how late the kernel is with packets on this machine, while it carries those of a run: with what the sender took to hand
 * the packet over, so that it is never less. Packets that go astray do not count. Has a thread of its own; thread-safe.
 */
public final class Probes implements AutoCloseable {

    /** One way over the link on which they are sent. */
    public static final long LATENCY_NANOS = 1_000_000;

    private static final long PERIOD_NANOS = 10_000_000;
    private static final double NANOS = 1e9;

    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int TIME_BYTES = 16;
    private static final int ADDRESS_BYTES = 16;
    private static final int PAYLOAD_BYTES = 8;
    private static final short PORT = 9;
    /** Of the last packet that was received from a socket; the first time it is asked, that has it stamped. */
    private static final long SIOCGSTAMPNS = 0x8907;

    static {
        Native.register(Probes.class, NativeLibrary.getInstance("c"));
    }

    /** Runs an action in the network of an end of the link. */
    public interface Within {
        <T> T run(Callable<T> action) throws Exception;
    }

    private final int from;
    private final int to;
    private final Memory room = new Memory(ADDRESS_BYTES + PAYLOAD_BYTES + TIME_BYTES);
    private final WallClock wallClock;
    private final NanoClock clock;
    private final TimeHistogram late = new TimeHistogram();
    private final Thread thread = new Thread(this::send, "diperf-emulated-probes");
    private long countFromNanos = Long.MIN_VALUE;
    private volatile boolean isOver;

    private Probes(int from, int to, WallClock wallClock, NanoClock clock) {
        this.from = from;
        this.to = to;
        this.wallClock = wallClock;
        this.clock = clock;
    }

    /**
     * Begins to send.
     *
     * @param sender the end at which netem is
     * @param receiver the other one
     * @param address of the receiver, in the order of the network's bytes
     */
    public static Probes start(Within sender, Within receiver, int address, WallClock wallClock, NanoClock clock)
            throws IOException {
        try {
            Probes probes = new Probes(
                    sender.run(() -> open(address, false)), receiver.run(() -> open(address, true)), wallClock, clock);
            probes.room.clear();
            probes.stamp();
            probes.thread.setDaemon(true);
            probes.thread.start();
            return probes;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot send probes over the emulated network: " + e.getMessage(), e);
        }
    }

    private static int open(int address, boolean isReceiver) throws IOException {
        int made = check(socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0), "cannot create a socket for probes");
        try (Memory where = new Memory(ADDRESS_BYTES);
                Memory second = new Memory(TIME_BYTES)) {
            where.clear();
            ByteBuffer bytes = where.getByteBuffer(0, ADDRESS_BYTES).order(ByteOrder.nativeOrder());
            bytes.putShort((short) AF_INET)
                    .order(ByteOrder.BIG_ENDIAN)
                    .putShort(PORT)
                    .putInt(address);
            long pointer = Pointer.nativeValue(where);
            check(
                    isReceiver ? bind(made, pointer, ADDRESS_BYTES) : connect(made, pointer, ADDRESS_BYTES),
                    "cannot set the address of the probe socket");
            second.setLong(0, 1);
            second.setLong(Long.BYTES, 0);
            setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, Pointer.nativeValue(second), TIME_BYTES);
        }
        return made;
    }

    private static int check(int result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": error " + Native.getLastError());
        }
        return result;
    }

    private void send() {
        for (long number = 1; !isOver; number++) {
            LockSupport.parkNanos(PERIOD_NANOS);
            room.setLong(0, number);
            double sent = wallClock.unixSeconds();
            send(from, Pointer.nativeValue(room), PAYLOAD_BYTES, 0);
            long came = received();
            // One that was thought lost may still come.
            while (came > 0 && came < number) {
                came = received();
            }
            if (came == number) {
                count(Math.round((stamp() - sent) * NANOS) - LATENCY_NANOS);
            }
        }
    }

    /** Returns the number of the next that comes; 0: none does within a second. */
    private long received() {
        return recv(to, Pointer.nativeValue(room), PAYLOAD_BYTES, 0) == PAYLOAD_BYTES ? room.getLong(0) : 0;
    }

    /** Returns when the last packet was received, seconds since 1970; has those that follow stamped. */
    private double stamp() {
        Pointer time = room.share(PAYLOAD_BYTES);
        ioctl(to, SIOCGSTAMPNS, Pointer.nativeValue(time));
        return time.getLong(0) + time.getLong(Long.BYTES) / NANOS;
    }

    private synchronized void count(long nanos) {
        if (clock.nanoTime() >= countFromNanos) {
            late.add(nanos);
        }
    }

    /** Counts those from an instant on, and no others. */
    public synchronized void countFrom(long atNanos) {
        late.clear();
        countFromNanos = atNanos;
    }

    /** Returns how many have been counted. */
    public synchronized long count() {
        return late.count();
    }

    /** Says how late they were. */
    public synchronized void report(EngineReport into) {
        into.times(EngineReport.LATE_NANOS, late);
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        thread.join();
        close(from);
        close(to);
        room.close();
    }

    private static native int close(int file);

    private static native int socket(int domain, int type, int protocol);

    private static native int setsockopt(int socket, int level, int option, long value, int bytes);

    private static native int bind(int socket, long address, int bytes);

    private static native int connect(int socket, long address, int bytes);

    private static native long send(int socket, long from, long bytes, int flags);

    private static native long recv(int socket, long into, long bytes, int flags);

    private static native int ioctl(int file, long request, long argument);
}
