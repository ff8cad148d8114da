/**
 * Compares sets of runs: what differs, by how much, and how certain that is.
 *
 * <p>The method, with its sources, is in {@code docs/compare.md}. In short:
 * <ol>
 *   <li>Only the {@code measured} part of each run counts; calls are never treated as independent.
 *   <li>With three runs or more per side, a run is the unit; otherwise a time batch, long enough that neighbouring batches are
 *       no longer correlated; that cannot see what varies from run to run, and the result says so.
 *   <li>Effects are ratios to the first side, on a logarithmic scale; for the share of failed calls, differences.
 *   <li>Two sides differ in a metric when the interval excludes no effect, the effect is large enough to matter, and the
 *       test's p, corrected by Holm's method over all judged metrics, is below 0.05.
 *   <li>The same runs and the same seed give the same result.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.compare;

import org.jspecify.annotations.NullMarked;
