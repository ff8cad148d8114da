package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.FailureCause;
import org.diperf.analyzer.result.Breakdown;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.ThresholdResult;
import org.diperf.analyzer.text.AnnexText;
import org.diperf.analyzer.text.CalibrationFinding;
import org.diperf.analyzer.text.MeasuredPart;
import org.diperf.analyzer.text.NextStep;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RangeText;
import org.diperf.analyzer.text.RunText;
import org.diperf.analyzer.text.ServerText;
import org.diperf.analyzer.text.TerminalFormat;
import org.diperf.analyzer.text.Verdict;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.StageRecord;

/** The table that ends a run on a terminal. */
public final class SummaryTable {

    private static final int MAX_CAUSES = 5;
    private static final int MAX_REQUESTS = 30;
    private static final int MAX_LABEL = 40;
    private static final int MAX_STAGES = 40;
    private static final int MAX_MONITORS = 8;
    private static final int MAX_WARNINGS = 8;
    private static final int MAX_NOTES = 2;
    private static final String RATE = "rate";
    private static final int MIN_REMARK = 12;

    private final Analysis analysis;
    private final TerminalFormat screen;
    private final boolean explains;
    private final StringBuilder out = new StringBuilder();

    private SummaryTable(Analysis analysis, TerminalFormat screen, boolean explains) {
        this.analysis = analysis;
        this.screen = screen;
        this.explains = explains;
    }

    /**
     * Writes the table; it ends with a line break.
     *
     * @param screen where its lines end, sentences are broken, and remarks in tables are cut off
     * @param reportPath where the report is
     * @param againCommand that repeats the run
     * @param explains whether to say what the verdict rests on, in the terms of statistics
     */
    public static String render(
            Analysis analysis, TerminalFormat screen, String reportPath, String againCommand, boolean explains) {
        return new SummaryTable(analysis, screen, explains).render(reportPath, againCommand);
    }

    /** Returns whether why calls failed is the first thing to know of the run. */
    private boolean isMostlyFailed() {
        var calls = analysis.summary().calls();
        return calls.failed() > 0 && 2 * calls.failed() >= calls.total();
    }

    private String render(String reportPath, String againCommand) {
        Verdict verdict = Verdict.of(analysis);
        headline(verdict);
        if (!isMostlyFailed()) {
            failures();
        }
        thresholds();
        out.append('\n');
        if (analysis.summary().calls().total() > 0) {
            table();
            journeys();
            out.append('\n');
            parts();
            stages();
            clientSide();
        }
        server();
        String calibration = CalibrationFinding.line(analysis.summary());
        if (calibration != null) {
            line("testers", calibration);
        }
        annexes();
        notes(verdict);
        String next = NextStep.of(analysis);
        if (!next.isEmpty()) {
            line("next", next);
        }
        // A path or a command that is broken over lines cannot be used.
        out.append(" report  ").append(reportPath).append('\n');
        out.append(" again   ").append(againCommand).append('\n');
        return out.toString();
    }

    private void headline(Verdict verdict) {
        String word = verdict.result().replaceFirst(" .*", "");
        String painted = verdict.good() ? screen.green(word) : screen.red(word);
        screen.sentence("", Verdict.headline(analysis).replace(word, painted), out);
        String trusted = Verdict.trusted(analysis);
        String state = verdict.trust().name();
        screen.sentence(
                "",
                switch (verdict.trust()) {
                    case VALID -> trusted.replace(state, screen.green(state));
                    case SUSPECT -> trusted.replace(state, screen.yellow(state));
                    case ABSENT -> screen.red(trusted);
                },
                out);
        if (isMostlyFailed()) {
            failures();
        }
        verdict.reasons().forEach(reason -> screen.sentence("   ! ", reason, out));
    }

    private void notes(Verdict verdict) {
        int most = explains ? Integer.MAX_VALUE : MAX_NOTES;
        verdict.notes().stream().limit(most).forEach(note -> screen.sentence(" note    ", note, out));
        int more = verdict.notes().size() - most;
        if (more > 0) {
            out.append("         and ").append(Numbers.count(more, "more note")).append(": --explain\n");
        }
        if (explains) {
            line("basis", String.join(", ", verdict.facts()));
            String intervals = ConfidenceTable.line(analysis);
            if (intervals != null) {
                line("95 % CI", intervals);
            }
        }
    }

    private void table() {
        Table<RequestTable.Row> table = RequestTable.of(analysis, RATE);
        List<RequestTable.Row> kinds = RequestTable.severalKinds(analysis);
        // All of them are of one part of the run.
        List<RequestTable.Row> rows =
                new ArrayList<>(RequestTable.windows(analysis.summary()).subList(0, 1));
        rows.addAll(kinds.subList(0, Math.min(MAX_REQUESTS, kinds.size())));
        lines(
                table.headings(),
                table.cells(rows),
                false,
                analysis.run().lacks(OriginRecord.SEND_LAG)
                        ? "ms, ok calls, from the start time in the file"
                        : "ms, ok calls" + (explains ? ", from intended start" : ""));
        if (kinds.size() > MAX_REQUESTS) {
            out.append(" and ").append(kinds.size() - MAX_REQUESTS).append(" more kinds, see requests.csv\n");
        }
    }

    private void journeys() {
        List<JourneyTable.Row> rows = JourneyTable.rows(analysis);
        if (!rows.isEmpty()) {
            Table<JourneyTable.Row> table = JourneyTable.of(analysis, RATE);
            out.append('\n');
            lines(
                    table.headings(),
                    table.cells(rows.subList(0, Math.min(MAX_REQUESTS, rows.size()))),
                    false,
                    "ms, from the intended start of the first call to the end of the last");
        }
    }

    private void clientSide() {
        List<String> lines = ClientSideTable.lines(analysis);
        lines.forEach(text -> screen.sentence(" ", text, out));
        if (!lines.isEmpty()) {
            out.append('\n');
        }
    }

    private void parts() {
        Breakdown breakdown = analysis.breakdown();
        if (breakdown == null) {
            return;
        }
        Table<PartTable.Row> table = PartTable.of(analysis, breakdown, RATE, "");
        List<PartTable.Row> parts = PartTable.rows(breakdown);
        lines(table.headings(), table.cells(parts.subList(0, Math.min(MAX_STAGES, parts.size()))), true, "");
        int all = breakdown.parts().size();
        if (all > MAX_STAGES) {
            out.append(" and ").append(all - MAX_STAGES).append(" more, see groups.csv\n");
        }
        out.append('\n');
    }

    private void stages() {
        if (onlyGroups()) {
            return;
        }
        List<StageSummary> stages = StageTable.rows(analysis);
        if (stages.isEmpty()) {
            return;
        }
        Table<StageSummary> table = StageTable.of(analysis, RATE, "");
        lines(table.headings(), table.cells(stages.subList(0, Math.min(MAX_STAGES, stages.size()))), true, "");
        int all = stages.size();
        if (all > MAX_STAGES) {
            out.append(" and ").append(all - MAX_STAGES).append(" more, see stages.csv\n");
        }
        List<String> warnings = stages.stream()
                .flatMap(stage -> StageTable.warnings(analysis, stage).stream())
                .toList();
        warnings.stream().limit(MAX_WARNINGS).forEach(text -> lineOf("   ! ", text));
        if (warnings.size() > MAX_WARNINGS) {
            out.append("     and ").append(warnings.size() - MAX_WARNINGS).append(" more, see the report\n");
        }
        if (analysis.summary().search() != null) {
            screen.sentence(" ", StageTable.SPANS, out);
        }
        out.append('\n');
    }

    /** Returns whether each group has one stage alone: the groups' own table then says it all. */
    private boolean onlyGroups() {
        List<StageRecord> stages = analysis.run().stages();
        return analysis.breakdown() != null
                && stages.stream().allMatch(stage -> stage.group() != null)
                && stages.stream().map(StageRecord::group).distinct().count() == stages.size();
    }

    /**
     * Writes a table: words on the left, then numbers.
     *
     * @param hasRemark whether the last column is words behind them
     * @param note behind the headings
     */
    private void lines(List<String> headings, List<List<String>> cells, boolean hasRemark, String note) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(headings);
        rows.addAll(cells);
        int columns = headings.size() - (hasRemark ? 1 : 0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], TerminalFormat.length(i == 0 ? label(row.get(0)) : row.get(i)));
            }
        }
        widths[0] = Math.max(widths[0], 14);
        for (int r = 0; r < rows.size(); r++) {
            StringBuilder line = new StringBuilder(" ");
            String label = label(rows.get(r).get(0));
            line.append(label).append(" ".repeat(widths[0] - TerminalFormat.length(label)));
            for (int i = 1; i < columns; i++) {
                String cell = rows.get(r).get(i);
                line.append(" ")
                        .append(" ".repeat(widths[i] - TerminalFormat.length(cell)))
                        .append(cell);
            }
            String behind = r == 0 ? note : hasRemark ? rows.get(r).get(columns) : "";
            int room = screen.width() - TerminalFormat.length(line.toString()) - 2;
            // What stands in no other column must not be lost on a narrow screen: it gets a line of its own.
            boolean below = r > 0 && TerminalFormat.length(behind) > room;
            if (!behind.isEmpty() && !below && (r > 0 || room >= MIN_REMARK)) {
                line.append("  ").append(TerminalFormat.cut(behind, room));
            }
            out.append(r == 0 ? screen.dim(line.toString()) : line).append('\n');
            if (below) {
                lineOf("    ", behind);
            }
        }
    }

    /** Writes a text in one line, cut off where the screen ends. */
    private void lineOf(String indent, String text) {
        out.append(indent)
                .append(TerminalFormat.cut(text, screen.width() - indent.length()))
                .append('\n');
    }

    private static String label(String label) {
        return TerminalFormat.cut(label, MAX_LABEL);
    }

    private void failures() {
        List<FailureCause> causes = analysis.failures();
        for (int i = 0; i < Math.min(MAX_CAUSES, causes.size()); i++) {
            FailureCause cause = causes.get(i);
            screen.sentence(
                    i == 0 ? " failures   " : "            ",
                    Numbers.count(cause.count()) + " × " + RunText.cause(analysis.run(), cause) + " · "
                            + RunText.first(cause),
                    out);
            // Where no call succeeded the first line says it of the first cause.
            if (!cause.remedy().isEmpty()
                    && (i > 0 || analysis.summary().calls().ok() > 0)) {
                screen.sentence("            → ", RunText.remedy(cause), out);
            }
        }
        if (causes.size() > MAX_CAUSES) {
            out.append("            and ").append(causes.size() - MAX_CAUSES).append(" more causes, see the report\n");
        }
        long dropped = analysis.summary().calls().dropped();
        if (dropped > 0) {
            out.append(" dropped    ").append(Numbers.count(dropped)).append(" due while max-in-flight was reached\n");
        }
    }

    private void server() {
        List<String> lines = ServerText.lines(analysis);
        for (int i = 0; i < Math.min(MAX_MONITORS, lines.size()); i++) {
            line(i == 0 ? "server" : "", lines.get(i));
        }
    }

    private void thresholds() {
        List<ThresholdResult> thresholds = analysis.summary().thresholds();
        int widest = thresholds.stream()
                .mapToInt(t -> TerminalFormat.length(RunText.clean(t.expression())))
                .max()
                .orElse(0);
        int column = Math.min(60, Math.max(28, widest + 1));
        List<ThresholdResult> worstFirst = thresholds.stream()
                .sorted(Comparator.comparingInt(t -> t.fails() ? 0 : t.open() ? 1 : 2))
                .toList();
        for (ThresholdResult threshold : worstFirst) {
            String expression = RunText.clean(threshold.expression());
            String mark =
                    threshold.holds() ? screen.green("✓") : threshold.open() ? screen.yellow("?") : screen.red("✗");
            screen.sentence(
                    "   " + mark + ' ' + expression
                            + " ".repeat(Math.max(1, column - TerminalFormat.length(expression) + 1)),
                    (threshold.open() ? "undecided: " : "")
                            + MeasuredPart.observed(analysis.summary(), threshold)
                            + RangeText.behind(analysis.summary(), threshold),
                    out);
        }
    }

    private void annexes() {
        for (ShownAnnex annex : analysis.annexes()) {
            String before = "";
            for (List<String> fact : AnnexText.facts(annex)) {
                line(fact.get(0).equals(before) ? "" : fact.get(0), fact.get(1));
                before = fact.get(0);
            }
        }
    }

    private void line(String name, String text) {
        screen.sentence(" " + name + " ".repeat(Math.max(1, 8 - TerminalFormat.length(name))), text, out);
    }
}
