package org.diperf.core.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Readings;

/** Keeps what a monitor says, on a clock that the test sets. */
public final class ReadingsProbe implements Readings {

    public long now;
    public final Map<String, Double> gauges = new LinkedHashMap<>();
    public final Map<String, Double> counters = new LinkedHashMap<>();
    public final Map<String, String> units = new LinkedHashMap<>();
    public final Map<String, Long> at = new LinkedHashMap<>();
    public final List<String> served = new ArrayList<>();
    public final List<String> notes = new ArrayList<>();

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void gauge(String metric, String unit, double value, long atNanos) {
        gauges.put(metric, value);
        units.put(metric, unit);
        at.put(metric, atNanos);
    }

    @Override
    public void counter(String metric, String unit, double total, long sourceNanos, long atNanos) {
        counters.put(metric, total);
        units.put(metric, unit);
        at.put(metric, atNanos);
    }

    @Override
    public void served(long endUnixNanos, long durationNanos, String outcome, long bytes) {
        served.add(endUnixNanos + " " + durationNanos + " " + outcome + " " + bytes);
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }
}
