package org.diperf.analyzer.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.diperf.analyzer.measure.Column;
import org.diperf.analyzer.measure.Table;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Confidence;
import org.diperf.analyzer.result.Confidence.Bounds;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.SteadyPhase;
import org.diperf.analyzer.result.Summary.ProbeSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.stats.Statistic;
import org.diperf.analyzer.text.Levels;
import org.diperf.analyzer.text.Numbers;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.RunText;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/** The table of stages, levels or probes. */
public final class StageTable {

    private static final String LIMITED = "! generator was the limit";

    /** Of a search: why a probe's row may have another number than its verdict. */
    public static final String SPANS =
            "A probe is judged while the load continues, based on the calls that ended during its hold; its row "
                    + "counts the calls that were due after it settled, regardless of when they ended.";

    private StageTable() {}

    /** Names what the rows are: {@code stage}, {@code level}, {@code probe}. */
    public static String head(Analysis analysis) {
        if (analysis.summary().search() != null) {
            return "probe";
        }
        return Levels.of(analysis).isEmpty() ? "stage" : "level";
    }

    /** Returns the rows for people, in the order of time. Pauses between levels, in which a service works off what waits, are no levels. */
    public static List<StageSummary> rows(Analysis analysis) {
        List<StageSummary> stages = analysis.summary().stages();
        List<StageSummary> levels = Levels.of(analysis);
        return stages == null ? List.of() : levels.isEmpty() ? stages : levels;
    }

    /**
     * Makes the table.
     *
     * @param rate heading of the rate of ok calls
     * @param remark heading of what is said of a row in words
     */
    public static Table<StageSummary> of(Analysis analysis, String rate, String remark) {
        StageSummary best = analysis.summary().search() == null ? Levels.best(analysis) : null;
        List<Column<StageSummary>> bounds = new ArrayList<>(bounds("throughput", "per_s", Confidence::throughput));
        for (Statistic statistic : Statistic.rising()) {
            if (Confidence.hasInterval(statistic)) {
                bounds.addAll(
                        bounds("response_" + statistic.key(), "ms", confidence -> confidence.responseTime(statistic)));
            }
        }
        return Table.of(
                List.of(
                        Column.forPeople(head(analysis), stage -> label(analysis, stage)),
                        Column.of("stage", StageSummary::number),
                        Column.of("model", StageSummary::model),
                        Column.of("level", StageSummary::level),
                        Column.of("clients", StageSummary::clients),
                        Column.of("rate_per_s", StageSummary::rate),
                        Column.of("from_s", StageSummary::fromSeconds),
                        Column.of("to_s", StageSummary::toSeconds),
                        Column.of("settled_s", StageSummary::settledSeconds)),
                CallColumns.counts(),
                List.of(CallColumns.rate(rate, RateUnit.of(analysis.run()))),
                CallColumns.response(),
                CallColumns.times("service", StageSummary::serviceTime, Statistic.P50, Statistic.P99),
                CallColumns.times("lag", StageSummary::sendLag, Statistic.P50, Statistic.P99),
                List.of(Column.of("verdict", StageSummary::verdict)),
                bounds,
                List.of(
                        Column.of(
                                "steady",
                                stage -> stage.steady() == null
                                        ? null
                                        : stage.steady().state()),
                        Column.of(
                                "steady_from_s",
                                stage -> stage.steady() == null
                                        ? null
                                        : stage.steady().fromSeconds()),
                        Column.of(
                                "littles_law_percent",
                                stage -> stage.littlesLaw() == null
                                        ? null
                                        : stage.littlesLaw().differencePercent()),
                        Column.forPeople(
                                remark,
                                stage -> remark(analysis, stage, best != null && stage.number() == best.number()))));
    }

    /** Returns why a row's numbers are in doubt, a line each that begins with the row's name. */
    static List<String> warnings(Analysis analysis, StageSummary stage) {
        List<Warning> warnings = stage.warnings();
        return warnings == null
                ? List.of()
                : warnings.stream()
                        .map(warning -> label(analysis, stage) + ": " + RunText.clean(warning.text()))
                        .toList();
    }

    private static List<Column<StageSummary>> bounds(
            String name, String unit, Function<Confidence, @Nullable Bounds> of) {
        return List.of(
                Column.of(name + "_low_" + unit, stage -> bound(stage, of, Bounds::low)),
                Column.of(name + "_high_" + unit, stage -> bound(stage, of, Bounds::high)));
    }

    private static @Nullable Object bound(
            StageSummary stage, Function<Confidence, @Nullable Bounds> of, ToDoubleFunction<Bounds> end) {
        Confidence confidence = stage.confidence();
        Bounds bounds = confidence == null ? null : of.apply(confidence);
        return bounds == null ? null : (Object) end.applyAsDouble(bounds);
    }

    private static String label(Analysis analysis, StageSummary stage) {
        Double level = stage.level();
        if (level != null) {
            return Levels.write(analysis, level);
        }
        String group = stage.group();
        return (stage.number() + 1) + ": " + (group == null ? "" : RunText.clean(group) + ", ") + load(analysis, stage);
    }

    private static String load(Analysis analysis, StageSummary stage) {
        Integer clients = stage.clients();
        Double rate = stage.rate();
        if (clients != null) {
            Integer from = stage.fromClients();
            return (from == null ? "" : Numbers.count(from) + "→") + Numbers.count(clients, "client");
        }
        if (rate == null) {
            return stage.model();
        }
        RateUnit unit = RateUnit.of(analysis.run());
        Double from = stage.fromRate();
        return (from == null ? "" : Numbers.brief(from * unit.factor()) + "→")
                + Numbers.brief(rate * unit.factor())
                + unit.symbol();
    }

    private static String remark(Analysis analysis, StageSummary stage, boolean best) {
        List<String> words = new ArrayList<>();
        SearchSummary search = analysis.summary().search();
        if (search != null) {
            search.probes().stream()
                    .filter(probe -> probe.stage() == stage.number())
                    .findFirst()
                    .ifPresent(probe -> words.add(probe(probe)));
        }
        if (best) {
            words.add("best");
        }
        List<Warning> warnings = stage.warnings();
        if (warnings != null) {
            warnings.forEach(warning ->
                    words.add(warning.subject() == Subject.GENERATOR ? LIMITED : "! " + RunText.clean(warning.text())));
        }
        if (stage.level() != null && !Levels.hasSettled(stage)) {
            words.add("never settled");
        }
        SteadyPhase steady = stage.steady();
        if (steady != null && Boolean.FALSE.equals(steady.agrees())) {
            Double from = steady.fromSeconds();
            words.add("! " + (from == null ? "never steady" : "steady from " + Numbers.clock(from) + " only"));
        }
        LittlesLaw law = stage.littlesLaw();
        if (law != null && !law.holds()) {
            words.add(String.format(Locale.ROOT, "! violates Little's law by %+.1f %%", law.differencePercent()));
        }
        if (stage.calls().dropped() > 0) {
            words.add(Numbers.count(stage.calls().dropped()) + " dropped");
        }
        return String.join(", ", words);
    }

    private static String probe(ProbeSummary probe) {
        Boolean holds = probe.holds();
        String result = holds == null ? "undecided" : holds ? "holds" : "breaks";
        String by = probe.decidedBy();
        return RunText.clean(probe.purpose()) + ": " + result
                + (by == null || by.isEmpty() ? "" : " (" + RunText.clean(by) + ")");
    }
}
