package org.diperf.analyzer.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.table.RunTables;
import org.diperf.analyzer.text.CalibrationFinding;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.Event;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;

/** How it was measured, and what happened. */
final class MethodSection {

    private static final List<List<String>> DEFINITIONS = List.of(
            List.of("response time", "from when a call was due until it ended; ok calls only"),
            List.of("service time", "from when a call was sent until it ended"),
            List.of("send lag", "from when a call was due until it was sent: the delay caused by the generator"),
            List.of(
                    "a call's end",
                    "when its response arrived, if the kernel timestamped it; otherwise when the client had read it. "
                            + "The ranges do not include time stolen by a hypervisor or spent in interrupts before "
                            + "the kernel timestamped a response"),
            List.of(
                    "throughput",
                    "ok calls that ended in an interval of global time, divided by its length; mean = ok calls / "
                            + "duration"),
            List.of(
                    "load",
                    "closed load: active clients; open load: calls in flight; both as time-weighted means per "
                            + "interval"),
            List.of("utilisation", "a client's ok calls / all ok calls while it was active"),
            List.of(
                    "fairness",
                    "population standard deviation of the utilisation during the peak; Jain's index is 1 when all "
                            + "are equal"),
            List.of(
                    "peak",
                    "the longest interval in which all clients that started and were not lost were active, or the "
                            + "rate was highest; for levels and searches, the settled part of the best level or probe"),
            List.of(
                    "settled",
                    "the point from which a level or probe is measured, because its numbers no longer " + "drift"),
            List.of("failed", "did not end as expected; includes timed-out and cancelled calls"),
            List.of("dropped", "due in open load while max-in-flight was reached: never sent, not counted as failed"),
            List.of("unfinished", "in flight when the run was cut short: neither ok nor failed"),
            List.of(
                    "error bound",
                    "the maximum by which a tester's times can differ from global time, given the exchanges around "
                            + "them"));

    private static final Map<String, String> FILES = files();

    private final Analysis analysis;
    private final RunRecord run;
    private final Html html;

    MethodSection(Analysis analysis, Html html) {
        this.analysis = analysis;
        this.run = analysis.run();
        this.html = html;
    }

    private static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("experiment.yml", "the experiment with every default written out; running it again repeats the run");
        files.put("summary.json", "the numbers, for scripts");
        files.putAll(RunTables.files());
        files.put("clock.csv", "every exchange of clock readings");
        files.put("figures", "every figure as PNG and SVG");
        files.put("samples", "the raw samples, every call");
        files.put("run.log", "what happened and when, in global time");
        return files;
    }

    void write(Path outDir) {
        html.element("h2", "How it was measured", "id", "measured");
        html.element("h3", "Load");
        if (run.stages().isEmpty()) {
            html.element("p", "The run has no stages.");
        }
        for (StageRecord stage :
                run.stages().subList(0, Math.min(100, run.stages().size()))) {
            String number = run.stages().size() > 1
                    ? "Stage " + (stage.number() + 1) + ", from " + Numbers.clock(stage.startNanos() / 1e9) + ": "
                    : "";
            html.element(
                    "p",
                    run.cameByImport()
                            ? "The calls were imported; the intended load is not known."
                            : number + RunText.stage(run, stage));
        }
        facts();
        html.element("h3", "What the terms mean").definitions(DEFINITIONS);
        machines();
        html.element("h3", "Files in the run directory");
        html.open("dl");
        FILES.forEach((name, meaning) -> {
            if (Files.exists(outDir.resolve(name))) {
                html.open("dt").element("a", name, "href", name).raw("</dt>").element("dd", meaning);
            }
        });
        html.close("dl");
        html.element(
                "p",
                "Every number here is computed from samples/, which contains every call of the run.",
                "class",
                "note");
        events();
    }

    private void facts() {
        Summary summary = analysis.summary();
        CallCounts calls = summary.calls();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("targets", RunText.targets(run)));
        OriginRecord origin = run.origin();
        rows.add(
                origin == null
                        ? List.of("client plugin", RunText.clean(run.plugin()))
                        : List.of("origin", origin.kind() + " from " + RunText.clean(origin.from())));
        rows.add(List.of(
                "testers",
                summary.testers().requested() + " expected, "
                        + summary.testers().started() + " started, "
                        + summary.testers().lost() + " lost, "
                        + summary.testers().replaced() + " replaced"));
        rows.add(List.of(
                "calls",
                (run.cameByImport() ? "" : Numbers.count(calls.planned()) + " planned, ") + Numbers.count(calls.sent())
                        + " sent, "
                        + Numbers.count(calls.ok()) + " ok, " + Numbers.count(calls.failed()) + " failed ("
                        + Numbers.count(calls.timedOut()) + " timed out), " + Numbers.count(calls.dropped())
                        + " dropped, " + Numbers.count(calls.unfinished()) + " unfinished; "
                        + Numbers.bytes(calls.bytes()) + " moved"));
        Window measured = summary.measured();
        if (measured != null) {
            rows.add(List.of(
                    "measured part",
                    range(measured) + " (" + RunText.clean(run.measure().window())
                            + (run.measure().skipNanos() > 0
                                    ? ", without its first "
                                            + Numbers.span(run.measure().skipNanos())
                                    : "")
                            + ")"));
        }
        Window peak = summary.peak();
        if (peak != null) {
            rows.add(List.of(
                    "peak",
                    range(peak) + (peak.clients() == null ? "" : " with " + Numbers.count(peak.clients(), "client"))));
        }
        if (summary.fairness() != null) {
            rows.add(List.of(
                    "fairness",
                    "standard deviation of utilisation "
                            + Numbers.share(summary.fairness().utilisationStddev()) + ", Jain's index "
                            + String.format(
                                    Locale.ROOT, "%.4f", summary.fairness().jain()) + " over "
                            + Numbers.count(summary.fairness().clients(), "client")
                            + FairnessText.more(summary.fairness())));
        }
        String calibration = CalibrationFinding.line(summary);
        if (calibration != null) {
            rows.add(List.of("load generator", calibration));
        }
        clocks(rows);
        rows.add(List.of(
                "quantum",
                Numbers.length(analysis.series().quantumSeconds())
                        + (summary.clock() != null
                                        && analysis.series().quantumSeconds() * 1e6
                                                < summary.clock().maxErrorBoundMicros()
                                ? ", finer than the accuracy of the clocks"
                                : "")));
        ReportRecord report = run.report();
        rows.add(List.of(
                "averages over",
                report.smoothPoints() > 0
                        ? Numbers.count(report.smoothPoints(), "quantum").replace("quantums", "quanta")
                        : Numbers.span(report.smoothNanos()) + ", less if that exceeds a quarter of the run"));
        if (!run.cameByImport()) {
            rows.add(List.of("seed", String.valueOf(run.seed())));
        }
        rows.add(List.of("ended", run.end().name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        rows.add(List.of("DiPerF", RunText.clean(run.diperfVersion())));
        run.labels().forEach((name, value) -> rows.add(List.of("label " + RunText.clean(name), RunText.clean(value))));
        html.definitions(rows);
        if (!summary.warnings().isEmpty()) {
            html.element("h3", "Warnings");
            html.list(summary.warnings().stream()
                    .limit(Tables.MAX_ROWS)
                    .map(warning -> RunText.clean(warning.text()))
                    .toList());
        }
    }

    private void clocks(List<List<String>> rows) {
        Summary.ClockSummary clock = analysis.summary().clock();
        if (clock == null) {
            rows.add(List.of("clocks", "offsets between the testers' clocks are not known"));
            return;
        }
        Double expected = clock.expectedErrorMicros();
        rows.add(List.of(
                "clocks",
                "every tester's clock is mapped to the controller's by exchanges over the whole run; global "
                        + "times are accurate to within " + Numbers.time(clock.maxErrorBoundMicros() / 1e3)
                        + " at worst ("
                        + Numbers.time(clock.meanErrorBoundMicros() / 1e3) + " on average over testers)"
                        + (expected == null
                                ? ""
                                : "; if both directions of a path take equally long, they are expected to be accurate to within "
                                        + Numbers.time(expected / 1e3))
                        + "; the table of testers shows the offset and drift of each"));
        Summary.StartSkew skew = clock.startSkewMicros();
        if (skew != null) {
            rows.add(List.of(
                    "common start",
                    "testers missed it by " + Numbers.time(skew.max() / 1e3) + " at most, "
                            + Numbers.time(skew.mean() / 1e3) + " on average"));
        }
    }

    private static String range(Window window) {
        return Numbers.clock(window.fromSeconds()) + " to " + Numbers.clock(window.toSeconds());
    }

    private void machines() {
        html.element("h3", "Controller's machine").definitions(rows(run.machine()));
        // Testers on equal machines are told together.
        Map<Map<String, String>, List<Integer>> alike = new LinkedHashMap<>();
        for (TesterRecord tester : run.testers()) {
            alike.computeIfAbsent(tester.facts(), f -> new ArrayList<>()).add(tester.number());
        }
        int shown = 0;
        for (Map.Entry<Map<String, String>, List<Integer>> group : alike.entrySet()) {
            if (group.getKey().isEmpty() || shown++ >= 50) {
                continue;
            }
            List<Integer> numbers = group.getValue();
            String who = numbers.size() > 12
                    ? numbers.get(0) + " and " + (numbers.size() - 1) + " more"
                    : numbers.stream().map(String::valueOf).collect(java.util.stream.Collectors.joining(", "));
            html.element("h3", (numbers.size() > 1 ? "Testers " : "Tester ") + who)
                    .definitions(rows(group.getKey()));
        }
        for (TesterRecord tester : run.testers()) {
            Long lost = tester.lostNanos();
            if (lost != null) {
                html.element(
                        "p",
                        "Tester " + tester.number() + " was lost at " + Numbers.clock(lost / 1e9)
                                + (tester.lostReason() == null ? "." : ": " + RunText.clean(tester.lostReason())));
            }
        }
    }

    private static List<List<String>> rows(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(e -> List.of(
                        RunText.clean(e.getKey()), e.getValue().isBlank() ? "none" : RunText.clean(e.getValue())))
                .toList();
    }

    private void events() {
        html.element("h2", "Events", "id", "events");
        if (run.events().isEmpty()) {
            html.element("p", "None were recorded.", "class", "note");
            return;
        }
        html.open("dl");
        for (Event event : run.events()) {
            html.element("dt", Numbers.clock(event.atNanos() / 1e9)).element("dd", RunText.clean(event.text()));
        }
        html.close("dl");
    }
}
