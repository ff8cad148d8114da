package org.diperf.analyzer.figure;

import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.Plot;

/**
 * A figure.
 *
 * @param name of its files
 * @param title what it shows
 * @param howToRead one sentence
 * @param height of its picture, for the common width
 * @param chart ready to be drawn
 */
public record Figure(String name, String title, String howToRead, int height, JFreeChart chart) {

    /** Makes the figure of a plot, with its legend below. */
    static Figure of(String name, String title, String subtitle, String howToRead, int height, Plot plot) {
        return new Figure(name, title, howToRead, height, Theme.chart(plot, title, subtitle, true));
    }
}
