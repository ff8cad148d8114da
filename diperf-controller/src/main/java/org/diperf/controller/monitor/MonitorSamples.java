package org.diperf.controller.monitor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.sample.CallData;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.ObservationWriter;
import org.diperf.core.spi.Readings;

/**
 * What one monitor sees, on its way to the file. A metric is written as {@code gauge NAME [UNIT]} or {@code rate NAME
 * [UNIT]}. A rate without a value is where the next one counts from; a gauge without one was not seen then. Confined to the
 * monitor's thread.
 */
final class MonitorSamples implements Readings {

    private static final int ROWS = 1000;

    private final boolean isOfTestbed;
    private final NanoClock clock;
    private final WallClockMap walls;
    private final MonitorFile file;
    private final MetricNames wanted;
    private final ObservationWriter observations;
    private final CallWriter calls;
    private final CallData call = new CallData();
    private final Map<String, Reading> counters = new HashMap<>();
    private final Set<String> metrics = new LinkedHashSet<>();
    private final Set<String> gauges = new LinkedHashSet<>();
    private final CopyOnWriteArrayList<String> notes = new CopyOnWriteArrayList<>();
    private long blocks;

    private record Reading(double total, long sourceNanos) {}

    /**
     * @param number of the monitor, from 1
     * @param isOfTestbed as in its {@link MonitorRecord}
     */
    MonitorSamples(
            int number,
            boolean isOfTestbed,
            NanoClock clock,
            WallClockMap walls,
            MonitorFile file,
            MetricNames wanted) {
        this.isOfTestbed = isOfTestbed;
        this.clock = clock;
        this.walls = walls;
        this.file = file;
        this.wanted = wanted;
        this.observations = new ObservationWriter(number, ROWS);
        this.calls = new CallWriter(number, ROWS, 0);
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public void gauge(String metric, String unit, double value, long atNanos) {
        if (Double.isFinite(value) && isKept(metric)) {
            String word = "gauge " + metric + " [" + unit + "]";
            gauges.add(word);
            add(word, atNanos, value);
        }
    }

    @Override
    public void counter(String metric, String unit, double total, long sourceNanos, long atNanos) {
        if (!Double.isFinite(total) || !isKept(metric)) {
            return;
        }
        Reading before = counters.put(metric, new Reading(total, sourceNanos));
        String word = "rate " + metric + " [" + unit + "]";
        if (before == null || total < before.total || sourceNanos <= before.sourceNanos) {
            add(word, atNanos, Double.NaN);
        } else {
            add(word, atNanos, (total - before.total) * 1e9 / (sourceNanos - before.sourceNanos));
        }
    }

    private boolean isKept(String metric) {
        if (metrics.contains(metric)) {
            return true;
        }
        if (!wanted.wants(metric)) {
            return false;
        }
        int max = MonitorRecord.maxMetrics(isOfTestbed);
        if (metrics.size() == max) {
            note("only the first " + max + " metrics are kept" + (isOfTestbed ? "" : "; choose which with 'metrics'"));
            return false;
        }
        return metrics.add(metric);
    }

    private void add(String word, long atNanos, double value) {
        if (observations.isFull()) {
            flush();
        }
        observations.add(word, atNanos, value, ObservationWriter.NONE, ObservationWriter.NONE);
    }

    @Override
    public void served(long endUnixNanos, long durationNanos, String outcome, long bytes) {
        if (calls.isFull()) {
            flush();
        }
        long end = walls.nanoTime(endUnixNanos);
        long took = Math.max(0, durationNanos);
        calls.add(call.of(0, durationNanos < 0 ? 1 : 0, 0, 0)
                .times(end - took, 0, took)
                .ended(outcome, Math.max(0, bytes)));
    }

    /** Notes that a sample is missing: nobody knows how values changed since the one before. */
    void missed() {
        long now = clock.nanoTime();
        gauges.forEach(word -> add(word, now, Double.NaN));
        flush();
    }

    @Override
    public void note(String text) {
        notes.addIfAbsent(text);
    }

    boolean isOfTestbed() {
        return isOfTestbed;
    }

    /** Returns what was noted; for any thread. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** Hands on what was gathered. */
    void flush() {
        try {
            if (observations.rows() > 0) {
                file.append(observations, ++blocks);
            }
            if (calls.rows() > 0) {
                file.append(calls, ++blocks);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
