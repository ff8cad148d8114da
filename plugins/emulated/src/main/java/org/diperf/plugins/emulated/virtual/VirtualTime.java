package org.diperf.plugins.emulated.virtual;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A virtual machine in which time goes on only while all wait: user-mode Linux with time travel. It has this machine's files. Stateless.
 */
public final class VirtualTime {

    /** Where the kernel is. */
    public static final Path KERNEL = Path.of("/var/tmp/diperf-kernel/linux");

    static final String BUILD = "build-kernel";
    private static final String RUN = "in-virtual-time";
    private static final List<String> FILES = List.of(BUILD, RUN, "init", "kernel.config");
    private static final Path BOOTED_WITH = Path.of("/proc/cmdline");

    /** A run is over before the optimising compiler pays for itself, and there is one processor; files of that machine's own. */
    private static final List<String> FLAGS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx768m", "-Djava.io.tmpdir=/dev/shm");

    private VirtualTime() {}

    /** Returns whether this process is in such a machine. */
    public static boolean isHere() {
        try {
            return Files.readString(BOOTED_WITH).contains("time-travel=");
        } catch (IOException e) {
            return false;
        }
    }

    /** Says what is missing for one; empty: nothing. */
    public static String missing() {
        return missing(KERNEL);
    }

    static String missing(Path kernel) {
        return Files.isExecutable(kernel)
                ? ""
                : "virtual time needs its kernel at " + kernel
                        + ", got none; build it once (about ten CPU minutes): java -cp " + classPath()
                        + " " + KernelMain.class.getName();
    }

    /**
     * Wraps the command of a Java program so that it runs there. Lines of its standard input are names of signals for the program,
     * such as INT; where it ends, all does.
     *
     * @param java words of the program, the first being the command java
     * @param folder for files that are needed until its end
     */
    public static List<String> wrap(List<String> java, Path folder) throws IOException {
        copy(folder);
        List<String> command = new ArrayList<>(List.of(
                // What a terminal sends is for the process around it alone.
                "setsid", "--wait", folder.resolve(RUN).toString(), "--guarded", java.get(0)));
        command.addAll(FLAGS);
        command.addAll(java.subList(1, java.size()));
        return command;
    }

    /** Writes the programs into a folder. */
    static void copy(Path folder) throws IOException {
        for (String name : FILES) {
            try (InputStream source = VirtualTime.class.getResourceAsStream(name)) {
                if (source == null) {
                    throw new IllegalStateException(name + " is missing from this jar");
                }
                Path file = folder.resolve(name);
                Files.copy(source, file);
                if (!file.toFile().setExecutable(true)) {
                    throw new IOException(file + " could not be made executable");
                }
            }
        }
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
