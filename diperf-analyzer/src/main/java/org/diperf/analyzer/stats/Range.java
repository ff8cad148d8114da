package org.diperf.analyzer.stats;

/** From one number to another. */
public record Range(double low, double high) {}
