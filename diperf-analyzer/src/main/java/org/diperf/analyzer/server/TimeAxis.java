package org.diperf.analyzer.server;

/**
 * The time axis of a run: its quanta, and the part that is measured. Times are ns after the start of the run.
 *
 * @param quantumNanos width of a quantum
 * @param quanta how many there are
 * @param durationNanos of the run; the last quantum may be cut short by it
 * @param fromNanos begin of the measured part
 * @param toNanos end of it, within the run
 */
public record TimeAxis(long quantumNanos, int quanta, long durationNanos, long fromNanos, long toNanos) {

    public long begin(int quantum) {
        return quantum * quantumNanos;
    }

    public long end(int quantum) {
        return Math.min(durationNanos, (quantum + 1) * quantumNanos);
    }

    /** Returns whether a quantum lies in the measured part as a whole, and has its full width. */
    boolean isMeasured(int quantum) {
        long end = (quantum + 1) * quantumNanos;
        return begin(quantum) >= fromNanos && end <= toNanos && end <= durationNanos;
    }
}
