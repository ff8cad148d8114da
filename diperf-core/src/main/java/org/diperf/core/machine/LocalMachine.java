package org.diperf.core.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** This machine and this JVM. Thread-safe. */
public final class LocalMachine {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private LocalMachine() {}

    /** Returns the name that the kernel has for it; only where that cannot be read is the name service asked. */
    public static String hostName() {
        try {
            // Where there is no name service this answers at once.
            return Files.readString(HOST_NAME).strip();
        } catch (IOException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "localhost";
            }
        }
    }

    /** Returns name, version and architecture of the operating system. */
    public static String operatingSystem() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }

    /** Returns the model of its processors; empty where the system does not tell. */
    public static String processor() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    /** Counts the processors that this JVM may use. */
    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Returns the physical memory in bytes; where the JVM does not know it, the largest heap that it may have. */
    public static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }

    /** Returns the arguments of this JVM, without those of the program. */
    public static List<String> jvmFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** Returns whether a debugger could stop this JVM: it was started with the debugging agent. */
    public static boolean debuggerAttached() {
        return jvmFlags().stream().anyMatch(flag -> flag.startsWith("-agentlib:jdwp") || flag.startsWith("-Xrunjdwp"));
    }
}
