package org.diperf.analyzer.figure;

import java.awt.Color;
import org.jfree.chart.LegendItem;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Shades what lies between two lines. */
final class BandRenderer extends DeviationRenderer {

    private static final long serialVersionUID = 1;

    private final String name;
    private final Color colour;

    /** @param name in the legend; empty: it has no place there */
    BandRenderer(String name, Color colour, int pieces) {
        super(false, false);
        this.name = name;
        this.colour = colour;
        setAlpha(1f);
        for (int i = 0; i < pieces; i++) {
            setSeriesFillPaint(i, colour);
            setSeriesPaint(i, colour);
        }
    }

    /**
     * Makes the pieces between which either line is missing.
     *
     * @param x rising
     */
    static YIntervalSeriesCollection pieces(double[] x, double[] low, double[] high) {
        YIntervalSeriesCollection pieces = new YIntervalSeriesCollection();
        int every = Math.max(1, x.length / Downsampler.COLUMNS);
        YIntervalSeries piece = null;
        for (int i = 0; i < x.length; i += every) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int j = i; j < Math.min(x.length, i + every); j++) {
                // NaN stays.
                least = Math.min(least, low[j]);
                most = Math.max(most, high[j]);
            }
            if (!Double.isFinite(least) || !Double.isFinite(most)) {
                piece = null;
                continue;
            }
            if (piece == null) {
                piece = new YIntervalSeries(pieces.getSeriesCount(), false, true);
                pieces.addSeries(piece);
            }
            piece.add(x[i], most, least, most);
        }
        return pieces;
    }

    @Override
    public @Nullable LegendItem getLegendItem(int dataset, int series) {
        return series == 0 && !name.isEmpty() ? Theme.legendShape(name, colour, Theme.LEGEND_BOX) : null;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
