package org.diperf.analyzer.figure;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Analysis.MarkedInterval;
import org.diperf.analyzer.result.Summary.StageSummary;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.analyzer.text.RunText;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.Layer;

/** Parts of a run shaded in figures over time: the ramp, and what makes numbers doubtful. */
final class ShadedRegions {

    /** More borders would hide what lies between them. */
    private static final int MAX_BORDERS = 100;

    private ShadedRegions() {}

    /** Shades a plot and gives the legend entries of what was shaded. */
    static List<LegendItem> shade(XYPlot plot, Analysis analysis) {
        List<LegendItem> items = new ArrayList<>();
        double duration = analysis.series().durationSeconds();
        for (MarkedInterval.Kind kind : MarkedInterval.Kind.values()) {
            Color colour = switch (kind) {
                case RAMP -> Theme.RAMP;
                case LIMITED -> Theme.LIMITED;
                case GENERATOR_LIMITED -> Theme.GENERATOR_LIMITED;
                case TESTER_LOST -> Theme.TESTER_LOST;
                case CHANGE -> Theme.CHANGE;
            };
            boolean any = false;
            for (MarkedInterval interval : analysis.intervals()) {
                double from = Math.max(0, interval.fromSeconds());
                double to = Math.min(duration, interval.toSeconds());
                if (interval.kind() == kind && from <= to) {
                    // A moment is given a width that can be seen.
                    double least = duration / 400;
                    plot.addDomainMarker(
                            new IntervalMarker(from, Math.max(to, from + least), colour, Theme.LINE, null, null, 1f),
                            Layer.BACKGROUND);
                    any = true;
                }
            }
            if (any) {
                items.add(Theme.legendShape(RunText.of(kind), colour, Theme.LEGEND_BOX));
            }
        }
        List<StageSummary> stages = analysis.summary().stages();
        if (stages != null && stages.size() <= MAX_BORDERS) {
            boolean any = false;
            for (StageSummary stage : stages) {
                if (stage.fromSeconds() > 0 && stage.fromSeconds() < duration) {
                    plot.addDomainMarker(
                            new ValueMarker(stage.fromSeconds(), Theme.BORDER, Theme.THIN), Layer.BACKGROUND);
                    any = true;
                }
            }
            if (any) {
                boolean groups = stages.stream().anyMatch(stage -> stage.group() != null);
                items.add(Theme.legendLine(groups ? "a group's next stage" : "next stage", Theme.BORDER, Theme.THIN));
            }
        }
        Window measured = analysis.summary().measured();
        if (measured != null && (measured.fromSeconds() > 0.01 * duration || measured.toSeconds() < 0.99 * duration)) {
            for (double at : new double[] {measured.fromSeconds(), measured.toSeconds()}) {
                plot.addDomainMarker(new ValueMarker(at, Theme.INK, Theme.THIN_DASHED), Layer.BACKGROUND);
            }
            items.add(Theme.legendLine("measured part", Theme.INK, Theme.THIN_DASHED));
        }
        return items;
    }
}
