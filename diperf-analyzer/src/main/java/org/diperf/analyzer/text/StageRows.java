package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.LittlesLaw;
import org.diperf.analyzer.result.Steady;
import org.diperf.analyzer.result.Summary.ProbeSummary;
import org.diperf.analyzer.result.Summary.SearchSummary;
import org.diperf.analyzer.result.Summary.StageSummary;

/** The table of stages, levels or probes. Terminal and report show the same. */
public final class StageRows {

    private static final String LIMITED = "! generator was the limit";

    private StageRows() {}

    /** Names what the rows are: {@code stage}, {@code level}, {@code probe}. */
    public static String head(Analysis analysis) {
        if (analysis.summary().search() != null) {
            return "probe";
        }
        return Levels.of(analysis).isEmpty() ? "stage" : "level";
    }

    /** Counts the rows there are. */
    public static int count(Analysis analysis) {
        return stages(analysis).size();
    }

    /** Pauses between levels, in which a service works off what waits, are no levels. */
    private static List<StageSummary> stages(Analysis analysis) {
        List<StageSummary> stages = analysis.summary().stages();
        List<StageSummary> levels = Levels.of(analysis);
        return stages == null ? List.of() : levels.isEmpty() ? stages : levels;
    }

    /**
     * Gives the rows in the order of time, the last cell in words; none where the run has no stages to tell apart.
     *
     * @param most rows given
     */
    public static List<List<String>> of(Analysis analysis, int most) {
        List<StageSummary> stages = stages(analysis);
        RateUnit unit = RateUnit.of(analysis.run());
        StageSummary best = analysis.summary().search() == null ? Levels.best(analysis) : null;
        List<List<String>> rows = new ArrayList<>();
        for (StageSummary stage : stages.subList(0, Math.min(most, stages.size()))) {
            List<String> cells =
                    new ArrayList<>(TableRow.of(label(analysis, stage), stage).cells(unit));
            cells.add(remark(analysis, stage, best != null && stage.number() == best.number()));
            rows.add(cells);
        }
        return rows;
    }

    private static String label(Analysis analysis, StageSummary stage) {
        Double level = stage.level();
        if (level != null) {
            return Levels.write(analysis, level);
        }
        String group = stage.group();
        return (stage.number() + 1) + ": " + (group == null ? "" : Words.clean(group) + ", ") + load(analysis, stage);
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
        List<String> warnings = stage.warnings();
        if (warnings != null) {
            warnings.forEach(warning -> words.add(
                    warning.startsWith("the load generator was the limit") ? LIMITED : "! " + Words.clean(warning)));
        }
        if (stage.level() != null && !Levels.hasSettled(stage)) {
            words.add("never settled");
        }
        Steady steady = stage.steady();
        if (steady != null && Boolean.FALSE.equals(steady.agrees())) {
            Double from = steady.fromSeconds();
            words.add("! MSER-5: " + (from == null ? "never steady" : "steady from " + Numbers.clock(from)));
        }
        LittlesLaw law = stage.littlesLaw();
        if (law != null && !law.holds()) {
            words.add(String.format(Locale.ROOT, "! Little's law missed by %+.1f %%", law.differencePercent()));
        }
        if (stage.calls().dropped() > 0) {
            words.add(Numbers.count(stage.calls().dropped()) + " dropped");
        }
        return String.join(", ", words);
    }

    private static String probe(ProbeSummary probe) {
        Boolean holds = probe.holds();
        String result = holds == null ? "could not be told" : holds ? "holds" : "breaks";
        return Words.clean(probe.purpose()) + ": " + result;
    }
}
