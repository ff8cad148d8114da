package org.diperf.analyzer;

import org.diperf.analyzer.Durations.Kind;

/** What is counted of one tester. Confined to one thread. */
final class TesterTally {

    final TesterClock clock;
    final BlockNumbers blocks = new BlockNumbers();
    final Durations service = new Durations(Kind.TESTER);
    final Durations rtt = new Durations(Kind.TESTER);
    final Durations startup = new Durations(Kind.TESTER);
    long ok;
    long failed;
    long sent;
    long duplicates;
    long firstLocal = Long.MAX_VALUE;
    long lastLocal = Long.MIN_VALUE;
    double hiccupMillis = Double.NaN;
    private double cpu;
    private long cpuValues;

    TesterTally(TesterClock clock) {
        this.clock = clock;
    }

    void seen(long fromLocal, long toLocal) {
        firstLocal = Math.min(firstLocal, fromLocal);
        lastLocal = Math.max(lastLocal, toLocal);
    }

    void cpu(double fraction) {
        cpu += fraction;
        cpuValues++;
    }

    void hiccup(double millis) {
        hiccupMillis = Double.isNaN(hiccupMillis) ? millis : Math.max(hiccupMillis, millis);
    }

    double cpuPercent() {
        return cpuValues == 0 ? Double.NaN : 100 * cpu / cpuValues;
    }
}
