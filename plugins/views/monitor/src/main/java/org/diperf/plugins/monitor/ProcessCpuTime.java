package org.diperf.plugins.monitor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.diperf.plugins.lib.proc.HostFiles;

/**
 * Adds up the processor time of a changing set of processes. What one used in its last moments is what its parent is then
 * told to have waited for, beyond what was seen of it. Confined to one thread.
 */
final class ProcessCpuTime {

    private static final double NANOS_A_TICK = 1e9 / HostFiles.TICKS_PER_SECOND;

    private Map<String, ProcessFacts> last = new HashMap<>();
    private double totalNanos;
    private long userTicks;
    private long systemTicks;
    private boolean begun;
    private long lastUptimeTicks;

    /**
     * Takes a look at the processes.
     *
     * @param uptimeTicks since the boot, read before them: those that began after the look before count from their begin,
     *     others that are new from now on
     */
    void look(Collection<ProcessFacts> processes, long uptimeTicks) {
        Map<String, ProcessFacts> now = new HashMap<>();
        processes.forEach(each -> now.put(each.key(), each));
        Map<Long, Long> goneTicks = new HashMap<>();
        last.forEach((key, before) -> {
            if (!now.containsKey(key)) {
                goneTicks.merge(before.parent(), before.ticks() + before.waitedTicks(), Long::sum);
            }
        });
        now.forEach((key, each) -> {
            ProcessFacts before = last.get(key);
            if (before != null) {
                add(before, each, goneTicks.getOrDefault(each.pid(), 0L));
            } else if (begun && each.startTicks() >= lastUptimeTicks) {
                totalNanos += each.runNanos() >= 0 ? each.runNanos() : each.ticks() * NANOS_A_TICK;
                totalNanos += each.waitedTicks() * NANOS_A_TICK;
                userTicks += each.userTicks();
                systemTicks += each.systemTicks();
            }
        });
        last = now;
        lastUptimeTicks = uptimeTicks;
        begun = true;
    }

    private void add(ProcessFacts before, ProcessFacts each, long goneTicks) {
        boolean exact = before.runNanos() >= 0 && each.runNanos() >= 0;
        totalNanos += exact ? each.runNanos() - before.runNanos() : (each.ticks() - before.ticks()) * NANOS_A_TICK;
        totalNanos += Math.max(0, each.waitedTicks() - before.waitedTicks() - goneTicks) * NANOS_A_TICK;
        userTicks += each.userTicks() - before.userTicks();
        systemTicks += each.systemTicks() - before.systemTicks();
    }

    /** Returns the processor time since the first look, s. */
    double totalSeconds() {
        return totalNanos / 1e9;
    }

    /** Returns the part of it in user mode, s, to a tick; of children that have ended it is not told. */
    double userSeconds() {
        return (double) userTicks / HostFiles.TICKS_PER_SECOND;
    }

    /** Returns the part of it in the kernel, s, to a tick. */
    double systemSeconds() {
        return (double) systemTicks / HostFiles.TICKS_PER_SECOND;
    }
}
