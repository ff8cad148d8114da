package org.diperf.tester.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Linux says of this process and its host, from {@code /proc}. A value that is not there, or cannot be read just now
 * because no descriptor is free, is {@link #ABSENT}. Confined to one thread.
 */
public final class ProcFiles {

    /** Stands for a value that could not be read. */
    public static final long ABSENT = -1;

    /** Threads of which the wait is read; more clients than this behave alike. */
    private static final int MAX_TASKS = 16;

    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;
    private static final int TICKS = 8;

    private final Path folder;
    private final Set<String> seen = new HashSet<>();
    private final List<Task> tasks = new ArrayList<>();

    /** A thread whose wait for a processor is followed. */
    private static final class Task {
        private final Path file;
        private Turns seen;

        Task(Path file, Turns seen) {
            this.file = file;
            this.seen = seen;
        }
    }

    /** What the scheduler says of a thread since it began: time on a processor and time on the run queue, ns. */
    private record Turns(long ran, long waited) {}

    /**
     * How threads that start calls came by their processor.
     *
     * @param longestWaitNanos of one of them
     * @param share of the time in which they had something to do that they waited, from 0 to 1
     */
    public record RunQueue(long longestWaitNanos, double share) {}

    /**
     * Processor time of the host since it started, in ticks.
     *
     * @param all that there was
     * @param busy that this host's processes and its kernel used
     * @param stolen that the hypervisor gave to others
     * @param processors over which it is counted
     */
    public record HostTime(long all, long busy, long stolen, int processors) {}

    /** @param folder {@code /proc} but in tests */
    public ProcFiles(Path folder) {
        this.folder = folder;
    }

    private @Nullable String text(String name) {
        return text(folder.resolve(name));
    }

    private static @Nullable String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null;
        }
    }

    private static long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            return ABSENT;
        }
    }

    /** Reads the processor time of the host. */
    @Nullable
    public HostTime hostTime() {
        String stat = text("stat");
        if (stat == null || !stat.startsWith("cpu ")) {
            return null;
        }
        String[] words = stat.substring(0, stat.indexOf('\n') < 0 ? stat.length() : stat.indexOf('\n'))
                .split(" +");
        if (words.length <= TICKS) {
            return null;
        }
        long all = 0;
        // Guests' time, behind these, is within the user's.
        for (int i = 0; i < TICKS; i++) {
            all += number(words[i + 1]);
        }
        long stolen = number(words[STEAL + 1]);
        long busy = all - number(words[IDLE + 1]) - number(words[IO_WAIT + 1]) - stolen;
        int processors = 0;
        for (int at = stat.indexOf("\ncpu"); at >= 0; at = stat.indexOf("\ncpu", at + 1)) {
            processors++;
        }
        return new HostTime(all, busy, stolen, Math.max(1, processors));
    }

    /** Counts the TCP segments that were sent again by this host, or its container, since it started. */
    public long tcpRetransmits() {
        String snmp = text("net/snmp");
        if (snmp == null) {
            return ABSENT;
        }
        String[] names = null;
        for (String line : snmp.split("\n")) {
            if (line.startsWith("Tcp:")) {
                String[] words = line.strip().split(" +");
                if (names == null) {
                    names = words;
                    continue;
                }
                for (int i = 0; i < Math.min(words.length, names.length); i++) {
                    if (names[i].equals("RetransSegs")) {
                        return number(words[i]);
                    }
                }
            }
        }
        return ABSENT;
    }

    /** Counts this process's open descriptors, the one that counts them included. */
    public long openDescriptors() {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(folder.resolve("self/fd"))) {
            long count = 0;
            for (Path each : open) {
                assert each != null;
                count++;
            }
            return count;
        } catch (IOException e) {
            return ABSENT;
        }
    }

    /** Reads how many descriptors this process may have open. */
    public long descriptorLimit() {
        String limits = text("self/limits");
        if (limits != null) {
            for (String line : limits.split("\n")) {
                if (line.startsWith("Max open files")) {
                    return number(
                            line.substring("Max open files".length()).strip().split(" +")[0]);
                }
            }
        }
        return ABSENT;
    }

    /** Looks for threads that have begun since the last time and follows those that start calls. */
    public void findTasks() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder.resolve("self/task"))) {
            for (Path task : all) {
                if (tasks.size() >= MAX_TASKS) {
                    return;
                }
                if (seen.add(task.getFileName().toString())) {
                    follow(task);
                }
            }
        } catch (IOException e) {
            // No such folder, or no descriptor is free: what is not found is not followed.
        }
    }

    private void follow(Path task) {
        String name = text(task.resolve("comm"));
        if (name != null && startsCalls(name.strip())) {
            Turns turns = turns(task.resolve("schedstat"));
            if (turns != null) {
                tasks.add(new Task(task.resolve("schedstat"), turns));
            }
        }
    }

    /** Judges by the first 15 characters of a thread's name, which are what the kernel keeps. */
    private static boolean startsCalls(String name) {
        return name.startsWith("diperf-loop") || name.startsWith("diperf-pacer") || name.startsWith("diperf-client");
    }

    private static @Nullable Turns turns(Path file) {
        String text = text(file);
        String[] words = text == null ? new String[0] : text.strip().split(" +");
        return words.length < 2 ? null : new Turns(number(words[0]), number(words[1]));
    }

    /** Takes how the followed threads came by a processor since the last call; {@code null} where that is not told. */
    @Nullable
    public RunQueue takeRunQueue() {
        long longest = ABSENT;
        long ran = 0;
        long waited = 0;
        for (Task task : tasks) {
            Turns now = turns(task.file);
            // A thread that has ended has no file any more.
            if (now != null) {
                longest = Math.max(longest, now.waited - task.seen.waited);
                ran += now.ran - task.seen.ran;
                waited += now.waited - task.seen.waited;
                task.seen = now;
            }
        }
        return longest == ABSENT
                ? null
                : new RunQueue(longest, ran + waited == 0 ? 0 : (double) waited / (ran + waited));
    }
}
