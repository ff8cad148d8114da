package org.diperf.analyzer.count;

import java.util.HashMap;
import java.util.Map;
import org.diperf.analyzer.result.TesterHealth;

/** Adds up what one tester says of itself. Confined to one thread. */
public final class TesterHealthTally {

    private static final int MAX_METRICS = 64;

    private final Map<String, Values> all = new HashMap<>();

    private static final class Values {
        private double sum;
        private double most = Double.NEGATIVE_INFINITY;
        private long count;
    }

    /** Takes a value, when it is of the measured part of the run. */
    void add(String metric, double value, boolean measured) {
        if (!measured || (all.size() >= MAX_METRICS && !all.containsKey(metric))) {
            return;
        }
        Values values = all.computeIfAbsent(metric, key -> new Values());
        values.sum += value;
        values.most = Math.max(values.most, value);
        values.count++;
    }

    private double mean(String metric) {
        Values values = all.get(metric);
        return values == null ? Double.NaN : values.sum / values.count;
    }

    private double most(String metric) {
        Values values = all.get(metric);
        return values == null ? Double.NaN : values.most;
    }

    private double sum(String metric) {
        Values values = all.get(metric);
        return values == null ? Double.NaN : values.sum;
    }

    public TesterHealth watch() {
        return new TesterHealth(
                100 * mean("tester.cpu"),
                most("tester.hiccup"),
                sum("tester.stalled"),
                mean("tester.gc") / 10,
                most("tester.gc.pause"),
                100 * mean("tester.runqueue"),
                100 * mean("tester.starved"),
                most("tester.descriptors"),
                most("tester.descriptors.limit"),
                mean("host.cpu"),
                100 * mean("host.steal"),
                mean("host.tcp.retransmits"));
    }
}
