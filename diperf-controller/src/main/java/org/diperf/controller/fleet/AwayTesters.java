package org.diperf.controller.fleet;

import java.util.List;
import org.diperf.analyzer.text.Numbers;

/**
 * The testers of a run that are out of reach and may hold samples: for as long as they keep them, which is known. Confined to
 * the run's thread.
 */
public final class AwayTesters {

    /** A tester that gives up then writes what it has to a file, which can take a while. */
    private static final long WRITING_NANOS = 5_000_000_000L;

    private static final int NAMED = 3;

    private final Roster roster;
    private final long keptNanos;

    /** @param lingerNanos how long testers keep samples after their lease */
    public AwayTesters(Roster roster, long leaseNanos, long lingerNanos) {
        this.roster = roster;
        this.keptNanos = leaseNanos + lingerNanos + WRITING_NANOS;
    }

    /** Lists them, at an instant after the start of the run. */
    public List<Integer> at(long elapsedNanos) {
        return roster.away(elapsedNanos - keptNanos);
    }

    /** Names them, and says for how long they can be waited for. */
    public String words(List<Integer> testers, long elapsedNanos) {
        return names(testers) + " for up to "
                + Numbers.clock((roster.lastHeardNanos(testers) + keptNanos - elapsedNanos) / 1e9);
    }

    /** Names testers, as far as they are few. */
    public static String names(List<Integer> testers) {
        return testers.size() > NAMED
                ? Numbers.count(testers.size(), "tester")
                : String.join(
                        ", ", testers.stream().map(tester -> "tester-" + tester).toList());
    }
}
