package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;

/** Watches processes of this machine, with their children. */
final class ProcessMonitor implements Monitor {

    /** What costs more is not asked for at each sample: it takes at most this part of the time. */
    private static final int COST_SHARE = 100;

    /** Where the processes are found. */
    interface Roots {
        List<Long> find() throws IOException;
    }

    private final Path proc;
    private final ProcessFinder finder;
    private final Roots roots;
    private final boolean withChildren;
    private final ProcessCpuTime time = new ProcessCpuTime();
    private final Costly proportional = new Costly();
    private final Costly descriptors = new Costly();
    private final Costly finding = new Costly();
    private final int cores;
    private final long pageBytes;
    private List<Long> known = List.of();

    /** Decides when something that takes long may be asked for again. */
    private static final class Costly {
        private long notBefore = Long.MIN_VALUE;

        boolean isDue(long now) {
            return now >= notBefore;
        }

        void took(long from, long to) {
            notBefore = to + (to - from) * COST_SHARE;
        }
    }

    /** @param cores of this machine */
    ProcessMonitor(Path proc, Roots roots, boolean withChildren, int cores) {
        this.proc = proc;
        this.finder = new ProcessFinder(proc);
        this.roots = roots;
        this.withChildren = withChildren;
        this.cores = cores;
        this.pageBytes = finder.pageBytes();
    }

    @Override
    public void sample(Readings to) throws IOException {
        long uptime = finder.uptimeTicks();
        long before = to.nanoTime();
        Map<Long, ProcessFacts> processes = finder.read(known, withChildren);
        known = known.stream().filter(processes::containsKey).toList();
        if (known.isEmpty() || finding.isDue(before)) {
            known = find(known);
            long found = to.nanoTime();
            finding.took(before, found);
            before = found;
            processes = finder.read(known, withChildren);
        }
        long at = before + (to.nanoTime() - before) / 2;
        if (processes.isEmpty()) {
            throw new IOException("expected a process to monitor, got none running");
        }
        time.look(processes.values(), uptime);
        to.counter("cpu", "cores", time.totalSeconds(), at);
        to.counter("cpu.user", "cores", time.userSeconds(), at);
        to.counter("cpu.system", "cores", time.systemSeconds(), at);
        to.gauge("cores", "count", cores, at);
        long pages = 0;
        long threads = 0;
        for (ProcessFacts each : processes.values()) {
            pages += each.pages();
            threads += each.threads();
        }
        to.gauge("processes", "count", processes.size(), at);
        to.gauge("threads", "count", threads, at);
        to.gauge("memory.rss", "bytes", pages * pageBytes, at);
        memory(to, processes.keySet(), pages * pageBytes, at);
        descriptors(to, processes.keySet());
        transfers(to, processes.keySet(), at);
    }

    /** Finds those that began since, next to those that run: a service may be replaced process by process. */
    private List<Long> find(List<Long> running) throws IOException {
        try {
            return Stream.concat(running.stream(), roots.find().stream())
                    .distinct()
                    .toList();
        } catch (IOException e) {
            if (running.isEmpty()) {
                throw e;
            }
            return running;
        }
    }

    /** Returns whether a process has ended, with its parent's notice or without: it holds nothing, and its files tell nothing. */
    private boolean hasEnded(long pid) {
        ProcessFacts now = ProcessFacts.read(proc, pid);
        return now == null || now.pages() == 0;
    }

    /** Proportional memory counts pages that several processes share once; the sum of the resident counts them often. */
    private void memory(Readings to, Set<Long> pids, long residentBytes, long at) {
        long from = to.nanoTime();
        if (!proportional.isDue(from)) {
            return;
        }
        long sum = 0;
        for (long pid : pids) {
            long kilobytes = field(proc.resolve(pid + "/smaps_rollup"), "Pss:");
            if (kilobytes < 0 && !hasEnded(pid)) {
                to.note("memory is resident memory, which counts shared pages once per process, because proportional "
                        + "memory cannot be read");
                to.gauge("memory", "bytes", residentBytes, at);
                return;
            }
            sum += Math.max(0, kilobytes) * 1024;
        }
        to.gauge("memory", "bytes", sum, at);
        proportional.took(from, to.nanoTime());
    }

    private void descriptors(Readings to, Set<Long> pids) {
        long from = to.nanoTime();
        if (!descriptors.isDue(from)) {
            return;
        }
        long sum = 0;
        for (long pid : pids) {
            try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve(pid + "/fd"))) {
                for (Path each : open) {
                    sum += each == null ? 0 : 1;
                }
            } catch (IOException e) {
                if (!hasEnded(pid)) {
                    return;
                }
            }
        }
        long end = to.nanoTime();
        to.gauge("descriptors", "count", sum, end);
        descriptors.took(from, end);
    }

    private void transfers(Readings to, Set<Long> pids, long at) {
        long read = 0;
        long written = 0;
        for (long pid : pids) {
            Path file = proc.resolve(pid + "/io");
            long in = field(file, "read_bytes:");
            long out = field(file, "write_bytes:");
            if ((in < 0 || out < 0) && !hasEnded(pid)) {
                return;
            }
            read += Math.max(0, in);
            written += Math.max(0, out);
        }
        to.counter("disk.read", "bytes/s", read, at);
        to.counter("disk.write", "bytes/s", written, at);
    }

    private static long field(Path file, String name) {
        String text = ProcessFacts.text(file);
        for (String line : text == null ? new String[0] : text.split("\n")) {
            if (line.startsWith(name)) {
                String[] words = line.substring(name.length()).strip().split(" +");
                return words[0].matches("[0-9]{1,18}") ? Long.parseLong(words[0]) : ProcessFacts.ABSENT;
            }
        }
        return ProcessFacts.ABSENT;
    }
}
