package org.diperf.tester.link;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.diperf.core.wire.TesterFacts;

/** Reads the facts about this machine and this JVM. */
public final class ThisMachine {

    private static final int MAX_FLAGS = 200;

    private ThisMachine() {}

    /** Reads them; may ask the name service for the host's name. */
    public static TesterFacts facts() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return new TesterFacts(
                host(),
                Runtime.getRuntime().availableProcessors(),
                memoryBytes(),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
                flags.subList(0, Math.min(flags.size(), MAX_FLAGS)),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                flags.stream().anyMatch(flag -> flag.startsWith("-agentlib:jdwp") || flag.startsWith("-Xrunjdwp")));
    }

    private static String host() {
        try {
            // Where there is no name service this answers at once.
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "unknown";
            }
        }
    }

    private static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Runtime.getRuntime().maxMemory();
    }
}
