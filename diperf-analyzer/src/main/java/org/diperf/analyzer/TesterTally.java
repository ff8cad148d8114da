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
    final WatchTally watch = new WatchTally();

    TesterTally(TesterClock clock) {
        this.clock = clock;
    }

    /** Adds what was counted of the same tester elsewhere; what it says of itself is in one place. */
    void addAll(TesterTally other) {
        service.addAll(other.service);
        ok += other.ok;
        failed += other.failed;
        sent += other.sent;
        seen(other.firstLocal, other.lastLocal);
    }

    void seen(long fromLocal, long toLocal) {
        firstLocal = Math.min(firstLocal, fromLocal);
        lastLocal = Math.max(lastLocal, toLocal);
    }
}
