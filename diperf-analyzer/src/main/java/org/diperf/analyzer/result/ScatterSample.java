package org.diperf.analyzer.result;

/**
 * Single ok calls for scatter plots: a seeded reservoir per quantum that always keeps the slowest call. Equally long
 * arrays, at most 20,000, by time.
 *
 * @param seconds when the call ended, after the start of the run
 * @param responseMs its response time
 */
public record ScatterSample(double[] seconds, double[] responseMs) {}
