package org.diperf.analyzer.measure;

/** What answers for a number: not every source knows every quantity. */
public enum MeasureSource {
    /** The summary of a run that is over. */
    SUMMARY,
    /** A stage under way, as a search sees the value that it tries. */
    STAGE_UNDER_WAY,
    /** A run under way, as a threshold sees it that may end the run. */
    RUN_UNDER_WAY
}
