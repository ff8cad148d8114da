package org.diperf.controller.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.calibrate.Calibration;
import org.diperf.controller.calibrate.Calibration.Idle;
import org.diperf.controller.calibrate.Calibration.Others;
import org.diperf.controller.calibrate.Calibration.Spread;
import org.diperf.controller.calibrate.Machine;
import org.jspecify.annotations.Nullable;

/** Shows a calibration on a screen. */
final class CalibrationText {

    private static final String UNKNOWN = "not measured";

    private CalibrationText() {}

    /** Returns the lines. */
    static List<String> lines(Calibration calibration) {
        Machine machine = calibration.machine();
        Calibration.FullSpeed full = calibration.fullSpeed();
        Calibration.Open open = calibration.openLoad();
        List<String> lines = new ArrayList<>();
        lines.add("What one tester on " + machine.host() + " can do with " + calibration.client()
                + " clients and a service that does nothing:");
        lines.add("");
        lines.add(row(
                "highest rate",
                rate(full.callsPerSecond()) + " calls/s",
                "by " + full.clients() + " clients"
                        + (full.processorsBusy() == null
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; %.1f of %d processors busy, including the service",
                                        full.processorsBusy(),
                                        machine.processors()))));
        lines.add(row("open load", rate(open.ratePerSecond()) + " calls/s", sent(full, open)));
        open.before()
                .forEach(more -> lines.add(row(
                        "",
                        "not " + rate(more.ratePerSecond()) + " calls/s",
                        Numbers.share(more.droppedPercent() / 100) + " of them were not sent")));
        lines.add(row(
                "CPU per call",
                micros(full.cpuMicrosPerCall()),
                "and " + micros(open.cpuMicrosPerCall()) + " under that open load"));
        lines.add(row("send lag", spread(open.sendLagMillis()), "of calls under that open load"));
        lines.add(row(
                "error bound",
                spread(open.errorBoundMillis()),
                "the maximum that the tester can have added to a response time under that load"));
        lines.add(row("idle", stall(calibration.idle()), ""));
        lines.add(row("others", others(calibration.others()), ""));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                " %s, %d processors, %s, %s, DiPerF %s",
                machine.processor().isEmpty() ? "unknown processor" : machine.processor(),
                machine.processors(),
                machine.operatingSystem(),
                machine.java(),
                calibration.diperfVersion()));
        if (!open.keptUp()) {
            lines.add(" ! at every rate tried, too many calls of the open load were not sent: lag, error bound and "
                    + "CPU are those of an overloaded tester");
        }
        calibration.doubts().forEach(doubt -> lines.add(" ! " + doubt + "; calibrate again when it is quiet"));
        return lines;
    }

    /** Says what part of the highest rate that is, and how much of it was sent. */
    private static String sent(Calibration.FullSpeed full, Calibration.Open open) {
        return String.format(Locale.ROOT, "%.0f %% of that, ", 100 * open.ratePerSecond() / full.callsPerSecond())
                + (open.droppedPercent() == 0
                        ? "all sent"
                        : "all sent except " + Numbers.share(open.droppedPercent() / 100));
    }

    private static String row(String name, String value, String note) {
        return String.format(Locale.ROOT, " %-14s %-26s %s", name, value, note).stripTrailing();
    }

    private static String rate(double perSecond) {
        return Numbers.count(Math.round(perSecond));
    }

    private static String micros(@Nullable Double micros) {
        return micros == null ? UNKNOWN : Numbers.time(micros / 1e3);
    }

    private static String spread(@Nullable Spread spread) {
        return spread == null ? UNKNOWN : "p50 " + Numbers.time(spread.p50()) + ", p99 " + Numbers.time(spread.p99());
    }

    private static String stall(Idle idle) {
        String stalled = idle.longestStallMillis() == null
                ? UNKNOWN
                : "paused for " + Numbers.time(idle.longestStallMillis()) + " at most";
        return idle.waitedPercent() == null
                ? stalled
                : stalled + ", waited for a processor " + Numbers.share(idle.waitedPercent() / 100)
                        + " of the time it had work to do";
    }

    private static String others(@Nullable Others others) {
        return others == null
                ? UNKNOWN
                : "used " + Numbers.share(others.usedPercent() / 100)
                        + " of the processors, and the hypervisor took away "
                        + Numbers.share(others.stolenPercent() / 100);
    }
}
