package org.diperf.analyzer.grid;

/**
 * What is known of a grid: what its {@code summary.json}, CSV files, figures and report are made from.
 *
 * @param summary the numbers
 * @param main by what its points are compared first
 */
public record GridAnalysis(GridSummary summary, Metric main) {}
