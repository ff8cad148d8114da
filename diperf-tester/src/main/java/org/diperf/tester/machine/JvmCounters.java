package org.diperf.tester.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * What HotSpot counts of what makes threads wait: how often it has stopped all that run Java, to collect garbage and for the like, and
 * for how long; how many classes it has loaded and initialised, how many methods compiled. Read from the file in which it shows its counters to {@code jstat}.
 * Thread-safe.
 */
public final class JvmCounters {

    private static final int MAGIC = 0xcafec0c0;
    private static final int BYTE_ORDER = 4;
    private static final int ENTRIES_FROM = 24;
    private static final int ENTRIES = 28;
    private static final int NAME_FROM = 4;
    private static final int TYPE = 12;
    private static final int VALUE_FROM = 16;
    private static final int ENTRY = 20;
    private static final byte TYPE_LONG = 'J';
    private static final double NANOS_A_SECOND = 1e9;

    private final ByteBuffer counters;
    private final int stops;
    private final int stopTicks;
    private final int loaded;
    private final int shared;
    private final int initialized;
    private final int compiled;
    private final double nanosATick;

    private JvmCounters(ByteBuffer counters) {
        this.counters = counters;
        this.stops = place(counters, "sun.rt.safepoints");
        this.stopTicks = place(counters, "sun.rt.safepointTime");
        this.loaded = place(counters, "java.cls.loadedClasses");
        this.shared = place(counters, "java.cls.sharedLoadedClasses");
        this.initialized = place(counters, "sun.cls.initializedClasses");
        this.compiled = place(counters, "sun.ci.totalCompiles");
        this.nanosATick = NANOS_A_SECOND / counters.getLong(place(counters, "sun.os.hrt.frequency"));
    }

    /** Makes those of this JVM; {@code null} where it does not show them. */
    public static @Nullable JvmCounters ofThisJvm() {
        return of(Path.of(
                "/tmp",
                "hsperfdata_" + System.getProperty("user.name"),
                Long.toString(ProcessHandle.current().pid())));
    }

    static @Nullable JvmCounters of(Path file) {
        if (!Files.isReadable(file)) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer counters = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            if (counters.getInt(0) != MAGIC) {
                return null;
            }
            counters.order(counters.get(BYTE_ORDER) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            return new JvmCounters(counters);
        } catch (IOException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    /** Finds where the value of a counter is. */
    private static int place(ByteBuffer counters, String name) {
        int at = counters.getInt(ENTRIES_FROM);
        for (int i = 0; i < counters.getInt(ENTRIES); i++) {
            int length = counters.getInt(at);
            if (length < ENTRY) {
                break;
            }
            if (counters.get(at + TYPE) == TYPE_LONG && isNamed(counters, at + counters.getInt(at + NAME_FROM), name)) {
                return at + counters.getInt(at + VALUE_FROM);
            }
            at += length;
        }
        throw new IndexOutOfBoundsException("no counter " + name);
    }

    private static boolean isNamed(ByteBuffer counters, int at, String name) {
        byte[] found = new byte[name.length()];
        counters.get(at, found);
        return name.equals(new String(found, StandardCharsets.US_ASCII)) && counters.get(at + found.length) == 0;
    }

    /** Counts the stops that have begun; it does so before it stops any thread. */
    public long stops() {
        return counters.getLong(stops);
    }

    /** Returns how long those stops lasted that are over, ns; told a moment after the threads run again. */
    public long stoppedNanos() {
        return (long) (counters.getLong(stopTicks) * nanosATick);
    }

    /**
     * Counts classes that were loaded or initialised, and methods that were compiled: where it grows, threads may have waited for each
     * other or for the compiler, which asks for locks of the JVM and changes the process's memory.
     */
    public long changes() {
        return counters.getLong(loaded)
                + counters.getLong(shared)
                + counters.getLong(initialized)
                + counters.getLong(compiled);
    }
}
