package org.diperf.analyzer.figure;

import org.jfree.chart.JFreeChart;

/**
 * A figure.
 *
 * @param name of its files
 * @param title what it shows
 * @param howToRead one sentence
 * @param height of its picture, for the common width
 * @param chart ready to be drawn
 */
public record Figure(String name, String title, String howToRead, int height, JFreeChart chart) {}
