package org.diperf.analyzer.result;

import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** A part of a run, or all of it, with the numbers of its calls. */
public interface PartCounts {

    /** Returns the numbers of its calls. */
    CallStatistics numbers();

    /** Returns intervals for some of them; {@code null}: there are none. */
    default @Nullable Confidence confidence() {
        return null;
    }

    default CallCounts calls() {
        return numbers().calls();
    }

    default @Nullable Throughput throughput() {
        return numbers().throughput();
    }

    default @Nullable Statistics responseTime() {
        return numbers().responseTime();
    }

    default @Nullable Statistics responseTimeFailed() {
        return numbers().responseTimeFailed();
    }

    default @Nullable Statistics serviceTime() {
        return numbers().serviceTime();
    }

    default @Nullable Statistics sendLag() {
        return numbers().sendLag();
    }
}
