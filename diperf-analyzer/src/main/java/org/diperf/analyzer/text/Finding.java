package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.UnaryOperator;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.result.ClientSide.Bandwidth;
import org.diperf.analyzer.result.ClientSide.MetricSummary;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.spi.ClientTrait;

/** What a run found, in a line: {@code 200 calls/s, median 0.395 ms, p99 3.13 ms (2.91–3.44), no failures}. All outputs say the same. */
public final class Finding {

    /** Rates that differ by less are one. */
    private static final double SAME = 0.01;
    /** Of fewer calls the longest says more than a percentile that none of them exceeds. */
    private static final int MIN_FOR_P99 = 100;

    private Finding() {}

    /** Returns the sentence. It claims nothing that the numbers do not carry. */
    public static String sentence(Analysis analysis) {
        Summary summary = analysis.summary();
        CallCounts whole = summary.calls();
        if (whole.ok() == 0) {
            return noneSucceeded(analysis);
        }
        SearchSummary search = summary.search();
        String ofLevels = search != null
                ? LevelFinding.ofSearch(analysis, search)
                : Levels.of(analysis).isEmpty() ? null : LevelFinding.ofLevels(analysis);
        if (ofLevels != null) {
            return ofLevels;
        }
        Window measured = summary.measured();
        PartCounts part = measured != null && measured.calls().ok() > 0 ? measured : summary;
        List<String> parts = new ArrayList<>();
        String measure = measure(analysis);
        if (!measure.isEmpty()) {
            parts.add(measure);
        }
        // Where something else is measured, a rate of calls only says how often; of programs, time is what is asked
        // for.
        boolean isTimeFirst = analysis.run().has(ClientTrait.STARTS_PROGRAMS)
                && !analysis.run().has(ClientTrait.TIMES_ITSELF);
        if (measure.isEmpty() && !isTimeFirst) {
            parts.add(served(analysis, part));
        }
        Statistics times = part.responseTime();
        if (!analysis.run().has(ClientTrait.MEASURES) && times != null && Double.isFinite(times.p50())) {
            parts.add("median " + RangeText.time(times, Statistic.P50));
            parts.add(
                    times.count() < MIN_FOR_P99
                            ? "longest " + RangeText.time(times, Statistic.MAX)
                            : "p99 " + RangeText.time(times, Statistic.P99));
        }
        if (measure.isEmpty() && isTimeFirst) {
            parts.add(served(analysis, part));
        }
        parts.add(failures(part.calls()));
        if (part == measured) {
            String late = late(measured);
            if (!late.isEmpty()) {
                parts.add(late);
            }
        }
        int knee = knee(analysis);
        if (knee > 0) {
            parts.add("throughput stopped growing at about " + Numbers.count(knee) + " clients");
        }
        return String.join(", ", parts);
    }

    /** Returns what clients measured, where that and not a rate of calls is what they are for; empty: it is not, or they measured nothing. */
    private static String measure(Analysis analysis) {
        ClientSide side = analysis.summary().clientSide();
        if (side == null) {
            return "";
        }
        Bandwidth bandwidth = side.bandwidth();
        if (analysis.run().has(ClientTrait.MOVES_DATA) && bandwidth != null) {
            return Numbers.bytes(bandwidth.bytesPerSecond()) + "/s (" + Numbers.bits(bandwidth.megabitsPerSecond())
                    + ")";
        }
        Map<String, MetricSummary> metrics = side.metrics();
        if (!analysis.run().has(ClientTrait.MEASURES) || metrics == null) {
            return "";
        }
        for (MetricRecord declared : analysis.run().metrics()) {
            MetricSummary metric = metrics.get(declared.name());
            if (metric != null) {
                return measure(declared.name(), metric);
            }
        }
        return "";
    }

    private static String measure(String name, MetricSummary metric) {
        Statistics values = metric.values();
        String unit = RunText.clean(metric.unit());
        boolean areBits = unit.equals("Mbit/s");
        UnaryOperator<String> withUnit = value -> unit.isEmpty() ? value : value + " " + unit;
        DoubleFunction<String> write = value -> areBits ? Numbers.bits(value) : withUnit.apply(Numbers.plain(value));
        return RunText.clean(name) + " " + write.apply(values.p50())
                + (values.count() > 1
                        ? " (" + write.apply(values.min()) + " to " + write.apply(values.max()) + " in "
                                + Numbers.count(values.count(), "measurement") + ")"
                        : "");
    }

    /** Returns the clients of a ramp beyond which throughput did not grow; 0 where nothing can be said. */
    private static int knee(Analysis analysis) {
        SaturationSummary ramp =
                analysis.capacity().saturation() == null ? analysis.summary().saturation() : null;
        Double clients = ramp == null ? null : ramp.clients();
        return clients == null ? 0 : (int) Math.round(clients);
    }

    /** Says how many ok calls there were a second, and of what. */
    private static String served(Analysis analysis, PartCounts part) {
        Summary summary = analysis.summary();
        RateUnit unit = RateUnit.of(analysis.run());
        Throughput throughput = part.throughput();
        if (throughput == null || !Double.isFinite(throughput.mean())) {
            return Numbers.count(part.calls().ok(), "ok call");
        }
        // A service that answers all that is offered, some of it wrongly, is not one that cannot keep up.
        double completed =
                throughput.mean() * part.calls().total() / part.calls().ok();
        boolean isApart = completed > (1 + SAME) * throughput.mean();
        String rate = (throughput.atLeast() ? "≥ " : "")
                + (isApart ? Numbers.brief(throughput.mean() * unit.factor()) + " ok of " : "")
                + unit.calls(completed);
        if (RunText.isOpen(analysis)) {
            Double offered = summary.load().rate();
            boolean isOfAll = analysis.run().stages().size() == 1 || isPeak(summary, part);
            return offered != null && isOfAll && completed < (1 - SAME) * offered
                    ? rate + " of " + Numbers.brief(offered * unit.factor()) + unit.symbol() + " offered"
                    : rate;
        }
        Integer clients = part instanceof Window window && window.clients() != null
                ? window.clients()
                : summary.load().clients();
        return clients == null ? rate : rate + " with " + Numbers.count(clients, "client");
    }

    private static boolean isPeak(Summary summary, PartCounts part) {
        return part instanceof Window window
                && summary.peak() != null
                && !summary.peak().differsFrom(window);
    }

    static String failures(CallCounts calls) {
        StringBuilder text = new StringBuilder();
        if (calls.failed() == 0) {
            text.append("no failures");
        } else {
            text.append(Numbers.share(calls.failed() / (double) calls.total())).append(" of ");
            text.append(Numbers.count(calls.total(), "call")).append(" failed");
        }
        if (calls.dropped() > 0) {
            long due = Math.max(calls.planned(), calls.total() + calls.dropped() + calls.unfinished());
            text.append(", ")
                    .append(Numbers.share(calls.dropped() / (double) due))
                    .append(" were never sent");
        }
        return text.toString();
    }

    /** Says how many of the calls that were due in a part failed after it, where that changes what is said of it. */
    private static String late(Window measured) {
        CallStatistics withLate = measured.withLate();
        return withLate == null || !measured.failsLater()
                ? ""
                : "but "
                        + Numbers.count(
                                withLate.calls().failed() - measured.calls().failed(), "call")
                        + " due in the measured part failed after it";
    }

    private static String noneSucceeded(Analysis analysis) {
        CallCounts calls = analysis.summary().calls();
        if (calls.total() == 0) {
            return calls.unfinished() > 0
                    ? "no call ended: " + Numbers.count(calls.unfinished()) + " were cut off by the end of the run"
                    : "no call was made";
        }
        String most = "";
        if (!analysis.failures().isEmpty()) {
            FailureCause first = analysis.failures().get(0);
            String remedy = RunText.remedy(first);
            most = (first.count() == calls.failed() ? ", with " : ", mostly with ")
                    + RunText.cause(analysis.run(), first)
                    + (remedy.isEmpty() ? "" : "; " + remedy);
        }
        return "no call succeeded: all " + Numbers.count(calls.failed()) + " failed" + most;
    }
}
