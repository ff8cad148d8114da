package org.diperf.analyzer.report;

import java.util.List;
import java.util.regex.Pattern;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.DetailedCall;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.plan.TraceIds;
import org.diperf.core.run.RunRecord.TraceRecord;
import org.diperf.core.sample.Outcome;
import org.diperf.core.spi.OneLine;

/** Single calls with what was said in them: the first of each cause of failure, and the slowest. Absent where none was kept. */
final class CallSection {

    /** All of it must leave the page below its size. */
    private static final int MAX_CHARACTERS = 300_000;

    private static final Pattern LINK = Pattern.compile("https?://\\S+");

    private CallSection() {}

    /** Returns whether there is anything to tell. */
    static boolean isNeeded(Analysis analysis) {
        return !analysis.details().shown().isEmpty();
    }

    /** Returns whether a failed call is shown. */
    static boolean showsFailures(Analysis analysis) {
        return analysis.details().shown().stream()
                .anyMatch(call -> !call.outcome().equals(Outcome.OK));
    }

    static void write(Analysis analysis, Html html) {
        if (!isNeeded(analysis)) {
            return;
        }
        html.element("h2", "Single calls", "id", "calls");
        html.element(
                "p",
                "The first calls for each cause of failure, and the slowest ok calls, with the beginning of what was "
                        + "sent (>) and received (<). Secrets, cookies and captured values are hidden.",
                "class",
                "note");
        int characters = 0;
        String before = "";
        List<DetailedCall> calls = analysis.details().shown();
        for (DetailedCall call : calls) {
            if (characters > MAX_CHARACTERS) {
                html.element("p", "Further calls are omitted here.", "class", "note");
                return;
            }
            if (!call.outcome().equals(before)) {
                before = call.outcome();
                html.element(
                        "h3", before.equals(Outcome.OK) ? "Slowest ok calls" : RunText.clean(Outcome.cause(before)));
            }
            html.open("details").element("summary", line(analysis, call));
            trace(analysis, call, html);
            html.open("pre", "class", "said");
            for (String line : call.text().split("\n", -1)) {
                html.element(
                        "span", OneLine.of(line.replace("\t", "    "), Integer.MAX_VALUE) + "\n", "class", kind(line));
            }
            html.close("pre", "details");
            characters += call.text().length();
        }
    }

    /** Names the call as a tracing system knows it. */
    private static void trace(Analysis analysis, DetailedCall call, Html html) {
        TraceRecord record = analysis.run().trace();
        if (record == null) {
            return;
        }
        String id = TraceIds.trace(analysis.run().seed(), call.client(), call.call(), call.request());
        html.open("p", "class", "meta").text("trace ");
        if (LINK.matcher(record.link()).matches()) {
            html.element("a", id, "href", TraceIds.link(record.link(), id), "rel", "noreferrer");
        } else {
            html.text(id);
        }
        html.close("p");
    }

    private static String kind(String line) {
        return line.startsWith(">") ? "sent" : line.startsWith("<") ? "came" : "remark";
    }

    private static String line(Analysis analysis, DetailedCall call) {
        List<String> kinds = analysis.run().requests();
        String request = call.request() < kinds.size() && kinds.size() > 1
                ? RunText.clean(kinds.get(call.request())) + " · "
                : "";
        return request + Numbers.time(call.responseMillis()) + " · ended at " + Numbers.clock(call.endSeconds())
                + " · client " + call.client() + ", its call " + call.call() + " · tester-" + call.tester();
    }
}
