package org.diperf.analyzer.text;

import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.AskedNumber;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.SaturationSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.Throughput;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.stats.Statistics;
import org.jspecify.annotations.Nullable;

/** What a run found, in a sentence or two. Terminal and report say the same. */
public final class Finding {

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
        boolean windowed = measured != null && measured.calls().ok() > 0;
        CallCounts calls = windowed && measured != null ? measured.calls() : whole;
        Throughput throughput = windowed && measured != null ? measured.throughput() : summary.throughput();
        Statistics response = windowed && measured != null ? measured.responseTime() : summary.responseTime();

        StringBuilder sentence = new StringBuilder(RunText.clean(summary.experiment()));
        sentence.append(served(analysis, windowed ? measured : null, throughput));
        if (response != null && Double.isFinite(response.p50())) {
            List<AskedNumber> asked = summary.asked() == null ? List.of() : summary.asked();
            sentence.append("; median response ").append(RangeText.time(response, Statistic.P50, asked));
            sentence.append(", 99 % within ").append(RangeText.time(response, Statistic.P99, asked));
        }
        sentence.append("; ").append(failures(calls));
        if (windowed && measured != null) {
            sentence.append(late(measured));
        }
        sentence.append('.');
        int knee = knee(analysis);
        if (knee > 0) {
            sentence.append(" Throughput stopped growing at about ")
                    .append(Numbers.count(knee))
                    .append(" clients.");
        }
        return sentence.toString();
    }

    /** Returns the clients of a ramp beyond which throughput did not grow; 0 where nothing can be said. */
    private static int knee(Analysis analysis) {
        SaturationSummary ramp =
                analysis.capacity().saturation() == null ? analysis.summary().saturation() : null;
        Double clients = ramp == null ? null : ramp.clients();
        return clients == null ? 0 : (int) Math.round(clients);
    }

    private static String served(Analysis analysis, @Nullable Window window, @Nullable Throughput throughput) {
        Summary summary = analysis.summary();
        RateUnit unit = RateUnit.of(analysis.run());
        CallCounts calls = window == null ? summary.calls() : window.calls();
        if (throughput == null || !Double.isFinite(throughput.mean())) {
            return calls.failed() == 0
                    ? " answered " + Numbers.count(calls.ok(), "call")
                    : " completed " + Numbers.count(calls.total(), "call") + ", " + Numbers.count(calls.ok())
                            + " of them ok";
        }
        // A service that answers all that is offered, some of it wrongly, is not one that cannot keep up.
        double completed = throughput.mean() * calls.total() / calls.ok();
        String okRate = Numbers.brief(throughput.mean() * unit.factor());
        boolean isApart = !okRate.equals(Numbers.brief(completed * unit.factor()));
        String ok = isApart ? ", " + okRate + unit.symbol() + " of them ok" : "";
        StringBuilder text = new StringBuilder(isApart ? " completed " : " answered ")
                .append(unit.calls(isApart ? completed : throughput.mean()));
        Double offered = summary.load().rate();
        if (RunText.isOpen(analysis)) {
            boolean one = analysis.run().stages().size() == 1;
            if (offered != null && (one || window != null && isPeak(summary, window))) {
                text.append(" of ")
                        .append(Numbers.brief(offered * unit.factor()))
                        .append(unit.symbol())
                        .append(" offered");
            }
            return text.append(ok).toString();
        }
        Integer clients = window != null && window.clients() != null
                ? window.clients()
                : summary.load().clients();
        if (clients != null) {
            text.append(" with ").append(Numbers.count(clients, "client"));
        }
        text.append(ok);
        Double best = throughput.max();
        if (best != null && best > 1.02 * throughput.mean()) {
            text.append(" (")
                    .append(Numbers.brief(best * unit.factor()))
                    .append(unit.symbol())
                    .append(isApart ? " ok at best)" : " at best)");
        }
        return text.toString();
    }

    private static boolean isPeak(Summary summary, Window window) {
        Window peak = summary.peak();
        return peak != null && peak.fromSeconds() == window.fromSeconds() && peak.toSeconds() == window.toSeconds();
    }

    static String failures(CallCounts calls) {
        StringBuilder text = new StringBuilder();
        if (calls.failed() == 0 && calls.total() == 1) {
            text.append("the only call succeeded");
        } else if (calls.failed() == 0) {
            text.append("none of ").append(Numbers.count(calls.total(), "call")).append(" failed");
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
                : ", but "
                        + Numbers.count(
                                withLate.calls().failed() - measured.calls().failed())
                        + " more failed that were due in the measured part but ended after it";
    }

    private static String noneSucceeded(Analysis analysis) {
        CallCounts calls = analysis.summary().calls();
        if (calls.total() == 0) {
            return calls.unfinished() > 0
                    ? "No call ended: " + Numbers.count(calls.unfinished()) + " were cut off by the end of the run."
                    : "No call was made.";
        }
        String most = "";
        if (!analysis.failures().isEmpty()) {
            FailureCause first = analysis.failures().get(0);
            most = first.count() == calls.failed()
                    ? ", with " + RunText.cause(analysis.run(), first)
                    : ", mostly with " + RunText.cause(analysis.run(), first);
        }
        return "No call succeeded: all " + Numbers.count(calls.failed()) + " failed" + most + ".";
    }
}
