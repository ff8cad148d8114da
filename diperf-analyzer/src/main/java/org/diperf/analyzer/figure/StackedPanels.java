package org.diperf.analyzer.figure;

import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.XYPlot;

/** Panels over one another with one domain axis and one legend. */
final class StackedPanels {

    private static final double GAP = 14;

    private final CombinedDomainXYPlot plot;
    private final List<XYPlot> panels = new ArrayList<>();

    StackedPanels(ValueAxis domain) {
        this.plot = new CombinedDomainXYPlot(domain);
        plot.setGap(GAP);
    }

    /** Adds a panel below the others; its height goes with the weight. */
    StackedPanels add(XYPlot panel, int weight) {
        panels.add(panel);
        plot.add(panel, weight);
        return this;
    }

    /** Returns the plot with the legends of all panels, one after another. */
    XYPlot joined() {
        return with(legend(panels));
    }

    /** Joins the legends of panels, one after another. */
    static LegendItemCollection legend(List<XYPlot> panels) {
        LegendItemCollection all = new LegendItemCollection();
        panels.forEach(panel -> all.addAll(panel.getLegendItems()));
        return all;
    }

    /** Returns the plot with a legend of its own. */
    XYPlot with(LegendItemCollection legend) {
        plot.setFixedLegendItems(legend);
        return plot;
    }
}
