package org.diperf.plugins.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What Linux says of one process in {@code /proc/PID/stat} and {@code schedstat}.
 *
 * @param pid its number
 * @param parent number of its parent
 * @param startTicks when it began, ticks after the boot: with the number it names the process for good
 * @param userTicks processor time in user mode, with that of its threads that have ended
 * @param systemTicks the same in the kernel
 * @param waitedTicks processor time of its children that have ended and that it waited for
 * @param runNanos processor time of its only thread; {@link #ABSENT} where it has several
 * @param threads that it has
 * @param pages of memory that are resident
 */
record ProcessFacts(
        long pid,
        long parent,
        long startTicks,
        long userTicks,
        long systemTicks,
        long waitedTicks,
        long runNanos,
        long threads,
        long pages) {

    /** Stands for what is not told. */
    static final long ABSENT = -1;

    /** Names the process for good. */
    String key() {
        return pid + "@" + startTicks;
    }

    long ticks() {
        return userTicks + systemTicks;
    }

    /** Reads them; {@code null} when there is no such process. */
    static @Nullable ProcessFacts read(Path proc, long pid) {
        String stat = text(proc.resolve(pid + "/stat"));
        // The name, in parentheses, may hold anything.
        int name = stat == null ? -1 : stat.lastIndexOf(')');
        if (stat == null || name < 0) {
            return null;
        }
        String[] words = stat.substring(name + 1).strip().split(" +");
        if (words.length < 22 || words[0].equals("X")) {
            return null;
        }
        long threads = Long.parseLong(words[17]);
        return new ProcessFacts(
                pid,
                Long.parseLong(words[1]),
                Long.parseLong(words[19]),
                Long.parseLong(words[11]),
                Long.parseLong(words[12]),
                Long.parseLong(words[13]) + Long.parseLong(words[14]),
                threads == 1 ? runNanos(proc, pid) : ABSENT,
                threads,
                Math.max(0, Long.parseLong(words[21])));
    }

    /** Of a process with several threads this file tells of the first alone. */
    private static long runNanos(Path proc, long pid) {
        String text = text(proc.resolve(pid + "/schedstat"));
        String first = text == null ? "" : text.strip().split(" +")[0];
        return first.matches("[0-9]{1,18}") ? Long.parseLong(first) : ABSENT;
    }

    /** Reads a file that may not be there, or may not be read; {@code null} then. */
    static @Nullable String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null;
        }
    }
}
