package org.diperf.tester.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Linux wakes a thread up to 50 microseconds later than it asked for, to let timers fire together. A thread that starts
 * calls asks it not to.
 */
public final class TimerSlack {

    private static final Path PROC = Path.of("/proc");

    private TimerSlack() {}

    /** Takes the slack from the calling thread's timers, where the system lets it. */
    public static void remove() {
        try {
            Path thread = Files.readSymbolicLink(PROC.resolve("thread-self")).getFileName();
            // Not below /proc/self/task, where threads do not have this file. 0 would mean the default.
            Files.write(PROC.resolve(thread).resolve("timerslack_ns"), "1".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | UnsupportedOperationException e) {
            // Elsewhere than on Linux, or not permitted: wake-ups stay as late as they are, and the send lag shows it.
            return;
        }
    }
}
