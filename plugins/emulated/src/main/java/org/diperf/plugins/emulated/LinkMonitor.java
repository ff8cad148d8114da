package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.diperf.core.spi.Monitor;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.emulated.annex.LinkMetrics;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.engine.LatenessWindow;

/**
 * Tells what each physical link carries, drops and queues, in each direction, by what is known of the engine's work, and how late packets were where
 * that is known of all of them. Engine and controller read the same clock. What was 0 from the begin is not told: most links lose nothing, and many are idle.
 */
final class LinkMonitor implements Monitor {

    /** Of a second by nanoseconds. */
    private static final double PERCENT_SECONDS = 1e-7;

    private static final double NANOS_A_MILLI = 1e6;
    private static final long SECOND = 1_000_000_000L;
    /** Thirty of the engine's reports. */
    private static final long SILENT_NANOS = 3 * SECOND;

    private static final int BITS = 8;

    private final CarrierStatistics engine;
    private final List<String> parts;
    private final Set<String> begun = new HashSet<>();
    private long firstNanos;
    private long beforeNanos;
    /** Since when samples have told nothing; 0: the last one did. */
    private long quietNanos;

    private long overdueNanos;
    private long lateUntilNanos = Long.MIN_VALUE;

    /** @param parts names of physical links, each direction of them by itself, by their numbers */
    LinkMonitor(CarrierStatistics engine, List<String> parts) {
        this.engine = engine;
        this.parts = List.copyOf(parts);
    }

    @Override
    public void sample(Readings readings) throws IOException {
        EngineReport report = engine.last();
        long at = report.engine(EngineReport.AT_NANOS);
        if (at <= beforeNanos) {
            quiet(readings.nanoTime());
            return;
        }
        if (firstNanos == 0) {
            firstNanos = at;
            if (engine.probes().isEmpty()) {
                // Before all others: ranges need it, and only so many metrics are kept.
                readings.counter(LinkMetrics.LATE, "percent", 0, at - SECOND);
                readings.gauge(LinkMetrics.LATEST, "ms", 0, at - SECOND);
            }
        }
        long[] most = engine.takeMostQueued();
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            counter(
                    readings,
                    part,
                    LinkMetrics.USE,
                    "percent",
                    PERCENT_SECONDS * report.pipe(i, EngineReport.BUSY_NANOS),
                    at);
            counter(readings, part, LinkMetrics.RATE, "bit/s", (double) BITS * report.pipe(i, EngineReport.BYTES), at);
            counter(
                    readings,
                    part,
                    LinkMetrics.LOST,
                    "packets/s",
                    report.pipe(i, EngineReport.LOST) + report.pipe(i, EngineReport.CUT),
                    at);
            counter(readings, part, LinkMetrics.OVERFLOWED, "packets/s", report.pipe(i, EngineReport.OVERFLOWED), at);
            gauge(readings, part, LinkMetrics.QUEUE, report.pipe(i, EngineReport.QUEUED), at);
            gauge(readings, part, LinkMetrics.LONGEST_QUEUE, most[i], at);
        }
        engine.takeLate().forEach(slice -> late(readings, slice));
        beforeNanos = at;
        quietNanos = 0;
    }

    /** The first report may be still to come, and a busy machine holds up others. Totals lose nothing by that, but an engine that has stopped says nothing more. */
    private void quiet(long nowNanos) throws IOException {
        if (quietNanos == 0) {
            quietNanos = nowNanos;
        }
        if (nowNanos - quietNanos > SILENT_NANOS) {
            throw new IOException("the engine of the emulated network has reported nothing for "
                    + (nowNanos - quietNanos) / SECOND + " s");
        }
    }

    /** Tells for how long packets were overdue, and by how much at most. Where nothing is told in between, none was. */
    private void late(Readings readings, LatenessWindow slice) {
        if (slice.beginNanos() > lateUntilNanos) {
            readings.counter(LinkMetrics.LATE, "percent", PERCENT_SECONDS * overdueNanos, slice.beginNanos());
        }
        overdueNanos += slice.overdueNanos();
        lateUntilNanos = slice.endNanos();
        readings.counter(LinkMetrics.LATE, "percent", PERCENT_SECONDS * overdueNanos, lateUntilNanos);
        readings.gauge(LinkMetrics.LATEST, "ms", slice.mostNanos() / NANOS_A_MILLI, lateUntilNanos);
    }

    private void counter(Readings readings, String part, String what, String unit, double total, long at) {
        String metric = LinkMetrics.of(part, what);
        if (total == 0 && !begun.contains(metric)) {
            return;
        }
        if (begun.add(metric) && beforeNanos > 0) {
            readings.counter(metric, unit, 0, firstNanos);
            if (beforeNanos > firstNanos) {
                readings.counter(metric, unit, 0, beforeNanos);
            }
        }
        readings.counter(metric, unit, total, at);
    }

    private void gauge(Readings readings, String part, String what, long packets, long at) {
        String metric = LinkMetrics.of(part, what);
        if (packets == 0 && !begun.contains(metric)) {
            return;
        }
        if (begun.add(metric) && beforeNanos > 0) {
            readings.gauge(metric, "packets", 0, firstNanos);
            if (beforeNanos > firstNanos) {
                readings.gauge(metric, "packets", 0, beforeNanos);
            }
        }
        readings.gauge(metric, "packets", packets, at);
    }

    /** Waits for what the engine says of the last moments of the load. */
    @Override
    public void finish(Readings readings) throws IOException, InterruptedException {
        engine.awaitReport(readings.nanoTime());
        if (engine.last().engine(EngineReport.AT_NANOS) > beforeNanos) {
            sample(readings);
        }
    }
}
