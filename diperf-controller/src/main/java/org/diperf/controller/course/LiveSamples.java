package org.diperf.controller.course;

import org.diperf.analyzer.live.StageSeries;

/** What the one who decides how a plan grows sees of the run. All instants are ns after the start of the run. */
public interface LiveSamples {

    /** Begins to look at a stage, and at no other. */
    void watch(int stage, long fromNanos, long quantumNanos);

    /** Begins the window that counts. */
    void measure(long fromNanos, long toNanos);

    /** Looks at what ended before an instant. */
    StageSeries.Look look(long untilNanos);

    /** Returns the share of the samples that were seen since the window began, from 0 to 1. */
    double measuredShare();
}
