package org.diperf.analyzer.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;

/** An axis with given ticks and labels, for positions that are a function of what the labels say. */
final class TickedAxis extends NumberAxis {

    private static final long serialVersionUID = 1;

    private final transient List<Mark> marks;

    /**
     * @param at position on the axis
     * @param label {@code ""} for a line without words
     */
    record Mark(double at, String label) {}

    TickedAxis(String label, List<Mark> marks) {
        super(label);
        this.marks = List.copyOf(marks);
        setAutoRange(false);
    }

    @Override
    public List<ValueTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        return ticks(marks, getRange(), edge);
    }

    /** Returns the ticks of those marks that lie on an axis. */
    static List<ValueTick> ticks(List<Mark> marks, Range range, RectangleEdge edge) {
        TextAnchor anchor = edge.equals(RectangleEdge.BOTTOM)
                ? TextAnchor.TOP_CENTER
                : edge.equals(RectangleEdge.TOP)
                        ? TextAnchor.BOTTOM_CENTER
                        : edge.equals(RectangleEdge.LEFT) ? TextAnchor.CENTER_RIGHT : TextAnchor.CENTER_LEFT;
        List<ValueTick> ticks = new ArrayList<>();
        for (Mark mark : marks) {
            if (range.contains(mark.at())) {
                ticks.add(new NumberTick(mark.at(), mark.label(), anchor, TextAnchor.CENTER, 0));
            }
        }
        return ticks;
    }
}
