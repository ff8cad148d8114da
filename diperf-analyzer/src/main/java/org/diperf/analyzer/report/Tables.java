package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.ClockText;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.table.ClientTable;
import org.diperf.analyzer.table.ConfidenceTable;
import org.diperf.analyzer.table.JourneyTable;
import org.diperf.analyzer.table.PartTable;
import org.diperf.analyzer.table.RequestTable;
import org.diperf.analyzer.table.StageTable;
import org.diperf.analyzer.table.TesterTable;
import org.diperf.analyzer.text.Levels;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.OriginRecord;

/** The tables of the report. */
final class Tables {

    static final int MAX_ROWS = 200;

    /** Heading of the rate of ok calls, before its unit. */
    static final String RATE = "ok calls";

    /** More would hide the figures. */
    private static final int MAX_MAIN_ROWS = 20;

    private final Analysis analysis;
    private final Html html;
    private final int parts;
    private final int stages;

    Tables(Analysis analysis, Html html) {
        this.analysis = analysis;
        this.html = html;
        Breakdown breakdown = analysis.breakdown();
        this.parts = breakdown == null ? 0 : PartTable.rows(breakdown).size();
        this.stages = analysis.summary().stages() == null
                ? 0
                : StageTable.rows(analysis).size();
    }

    /** Writes the table of the first screen. */
    void mainRequests() {
        requests(MAX_MAIN_ROWS);
    }

    /** Writes groups and stages, where they are few enough to stand before the figures. */
    void mainParts() {
        if (parts <= MAX_MAIN_ROWS) {
            parts();
        }
        if (stages <= MAX_MAIN_ROWS) {
            stages();
        }
    }

    /** Writes all others. */
    void others() {
        if (parts > MAX_MAIN_ROWS) {
            parts();
        }
        if (stages > MAX_MAIN_ROWS) {
            stages();
        }
        observed();
        if (RequestTable.severalKinds(analysis).size() > MAX_MAIN_ROWS) {
            html.element("h2", "All requests");
            requests(MAX_ROWS);
        }
        journeys();
        certainty();
        ClientSideSection.write(analysis, html);
        failures();
        testers();
        new NodeTable(analysis.run(), html).write();
        clients();
    }

    private void parts() {
        Breakdown breakdown = analysis.breakdown();
        if (breakdown == null) {
            return;
        }
        String what = PartTable.head(breakdown);
        html.element("h2", what.equals("group") ? "Groups" : "By " + what, "id", "groups");
        table(
                "One " + what + " per row, over the whole run; response times in ms",
                1,
                PartTable.of(analysis, breakdown, RATE, "remark"),
                PartTable.rows(breakdown));
        List<PartTable.Row> peak = PartTable.peakRows(breakdown);
        if (!peak.isEmpty()) {
            table(
                    "The same for the peak of the run, and how evenly the clients of each were served",
                    1,
                    PartTable.atPeak(analysis, breakdown),
                    peak);
        }
        String between = PartTable.between(analysis);
        if (between != null) {
            html.element("p", between);
        }
    }

    private void stages() {
        if (stages == 0) {
            return;
        }
        String what = StageTable.head(analysis);
        html.element("h2", title(what), "id", "stages");
        SearchSummary search = analysis.summary().search();
        if (search != null) {
            html.element("p", RunText.clean(search.conclusion()));
            html.element("p", StageTable.SPANS);
        }
        List<StageSummary> stages = StageTable.rows(analysis);
        table(
                "One " + what
                        + " per row, in chronological order, measured from when it settled, if it did; response "
                        + "times in ms",
                1,
                StageTable.of(analysis, RATE, "remark"),
                stages);
        rest(stages.size(), MAX_ROWS, "stages.csv");
    }

    private void observed() {
        SearchSummary search = analysis.summary().search();
        if (search != null) {
            html.element("h3", "What was observed at each probe");
            html.definitions(search.probes().stream()
                    .limit(MAX_ROWS)
                    .map(probe -> List.of(Levels.write(analysis, probe.value()), RunText.clean(probe.observed())))
                    .toList());
        }
    }

    /** Returns the heading of the table of stages. */
    static String title(String what) {
        return what.equals("probe") ? "Search" : what.equals("level") ? "Levels" : "Stages";
    }

    private void requests(int most) {
        List<RequestTable.Row> kinds = RequestTable.severalKinds(analysis);
        List<RequestTable.Row> rows = new ArrayList<>(kinds.subList(0, Math.min(most, kinds.size())));
        rows.addAll(RequestTable.windows(analysis.summary()));
        Table<RequestTable.Row> table = RequestTable.of(analysis, RATE);
        html.table(
                (kinds.isEmpty() ? "All requests" : "Kinds of request, then all requests")
                        + (MeasuredPart.of(analysis.summary()) == null
                                ? ""
                                : " in the measured part; all requests over the whole run")
                        + "; response times of ok calls in ms"
                        + (analysis.run().lacks(OriginRecord.SEND_LAG) ? ", from the start time in the file" : ""),
                1,
                table.headings(),
                table.cells(rows));
        rest(analysis.requests().size(), most, "requests.csv");
    }

    private void journeys() {
        List<JourneyTable.Row> rows = JourneyTable.rows(analysis);
        if (rows.isEmpty()) {
            return;
        }
        html.element("h2", "Journeys", "id", "journeys");
        table(
                "One journey or group of calls per row, over the whole run, from the intended start of its"
                        + " first call to the"
                        + " end of its last; response times in ms",
                1,
                JourneyTable.of(analysis, RATE),
                rows);
        table(
                "How far journeys got: a step's calls are those of all journeys that contain it",
                2,
                JourneyTable.ofSteps(),
                JourneyTable.steps(analysis));
    }

    private void certainty() {
        List<ConfidenceTable.Row> rows = ConfidenceTable.rows(analysis, MAX_ROWS);
        if (rows.isEmpty()) {
            return;
        }
        html.element("h3", "How certain these numbers are", "id", "certainty");
        table(
                "95 % confidence intervals, where the run has enough data; response times in ms",
                1, ConfidenceTable.of(RateUnit.of(analysis.run())), rows);
        html.element(
                "p",
                "A number has no interval if there were too few calls, or if they were too strongly correlated; "
                        + "summary.json gives the reason. Steady from: the end of the warm-up according to MSER-5; a "
                        + "level is measured from when it settled. Little's law: how far throughput × "
                        + "(response + think time) is from the number of clients or, for open load, of calls in flight; "
                        + "more than 2 %, beyond edge effects at the start and end, indicates a measurement fault.",
                "class",
                "note");
    }

    private void failures() {
        if (!analysis.failures().isEmpty()) {
            html.element("h3", "Causes of failure");
            html.list(analysis.failures().stream()
                    .map(c -> OverviewSection.line(analysis, c))
                    .toList());
        }
        if (!analysis.rejected().isEmpty()) {
            html.element("h3", "Values that could not be recorded");
            html.list(analysis.rejected().stream()
                    .limit(MAX_ROWS)
                    .map(r -> Numbers.count(r.count()) + " × " + RunText.clean(r.what()))
                    .toList());
        }
    }

    private void testers() {
        html.element("h2", "Testers", "id", "testers");
        if (analysis.testers().isEmpty()) {
            html.element("p", "No tester took part.", "class", "note");
            return;
        }
        table("Load generators, one per row", 3, TesterTable.of(analysis), analysis.testers());
        rest(analysis.testers().size(), MAX_ROWS, "testers.csv");
        List<Clocks.Note> notes = analysis.clocks().notes();
        if (!notes.isEmpty()) {
            html.element("h3", "What happened to the clocks");
            html.list(notes.stream()
                    .limit(MAX_ROWS)
                    .map(note -> "The clock of tester " + note.tester() + " " + ClockText.of(note) + ".")
                    .toList());
        }
    }

    private void clients() {
        html.element("h2", "Clients", "id", "clients");
        if (analysis.clients().isEmpty()) {
            html.element("p", "No client made a call.", "class", "note");
            return;
        }
        table(
                "Virtual users, one per row; response times of ok calls in ms",
                0,
                ClientTable.of(analysis),
                analysis.clients());
        rest(analysis.clients().size(), MAX_ROWS, "clients.csv");
    }

    /** Writes the first rows of a table; the first columns so many hold text. */
    private <T> void table(String caption, int textColumns, Table<T> table, List<T> rows) {
        html.table(
                caption, textColumns, table.headings(), table.cells(rows.subList(0, Math.min(MAX_ROWS, rows.size()))));
    }

    private void rest(int count, int most, String file) {
        if (count > most) {
            html.open("p", "class", "note")
                    .text("The first " + most + " of " + Numbers.count(count) + "; all are in ")
                    .element("a", file, "href", file)
                    .text(".")
                    .close("p");
        }
    }
}
