package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.CallStatistics;
import org.diperf.analyzer.result.JourneySummary;
import org.diperf.analyzer.result.PartCounts;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;

/** Journeys and the groups of calls within them, one a row, and the steps of a journey. */
public final class JourneyTable {

    private JourneyTable() {}

    /** A journey or a group. */
    public record Row(String label, CallStatistics numbers) implements PartCounts {}

    /** A step of a journey. */
    public record StepRow(String journey, JourneySummary.Step step) {}

    /** @param rate heading of the rate of ok ones */
    public static Table<Row> of(Analysis analysis, String rate) {
        return Table.of(
                List.of(
                        Column.<Row>of("journey", Row::label).shown("journey", row -> RunText.clean(row.label())),
                        Column.<Row>of("taken", row -> row.calls().total())
                                .shown("taken", row -> Numbers.count(row.calls().total())),
                        Column.of("ok", row -> row.calls().ok()),
                        Column.<Row>of("failed", row -> row.calls().failed())
                                .shown(
                                        "failed",
                                        row -> Numbers.count(row.calls().failed())),
                        CallColumns.rate(rate, RateUnit.of(analysis.run()))),
                CallColumns.response());
    }

    /** Returns the journeys and groups, by number; groups say that they are. */
    public static List<Row> rows(Analysis analysis) {
        return journeys(analysis).entrySet().stream()
                .map(entry -> new Row(
                        entry.getValue().kind().equals(JourneySummary.JOURNEY)
                                ? entry.getKey()
                                : "group " + entry.getKey(),
                        entry.getValue().numbers()))
                .toList();
    }

    /** Says how far journeys came. */
    public static Table<StepRow> ofSteps() {
        return Table.of(
                List.of(
                        Column.<StepRow>of("journey", StepRow::journey)
                                .shown("journey", row -> RunText.clean(row.journey())),
                        Column.<StepRow>of("step", row -> row.step().request())
                                .shown("step", row -> RunText.clean(row.step().request())),
                        Column.<StepRow>of("calls", row -> row.step().calls().total())
                                .shown(
                                        "calls",
                                        row -> Numbers.count(row.step().calls().total())),
                        Column.<StepRow>of("failed", row -> row.step().calls().failed())
                                .shown(
                                        "failed",
                                        row -> Numbers.count(row.step().calls().failed())),
                        Column.<StepRow>of("ended", row -> row.step().ended())
                                .shown(
                                        "journeys ended here",
                                        row -> Numbers.count(row.step().ended())),
                        Column.<StepRow>of("left", row -> row.step().left())
                                .shown(
                                        "went on",
                                        row -> Numbers.count(row.step().left()))),
                List.of());
    }

    /** Returns the steps of all journeys, in their order. */
    public static List<StepRow> steps(Analysis analysis) {
        List<StepRow> rows = new ArrayList<>();
        journeys(analysis).forEach((name, journey) -> {
            if (journey.kind().equals(JourneySummary.JOURNEY)) {
                journey.steps().forEach(step -> rows.add(new StepRow(name, step)));
            }
        });
        return rows;
    }

    private static Map<String, JourneySummary> journeys(Analysis analysis) {
        Map<String, JourneySummary> journeys = analysis.summary().journeys();
        return journeys == null ? Map.of() : journeys;
    }
}
