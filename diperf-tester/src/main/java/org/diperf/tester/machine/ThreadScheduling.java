package org.diperf.tester.machine;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Has Linux give threads that start calls their turn on a processor before others of this tester. Asked of the C library,
 * because the JDK has no words for it; what is refused or not known leaves calls as late as they are, and the send lag
 * shows it.
 */
public final class ThreadScheduling {

    /** The shortest that Linux grants. */
    private static final long TURN_NANOS = 100_000;

    /** A quarter of a processor next to a thread that always works; all that such threads leave idle. With a tenth a saturated loop was slow for a minute. */
    private static final long NICE = 5;

    private static final Path TASKS = Path.of("/proc/self/task");

    // struct sched_attr of sched_setattr(2), in its first version.
    private static final int BYTES = 48;
    private static final int POLICY_AT = 4;
    private static final int RUNTIME_AT = 24;
    private static final int POLICY_OTHER = 0;

    /**
     * Numbers of system calls.
     *
     * @param setAttributes sched_setattr; sched_getattr is the next one
     */
    public record Calls(long setAttributes, long setPriority) {}

    private ThreadScheduling() {}

    /** Returns the numbers of a system, both -1 where they are not known. */
    public static Calls calls(String system, String processor) {
        boolean linux = system.toLowerCase(Locale.ROOT).equals("linux");
        if (linux && processor.equals("amd64")) {
            return new Calls(314, 141);
        }
        return linux && processor.equals("aarch64") ? new Calls(274, 140) : new Calls(-1, -1);
    }

    /**
     * Asks for short turns of the calling thread, and lets the JVM's compilers wait for it. From Linux 6.12 on a thread with
     * shorter turns than the one that has the processor need not wait for the end of that one's turn, some milliseconds;
     * its share stays the same. Loads native code.
     */
    public static void ask() {
        Calls calls = calls(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        if (calls.setAttributes < 0) {
            return;
        }
        try {
            Function system = NativeLibrary.getInstance("c").getFunction("syscall");
            shorten(system, calls);
            putCompilersBehind(system, calls);
        } catch (LinkageError e) {
            // No native code here.
            return;
        }
    }

    private static void shorten(Function system, Calls calls) {
        try (Memory attributes = new Memory(BYTES)) {
            attributes.clear();
            long got = system.invokeLong(new Object[] {calls.setAttributes + 1, 0L, attributes, (long) BYTES, 0L});
            if (got == 0 && attributes.getInt(POLICY_AT) == POLICY_OTHER) {
                attributes.setLong(RUNTIME_AT, TURN_NANOS);
                var unused = system.invokeLong(new Object[] {calls.setAttributes, 0L, attributes, 0L});
            }
        }
    }

    /** Compilers that the JVM adds later are started by these, and inherit it. */
    private static void putCompilersBehind(Function system, Calls calls) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).matches("C[12] CompilerThre\\s*")) {
                    long thread = Long.parseLong(task.getFileName().toString());
                    var unused = system.invokeLong(new Object[] {calls.setPriority, 0L, thread, NICE});
                }
            }
        } catch (IOException e) {
            // A thread that has just ended, or no /proc.
            return;
        }
    }
}
