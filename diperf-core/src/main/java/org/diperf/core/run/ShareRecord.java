package org.diperf.core.run;

import org.jspecify.annotations.Nullable;

/**
 * Testers that shared a load, and which of its clients were theirs.
 *
 * @param group its name; {@code null}: the whole run, which has no groups
 * @param where which testers it took, in the words of the file; empty: any
 * @param placement {@code round-robin} or {@code fill}
 * @param firstClient number of its first client in the whole run
 * @param clients the most that it had at once, or in flight
 * @param startAfterNanos when its load began, after the start of the run
 * @param firstSlot slot of its first tester
 * @param slots how many testers shared it
 */
public record ShareRecord(
        @Nullable String group,
        String where,
        String placement,
        int firstClient,
        int clients,
        long startAfterNanos,
        int firstSlot,
        int slots) {}
