package org.diperf.analyzer.figure;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;

/** A logarithmic axis with given ticks and labels: JFreeChart's own are powers of the base alone. */
final class LogTickAxis extends LogAxis {

    private static final long serialVersionUID = 1;

    private final transient List<TickedAxis.Mark> marks;

    LogTickAxis(String label, List<TickedAxis.Mark> marks) {
        super(label);
        this.marks = List.copyOf(marks);
        setAutoRange(false);
    }

    /** Returns {@code NaN}, which breaks a line, for what has no logarithm; renderers would draw lines to infinity. */
    @Override
    public double calculateLog(double value) {
        return value > 0 ? super.calculateLog(value) : Double.NaN;
    }

    @Override
    public List<ValueTick> refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        return TickedAxis.ticks(marks, getRange(), edge);
    }
}
