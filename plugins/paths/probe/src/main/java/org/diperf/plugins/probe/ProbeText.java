package org.diperf.plugins.probe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.spi.CommandContext;
import org.diperf.plugins.lib.forecast.Interval;
import org.diperf.plugins.lib.forecast.TransferForecast;
import org.diperf.plugins.probe.PathReport.Found;
import org.diperf.plugins.probe.PathReport.Transfer;
import org.jspecify.annotations.Nullable;

/** Shows what was found out about a path: on a screen, and for scripts. */
final class ProbeText {

    private static final double MILLIS = 1e3;

    private final CommandContext context;

    ProbeText(CommandContext context) {
        this.context = context;
    }

    List<String> lines(PathReport report) {
        List<String> lines = new ArrayList<>();
        if (!report.found().isEmpty()) {
            lines.add(row("what", "next", "9 of 10 within", "by"));
            for (Found each : report.found()) {
                Interval.@Nullable Bounds bounds = each.next().bounds();
                lines.add(row(
                        each.name().replace('.', ' ').replace("round-trip", "round trip") + " " + each.unit(),
                        context.number(each.next().value()),
                        bounds == null ? "" : context.number(bounds.low()) + " to " + context.number(bounds.high()),
                        each.how()));
            }
        }
        if (!report.transfers().isEmpty()) {
            lines.add("");
            lines.add(row("a transfer of", "takes", "9 of 10 within", ""));
            report.transfers().forEach(each -> lines.add(transfer(each)));
        }
        if (!report.notMeasured().isEmpty()) {
            lines.add("");
            report.notMeasured().forEach(each -> lines.add("not measured: " + each.what() + ": " + each.why()));
        }
        return lines;
    }

    private String transfer(Transfer transfer) {
        return transfer(
                context.size(transfer.bytes()) + (transfer.back() ? " back" : " there"),
                transfer.time(),
                transfer.bytes(),
                transfer.largestProbe());
    }

    String transfer(String what, TransferForecast time, long bytes, long largest) {
        if (time.reason() != null) {
            return row(what, "cannot tell", within(time), time.reason());
        }
        return row(
                what,
                context.time(time.seconds() * MILLIS),
                within(time),
                bytes > largest ? "from transfers of up to " + context.size(largest) : "");
    }

    private String within(TransferForecast time) {
        return Double.isNaN(time.low())
                ? ""
                : context.time(time.low() * MILLIS) + " to " + context.time(time.high() * MILLIS);
    }

    static String row(String what, String next, String within, String how) {
        return String.format(Locale.ROOT, " %-24s %11s   %-22s %s", what, next, within, how)
                .stripTrailing();
    }

    static Map<String, Object> values(PathReport report) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("format", "diperf-probe/1");
        values.put("host", report.host());
        Map<String, Object> measured = new LinkedHashMap<>();
        for (Found each : report.found()) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("unit", each.unit());
            of.put("count", each.count());
            of.put("next", each.next().value());
            Interval.@Nullable Bounds bounds = each.next().bounds();
            if (bounds != null) {
                of.put("low", bounds.low());
                of.put("high", bounds.high());
            }
            of.put("method", each.next().method());
            of.put("by", each.how());
            measured.put(each.name(), of);
        }
        values.put("measured", measured);
        List<Object> transfers = new ArrayList<>();
        for (Transfer each : report.transfers()) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("direction", each.back() ? "back" : "there");
            of.put("bytes", each.bytes());
            of.put("largestProbe", each.largestProbe());
            TransferForecast time = each.time();
            if (!Double.isNaN(time.seconds())) {
                of.put("seconds", time.seconds());
                of.put("low", time.low());
                of.put("high", time.high());
            }
            if (time.reason() != null) {
                of.put("cannotTell", time.reason());
            }
            transfers.add(of);
        }
        values.put("transfers", transfers);
        Map<String, Object> missing = new LinkedHashMap<>();
        report.notMeasured().forEach(each -> missing.put(each.what(), each.why()));
        values.put("notMeasured", missing);
        return values;
    }
}
