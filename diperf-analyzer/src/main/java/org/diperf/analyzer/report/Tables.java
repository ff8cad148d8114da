package org.diperf.analyzer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.ClientRow;
import org.diperf.analyzer.result.ClockWords;
import org.diperf.analyzer.result.Clocks;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.TesterPlace;
import org.diperf.analyzer.result.TesterRow;
import org.diperf.analyzer.result.TesterWatch;
import org.diperf.analyzer.text.CertaintyRows;
import org.diperf.analyzer.text.Levels;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.PartRows;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.StageRows;
import org.diperf.analyzer.text.TableRow;
import org.diperf.analyzer.text.Words;

/** The tables below the first screen. */
final class Tables {

    static final int MAX_ROWS = 200;

    private final Analysis analysis;
    private final Html html;

    Tables(Analysis analysis, Html html) {
        this.analysis = analysis;
        this.html = html;
    }

    static List<String> requestHead(RateUnit unit) {
        return List.of("request", "calls", "failed", "ok calls" + unit.symbol(), "p50", "p95", "p99", "p99.9", "max");
    }

    void all() {
        parts();
        stages();
        requests();
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
        String what = PartRows.head(breakdown);
        RateUnit unit = RateUnit.of(analysis.run());
        html.element("h2", what.equals("group") ? "Groups" : "By " + what, "id", "groups");
        List<String> head = new ArrayList<>(requestHead(unit));
        head.set(0, what);
        head.add("remark");
        html.table(
                "One " + what + " a row, over the whole run; response times in ms",
                1,
                head,
                PartRows.of(analysis, breakdown, MAX_ROWS));
        List<List<String>> peak = PartRows.atPeak(analysis, breakdown);
        if (!peak.isEmpty()) {
            html.table(
                    "The same over the peak of the run, with how evenly the clients of each were served",
                    1,
                    PartRows.peakHead(breakdown, unit),
                    peak);
        }
        String between = PartRows.between(analysis);
        if (between != null) {
            html.element("p", between);
        }
    }

    private void stages() {
        if (analysis.summary().stages() == null) {
            return;
        }
        String what = StageRows.head(analysis);
        RateUnit unit = RateUnit.of(analysis.run());
        html.element("h2", title(what), "id", "stages");
        SearchSummary search = analysis.summary().search();
        if (search != null) {
            html.element("p", Words.clean(search.conclusion()));
        }
        List<String> head = new ArrayList<>(requestHead(unit));
        head.set(0, what);
        head.add("remark");
        html.table(
                "One " + what
                        + " a row, in the order of time, from its settling on where it settled; response times in ms",
                1,
                head,
                StageRows.of(analysis, MAX_ROWS));
        rest(StageRows.count(analysis), "stages.csv");
        if (search != null) {
            html.element("h3", "What was observed at each probe");
            html.definitions(search.probes().stream()
                    .limit(MAX_ROWS)
                    .map(probe -> List.of(Levels.write(analysis, probe.value()), Words.clean(probe.observed())))
                    .toList());
        }
    }

    /** Gives the heading of the table of stages. */
    static String title(String what) {
        return what.equals("probe") ? "Search" : what.equals("level") ? "Levels" : "Stages";
    }

    private void requests() {
        RateUnit unit = RateUnit.of(analysis.run());
        html.element("h2", "Requests", "id", "requests");
        List<List<String>> rows = Stream.concat(
                        // One kind alone is the whole run.
                        analysis.requests().stream()
                                .limit(analysis.requests().size() > 1 ? MAX_ROWS : 0)
                                .map(TableRow::of),
                        TableRow.windows(analysis.summary()).stream())
                .map(row -> row.cells(unit))
                .toList();
        html.table("Kinds of request over the whole run; response times in ms", 1, requestHead(unit), rows);
        rest(analysis.requests().size(), "requests.csv");
    }

    private void certainty() {
        List<List<String>> rows = CertaintyRows.of(analysis, MAX_ROWS);
        if (rows.isEmpty()) {
            return;
        }
        html.element("h3", "How sure these numbers are", "id", "certainty");
        html.table(
                "Intervals that contain the true value 19 times of 20, as far as the run can tell; response times in ms",
                1,
                CertaintyRows.head(RateUnit.of(analysis.run())),
                rows);
        html.element(
                "p",
                "A number without an interval: there were too few calls for one, or they depended too much on one another;"
                        + " summary.json says which. Steady from: where MSER-5 cuts off a warm-up; of a level that settled, its"
                        + " numbers count from its settling on. Little's law: by how much throughput × (response + think time)"
                        + " misses the clients, of open load the calls in flight; beyond 2 % and what the edges of the part can do it"
                        + " is a fault of the measurement.",
                "class",
                "note");
    }

    private void failures() {
        if (!analysis.failures().isEmpty()) {
            html.element("h3", "Causes of failure");
            html.list(analysis.failures().stream()
                    .map(c -> FirstScreen.line(analysis, c))
                    .toList());
        }
        if (!analysis.rejected().isEmpty()) {
            html.element("h3", "What clients could not use");
            html.list(analysis.rejected().stream()
                    .limit(MAX_ROWS)
                    .map(r -> Numbers.count(r.count()) + " × " + Words.clean(r.what()))
                    .toList());
        }
    }

    private void testers() {
        html.element("h2", "Testers", "id", "testers");
        if (analysis.testers().isEmpty()) {
            html.element("p", "No tester took part.", "class", "note");
            return;
        }
        List<List<String>> rows =
                analysis.testers().stream().limit(MAX_ROWS).map(this::row).toList();
        html.table(
                "Load generators, one a row",
                3,
                List.of(
                        "tester",
                        "host",
                        "node",
                        "clients",
                        "calls",
                        "ok",
                        "clock offset (ms)",
                        "drift (ppm)",
                        "error bound (µs)",
                        "expected error (µs)",
                        "round trip (ms)",
                        "start skew (µs)",
                        "CPU (%)",
                        "waited for it (%)",
                        "longest hiccup (ms)",
                        "GC (%)",
                        "descriptors",
                        "lost"),
                rows);
        rest(analysis.testers().size(), "testers.csv");
        List<Clocks.Note> notes = analysis.clocks().notes();
        if (!notes.isEmpty()) {
            html.element("h3", "What befell clocks");
            html.list(notes.stream()
                    .limit(MAX_ROWS)
                    .map(note -> "The clock of tester " + note.tester() + " " + ClockWords.of(note) + ".")
                    .toList());
        }
    }

    private List<String> row(TesterRow t) {
        TesterPlace place = TesterPlace.of(analysis.run(), t.tester());
        return List.of(
                String.valueOf(t.tester()),
                Words.clean(t.host()),
                place.node().isEmpty()
                        ? "–"
                        : Words.clean(place.node() + " " + place.labels()).strip(),
                Numbers.count(t.clients()),
                Numbers.count(t.calls()),
                Numbers.count(t.ok()),
                Numbers.plain(t.offsetMillis()),
                Numbers.plain(t.driftPpm()),
                Numbers.plain(t.errorBoundMicros()),
                Numbers.plain(t.expectedErrorMicros()),
                Numbers.plain(t.rttMillis()),
                Numbers.plain(t.startSkewMicros()),
                Numbers.plain(t.watch().cpuPercent()),
                Numbers.plain(t.watch().runQueuePercent()),
                Numbers.plain(t.watch().hiccupMaxMillis()),
                Numbers.plain(t.watch().gcPercent()),
                descriptors(t.watch()),
                place.fate());
    }

    private static String descriptors(TesterWatch watch) {
        return Double.isNaN(watch.descriptorsMax()) || Double.isNaN(watch.descriptorLimit())
                ? Numbers.plain(watch.descriptorsMax())
                : Numbers.count((long) watch.descriptorsMax()) + " of " + Numbers.count((long) watch.descriptorLimit());
    }

    private void clients() {
        html.element("h2", "Clients", "id", "clients");
        if (analysis.clients().isEmpty()) {
            html.element("p", "No client made a call.", "class", "note");
            return;
        }
        List<List<String>> rows =
                analysis.clients().stream().limit(MAX_ROWS).map(Tables::row).toList();
        html.table(
                "Virtual users, one a row; response times of ok calls in ms",
                0,
                List.of(
                        "client",
                        "tester",
                        "host",
                        "from",
                        "to",
                        "calls",
                        "ok",
                        "failed",
                        "bytes",
                        "mean",
                        "p50",
                        "p99",
                        "utilisation",
                        "utilisation at peak"),
                rows);
        rest(analysis.clients().size(), "clients.csv");
    }

    private static List<String> row(ClientRow c) {
        return List.of(
                Numbers.count(c.client()),
                String.valueOf(c.tester()),
                Words.clean(c.host()),
                Numbers.clock(c.fromSeconds()),
                Numbers.clock(c.toSeconds()),
                Numbers.count(c.calls()),
                Numbers.count(c.ok()),
                Numbers.count(c.failed()),
                Numbers.bytes(c.bytes()),
                Numbers.plain(c.mean()),
                Numbers.plain(c.p50()),
                Numbers.plain(c.p99()),
                Numbers.share(c.utilisation()),
                Numbers.share(c.peakUtilisation()));
    }

    private void rest(int count, String file) {
        if (count > MAX_ROWS) {
            html.open("p", "class", "note")
                    .text("The first " + MAX_ROWS + " of " + Numbers.count(count) + "; all are in ")
                    .element("a", file, "href", file)
                    .text(".")
                    .close("p");
        }
    }
}
