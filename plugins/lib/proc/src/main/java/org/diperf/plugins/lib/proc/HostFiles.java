package org.diperf.plugins.lib.proc;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.diperf.core.spi.Readings;

/** Understands what Linux says of a host in the files of {@code /proc}, wherever they were read. Stateless. */
public final class HostFiles {

    /** Names of the files below {@code /proc} that are asked for; any of them may be missing. */
    public static final List<String> NAMES = List.of("stat", "loadavg", "meminfo", "vmstat", "net/dev", "diskstats");

    /** Of a second: what the kernel shows to programs on every machine that Java 17 runs on. */
    public static final long TICKS_PER_SECOND = 100;

    /** Names what is no file below {@code /proc}: the bytes of a page of memory. */
    public static final String PAGE_BYTES = "page-bytes";

    /**
     * Names what is no file either: the paths {@code NAME/device} and {@code NAME/lower_OTHER} that there are below {@code
     * /sys/class/net}, of interfaces that a device is behind, and that stand upon others.
     */
    public static final String LINKS = "links";

    /** Of a page, where that is not told. */
    public static final long USUAL_PAGE_BYTES = 4096;

    /** A shell that finds no path gives back the pattern. */
    private static final Pattern LINK = Pattern.compile("([^/\\s*]+)/(?:device|lower_([^/\\s*]+))(?=\\s|$)");

    private static final long SECTOR_BYTES = 512;
    /** Partitions and layers below other devices would count twice. */
    private static final Pattern WHOLE_DISK =
            Pattern.compile("(sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\\d+n\\d+|mmcblk\\d+)");

    private static final int MAX_INTERFACES = 20;

    private HostFiles() {}

    /**
     * Takes one look at a host.
     *
     * @param files contents by name, with {@link #PAGE_BYTES} and {@link #LINKS}; any may be missing
     * @param sourceNanos when they were read, on a clock of the host
     * @param atNanos the same on the clock of the readings
     */
    public static void take(Map<String, String> files, Readings to, long sourceNanos, long atNanos) {
        stat(files.getOrDefault("stat", ""), to, sourceNanos, atNanos);
        String[] load = files.getOrDefault("loadavg", "").strip().split(" +");
        if (load.length > 3) {
            to.gauge("load", "count", number(load[0]), atNanos);
            to.gauge("processes", "count", number(load[3].replaceFirst(".*/", "")), atNanos);
        }
        memory(files.getOrDefault("meminfo", ""), to, atNanos);
        double pageBytes = number(files.getOrDefault(PAGE_BYTES, "").strip());
        for (String line : files.getOrDefault("vmstat", "").split("\n")) {
            String[] words = line.split(" ");
            if (words.length == 2 && (words[0].equals("pswpin") || words[0].equals("pswpout"))) {
                String way = words[0].equals("pswpin") ? "swap.in" : "swap.out";
                to.counter(
                        way,
                        "bytes/s",
                        number(words[1]) * (pageBytes > 0 ? pageBytes : USUAL_PAGE_BYTES),
                        sourceNanos,
                        atNanos);
            }
        }
        network(files.getOrDefault("net/dev", ""), devices(files.getOrDefault(LINKS, "")), to, sourceNanos, atNanos);
        disks(files.getOrDefault("diskstats", ""), to, sourceNanos, atNanos);
    }

    private static void stat(String stat, Readings to, long source, long at) {
        int cores = 0;
        for (String line : stat.split("\n")) {
            String[] words = line.strip().split(" +");
            if (words[0].equals("cpu") && words.length > 8) {
                double user = number(words[1]) + number(words[2]);
                double system = number(words[3]) + number(words[6]) + number(words[7]);
                to.counter("cpu", "cores", (user + system) / (double) TICKS_PER_SECOND, source, at);
                to.counter("cpu.user", "cores", user / (double) TICKS_PER_SECOND, source, at);
                to.counter("cpu.system", "cores", system / (double) TICKS_PER_SECOND, source, at);
                to.counter("cpu.iowait", "cores", number(words[5]) / (double) TICKS_PER_SECOND, source, at);
                to.counter("cpu.steal", "cores", number(words[8]) / (double) TICKS_PER_SECOND, source, at);
            } else if (words[0].matches("cpu[0-9]+")) {
                cores++;
            } else if (words[0].equals("ctxt") && words.length > 1) {
                to.counter("switches", "1/s", number(words[1]), source, at);
            }
        }
        if (cores > 0) {
            to.gauge("cores", "count", cores, at);
        }
    }

    private static void memory(String meminfo, Readings to, long at) {
        double total = Double.NaN;
        double available = Double.NaN;
        double swap = Double.NaN;
        double swapFree = Double.NaN;
        for (String line : meminfo.split("\n")) {
            String[] words = line.split("[: ]+");
            if (words.length > 1) {
                double bytes = number(words[1]) * 1024;
                switch (words[0]) {
                    case "MemTotal" -> total = bytes;
                    case "MemAvailable" -> available = bytes;
                    case "SwapTotal" -> swap = bytes;
                    case "SwapFree" -> swapFree = bytes;
                    default -> {
                        // of no concern
                    }
                }
            }
        }
        to.gauge("memory", "bytes", total - available, at);
        to.gauge("memory.total", "bytes", total, at);
        to.gauge("swap", "bytes", swap - swapFree, at);
    }

    /** Finds the interfaces with a device behind them, but for those upon which another such one stands: it counts for both. */
    private static Set<String> devices(String links) {
        List<MatchResult> all = LINK.matcher(links).results().toList();
        Set<String> devices = all.stream()
                .filter(link -> link.group(2) == null)
                .map(link -> link.group(1))
                .collect(Collectors.toSet());
        Set<String> below = all.stream()
                .filter(link -> link.group(2) != null && devices.contains(link.group(1)))
                .map(link -> link.group(2))
                .collect(Collectors.toSet());
        devices.removeAll(below);
        return devices;
    }

    /**
     * Adds up the interfaces with devices: what bonds, bridges, VLANs and tunnels carry goes through these too. A container may have none
     * of them; then all but the loopback are added up.
     */
    private static void network(String dev, Set<String> devices, Readings to, long source, long at) {
        double in = 0;
        double out = 0;
        boolean real = false;
        int interfaces = 0;
        for (String line : dev.split("\n")) {
            int colon = line.indexOf(':');
            String[] words = colon < 0
                    ? new String[0]
                    : line.substring(colon + 1).strip().split(" +");
            if (words.length > 8) {
                String name = line.substring(0, colon).strip();
                double received = number(words[0]);
                double sent = number(words[8]);
                if (!real && devices.contains(name)) {
                    real = true;
                    in = 0;
                    out = 0;
                }
                if (real ? devices.contains(name) : !name.equals("lo")) {
                    in += received;
                    out += sent;
                }
                if (received + sent > 0 && interfaces++ < MAX_INTERFACES) {
                    to.counter("network." + name + ".in", "bytes/s", received, source, at);
                    to.counter("network." + name + ".out", "bytes/s", sent, source, at);
                }
            }
        }
        if (!dev.isBlank()) {
            to.counter("network.in", "bytes/s", in, source, at);
            to.counter("network.out", "bytes/s", out, source, at);
        }
    }

    private static void disks(String diskstats, Readings to, long source, long at) {
        double read = 0;
        double written = 0;
        boolean any = false;
        for (String line : diskstats.split("\n")) {
            String[] words = line.strip().split(" +");
            if (words.length > 9 && WHOLE_DISK.matcher(words[2]).matches()) {
                any = true;
                read += number(words[5]) * SECTOR_BYTES;
                written += number(words[9]) * SECTOR_BYTES;
            }
        }
        if (any) {
            to.counter("disk.read", "bytes/s", read, source, at);
            to.counter("disk.write", "bytes/s", written, source, at);
        }
    }

    private static double number(String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
