package org.diperf.plugins.weather;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a sensor measures of its own host, from what Linux says in {@code /proc}. Confined to one thread.
 *
 * <p>CPU by the formula of NWS's vmstat method (Wolski, Spring, Hayes: Predicting the CPU availability of time-shared Unix systems, 1999),
 * for hosts with several processors: of n processors a share i is idle, and r processes ran on the rest. A new process gets what is idle and
 * its share of what is not, at most one processor: min(1, n i + n (1 - i) / (r + 1)); one that runs already gets min(1, n / r).
 */
final class LocalResources {

    private static final double KIBI_PER_MEBI = 1024;

    private final Path proc;
    private final Path disk;
    private double idleTicks = Double.NaN;
    private double allTicks;

    /** @param disk a folder on the disk whose free space counts */
    LocalResources(Path proc, Path disk) {
        this.proc = proc;
        this.disk = disk;
    }

    private String read(String name) throws IOException {
        return Files.readString(proc.resolve(name), StandardCharsets.ISO_8859_1);
    }

    /**
     * Measures.
     *
     * @return by the name of the resource; CPU's only from the second time on
     * @throws IOException when this is no Linux
     */
    Map<String, Double> measure() throws IOException {
        Map<String, Double> found = new LinkedHashMap<>();
        String[] load = read("loadavg").strip().split("[ /]");
        found.put("loadAverage", Double.parseDouble(load[0]));
        // This process runs while it reads the file.
        double running = Math.max(0, Double.parseDouble(load[3]) - 1);
        cpu(read("stat"), running, found);
        for (String line : read("meminfo").split("\n")) {
            if (line.startsWith("MemAvailable:")) {
                found.put("freeMemory", Double.parseDouble(line.split(" +")[1]) / KIBI_PER_MEBI);
            }
        }
        found.put("freeDisk", Files.getFileStore(disk).getUsableSpace() / (KIBI_PER_MEBI * KIBI_PER_MEBI));
        return found;
    }

    private void cpu(String stat, double running, Map<String, Double> found) {
        String[] words = stat.substring(0, stat.indexOf('\n')).strip().split(" +");
        double all = 0;
        for (int i = 1; i < Math.min(words.length, 9); i++) {
            all += Double.parseDouble(words[i]);
        }
        double idle = Double.parseDouble(words[4]) + Double.parseDouble(words[5]);
        if (!Double.isNaN(idleTicks) && all > allTicks) {
            long processors =
                    stat.lines().filter(line -> line.matches("cpu[0-9]+ .*")).count();
            double n = Math.max(1, processors);
            double share = Math.max(0, Math.min(1, (idle - idleTicks) / (all - allTicks)));
            found.put("availableCpu", Math.min(1, n * share + n * (1 - share) / (running + 1)));
            found.put("currentCpu", Math.min(1, n / Math.max(1, running)));
        }
        idleTicks = idle;
        allTicks = all;
    }
}
