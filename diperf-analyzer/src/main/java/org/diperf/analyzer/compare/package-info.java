/**
 * Compares sets of runs: what differs, by how much, and how sure that is.
 *
 * <p>The method, with its sources, is in {@code docs/compare.md}. In short:
 * <ol>
 *   <li>Only the {@code measured} part of each run counts; calls are never taken for independent of one another.
 *   <li>With three runs or more a side a run is the unit. Otherwise a time batch is, long enough that neighbouring batches are
 *       no longer correlated; that cannot see what varies from run to run, and the result says so.
 *   <li>Effects are ratios to the first side, on a logarithmic scale; of the share of failed calls it is a difference.
 *   <li>Two sides differ in a metric when the interval excludes no effect, the effect is larger than what matters, and the
 *       test's p, by Holm over all judged metrics, is below 0.05.
 *   <li>The same runs and the same seed give the same result.
 * </ol>
 */
@NullMarked
package org.diperf.analyzer.compare;

import org.jspecify.annotations.NullMarked;
