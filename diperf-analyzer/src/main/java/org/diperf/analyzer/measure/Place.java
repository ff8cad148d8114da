package org.diperf.analyzer.measure;

/** Where numbers are asked for: not every place knows every quantity. */
public enum Place {
    /** The summary of a run that is over. */
    SUMMARY,
    /** A stage under way, as a search sees the value that it tries. */
    STAGE_UNDER_WAY,
    /** A run under way, as a threshold sees it that may end the run. */
    RUN_UNDER_WAY
}
