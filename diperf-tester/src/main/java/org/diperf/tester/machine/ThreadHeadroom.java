package org.diperf.tester.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How many more threads the system lets this process have, and what sets that limit.
 *
 * @param threads how many more, at least 0
 * @param limit its name, and its value
 */
public record ThreadHeadroom(long threads, String limit) {

    /** A thread's stack is a mapping, which its guard pages divide. */
    private static final int MAPPINGS_A_THREAD = 3;

    /** Left to the JVM, to Netty, and to others on the machine. */
    private static final int RESERVE = 200;

    /** Reads the limits of this process; there is room without end where the system does not say. */
    public static ThreadHeadroom ofThisProcess() {
        return of(Path.of("/"));
    }

    /** Reads the limits from the files of Linux below a folder. */
    public static ThreadHeadroom of(Path root) {
        long running = running(root);
        List<ThreadHeadroom> rooms = new ArrayList<>();
        rooms.add(room("kernel.threads-max", number(root, "proc/sys/kernel/threads-max"), running));
        rooms.add(room("kernel.pid_max", number(root, "proc/sys/kernel/pid_max"), running));
        // Counted for each user; what all run is the cautious guess.
        rooms.add(room("'Max processes' (ulimit -u)", processes(root), running));
        long mappings = number(root, "proc/sys/vm/max_map_count");
        long room = mappings == Long.MAX_VALUE ? mappings : mappings / MAPPINGS_A_THREAD;
        rooms.add(new ThreadHeadroom(less(room, RESERVE), "vm.max_map_count " + mappings + ", 3 per thread"));
        for (String line : lines(root, "proc/self/cgroup")) {
            // HIERARCHY:CONTROLLERS:PATH, with no controllers in version 2.
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && (parts[1].isEmpty() || parts[1].equals("pids"))) {
                addCgroups(root, "sys/fs/cgroup/" + parts[1], parts[2], rooms);
            }
        }
        return rooms.stream()
                .min(Comparator.comparingLong(ThreadHeadroom::threads))
                .orElseThrow();
    }

    /** Adds the limit of a cgroup and of those around it, as far as they are to be seen. */
    private static void addCgroups(Path root, String mount, String path, List<ThreadHeadroom> rooms) {
        Path group = Path.of(path).normalize();
        while (group != null) {
            String folder = mount + group + "/";
            rooms.add(room(
                    "pids.max of cgroup " + group,
                    number(root, folder + "pids.max"),
                    zeroIfUnknown(number(root, folder + "pids.current"))));
            group = group.getParent();
        }
    }

    private static ThreadHeadroom room(String name, long most, long taken) {
        return new ThreadHeadroom(most == Long.MAX_VALUE ? most : less(most, taken + RESERVE), name + " " + most);
    }

    private static long less(long most, long taken) {
        return Math.max(0, most - taken);
    }

    private static long zeroIfUnknown(long number) {
        return number == Long.MAX_VALUE ? 0 : number;
    }

    /** Counts the threads of the machine: the second number of {@code 3/512} in the load's line. */
    private static long running(Path root) {
        for (String line : lines(root, "proc/loadavg")) {
            String[] words = line.split("[ /]");
            if (words.length > 4) {
                return zeroIfUnknown(parse(words[4]));
            }
        }
        return 0;
    }

    private static long processes(Path root) {
        for (String line : lines(root, "proc/self/limits")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("max processes")) {
                return parse(line.substring("max processes".length()).strip().split(" +")[0]);
            }
        }
        return Long.MAX_VALUE;
    }

    private static long number(Path root, String file) {
        List<String> lines = lines(root, file);
        return lines.isEmpty() ? Long.MAX_VALUE : parse(lines.get(0).strip());
    }

    private static long parse(String number) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException maxOrUnlimited) {
            return Long.MAX_VALUE;
        }
    }

    private static List<String> lines(Path root, String file) {
        try {
            return Files.readAllLines(root.resolve(file));
        } catch (IOException notThisSystem) {
            return List.of();
        }
    }
}
