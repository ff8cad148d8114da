package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.server.LevelDemand;
import org.diperf.analyzer.server.LinearFit;
import org.diperf.analyzer.server.LogComparison;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.server.ServiceDemand;
import org.diperf.core.run.MonitorRecord;

/** Says what monitors saw of the service. */
public final class ServerText {

    private static final double MEGA = 1e6;
    private static final int MAX_DECIMALS = 9;

    private ServerText() {}

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Sets what the service's logs say next to what the clients saw, a sentence each. */
    public static List<String> comparisons(Analysis analysis) {
        List<String> sentences = new ArrayList<>();
        analysis.server().logs().forEach(log -> {
            LogComparison compared = analysis.server().comparisons().get(log.monitor());
            if (compared != null) {
                sentences.add(sentence(compared));
            }
        });
        return sentences;
    }

    private static String sentence(LogComparison compared) {
        StringBuilder words = new StringBuilder("The service's own log has ")
                .append(Numbers.count(compared.requests()))
                .append(" requests, and the clients made ")
                .append(Numbers.count(compared.calls()))
                .append(" calls");
        if (!Double.isNaN(compared.throughputPercent())) {
            words.append(format(
                    "; throughput differs by %.2f %% on average in the measured part, and by %.2f %% at most",
                    compared.throughputPercent(), compared.throughputWorstPercent()));
        }
        if (!Double.isNaN(compared.serverMs()) && !Double.isNaN(compared.clientMs())) {
            words.append(format(
                    "; according to the service, a request took %s on average, while the clients waited %s, which is "
                            + "%s more (%.2f %%), spent in the network in both directions and at both ends",
                    Numbers.time(compared.serverMs()),
                    Numbers.time(compared.clientMs()),
                    Numbers.time(compared.betweenMs()),
                    compared.betweenPercent()));
        }
        if (!Double.isNaN(compared.loadPercent())) {
            words.append(format("; calls in flight differ by %.2f %% on average", compared.loadPercent()));
        }
        return words.append('.').toString();
    }

    /** Says what a call and a client cost, a sentence for each monitor. */
    public static List<String> demands(Analysis analysis) {
        boolean closed = !RunText.isOpen(analysis);
        List<String> sentences = new ArrayList<>();
        for (ServiceDemand demand : analysis.server().demands()) {
            List<String> parts = new ArrayList<>();
            LinearFit cpu = demand.cpu();
            LinearFit law = demand.demand();
            if (cpu != null) {
                parts.add("a call takes " + interval(cpu, 1e3, " ms") + " of processor time, and "
                        + format("%.2f", cpu.base()).replace("-0.00", "0.00") + " cores are busy even without calls");
            }
            if (law != null) {
                parts.add((cpu == null ? "" : "shared among the calls in the measured part, ")
                        + "all busy time amounts to " + interval(law, 1e3, " ms per call") + " (D = U / X)");
            }
            double full = demand.fullAtPerSecond();
            if (!Double.isNaN(full)) {
                parts.add(format("%.0f cores would be fully busy at %s calls/s", demand.cores(), Numbers.plain(full)));
            }
            LinearFit memory = demand.memory();
            if (memory != null) {
                parts.add("each " + (closed ? "client" : "call in flight") + " takes "
                        + interval(memory, 1 / MEGA, " MB of memory") + ", on top of " + three(memory.base() / MEGA)
                        + " MB");
            }
            if (!parts.isEmpty()) {
                sentences.add(
                        "According to '" + RunText.clean(demand.monitor()) + "', " + String.join("; ", parts) + ".");
            }
        }
        return sentences;
    }

    /** Says in short what the service's own side saw, a line for each log and each monitor, for a terminal. */
    public static List<String> lines(Analysis analysis) {
        List<String> lines = new ArrayList<>();
        analysis.server().logs().forEach(log -> {
            LogComparison compared = analysis.server().comparisons().get(log.monitor());
            if (compared != null) {
                lines.add(RunText.clean(log.monitor()) + ": " + brief(compared));
            }
        });
        for (ServiceDemand demand : analysis.server().demands()) {
            String words = brief(demand, RunText.isOpen(analysis) ? "call in flight" : "client");
            if (!words.isEmpty()) {
                lines.add(RunText.clean(demand.monitor()) + ": " + words);
            }
        }
        return lines;
    }

    private static String brief(LogComparison compared) {
        List<String> parts = new ArrayList<>();
        parts.add(Numbers.count(compared.requests()) + " requests for " + Numbers.count(compared.calls()) + " calls");
        if (!Double.isNaN(compared.throughputPercent())) {
            parts.add(format("throughput differs by %.2f %%", compared.throughputPercent()));
        }
        if (!Double.isNaN(compared.serverMs()) && !Double.isNaN(compared.clientMs())) {
            parts.add("mean " + Numbers.time(compared.serverMs()) + ", at the clients "
                    + Numbers.time(compared.clientMs()));
        }
        return String.join(" · ", parts);
    }

    private static String brief(ServiceDemand demand, String load) {
        List<String> parts = new ArrayList<>();
        LinearFit cpu = demand.cpu() == null ? demand.demand() : demand.cpu();
        if (cpu != null) {
            parts.add("CPU " + interval(cpu, 1e3, " ms per call"));
        }
        double full = demand.fullAtPerSecond();
        if (!Double.isNaN(full)) {
            parts.add(format("%.0f cores fully busy at %s calls/s", demand.cores(), Numbers.plain(full)));
        }
        LinearFit memory = demand.memory();
        if (memory != null) {
            parts.add("memory " + interval(memory, 1 / MEGA, " MB a " + load));
        }
        return String.join(" · ", parts);
    }

    /** Writes a value and its 95 % interval, with three digits each. */
    private static String interval(LinearFit slope, double scale, String unit) {
        return three(scale * slope.perUnit()) + unit + " (" + three(scale * slope.low()) + " to "
                + three(scale * slope.high()) + ")";
    }

    /** Writes three digits without an exponent, and all digits before the point. */
    private static String three(double value) {
        if (value == 0) {
            return "0";
        }
        int decimals = 2 - (int) Math.floor(Math.log10(Math.abs(value)));
        return Double.isFinite(value)
                ? format("%." + Math.min(MAX_DECIMALS, Math.max(0, decimals)) + "f", value)
                : Numbers.NONE;
    }

    /** Returns a row for each level: load, calls a second, busy cores, their share, processor time a call, memory. */
    public static List<List<String>> levels(ServiceDemand demand) {
        List<List<String>> rows = new ArrayList<>();
        for (LevelDemand level : demand.levels()) {
            LinearFit interval = level.demand();
            rows.add(List.of(
                    Numbers.level(level.level()),
                    Numbers.plain(level.perSecond()),
                    three(level.busyCores()),
                    Double.isFinite(level.utilisationPercent())
                            ? format("%.1f %%", level.utilisationPercent())
                            : Numbers.NONE,
                    interval == null ? three(1e3 * level.secondsPerCall()) : interval(interval, 1e3, ""),
                    value(level.memoryBytes(), true)));
        }
        return rows;
    }

    /** Returns the rows of all metrics of the service: monitor, metric, mean, least, largest, unit; those that were always 0 are left out. */
    public static List<List<String>> rows(Analysis analysis) {
        List<List<String>> rows = new ArrayList<>();
        List<MonitorRecord> monitors = analysis.run().monitors();
        for (MonitoredMetric track : analysis.server()
                .ofService(monitors == null ? List.of() : monitors)
                .tracks()) {
            if (!Double.isNaN(track.mean()) && (track.max() != 0 || track.min() != 0)) {
                boolean bytes = track.unit().startsWith("bytes");
                rows.add(List.of(
                        RunText.clean(track.monitor()),
                        RunText.clean(track.metric()),
                        value(track.mean(), bytes),
                        value(track.min(), bytes),
                        value(track.max(), bytes),
                        RunText.clean(track.unit().replace("bytes", "")).strip()));
            }
        }
        return rows;
    }

    private static String value(double value, boolean bytes) {
        return Double.isNaN(value) ? Numbers.NONE : bytes ? Numbers.bytes(value) : Numbers.plain(value);
    }
}
