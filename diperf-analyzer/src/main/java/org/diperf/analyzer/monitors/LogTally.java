package org.diperf.analyzer.monitors;

import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.server.LogView;
import org.diperf.analyzer.server.TimeAxis;

/** Counts what the service says it has served. Times are ns after the start of the run. Confined to one thread. */
final class LogTally {

    private static final String OK = "ok";
    /** A request that ended so long after the run still belongs to it: clocks differ, and logs are cut to milliseconds. */
    private static final long LATE_NANOS = 1_000_000_000L;

    private final TimeAxis axis;
    private final long[] ok;
    private final double[] durations;
    private final long[] timed;
    private final double[] inside;
    private final long[] begins;
    private final Map<String, Long> outcomes = new TreeMap<>();
    private long requests;
    private long bytes;
    private long measuredOk;
    private long measuredTimed;
    private double measuredNanos;

    LogTally(TimeAxis axis) {
        this.axis = axis;
        this.ok = new long[axis.quanta()];
        this.durations = new double[axis.quanta()];
        this.timed = new long[axis.quanta()];
        this.inside = new double[axis.quanta()];
        this.begins = new long[axis.quanta() + 1];
    }

    /** @param duration negative: not told */
    void add(long end, long duration, String outcome, long moved) {
        if (end < 0 || end > axis.durationNanos() + LATE_NANOS) {
            return;
        }
        requests++;
        bytes += moved;
        outcomes.merge(outcome, 1L, Long::sum);
        int quantum = place(end);
        if (duration >= 0) {
            during(Math.max(0, end - duration), Math.min(end, axis.durationNanos()));
        }
        if (!outcome.equals(OK)) {
            return;
        }
        ok[quantum]++;
        boolean measured = end >= axis.fromNanos() && end < axis.toNanos();
        measuredOk += measured ? 1 : 0;
        if (duration >= 0) {
            durations[quantum] += duration;
            timed[quantum]++;
            measuredTimed += measured ? 1 : 0;
            measuredNanos += measured ? duration : 0;
        }
    }

    private int place(long at) {
        return (int) Math.min(axis.quanta() - 1, at / axis.quantumNanos());
    }

    /** Notes that a request was being served: the whole quanta between its two ends are kept as differences. */
    private void during(long from, long to) {
        if (to <= from) {
            return;
        }
        int first = place(from);
        int last = place(to);
        if (first == last) {
            inside[first] += to - from;
        } else {
            inside[first] += axis.begin(first + 1) - from;
            inside[last] += to - axis.begin(last);
            begins[first + 1]++;
            begins[last]--;
        }
    }

    LogView view(String monitor) {
        int size = axis.quanta();
        double[] throughput = new double[size];
        double[] responseMs = new double[size];
        double[] load = new double[size];
        long whole = 0;
        boolean anyTimed = false;
        for (int i = 0; i < size; i++) {
            whole += begins[i];
            throughput[i] = ok[i] * 1e9 / axis.quantumNanos();
            responseMs[i] = timed[i] == 0 ? Double.NaN : durations[i] / timed[i] / 1e6;
            long width = axis.end(i) - axis.begin(i);
            load[i] = width <= 0 ? 0 : (inside[i] + (double) whole * axis.quantumNanos()) / width;
            anyTimed |= timed[i] > 0;
        }
        double seconds = (axis.toNanos() - axis.fromNanos()) / 1e9;
        return new LogView(
                monitor,
                throughput,
                responseMs,
                anyTimed ? load : new double[0],
                requests,
                Map.copyOf(outcomes),
                bytes,
                seconds <= 0 ? Double.NaN : measuredOk / seconds,
                measuredTimed == 0 ? Double.NaN : measuredNanos / measuredTimed / 1e6);
    }
}
