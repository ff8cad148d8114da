package org.diperf.analyzer.count;

import java.util.Arrays;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;

/** What is counted of one journey or group of calls. Confined to one thread. */
public final class GroupTally {

    /** From the intended start of the first call to the end of the last one, of the ok ones. */
    public final Durations response = new Durations(Kind.TOTAL);

    private long[] ends = new long[8];
    private long bytes;

    /** @param outcome its number */
    void add(int outcome, long latencyNanos, long moved) {
        if (outcome == Outcomes.OK) {
            response.add(latencyNanos);
        }
        if (outcome >= ends.length) {
            ends = Arrays.copyOf(ends, Math.max(outcome + 1, 2 * ends.length));
        }
        ends[outcome]++;
        bytes += moved;
    }

    void addAll(GroupTally other) {
        response.addAll(other.response);
        if (other.ends.length > ends.length) {
            ends = Arrays.copyOf(ends, other.ends.length);
        }
        for (int i = 0; i < other.ends.length; i++) {
            ends[i] += other.ends[i];
        }
        bytes += other.bytes;
    }

    /** Counts those that ended in some way. */
    public long ended(int outcome) {
        return outcome < ends.length ? ends[outcome] : 0;
    }

    /** Returns one more than the largest number of an outcome that occurs. */
    public int outcomes() {
        return ends.length;
    }

    /** Counts the bytes of all their calls. */
    public long bytes() {
        return bytes;
    }
}
