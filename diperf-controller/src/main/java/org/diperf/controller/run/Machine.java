package org.diperf.controller.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what this machine and JVM are, for the part of the report that tells how a run was measured. */
final class Machine {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

    private Machine() {}

    static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("host", hostName());
        facts.put(
                "operating system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("processor", firstValue(CPU_INFO, "model name"));
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", firstValue(MEMORY_INFO, "MemTotal"));
        facts.put(
                "controller's Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("controller's JVM flags", jvmFlags().isEmpty() ? "none" : String.join(" ", jvmFlags()));
        facts.values().removeIf(String::isBlank);
        return facts;
    }

    static List<String> jvmFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    /** Says whether a debugger could stop this JVM: it was started with the debugging agent. */
    static boolean debuggerAttached() {
        return jvmFlags().stream().anyMatch(flag -> flag.startsWith("-agentlib:jdwp") || flag.startsWith("-Xrunjdwp"));
    }

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String firstValue(Path file, String name) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }
}
