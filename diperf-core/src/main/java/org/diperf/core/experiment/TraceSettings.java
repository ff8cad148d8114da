package org.diperf.core.experiment;

/**
 * Whether calls are known to a tracing system.
 *
 * @param sent whether requests carry a {@code traceparent}
 * @param link address of a trace there, with <code>${id}</code> for its id; empty: none is known
 */
public record TraceSettings(boolean sent, String link) {

    /** Requests carry nothing. */
    public static final TraceSettings NONE = new TraceSettings(false, "");
}
